"""Histories are held open as long as there is room."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import AsyncIterator, Sequence

import numpy as np
import pytest
from benchmarks.chats import chat
from tests.unit.retrieve.people import NINA, OTTO, TABLE, kept, talk

from winnow.ports.services import run_blocking
from winnow.retrieve.history.dense import HistoryCache
from winnow.types.candidate import Step
from winnow.types.message import HistoryVersion, Message
from winnow.types.scope import Scope


def opened(histories: HistoryCache, scope: Scope) -> Step:
    return run_blocking(histories.current_history(scope))[1]


def test_the_one_asked_for_the_longest_ago_goes_first() -> None:
    store, scopes = kept(*talk(5)), [Scope("acme", f"u{n}") for n in range(3)]
    for scope in scopes:
        kept(*talk(5), scope=scope, store=store)
    histories = HistoryCache(store, TABLE, most=2)
    for scope in (scopes[0], scopes[1], scopes[0], scopes[2]):
        opened(histories, scope)
    assert len(histories) == 2
    assert [opened(histories, scopes[n]).chosen for n in (0, 2, 1)] == ["reused", "reused", "built"]


def test_bytes_are_bounded_but_one_is_always_held() -> None:
    store = kept(*talk(50))
    kept(*talk(50), scope=OTTO, store=store)
    histories = HistoryCache(store, TABLE, most_bytes=1)
    opened(histories, NINA)
    opened(histories, OTTO)
    assert len(histories) == 1
    assert opened(histories, OTTO).chosen == "reused"
    assert histories.bytes > 1


class Told:
    """``Messages`` that are made when they are read, as a database makes them."""

    def __init__(self, size: int) -> None:
        self.size = size

    async def stamp(self, scope: Scope) -> HistoryVersion:
        return HistoryVersion(self.size, scope.user)

    async def stream(self, scope: Scope, size: int = 1000) -> AsyncIterator[Sequence[Message]]:
        yield chat(int(scope.user), self.size).messages


@pytest.mark.slow
@pytest.mark.parametrize("size", [10, 700])
def test_what_they_take_is_known_and_rather_more_than_less(size: int) -> None:
    scopes = [Scope("acme", str(number)) for number in range(4)]
    for scope in scopes:
        opened(HistoryCache(Told(size), TABLE), scope)  # what is loaded once is not counted
    gc.collect()
    tracemalloc.start()
    histories = HistoryCache(Told(size), TABLE)
    for scope in scopes:
        opened(histories, scope)
    gc.collect()
    taken = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert taken < histories.bytes < taken * 1.5


def test_what_is_learned_later_counts_too() -> None:
    store, scopes = kept(*talk(5)), [Scope("acme", f"u{n}") for n in range(2)]
    for scope in scopes:
        kept(*talk(50), scope=scope, store=store)
    probe = HistoryCache(store, TABLE)
    for scope in scopes:
        opened(probe, scope)
    histories = HistoryCache(store, TABLE, most_bytes=probe.bytes + 1000)
    for scope in scopes:
        opened(histories, scope)
    assert len(histories) == 2
    history, _ = run_blocking(histories.current_history(scopes[1]))
    history.add_vectors(np.arange(50), np.ones((50, 256), np.float32))
    opened(histories, scopes[1])
    assert len(histories) == 1
    assert histories.bytes <= probe.bytes + 1000
