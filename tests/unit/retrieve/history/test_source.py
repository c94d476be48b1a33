"""A person's messages as a source: whose they are, how they are searched, and what is said of it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import pytest
from tests.unit.retrieve.people import NINA, OTTO, TABLE, Counted, Read, ask, ids, kept, source, steps, talk
from tests.vectors import CountingEmbedder, Damageable

from winnow.adapters.models.vector_cache import CachedVectors
from winnow.errors import StoreError
from winnow.ports.services import run_blocking
from winnow.retrieve.history.rank import NOISE_COSINE
from winnow.retrieve.history.source import HistorySource
from winnow.types.candidate import Ref, Search
from winnow.types.message import HistorySettings, HistoryVersion, Message
from winnow.types.scope import Scope

Floats = npt.NDArray[np.float32]
WANTED = Message("w", "user", "Salma lent me her telescope for the eclipse.")


def test_what_was_said_is_found_with_who_said_it_and_when() -> None:
    found = ask(source(kept(*talk(30), WANTED)), "who lent me a telescope")
    assert found.source == "history"
    best = next(c for c in found.candidates if c.ref == Ref("message", "w"))
    assert isinstance(best.data, Mapping)
    assert (best.data["text"], best.data["speaker"]) == (WANTED.content, "user")
    assert best.evidence
    assert best.score == max(c.score for c in found.candidates)


def test_nobody_has_no_messages_and_the_steps_say_so() -> None:
    found = ask(source(kept(WANTED)), "telescope", Scope("acme"))
    assert found.candidates == ()
    assert [(step.what, step.chosen) for step in found.steps] == [("user", "none")]


def test_a_person_without_messages_finds_nothing() -> None:
    found = ask(source(kept(WANTED)), "telescope", OTTO)
    assert (found.candidates, steps(found)) == ((), {"history": "built"})


@pytest.mark.parametrize(("limit", "top_k", "most"), [(3, 10, 3), (10, 4, 4)])
def test_no_more_than_is_asked_for_and_set(limit: int, top_k: int, most: int) -> None:
    lent = [Message(f"w{n}", "user", f"Salma lent me telescope number {n}.") for n in range(8)]
    found = ask(source(kept(*talk(40), *lent), top_k=top_k), "who lent me a telescope", limit=limit)
    assert len(found.candidates) == most


@pytest.mark.parametrize(
    ("count", "chosen", "embedded"), [(60, "lazy", 60), (300, "hybrid", 40), (1100, "batch", 40)]
)
def test_each_size_embeds_as_much_as_its_strategy_says(count: int, chosen: str, embedded: int) -> None:
    vectors = Counted()
    history = HistorySource(
        kept(*talk(count), WANTED), TABLE, vectors, HistorySettings(), warming=lambda scope, texts: "later"
    )
    found = ask(history, "the number of the piano tuner, and who lent me a telescope")
    assert steps(found)["strategy"] == chosen
    assert vectors.passages <= embedded + 1
    assert vectors.passages >= min(embedded, 30)


def test_what_is_embedded_once_is_not_embedded_again() -> None:
    vectors = Counted()
    history = source(kept(*talk(60)), vectors)
    first = ask(history, "the beehive")
    again = ask(history, "the beehive")
    assert vectors.passages == 60
    assert ids(first) == ids(again)


def test_vectors_that_are_used_again_count_as_found() -> None:
    vectors = Damageable()
    cache = CachedVectors(CountingEmbedder(), vectors)
    history = HistorySource(kept(*talk(40)), TABLE, cache, HistorySettings(type="dynamic", strategy="lazy"))
    for _ in range(50):
        ask(history, "who lent me a telescope")
    assert cache.report().tally.hit_rate == 49 / 50
    cache.close()
    (told,) = run_blocking(vectors.spaces(NINA)).values()
    assert (told.asked, told.made) == (2000, 40)


def test_words_alone_ask_no_model() -> None:
    vectors = Counted(broken=True)
    found = ask(source(kept(*talk(60), WANTED), vectors, type="none"), "telescope")
    assert "w" in ids(found)
    assert vectors.calls == []


def test_a_batch_answers_as_hybrid_until_all_is_warm() -> None:
    vectors = Counted()
    history = source(kept(*talk(200), WANTED), vectors, strategy="batch")
    cold = ask(history, "who lent me a telescope")
    assert steps(cold)["warm"] == "0%"
    assert "w" in ids(cold)
    history.outside.warming.wait()  # type: ignore[attr-defined]
    warm = ask(history, "who lent me a telescope")
    assert "warm" not in steps(warm)
    assert "w" in ids(warm)
    assert steps(warm)["vectors"] == "201"


def test_the_share_that_is_warm_is_told() -> None:
    vectors, messages = Counted(), talk(200)
    run_blocking(vectors.vectors(NINA, [m.content for m in messages[:74]]))
    history = HistorySource(
        kept(*messages), TABLE, vectors, HistorySettings(strategy="batch"), warming=lambda s, t: "asked for"
    )
    found = ask(history, "the ferry ticket")
    assert steps(found)["warm"] == "37%"
    assert "asked for" in next(step.reason for step in found.steps if step.what == "warm")


@pytest.mark.parametrize("strategy", ["lazy", "hybrid", "batch"])
def test_a_model_that_fails_leaves_what_words_find_and_a_step_that_says_so(strategy: str) -> None:
    store = kept(*talk(200), WANTED)
    quiet = HistorySettings(strategy=strategy)  # type: ignore[arg-type]
    history = HistorySource(store, TABLE, Counted(broken=True), quiet, warming=lambda s, t: "later")
    found = ask(history, "who lent me a telescope")
    words = ask(source(store, type="none"), "who lent me a telescope")
    assert ids(found) == ids(words)
    assert steps(found)["degraded"] == "words"
    assert found.degradations == ("vectors: The server took too long.",)
    assert words.degradations == ()


def test_a_model_that_fails_in_the_background_is_asked_again() -> None:
    vectors = Counted(broken=True)
    history = source(kept(*talk(200)), vectors, strategy="batch")
    ask(history, "the beehive")
    history.outside.warming.wait()  # type: ignore[attr-defined]
    vectors.broken = False
    ask(history, "the beehive")
    history.outside.warming.wait()  # type: ignore[attr-defined]
    assert "warm" not in steps(ask(history, "the beehive"))


class Down:
    """``Messages`` of a database that is not there."""

    async def stamp(self, scope: Scope) -> HistoryVersion:
        raise StoreError("The database is away.")

    async def stream(self, scope: Scope, size: int = 1000):  # type: ignore[no-untyped-def]
        raise StoreError("The database is away.")
        yield []


def test_a_store_that_fails_is_an_error() -> None:
    with pytest.raises(StoreError, match="away"):
        ask(HistorySource(Down(), TABLE, Counted()), "telescope")


class Nearest:
    """The host's own vectors."""

    async def nearest(self, scope: Scope, vector: Floats, limit: int) -> Mapping[str, float]:
        assert vector.shape == (TABLE.dimension,)
        return {"m7": 0.9, "gone": 0.8}


def test_the_hosts_own_similarities_count_beside_the_words() -> None:
    set_to = HistorySettings(type="pgvector", embedding_field="embedding", embedding_dim=TABLE.dimension)
    history = HistorySource(kept(*talk(50)), TABLE, Counted(), set_to, neighbours=Nearest())
    found = ask(history, "zzyzx")
    assert "m7" in ids(found)
    assert steps(found) == {"history": "built", "strategy": "pgvector", "vectors": "2"}


def test_what_stands_in_the_talk_already_is_not_found_again() -> None:
    question = "who lent me a telescope"
    store = kept(*talk(20), WANTED, Message("q", "user", question))
    found = ask(source(store), question, seen=[question])
    assert ids(found)[0] == "w"
    assert "q" not in ids(found)
    assert {d.id: d.reason for d in found.dropped}["q"] == "part of this talk"


def test_what_is_far_behind_the_best_is_left_out_and_named() -> None:
    store = kept(*talk(20), WANTED)
    question = "who lent me a telescope"
    few, more = (
        ask(source(store, least_share=share, embedding_model="counted"), question) for share in (0.6, 0.0)
    )
    assert ids(few) == ["w"]
    assert len(more.candidates) > 1
    assert {d.reason for d in few.dropped} == {"far behind the best"}


def test_a_threshold_of_the_noise_is_a_limit_where_it_was_set() -> None:
    said = (("user", "Which kettle did I buy?"), ("assistant", "Got it."), ("user", "It is for the kitchen."))
    store = kept(*(Message(f"m{n}", role, text) for n, (role, text) in enumerate(said)))
    unset, at_noise = (
        source(store, similarity_threshold=least, least_share=0) for least in (0, NOISE_COSINE)
    )
    assert set(ids(ask(unset, "Which kettle?"))) == {"m0", "m1", "m2"}
    assert ids(ask(at_noise, "Which kettle?")) == ["m0"]


def test_a_history_is_read_once_while_nothing_changes() -> None:
    read = Read(kept(*talk(30)))
    history = HistorySource(read, TABLE, Counted())
    told = [steps(ask(history, "the beehive"))["history"] for _ in range(3)]
    assert (told, read.streams) == (["built", "reused", "reused"], 1)


def test_new_messages_extend_it_and_deleted_ones_leave_it() -> None:
    store, vectors = kept(*talk(30)), Counted()
    history = source(store, vectors)
    ask(history, "telescope")
    kept(*talk(5, first=30), store=store)
    assert steps(ask(history, "telescope"))["history"] == "extended"
    assert vectors.passages == 35
    run_blocking(store.forget(NINA, ["m3"]))
    left = ask(history, "telescope")
    assert steps(left)["history"] == "extended"
    assert "m3" not in ids(left)
    assert vectors.passages == 35


def test_an_edit_is_seen() -> None:
    store = kept(*talk(30))
    history = source(store, embedding_model="counted")
    second = ids(ask(history, "telescope"))[1]
    kept(Message(second, "user", "My telescope is at the shop."), store=store)
    assert ids(ask(history, "telescope"))[0] == second


def test_two_persons_never_share_a_history() -> None:
    store = kept(WANTED)
    kept(Message("o", "user", "Otto keeps a telescope in the attic."), scope=OTTO, store=store)
    kept(Message("x", "user", "Another nina sold her telescope."), scope=Scope("other", "nina"), store=store)
    history = source(store)
    for _ in range(2):
        assert ids(ask(history, "telescope", NINA)) == ["w"]
        assert ids(ask(history, "telescope", OTTO)) == ["o"]
        assert ids(ask(history, "telescope", Scope("other", "nina"))) == ["x"]


def test_many_may_ask_at_the_same_time() -> None:
    store = kept(*talk(80))
    kept(WANTED, scope=OTTO, store=store)
    history = source(store)

    async def together() -> list[list[str]]:
        asked = [history(Search("who lent me a telescope"), (NINA, OTTO)[n % 2], 3) for n in range(20)]
        return [ids(found) for found in await asyncio.gather(*asked)]

    answers = asyncio.run(together())
    assert all(found == ["w"] for found in answers[1::2])
    assert not any("w" in found for found in answers[0::2])
