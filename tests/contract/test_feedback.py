"""What every store promises of feedback and of what is counted of turns."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import replace
from typing import Any, TypeVar

import pytest

from winnow.errors import StoreError
from winnow.ports.stores import Storage
from winnow.types.candidate import Ref
from winnow.types.feedback import MAX_ACCOUNTS, Account, Feedback, OfferedResult, Total
from winnow.types.scope import Scope

R = TypeVar("R")
IDA, JO, ALL = Scope(user="ida"), Scope(user="jo"), Scope()
STRANGERS = (Scope("other", user="ida"), Scope("other"), Scope(user="ida "), JO)
OFFERED = OfferedResult("knowledge", Ref("passage", "p1"), 0.8, {"words": 0.5}, 120, 60)
ACCOUNT = Account("r1", "什么时候到期？", 5.5, (OFFERED,), {"knowledge": 2000}, 4000)
GIVEN = Feedback("b1", "ida", "not_useful", "r1", 6.5, Ref("passage", "p1"), "out of date", ACCOUNT)


def run(work: Coroutine[Any, Any, R]) -> R:
    return asyncio.run(work)


def test_feedback_comes_back_as_it_was_oldest_first(storage: Storage) -> None:
    bare = Feedback("b0", "ida", "missing", "r0", 7.0)
    for one in (bare, GIVEN):
        run(storage.feedback.keep(IDA, one))
    assert list(run(storage.feedback.feedback(IDA))) == [GIVEN, bare]


def test_nobody_else_has_it_or_can_forget_it(storage: Storage) -> None:
    run(storage.feedback.keep(IDA, GIVEN))
    for scope in STRANGERS:
        assert list(run(storage.feedback.feedback(scope))) == []
        assert run(storage.feedback.forget(scope)) == run(storage.feedback.forget(scope, ["b1"])) == 0
    assert list(run(storage.feedback.feedback(IDA))) == [GIVEN]


def test_without_a_user_all_of_the_tenant_is_meant(storage: Storage) -> None:
    run(storage.feedback.keep(IDA, GIVEN))
    run(storage.feedback.keep(JO, replace(GIVEN, user="jo", at=7.0)))
    assert [one.user for one in run(storage.feedback.feedback(ALL))] == ["ida", "jo"]
    assert run(storage.feedback.forget(ALL, ["b1"])) == 2


def test_only_what_is_named_is_forgotten(storage: Storage) -> None:
    for n in range(3):
        run(storage.feedback.keep(IDA, replace(GIVEN, id=f"b{n}", at=float(n))))
    assert run(storage.feedback.forget(IDA, [])) == run(storage.feedback.forget(IDA, ["b9"])) == 0
    assert run(storage.feedback.forget(IDA, ["b1", "b1"])) == 1
    assert [one.id for one in run(storage.feedback.feedback(IDA))] == ["b0", "b2"]
    assert run(storage.feedback.forget(IDA)) == 2


def test_feedback_of_nobody_is_an_error_with_a_next_step(storage: Storage) -> None:
    with pytest.raises(StoreError) as caught:
        run(storage.feedback.keep(ALL, GIVEN))
    assert caught.value.hint


def test_any_note_comes_back_as_it_was(storage: Storage) -> None:
    for n, note in enumerate(["a\x00b", "\ud83d half", "'; DROP TABLE feedback; --", "笔记"]):
        run(storage.feedback.keep(IDA, replace(GIVEN, id=str(n), at=float(n), note=note)))
    assert [one.note for one in run(storage.feedback.feedback(IDA))][-1] == "笔记"


def test_figures_add_up_over_the_users_of_a_tenant(storage: Storage) -> None:
    run(storage.counts.count(IDA, {"turns": 1, "tokens": 200}))
    run(storage.counts.count(JO, {"turns": 1, "coverage": 0.5}))
    expected = {"coverage": Total(1, 0.5), "tokens": Total(1, 200.0), "turns": Total(2, 2.0)}
    assert dict(run(storage.counts.totals(ALL))) == dict(run(storage.counts.totals(IDA))) == expected
    assert run(storage.counts.totals(Scope("other"))) == {}


def test_the_last_accounts_of_each_user_are_kept(storage: Storage) -> None:
    run(storage.counts.count(JO, {}, ACCOUNT))
    for n in range(MAX_ACCOUNTS + 2):
        run(storage.counts.count(IDA, {}, replace(ACCOUNT, id=f"r{n}", at=float(n))))
    kept = [run(storage.counts.account(IDA, f"r{n}")) for n in (0, 1, 2)]
    assert kept == [None, None, replace(ACCOUNT, id="r2", at=2.0)]
    newest = run(storage.counts.account(IDA))
    assert newest is not None
    assert newest.id == f"r{MAX_ACCOUNTS + 1}"
    assert run(storage.counts.account(JO)) == ACCOUNT
    assert run(storage.counts.account(Scope("other", user="jo"))) is None


def test_accounts_are_forgotten_with_their_user_and_totals_with_the_tenant(storage: Storage) -> None:
    for scope in (IDA, JO):
        run(storage.counts.count(scope, {"turns": 1}, ACCOUNT))
    assert run(storage.counts.forget(IDA)) == 1
    assert run(storage.counts.totals(ALL))["turns"] == Total(2, 2.0)
    assert run(storage.counts.forget(ALL)) == 1
    assert run(storage.counts.totals(ALL)) == {}


def test_what_a_newer_version_wrote_beside_it_is_left_out() -> None:
    data = GIVEN.data()
    data["account"]["offered"][0]["colour"] = data["later"] = "unknown"
    assert Feedback.of(data) == GIVEN
