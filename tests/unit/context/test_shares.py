"""A budget of tokens divided among the parts of a context."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow import ContextBudget
from winnow.context.shares import BUDGET_PARTS
from winnow.errors import OverBudget
from winnow.types.context import Part, Use

ADDS = st.lists(st.tuples(st.sampled_from(BUDGET_PARTS), st.integers(0, 900)), max_size=40)


def test_the_shares_are_those_of_the_seed() -> None:
    budget = ContextBudget()
    assert {part: budget.allocation(part) for part in BUDGET_PARTS} == {
        "history": 1200,
        "knowledge": 2000,
        "system": 600,
        "reserve": 200,
    }


@given(st.integers(1, 100_000))
def test_the_seeds_shares_of_any_total_add_up_to_it(total: int) -> None:
    assert sum(use.total for use in ContextBudget(total).usage().values()) == total


@given(ADDS)
def test_no_share_ever_holds_more_than_it_has(adds: list[tuple[Part, int]]) -> None:
    budget = ContextBudget()
    added = sum(tokens for part, tokens in adds if budget.add(part, "", tokens))
    assert all(use.used <= use.total for use in budget.usage().values())
    assert budget.remaining() == budget.total - added >= 0


def test_what_does_not_fit_changes_nothing() -> None:
    budget = ContextBudget()
    assert budget.add("system", "", 600)
    assert not budget.can_add("system", 1)
    assert not budget.add("system", "one more word")
    assert budget.usage()["system"] == Use(600, 600)
    assert budget.usage()["system"].percentage == 100


def test_a_text_is_counted_where_no_number_comes_with_it() -> None:
    budget = ContextBudget(counted_by="seed")
    budget.add("history", "one two three")
    assert budget.usage()["history"].used == 4
    budget.release("history", 10)
    assert budget.usage()["history"].used == 0


def test_shares_can_be_moved_while_they_stay_within_the_whole() -> None:
    budget = ContextBudget()
    budget.reallocate({"knowledge": 1500, "history": 1700})
    assert budget.add("history", "", 1700)
    with pytest.raises(OverBudget, match="4001") as raised:
        budget.reallocate({"knowledge": 1501})
    assert "Take 1 from" in raised.value.hint
    with pytest.raises(OverBudget, match="holds 1700"):
        budget.reallocate({"history": 1000})
    assert budget.allocation("history") == 1700


@pytest.mark.parametrize("shares", [{"history": 0.7, "knowledge": 0.4}, {"history": -0.1}, {"talk": 0.1}])
def test_shares_that_make_no_sense_are_told_with_a_next_step(shares: dict[Part, float]) -> None:
    with pytest.raises(OverBudget) as raised:
        ContextBudget(shares=shares)
    assert raised.value.hint


def test_an_empty_context_is_none() -> None:
    with pytest.raises(OverBudget):
        ContextBudget(0)


def test_a_share_nobody_knows_is_an_error() -> None:
    with pytest.raises(OverBudget, match="talk"):
        ContextBudget().add("talk", "", 1)  # type: ignore[arg-type]


def test_less_than_nothing_cannot_be_added() -> None:
    with pytest.raises(ValueError, match="0 or more"):
        ContextBudget().add("history", "", -1)


def test_a_share_that_is_nearly_full_is_warned_of() -> None:
    budget = ContextBudget()
    budget.add("history", "", 1020)
    assert budget.warnings() == ()
    budget.add("history", "", 1)
    assert budget.warnings() == ("history holds 1021 of its 1200 tokens",)
    assert budget.empty_copy().warnings() == ()


def test_threads_together_never_add_more_than_a_share_holds() -> None:
    budget = ContextBudget()
    with ThreadPoolExecutor(8) as pool:
        fitted = list(pool.map(lambda _: budget.add("knowledge", "", 7), range(2000)))
    assert sum(fitted) == 2000 // 7
    assert budget.usage()["knowledge"].used == 7 * sum(fitted)


def test_threads_that_move_shares_never_make_more_of_them() -> None:
    budget = ContextBudget()

    def moved(n: int) -> None:
        try:
            budget.reallocate({"history": 1000 + n, "knowledge": 2200 - n})
        except OverBudget:  # pragma: no cover - the sum is always the same
            raise AssertionError from None
        budget.add("history", "", 1)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(moved, range(200)))
    usage = budget.usage()
    assert usage["history"].used == 200
    assert usage["history"].total + usage["knowledge"].total == 3200
