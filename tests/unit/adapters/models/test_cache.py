"""Texts to vectors by way of memory and store; what is missing is embedded once, whoever asks for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from time import sleep

import numpy as np
import pytest
from tests.vectors import CountingEmbedder, Damageable

from winnow.adapters.models.vector_cache import (
    ENTRY_OVERHEAD_BYTES,
    REPORT_SECONDS,
    CacheCounts,
    CachedVectors,
    recent_vectors,
    report_all_counts,
)
from winnow.errors import ModelError, StoreBusy
from winnow.ports.services import CachedEmbedder, run_blocking
from winnow.ports.stores import Vectors
from winnow.retrieve.embedding_batches import EmbeddingLimits
from winnow.types.scope import Scope
from winnow.types.vector import Space, Tally, text_key

ANNA, BERT = Scope("anna", "u"), Scope("bert", "u")
WAIT = 20.0
"""Seconds within which threads that need not wait are done, on the busiest machine."""


def asked(cache: CachedVectors, *texts: str, scope: Scope = ANNA, kind: str = "passage") -> np.ndarray:
    return run_blocking(cache.vectors(scope, texts, kind))


def keys_of(kept: Vectors, scope: Scope = ANNA) -> list[str]:
    """The keys of all vectors of a tenant."""

    async def read() -> list[str]:
        spaces = await kept.spaces(scope)
        return [key for space in spaces async for page in kept.keys(scope, space) for key in page]

    return run_blocking(read())


def waiting_for(begun: Event, go: Event) -> Callable[[Sequence[str]], None]:
    """Tells that a batch has begun, and ends it when it may go."""

    def wait(texts: Sequence[str]) -> None:
        begun.set()
        assert go.wait(WAIT)

    return wait


def test_rows_stand_in_the_order_of_the_texts_and_each_text_is_embedded_once() -> None:
    embedder = CountingEmbedder()
    cache: CachedEmbedder = CachedVectors(embedder)
    rows = run_blocking(cache.vectors(ANNA, ["b", "a", "b", ""]))
    assert (rows == embedder.embed(["b", "a", "b", ""])).all()
    assert embedder.batches[0] == ["b", "a", ""]
    assert run_blocking(cache.vectors(ANNA, [])).shape == (0, 4)


def test_what_was_embedded_is_found_in_memory_then_in_the_store() -> None:
    embedder, kept = CountingEmbedder(), Damageable()
    cache = CachedVectors(embedder, kept)
    first = asked(cache, "a", "b")
    assert (asked(cache, "a", "b", "c")[:2] == first).all()
    again = CachedVectors(CountingEmbedder(), kept)
    assert (asked(again, "b", "a") == first[::-1]).all()
    asked(again, "a", "d")
    assert embedder.texts == ["a", "b", "c"]
    assert cache.report().tally == Tally(asked=5, memory=2, made=3, calls=2)
    assert again.report().tally == Tally(asked=4, memory=1, store=2, made=1, calls=1)
    assert again.report().tally.hit_rate == 0.75


def test_a_vector_of_one_tenant_is_never_given_to_another() -> None:
    embedder, kept = CountingEmbedder(), Damageable()
    cache = CachedVectors(embedder, kept)
    asked(cache, "the same words")
    rows, have = run_blocking(cache.cached_vectors(BERT, ["the same words"]))
    assert not have.any()
    assert not rows.any()
    asked(cache, "the same words", scope=BERT)
    assert len(embedder.texts) == 2
    assert (keys_of(kept), keys_of(kept, BERT)) == ([text_key("the same words")],) * 2


@pytest.mark.parametrize(("name", "version"), [("other", "1"), ("counting", "2")])
def test_another_model_has_vectors_of_its_own(name: str, version: str) -> None:
    kept = Damageable()
    asked(CachedVectors(CountingEmbedder(), kept), "a")
    other = CountingEmbedder(name, 6)
    other.version = version
    assert asked(CachedVectors(other, kept), "a").shape == (1, 6)
    assert len(other.texts) == 1
    assert len(run_blocking(kept.spaces(ANNA))) == 2


def test_a_model_that_changes_the_length_of_its_vectors_is_told() -> None:
    kept = Damageable()
    asked(CachedVectors(CountingEmbedder(), kept), "a")
    changed = CachedVectors(CountingEmbedder(dimension=5), kept)
    with pytest.raises(ModelError, match="vectors of 5 numbers now, and gave vectors of 4") as caught:
        asked(changed, "a", "b")
    assert "--afresh" in caught.value.hint
    assert not caught.value.retryable


def test_and_is_taken_as_it_is_once_the_old_vectors_are_forgotten() -> None:
    kept, embedder = Damageable(), CountingEmbedder()
    asked(CachedVectors(embedder, kept), "a")
    embedder.dimension = 5
    cache = CachedVectors(embedder, kept)
    asked(cache, "a")
    run_blocking(kept.forget(ANNA))
    assert asked(cache, "b").shape == (1, 5)
    assert asked(cache, "a", "b").shape == (2, 5)


def test_what_is_known_asks_no_model() -> None:
    embedder, kept = CountingEmbedder(), Damageable()
    cache = CachedVectors(embedder, kept)
    assert run_blocking(cache.cached_vectors(ANNA, ["a", "b"]))[0].shape == (2, 0)
    row = asked(cache, "b")
    fresh = CachedVectors(CountingEmbedder(), kept)
    rows, have = run_blocking(fresh.cached_vectors(ANNA, ["a", "b", "c", "b"]))
    assert have.tolist() == [False, True, False, True]
    assert (rows[[1, 3]] == row).all()
    assert not rows[[0, 2]].any()
    assert embedder.texts == ["b"]
    assert fresh.embedder.texts == []  # type: ignore[attr-defined]
    run_blocking(fresh.cached_vectors(ANNA, ["a", "b"]))
    assert fresh.report().tally == Tally(asked=2, memory=1, store=1)


def test_a_damaged_vector_is_made_anew_and_counted() -> None:
    kept = Damageable()
    asked(CachedVectors(CountingEmbedder(), kept), "a", "b")
    kept.damaged = {text_key("a")}
    cache = CachedVectors(CountingEmbedder(), kept)
    asked(cache, "a", "b")
    assert kept.damaged == set()
    assert cache.report().tally == Tally(asked=2, store=1, damaged=1, made=1, calls=1)


def test_a_store_that_takes_nothing_costs_no_answer() -> None:
    kept = Damageable()
    kept.shut = True
    cache = CachedVectors(CountingEmbedder(), kept)
    assert asked(cache, "a", "b").shape == (2, 4)
    assert cache.report().tally.unkept == 2


def test_questions_stay_in_memory_and_do_not_count_as_hits_or_misses() -> None:
    embedder, kept = CountingEmbedder(), Damageable()
    cache = CachedVectors(embedder, kept)
    asked(cache, "who?", kind="question")
    asked(cache, "who?", kind="question")
    assert keys_of(kept) == []
    assert embedder.texts == ["who?"]
    assert cache.report().tally == Tally(questions=2, calls=1)


def test_a_model_that_tells_them_apart_gets_each_with_its_prefix() -> None:
    embedder, kept = CountingEmbedder("intfloat/multilingual-e5-small"), Damageable()
    cache = CachedVectors(embedder, kept)
    question, passage = asked(cache, "tea", kind="question"), asked(cache, "tea")
    assert embedder.texts == ["query: tea", "passage: tea"]
    assert (question != passage).any()
    assert (asked(cache, "tea", kind="question") == question).all()
    assert keys_of(kept) == [text_key("tea")]


# batches


def test_batches_keep_their_limits_and_busy_all_that_may_run() -> None:
    embedder = CountingEmbedder()
    asked(CachedVectors(embedder, limits=EmbeddingLimits(texts=100, concurrency=2)), *map(str, range(40)))
    assert [len(batch) for batch in embedder.batches] == [20, 20]


def test_no_more_batches_at_once_than_allowed() -> None:
    embedder, running, most = CountingEmbedder(), [0], [0]
    both = Event()

    def entered(texts: Sequence[str]) -> None:
        running[0] += 1
        most[0] = max(most[0], running[0])
        if running[0] == 2:
            both.set()
        both.wait(WAIT)
        running[0] -= 1

    embedder.before = entered
    cache = CachedVectors(embedder, limits=EmbeddingLimits(texts=1, concurrency=2))
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda n: asked(cache, f"{n}", f"{n}+"), range(3)))
    assert most == [2]
    assert len(embedder.batches) == 6


def test_a_batch_that_fails_costs_only_itself() -> None:
    embedder, kept = CountingEmbedder(), Damageable()

    def refusing(texts: Sequence[str]) -> None:
        if "bad" in texts:
            raise ModelError("refused", "no")

    embedder.before = refusing
    cache = CachedVectors(embedder, kept, limits=EmbeddingLimits(texts=1, concurrency=1))
    with pytest.raises(ModelError, match="no"):
        asked(cache, "a", "bad", "b")
    assert set(keys_of(kept)) == {text_key("a"), text_key("b")}
    assert cache.report().tally == Tally(asked=3, made=2, calls=3, failed=1)
    embedder.before = lambda texts: None
    asked(cache, "a", "bad", "b")
    assert embedder.texts == ["a", "bad", "b", "bad"]


# at the same time


def test_who_asks_for_the_same_meanwhile_waits_for_it_in_whatever_thread_or_loop() -> None:
    embedder, begun, go = CountingEmbedder(), Event(), Event()
    embedder.before = waiting_for(begun, go)
    cache = CachedVectors(embedder, Damageable())

    async def together() -> list[np.ndarray]:
        return await asyncio.gather(*(cache.vectors(ANNA, ["a", "b"]) for _ in range(3)))

    with ThreadPoolExecutor(4) as pool:
        first = pool.submit(asked, cache, "a", "b")
        assert begun.wait(WAIT)
        loops = [pool.submit(asyncio.run, together()) for _ in range(2)]
        blocked = pool.submit(asked, cache, "b")
        while cache.report().tally.joined < 13:
            assert not first.done()
            sleep(0.001)
        go.set()
        rows = first.result(WAIT)
        assert all((found == rows).all() for loop in loops for found in loop.result(WAIT))
        assert (blocked.result(WAIT) == rows[1:]).all()
    assert embedder.texts == ["a", "b"]
    assert cache.report().tally == Tally(asked=15, joined=13, made=2, calls=1)


def test_all_who_wait_are_told_of_a_failure_and_nobody_later() -> None:
    embedder, go = CountingEmbedder(), Event()

    def failing(texts: Sequence[str]) -> None:
        go.wait(WAIT)
        raise ModelError("server", "down")

    embedder.before = failing
    cache = CachedVectors(embedder)
    with ThreadPoolExecutor(2) as pool:
        waiting = [pool.submit(asked, cache, "a") for _ in range(2)]
        while cache.report().tally.joined < 1:
            assert not any(w.done() for w in waiting)
            sleep(0.001)
        go.set()
        assert [type(w.exception(WAIT)) for w in waiting] == [ModelError, ModelError]
    embedder.before = lambda texts: None
    assert asked(cache, "a").shape == (1, 4)
    assert len(embedder.batches) == 2


def test_what_was_begun_is_kept_though_whoever_asked_was_called_off() -> None:
    embedder, kept, begun, go = CountingEmbedder(), Damageable(), Event(), Event()
    embedder.before = waiting_for(begun, go)
    cache = CachedVectors(embedder, kept)

    async def called_off() -> None:
        task = asyncio.create_task(cache.vectors(ANNA, ["a"]))
        await asyncio.to_thread(begun.wait, WAIT)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        go.set()
        assert (await cache.vectors(ANNA, ["a"])).shape == (1, 4)

    asyncio.run(called_off())
    assert embedder.texts == ["a"]
    assert keys_of(kept) == [text_key("a")]


def test_a_failure_in_the_own_thread_leaves_nobody_waiting() -> None:
    embedder = CountingEmbedder()

    def failing(texts: Sequence[str]) -> None:
        raise ModelError("server", "down")

    embedder.before = failing
    cache = CachedVectors(embedder, limits=EmbeddingLimits(texts=1, concurrency=1, aside=False))
    for texts in (("a", "b"), ("b",)):
        with pytest.raises(ModelError, match="down"):
            asked(cache, *texts)
    embedder.before = lambda texts: None
    assert asked(cache, "a", "b").shape == (2, 4)


def test_a_closed_cache_still_answers() -> None:
    cache = CachedVectors(CountingEmbedder())
    cache.close()
    assert asked(cache, "a").shape == (1, 4)
    assert asyncio.run(cache.vectors(ANNA, ["a", "b"])).shape == (2, 4)


# memory


def test_those_used_last_stay_in_memory() -> None:
    embedder = CountingEmbedder()
    cache = CachedVectors(embedder, recent=recent_vectors(entries=2))
    for text in ("a", "b", "a", "c", "a", "b"):
        asked(cache, text)
    assert embedder.texts == ["a", "b", "c", "b"]
    report = cache.report()
    assert (report.entries, report.tally.evicted) == (2, 2)


def test_memory_is_bounded_in_bytes_and_counts_what_it_takes() -> None:
    each = 4 * 4 + ENTRY_OVERHEAD_BYTES
    cache = CachedVectors(CountingEmbedder(), recent=recent_vectors(size=3 * each))
    assert asked(cache, *map(str, range(10))).shape == (10, 4)
    report = cache.report()
    assert (report.entries, report.size, report.tally.evicted) == (3, 3 * each, 7)
    asked(cache, "9")
    assert cache.report().size == 3 * each


# what is counted


def told(kept: Vectors, scope: Scope = ANNA) -> Tally:
    """What the store was told of the tenant's only space."""
    (tally,) = run_blocking(kept.spaces(scope)).values()
    return tally


def test_what_is_counted_outlives_the_process_and_is_each_tenants_own() -> None:
    kept = Damageable()
    for _ in range(2):
        cache = CachedVectors(CountingEmbedder(), kept)
        asked(cache, "a", "b")
        asked(cache, "a", scope=BERT)
        asked(cache, "a", "b")
        cache.close()
    assert told(kept) == Tally(asked=8, memory=4, store=2, made=2, calls=1)
    assert told(kept, BERT) == Tally(asked=2, store=1, made=1, calls=1)


def test_what_was_counted_since_the_store_was_told_last_is_told_when_the_process_ends() -> None:
    kept = Damageable()
    cache = CachedVectors(CountingEmbedder(), kept)
    asked(cache, "a", "b")
    for _ in range(9):
        cache.count_reuse(ANNA, 2)
        asked(cache, "which?", kind="question")
    report_all_counts()
    report_all_counts()
    assert (told(kept).asked, told(kept).made, told(kept).hit_rate) == (20, 2, 0.9)


def test_the_store_is_told_now_and_then() -> None:
    now, kept, scope = [0.0], Damageable(), Scope()
    space = Space("m", "1", 2)
    run_blocking(kept.put(scope, space, {"k": np.ones(2, np.float32)}))
    counts = CacheCounts(lambda: now[0])
    counts.add(scope, asked=3)
    assert counts.is_due()
    counts.report(kept, space)
    counts.add(scope, asked=2)
    assert not counts.is_due()
    now[0] = REPORT_SECONDS
    assert counts.is_due()
    counts.report(kept, space)
    counts.report(kept, space)
    assert told(kept, scope) == counts.total() == Tally(asked=5)


def test_passages_are_made_past_the_memory_and_a_busy_store_is_asked_again() -> None:
    embedder, kept = CountingEmbedder("e5-base"), Damageable()
    cache = CachedVectors(embedder, kept)
    kept.busy = 2
    cache.make(ANNA, {text_key("a"): "a", text_key("b"): "b"})
    assert embedder.batches == [["passage: a", "passage: b"]]
    assert set(keys_of(kept)) == {text_key("a"), text_key("b")}
    assert cache.report().entries == 0
    kept.busy = 99
    with pytest.raises(StoreBusy):
        cache.make(ANNA, {text_key("c"): "c"})


def test_what_the_store_is_just_being_told_of_is_counted_meanwhile() -> None:
    counts, seen = CacheCounts(), list[Tally]()

    class Told:
        async def tell(self, scope: Scope, space: Space, tally: Tally) -> bool:
            seen.append(counts.total())
            return False

    counts.add(ANNA, asked=3)
    counts.report(Told(), Space("n", "1", 2))  # type: ignore[arg-type]
    assert seen == [Tally(asked=3)]
    assert counts.total() == Tally(asked=3)
