"""What every store promises of plans: each is carried out once, by one."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import replace
from typing import Any, TypeVar

import pytest

from winnow.adapters.stores.sessions import WITHIN, WRONG
from winnow.adapters.testing.fakes import FrozenClock
from winnow.ports.stores import Storage
from winnow.types.plan import Plan
from winnow.types.scope import Scope
from winnow.types.utterance import Turn, Usage, Utterance
from winnow.types.verdict import Call

R = TypeVar("R")
IDA, NOBODY = Scope("anna", "ida", "flat", "s"), Scope("anna", home="flat")
SAID = Utterance(
    "关灯", "zh", "flat", "hall", "ida", "s", (Turn("user", "开灯", ("d1",)),), "before", 5.5,
    Usage({"d1": 3}, {"d1": 4.5}), "anna",
)  # fmt: skip
CALLS = (Call("d1", "off"), Call("d2", "setLevel", {"level": 20, "soft": True}))
PLAN = Plan("abc234", "flat", 3, SAID, CALLS, "mark", 100.0, "open", "r1", {"d1": ("on", "off")}, "", 700.0)
ASKED = replace(PLAN, id="asked2", state="asked", token_hash="f" * 64)
OPEN = replace(PLAN, utterance=Utterance("关灯", home="flat", tenant="anna"))


def run(work: Coroutine[Any, Any, R]) -> R:
    return asyncio.run(work)


@pytest.mark.parametrize(
    ("scope", "plan"), [(IDA, PLAN), (IDA, ASKED), (NOBODY, OPEN), (IDA, replace(PLAN, proposed=True))]
)
def test_a_plan_comes_back_as_it_was(storage: Storage, scope: Scope, plan: Plan) -> None:
    run(storage.plans.keep(scope, plan))
    assert run(storage.plans.plan(scope, plan.id)) == plan


@pytest.mark.parametrize("stranger", [
    Scope("bert", "ida", "flat", "s"), Scope("anna", "jo", "flat", "s"), Scope("anna", "ida", "hut", "s"),
    Scope("anna", "ida", "flat", "t"), NOBODY,
])  # fmt: skip
def test_nobody_else_finds_or_spends_it(storage: Storage, stranger: Scope) -> None:
    run(storage.plans.keep(IDA, PLAN))
    assert (
        run(storage.plans.plan(stranger, PLAN.id))
        is run(storage.plans.spend(stranger, PLAN.id, "open"))
        is None
    )
    assert run(storage.plans.spend(IDA, PLAN.id, "open")) == PLAN


@pytest.mark.parametrize(("scope", "plan"), [(IDA, PLAN), (NOBODY, OPEN)])
def test_it_is_spent_once_and_anew_when_it_is_said_again(storage: Storage, scope: Scope, plan: Plan) -> None:
    run(storage.plans.keep(scope, plan))
    assert run(storage.plans.spend(scope, plan.id, "asked")) is None
    assert run(storage.plans.spend(scope, plan.id, "open")) == plan
    assert run(storage.plans.spend(scope, plan.id, "open")) is None
    spent = run(storage.plans.plan(scope, plan.id))
    assert spent == replace(plan, state="spent")
    run(storage.plans.keep(scope, plan))
    assert run(storage.plans.spend(scope, plan.id, "open")) == plan


HER = Scope("anna", "ida")


def test_a_token_says_yes_once(storage: Storage) -> None:
    run(storage.plans.keep(IDA, ASKED))
    assert run(storage.plans.accept_token(Scope("bert", "ida"), "f" * 64)) is None
    assert run(storage.plans.accept_token(HER, "f" * 64)) == ASKED
    assert run(storage.plans.accept_token(HER, "f" * 64)) is None
    assert run(storage.plans.accept_token(HER, "")) is None


@pytest.mark.parametrize("stranger", [Scope("anna", "jo"), Scope("anna")])
def test_a_token_of_another_person_waits_on(storage: Storage, stranger: Scope) -> None:
    run(storage.plans.keep(IDA, ASKED))
    for _ in range(WRONG):
        assert run(storage.plans.waiting_plan(stranger, "f" * 64)) == ASKED
        assert run(storage.plans.accept_token(stranger, "f" * 64)) is None
    assert run(storage.plans.waiting_plan(stranger, "f" * 64)) is None  # too many tries
    assert run(storage.plans.waiting_plan(Scope("bert", "ida"), "f" * 64)) is None
    assert run(storage.plans.waiting_plan(HER, "e" * 64)) is run(storage.plans.waiting_plan(HER, "")) is None
    assert run(storage.plans.accept_token(HER, "f" * 64)) == ASKED
    assert run(storage.plans.waiting_plan(HER, "f" * 64)) is None


def test_what_waits_for_no_token_is_given_for_none(storage: Storage) -> None:
    run(storage.plans.keep(IDA, replace(ASKED, token_hash="")))
    run(storage.plans.keep(IDA, PLAN))
    assert run(storage.plans.accept_token(Scope("anna"), "")) is None
    assert run(storage.plans.spend(IDA, ASKED.id, "asked")) == replace(ASKED, token_hash="")


def test_a_right_token_tells_nothing_to_whoever_tried_many_wrong_ones(storage: Storage) -> None:
    clock = storage.clock
    assert isinstance(clock, FrozenClock)
    run(storage.plans.keep(IDA, ASKED))
    for n in range(WRONG):
        assert run(storage.plans.accept_token(HER, f"{n:064}")) is None
    assert run(storage.plans.accept_token(HER, "f" * 64)) is None
    clock.seconds += WITHIN + 1
    assert run(storage.plans.accept_token(HER, "f" * 64)) == ASKED


def test_one_of_many_at_once_gets_it(storage: Storage) -> None:
    run(storage.plans.keep(IDA, PLAN))
    run(storage.plans.keep(IDA, ASKED))

    async def all_at_once(ask: Any) -> list[Plan | None]:
        return await asyncio.gather(*(ask() for _ in range(8)))

    spent = run(all_at_once(lambda: storage.plans.spend(IDA, PLAN.id, "open")))
    agreed = run(all_at_once(lambda: storage.plans.accept_token(IDA, "f" * 64)))
    assert [plan for plan in (*spent, *agreed) if plan] == [PLAN, ASKED]


def test_those_long_past_go(storage: Storage) -> None:
    old = replace(PLAN, id="old", made_at=PLAN.made_at - 90_000, expires_at=0.0)
    run(storage.plans.keep(IDA, old))
    run(storage.plans.keep(IDA, PLAN))
    assert run(storage.plans.plan(IDA, "old")) is None
    assert run(storage.plans.plan(IDA, PLAN.id)) == PLAN


def test_only_so_many_of_a_tenant_are_kept(storage: Storage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("winnow.adapters.stores.sessions.KEPT_PLANS", 10)
    for scope, like in ((NOBODY, OPEN), (IDA, PLAN)):
        for n in range(15):
            run(
                storage.plans.keep(scope, replace(like, id=f"n{n:02}", made_at=float(n // 2), expires_at=0.0))
            )
        left = [n for n in range(15) if run(storage.plans.plan(scope, f"n{n:02}"))]
        assert left == list(range(5, 15))
