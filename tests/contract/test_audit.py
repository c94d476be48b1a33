"""What every store promises of what was done: a chain for each home that only grows."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any, TypeVar

import pytest

from winnow.errors import StoreError
from winnow.ports.stores import Storage
from winnow.types.home import Home
from winnow.types.receipt import AuditEntry, Record
from winnow.types.scope import Scope
from winnow.types.verdict import Call

R = TypeVar("R")
HERE, THERE = Scope("anna", "ida", "flat", "s"), Scope("anna", "ida", "hut")
STRANGERS = (THERE, Scope("bert", "ida", "flat", "s"))


def run(work: Coroutine[Any, Any, R]) -> R:
    return asyncio.run(work)


def numbers(entries: Iterable[AuditEntry]) -> list[int]:
    return [entry.number for entry in entries]


def act(n: int, *, ends: bool = True) -> list[Record]:
    """What is kept of one act."""
    calls = [["lamp", "on", {}], ["fan", "setSpeed", {"speed": 2}]]
    outcome = {"device": "lamp", "command": "on", "status": "done"}
    kinds: list[Any] = [
        ("begun", {"calls": calls}),
        ("outcome", {"outcomes": [outcome]}),
    ]
    told = [*kinds, ("ended", {})] if ends else kinds
    return [Record(float(n), "ida", kind, f"act{n}", body) for kind, body in told]


def test_entries_hang_on_each_other(storage: Storage) -> None:
    for n in range(3):
        run(storage.audit.append(HERE, act(n)))
    entries = run(storage.audit.entries(HERE))
    assert [e.number for e in entries] == list(range(1, 10))
    assert [e.previous for e in entries[1:]] == [e.hash for e in entries[:-1]]
    looked = run(storage.audit.verification(HERE))
    assert (looked.entries, looked.head, looked.broken, looked.unknown) == (9, entries[-1].hash, (), ())


def test_what_was_added_comes_back_as_it_was(storage: Storage) -> None:
    odd = {"said": "关灯 \x00 \ud83d", "n": 1.5, "whole": 2, "none": None, "deep": {"a": [True, {"b": []}]}}
    last = run(storage.audit.append(HERE, [Record(1, "i\x00da", "refused", "a", odd)]))
    assert run(storage.audit.entries(HERE)) == (last,)
    assert (last.record.user, dict(last.record.body)) == ("i\x00da", odd)
    assert run(storage.audit.verification(HERE)).broken == ()


def test_values_that_are_no_json_are_kept_as_text(storage: Storage) -> None:
    strange = {"nan": float("nan"), "set": {1}, "call": Call("a", "on"), 3: (1, 2)}
    run(storage.audit.append(HERE, [Record(1.0, "", "refused", "a", strange)]))  # type: ignore[arg-type]
    (entry,) = run(storage.audit.entries(HERE))
    assert entry.record.body == {"nan": "nan", "set": [1], "call": str(Call("a", "on")), "3": [1, 2]}
    assert run(storage.audit.verification(HERE)).broken == ()


def test_pages_the_latest_and_one_act(storage: Storage) -> None:
    for n in range(4):
        run(storage.audit.append(HERE, act(n)))
    assert numbers(run(storage.audit.entries(HERE, 2, 3))) == [3, 4, 5]
    assert numbers(run(storage.audit.last(HERE, 2))) == [11, 12]
    assert numbers(run(storage.audit.of_act(HERE, "act2"))) == [7, 8, 9]
    assert run(storage.audit.of_act(HERE, "nobody's")) == ()


def test_nobody_else_sees_it(storage: Storage) -> None:
    run(storage.audit.append(HERE, act(1)))
    for scope in STRANGERS:
        assert run(storage.audit.entries(scope)) == run(storage.audit.last(scope)) == ()
        assert run(storage.audit.of_act(scope, "act1")) == ()
        assert run(storage.audit.verification(scope)).entries == run(storage.audit.forget(scope)) == 0
    assert [head.home for head in run(storage.audit.heads(THERE))] == ["flat"]
    assert run(storage.audit.heads(Scope("bert"))) == ()
    assert len(run(storage.audit.entries(HERE))) == 3


def test_an_act_that_never_ended_is_told_with_the_calls_of_which_nobody_knows(storage: Storage) -> None:
    run(storage.audit.append(HERE, act(1)))
    run(storage.audit.append(HERE, act(2, ends=False)))
    (unknown,) = run(storage.audit.verification(HERE)).unknown
    assert (unknown.act, unknown.user) == ("act2", "ida")
    assert unknown.calls == (Call("fan", "setSpeed", {"speed": 2}),)


def test_a_hash_that_was_written_down_has_to_be_there(storage: Storage) -> None:
    noted = run(storage.audit.append(HERE, act(1))).hash
    run(storage.audit.append(HERE, act(2)))
    assert run(storage.audit.verification(HERE, noted)).broken == ()
    assert [flaw.kind for flaw in run(storage.audit.verification(HERE, "0" * 64)).broken] == ["expected"]


def test_nothing_is_no_entry(storage: Storage) -> None:
    with pytest.raises(ValueError, match="nothing"):
        run(storage.audit.append(HERE, []))
    assert run(storage.audit.verification(HERE)).entries == 0


def test_the_log_outlives_its_home_and_goes_only_when_it_is_told_to(storage: Storage) -> None:
    run(storage.homes.save_home(HERE, Home("flat", "Flat", "neutral")))
    run(storage.audit.append(HERE, act(1)))
    run(storage.homes.delete_home(HERE))
    assert run(storage.audit.verification(HERE)).entries == 3
    assert run(storage.audit.forget(HERE)) == 3
    assert run(storage.audit.heads(HERE)) == ()
    assert run(storage.audit.verification(HERE, "")).broken == ()


def test_a_store_without_a_folder_for_archives_says_so(storage: Storage) -> None:
    for n in range(3):
        run(storage.audit.append(HERE, act(n)))
    with pytest.raises(StoreError) as caught:
        run(storage.audit.rotate(HERE, 2))
    assert caught.value.hint


def test_many_at_once_make_one_chain(storage: Storage) -> None:
    async def all_at_once() -> list[AuditEntry]:
        return await asyncio.gather(*(storage.audit.append(HERE, act(n)) for n in range(12)))

    last = run(all_at_once())
    assert sorted(entry.number for entry in last) == list(range(3, 37, 3))
    looked = run(storage.audit.verification(HERE))
    assert (looked.entries, looked.broken, looked.unknown) == (36, (), ())
