"""What the program cannot judge stops the whole sentence, and a length of time that is a setting does not."""

from __future__ import annotations

import pytest
from tests.unit.decide.rows import query, token

from winnow.decide.refusals import blocking_verdict
from winnow.types.query import Condition, QueryIR, Reading, Value
from winnow.types.verdict import Nothing, Refuse

MINUTES = token("10分钟", "number", unit="minute")
AFTER = token("后", "timing", **{"is": "after"})


def stopped(*queries: QueryIR) -> str:
    """Why the sentence is stopped; empty when it is not."""
    found = blocking_verdict(Reading("", "zh", "command", queries=queries))
    if isinstance(found, Nothing):
        return found.reason
    return found.refusals[0].code if isinstance(found, Refuse) else ""


@pytest.mark.parametrize("later", [AFTER, token("in", "word")])
def test_a_length_of_time_after_which_is_a_timer(later: object) -> None:
    assert stopped(query(MINUTES, later)) == "timer"  # type: ignore[arg-type]


def test_in_without_a_length_of_time_is_only_a_word() -> None:
    assert stopped(query(token("in", "word"))) == ""
    assert stopped(query(AFTER)) == "time_trigger"


def test_a_time_of_day_is_for_later() -> None:
    assert stopped(query(token("十点", "number", unit="clock"))) == "time_trigger"


def test_how_long_is_not_judged() -> None:
    assert stopped(query(MINUTES)) == "time_trigger"


@pytest.mark.parametrize(
    "fields",
    [{"value": Value("absolute", 10, "minute")}, {"property": "media"}, {"property": "interval"}],
)
def test_a_length_of_time_that_is_the_setting_itself_is_fine(fields: dict[str, object]) -> None:
    assert stopped(query(MINUTES, **fields)) == ""


def test_one_instruction_for_later_stops_the_others() -> None:
    assert stopped(query(), query(token("明天", "timing"))) == "time_trigger"


def test_a_comparison_that_was_not_read_as_a_condition_stops() -> None:
    above = token("高于", "compare")
    assert stopped(query(above)) == "unknown_condition"
    assert stopped(query(above, conditions=(Condition("高于28度"),))) == ""
    assert stopped(query(token("要是", "condition"))) == "unknown_condition"
