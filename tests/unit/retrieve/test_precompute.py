"""Vectors made before anybody asks: all that is missing, once, whatever happens in between."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from time import time

import pytest
from tests.vectors import CountingEmbedder

from winnow.adapters.models.vector_cache import CachedVectors
from winnow.adapters.stores.store import memory_storage
from winnow.errors import ModelError
from winnow.ports.services import run_blocking
from winnow.ports.stores import Storage
from winnow.retrieve.embedding_batches import EmbeddingLimits
from winnow.retrieve.precompute import (
    EmbeddingPace,
    EmbeddingPlan,
    EmbeddingProgress,
    EmbeddingWork,
    embed_ahead,
    plan_embedding,
    prune_vectors,
)
from winnow.types.message import Message
from winnow.types.scope import Scope
from winnow.types.vector import Space, text_key

ANNA, BERT = Scope("t", "anna"), Scope("t", "bert")
SPACE = Space("counting", "1", 4)


class Now:
    """The machine's clock."""

    def now(self) -> float:
        return time()


@dataclass
class House:
    """A store of messages, and a model that counts."""

    storage: Storage = field(default_factory=lambda: memory_storage(Now()))
    embedder: CountingEmbedder = field(default_factory=CountingEmbedder)

    @property
    def work(self) -> EmbeddingWork:
        maker = CachedVectors(self.embedder, self.storage.vectors)
        return EmbeddingWork(self.storage.messages, self.storage.vectors, self.storage.claims, maker, Now())

    def say(self, scope: Scope, *texts: str) -> None:
        said = [Message(f"{number}", "user", text) for number, text in enumerate(texts)]
        run_blocking(self.storage.messages.add(scope, said))

    def run(self, *scopes: Scope, batch: int = 3, at_once: int = 4, rate: float = 0.0) -> EmbeddingProgress:
        pace = EmbeddingPace(EmbeddingLimits(batch, concurrency=at_once), rate)
        return asyncio.run(embed_ahead(self.work, scopes or (ANNA,), pace))

    def kept(self, *texts: str) -> bool:
        """Whether these, and no others, have vectors."""
        return set(self.keys()) == set(map(text_key, texts))

    def keys(self) -> list[str]:
        async def read() -> list[str]:
            return [key async for page in self.storage.vectors.keys(ANNA, SPACE) for key in page]

        return asyncio.run(read())

    def claims(self) -> int:
        return len(run_blocking(self.storage.claims.active_claims(ANNA, SPACE)))


@pytest.fixture
def house() -> House:
    return House()


def test_what_is_missing_is_made_once_and_in_batches(house: House) -> None:
    house.say(ANNA, "a", "b", "a", " ", "c", "d")
    house.say(BERT, "d", "e")
    seen: list[EmbeddingProgress] = []
    done = asyncio.run(embed_ahead(house.work, (ANNA, BERT), EmbeddingPace(EmbeddingLimits(2)), seen.append))
    assert done == seen[-1] == EmbeddingProgress(made=5, calls=3)
    assert sorted(house.embedder.texts) == ["a", "b", "c", "d", "e"]
    assert house.kept("a", "b", "c", "d", "e")
    assert house.claims() == 0
    assert house.run(ANNA, BERT) == EmbeddingProgress()


def test_what_it_takes_is_counted_before(house: House) -> None:
    house.say(ANNA, "tea at four", "tea at four", "", "bread")
    assert asyncio.run(plan_embedding(house.work, (ANNA, BERT))) == EmbeddingPlan(2, 4, 2, 2, 4, 1)
    house.run()
    assert asyncio.run(plan_embedding(house.work, (ANNA, BERT))) == EmbeddingPlan(2, 4, 2, 0, 0, 0)
    assert len(house.embedder.batches) == 1


def test_new_and_edited_messages_are_made_and_the_vectors_of_gone_ones_pruned(house: House) -> None:
    house.say(ANNA, "a", "b", "c")
    house.say(BERT, "b")
    house.run(ANNA, BERT)
    house.say(ANNA, "a", "b, no: x")
    run_blocking(house.storage.messages.forget(ANNA, ["2"]))
    assert house.run(ANNA, BERT) == EmbeddingProgress(made=1, calls=1)
    assert house.kept("a", "b", "c", "b, no: x")
    assert asyncio.run(prune_vectors(house.work, ANNA, (ANNA, BERT))) == 1
    assert house.kept("a", "b", "b, no: x")


def test_a_model_that_fails_ends_the_run_and_what_was_made_is_kept(house: House) -> None:
    def failing(texts: Sequence[str]) -> None:
        if "d" in texts:
            raise ModelError("server", "down")

    house.say(ANNA, *"abcdefghi")
    house.embedder.before = failing
    with pytest.raises(ModelError, match="down"):
        house.run(at_once=1)
    assert house.kept("a", "b", "c")
    assert house.claims() == 0
    house.embedder.before = lambda texts: None
    assert house.run() == EmbeddingProgress(made=6, calls=2)
    assert house.kept(*"abcdefghi")


def test_a_text_that_the_model_never_takes_costs_only_itself(house: House) -> None:
    def choosy(texts: Sequence[str]) -> None:
        if "e" in texts:
            raise refused()

    house.say(ANNA, *"abcdefgh")
    house.embedder.before = choosy
    done = house.run(batch=8)
    assert (done.made, done.refused, done.why) == (7, 1, "too odd")
    assert house.kept(*"abcdfgh")
    assert house.claims() == 0


def test_a_model_that_takes_nothing_is_not_asked_text_by_text(house: House) -> None:
    def taking_nothing(texts: Sequence[str]) -> None:
        raise refused()

    house.say(ANNA, *map(str, range(64)))
    house.embedder.before = taking_nothing
    with pytest.raises(ModelError, match="too odd"):
        house.run(batch=64)
    assert len(house.embedder.batches) < 10


def refused() -> ModelError:
    error = ModelError("refused", "too odd")
    error.status = 400
    return error


def test_a_request_holds_no_more_tokens_than_it_may(house: House) -> None:
    house.say(ANNA, *("word " * 40 + str(n) for n in range(4)))
    pace = EmbeddingPace(EmbeddingLimits(100, tokens=250, concurrency=1))
    assert asyncio.run(embed_ahead(house.work, (ANNA,), pace)) == EmbeddingProgress(made=4, calls=2)
    assert [len(batch) for batch in house.embedder.batches] == [2, 2]


def test_no_faster_than_allowed(house: House) -> None:
    house.say(ANNA, *"abcdefghi")
    begun = time()
    house.run(rate=60)
    assert time() - begun >= 6 / 60


# after a run that was killed


def announced(house: House, *texts: str, until: float) -> None:
    """What is left of a run that was killed while its request was on its way."""
    run_blocking(house.storage.claims.take(ANNA, SPACE, [text_key(text) for text in texts], until))


def test_a_batch_whose_answer_never_came_is_sent_again_as_it_was(house: House) -> None:
    house.say(ANNA, *"abcdefg")
    announced(house, "e", "b", "g", until=time() - 1)
    assert house.run() == EmbeddingProgress(made=7, calls=3, again=3)
    assert sorted(house.embedder.batches) == [["a", "c", "d"], ["e", "b", "g"], ["f"]]
    assert house.claims() == 0


def test_what_another_run_is_busy_with_is_waited_for(house: House) -> None:
    house.say(ANNA, *"abc")
    announced(house, "b", until=time() + 0.3)
    done = house.run()
    assert done == EmbeddingProgress(made=3, calls=2, again=1)
    assert house.embedder.batches == [["a", "c"], ["b"]]


def test_and_left_to_it_when_its_answer_comes(house: House) -> None:
    house.say(ANNA, *"abc")
    announced(house, "b", until=time() + 30)
    other = CountingEmbedder()

    def answered(texts: Sequence[str]) -> None:
        CachedVectors(other, house.storage.vectors).make(ANNA, {text_key("b"): "b"})

    house.embedder.before = answered
    assert house.run() == EmbeddingProgress(made=2, calls=1)
    assert other.texts == ["b"]
    assert house.kept(*"abc")


def test_a_batch_of_which_a_text_is_gone_is_made_up_anew(house: House) -> None:
    house.say(ANNA, *"abc")
    announced(house, "b", "gone", until=time() - 1)
    assert house.run() == EmbeddingProgress(made=3, calls=2)
    assert house.embedder.batches == [["a", "c"], ["b"]]
    assert house.claims() == 0


def test_two_runs_at_one_time_have_nothing_embedded_twice(house: House) -> None:
    house.say(ANNA, *map(str, range(40)))

    async def both() -> list[EmbeddingProgress]:
        runs = (
            embed_ahead(house.work, (ANNA,), EmbeddingPace(EmbeddingLimits(3, concurrency=2)))
            for _ in range(2)
        )
        return list(await asyncio.gather(*runs))

    done = asyncio.run(both())
    assert sum(progress.made for progress in done) == 40
    assert sorted(house.embedder.texts) == sorted(map(str, range(40)))
    assert house.claims() == 0
