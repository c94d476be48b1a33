"""What every store of facts promises."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, TypeVar

import pytest

from winnow.errors import StoreError
from winnow.ports.stores import Facts, Storage
from winnow.types.fact import Fact
from winnow.types.scope import Scope

R = TypeVar("R")
IDA, JO = Scope(user="ida"), Scope(user="jo")
STRANGERS = (Scope("other", user="ida"), Scope(user=""), Scope(user="ida "), Scope(user="IDA"), JO)
SUNDAY = datetime(2026, 3, 1, 9, 30, 15, 250_000)  # noqa: DTZ001 - a wall clock has no zone
PORTO = Fact("f1", "We live in Porto.", "user", "home", "Porto", SUNDAY, 0.6, "message:m1")
LISBON = Fact("f2", "我们搬到里斯本了。", "user", "home", "里斯本", None, 1.0, "user")


@pytest.fixture
def facts(storage: Storage) -> Facts:
    return storage.facts


def run(work: Coroutine[Any, Any, R]) -> R:
    return asyncio.run(work)


def read(store: Facts, scope: Scope = IDA) -> Sequence[Fact]:
    return list(run(store.facts(scope)))


def test_of_nobody_nothing_is_held(facts: Facts) -> None:
    assert read(facts) == []
    assert run(facts.forget(IDA)) == 0


def test_facts_come_back_as_they_were_in_the_order_they_came(facts: Facts) -> None:
    run(facts.keep(IDA, [LISBON, PORTO]))
    run(facts.keep(IDA, [replace(PORTO, id="a0")]))
    assert read(facts) == [LISBON, PORTO, replace(PORTO, id="a0")]


def test_what_was_said_never_changes_and_how_it_stands_does(facts: Facts) -> None:
    run(facts.keep(IDA, [PORTO, LISBON]))
    stands = {"status": "superseded", "replaced_by": "f2", "reason": "newer"}
    run(facts.keep(IDA, [replace(PORTO, text="other", value="x", credibility=0.1, **stands)]))
    assert read(facts) == [replace(PORTO, **stands), LISBON]


def test_only_what_is_named_is_forgotten(facts: Facts) -> None:
    run(facts.keep(IDA, [PORTO, LISBON]))
    assert run(facts.forget(IDA, [])) == run(facts.forget(IDA, ["f9"])) == 0
    assert run(facts.forget(IDA, ["f1", "f1", "f9"])) == 1
    assert read(facts) == [LISBON]
    run(facts.keep(IDA, [PORTO]))
    assert read(facts) == [LISBON, PORTO]
    assert run(facts.forget(IDA)) == 2
    assert read(facts) == []


def test_nobody_else_has_them_or_can_change_or_forget_them(facts: Facts) -> None:
    run(facts.keep(IDA, [PORTO, LISBON]))
    for scope in STRANGERS:
        assert read(facts, scope) == []
        assert run(facts.forget(scope, ["f1"])) == run(facts.forget(scope)) == 0
    for scope in (JO, Scope("other", user="ida")):
        run(facts.keep(scope, [replace(PORTO, status="withdrawn")]))
        assert read(facts, scope) == [replace(PORTO, status="withdrawn")]
    assert read(facts) == [PORTO, LISBON]


def test_a_home_and_a_session_do_not_matter(facts: Facts) -> None:
    run(facts.keep(Scope(user="ida", home="flat", session="s"), [PORTO]))
    assert read(facts, Scope(user="ida", home="attic")) == [PORTO]


@pytest.mark.parametrize(
    ("scope", "fact"),
    [(Scope(), PORTO), (Scope(user="i" * 501), PORTO), (IDA, replace(PORTO, id="杭" * 167))],
)
def test_a_name_that_cannot_be_kept_is_an_error_with_a_next_step(
    facts: Facts, scope: Scope, fact: Fact
) -> None:
    with pytest.raises(StoreError) as caught:
        run(facts.keep(scope, [LISBON, fact]))
    assert caught.value.hint
    assert read(facts, scope) == []


def test_any_text_comes_back_as_it_was(facts: Facts) -> None:
    odd = ["", "a\x00b", "\x1a", "\ud83d half", "'; DROP TABLE facts; --", "cafe\u0301", "%"]
    said = [
        Fact(f"{n}{text}", text, text, text, text, None, 0.5, text, reason=text) for n, text in enumerate(odd)
    ]
    run(facts.keep(IDA, said))
    assert read(facts) == said
    assert run(facts.forget(IDA, [fact.id for fact in said])) == len(odd)


def test_of_a_time_with_a_zone_the_clock_on_the_wall_is_kept(facts: Facts) -> None:
    run(facts.keep(IDA, [replace(PORTO, at=SUNDAY.replace(tzinfo=UTC))]))
    assert read(facts) == [PORTO]


def test_many_facts_are_kept_changed_and_forgotten_whole(facts: Facts) -> None:
    said = [replace(PORTO, id=f"f{n}") for n in range(1203)]
    run(facts.keep(IDA, said))
    run(facts.keep(IDA, [replace(fact, status="uncertain") for fact in said]))
    assert [fact.id for fact in read(facts)] == [fact.id for fact in said]
    assert {fact.status for fact in read(facts)} == {"uncertain"}
    assert run(facts.forget(IDA, [fact.id for fact in said])) == 1203
