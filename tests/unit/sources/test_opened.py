"""Histories are held open as long as there is room."""

from __future__ import annotations

import gc
import tracemalloc

from tests.unit.sources.people import NINA, OTTO, TABLE, kept, talk

from winnow.bridge import blocking
from winnow.sources.opened import OpenHistories
from winnow.types.scope import Scope
from winnow.types.shortlist import Step


def opened(histories: OpenHistories, scope: Scope) -> Step:
    return blocking(histories.opened(scope))[1]


def test_the_one_asked_for_the_longest_ago_goes_first() -> None:
    store, scopes = kept(*talk(5)), [Scope("acme", f"u{n}") for n in range(3)]
    for scope in scopes:
        kept(*talk(5), scope=scope, store=store)
    histories = OpenHistories(store, TABLE, most=2)
    for scope in (scopes[0], scopes[1], scopes[0], scopes[2]):
        opened(histories, scope)
    assert len(histories) == 2
    assert [opened(histories, scopes[n]).chosen for n in (0, 2, 1)] == ["reused", "reused", "built"]


def test_bytes_are_bounded_but_one_is_always_held() -> None:
    store = kept(*talk(50))
    kept(*talk(50), scope=OTTO, store=store)
    histories = OpenHistories(store, TABLE, most_bytes=1)
    opened(histories, NINA)
    opened(histories, OTTO)
    assert len(histories) == 1
    assert opened(histories, OTTO).chosen == "reused"
    assert histories.bytes > 1


def test_what_they_take_is_known_well_enough() -> None:
    store = kept(*talk(1500))
    opened(OpenHistories(store, TABLE), NINA)  # what is loaded once is not counted
    gc.collect()
    tracemalloc.start()
    histories = OpenHistories(store, TABLE)
    opened(histories, NINA)
    gc.collect()
    taken = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert taken / 2 < histories.bytes < taken * 2.5
