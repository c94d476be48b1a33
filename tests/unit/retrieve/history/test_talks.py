"""The words a message is found by that tell of its day."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from winnow.retrieve.history.talks import day_words, moment_words

SPRING, AUTUMN = ("january february march april may june", "july august september october november december")
MONTHS = [*SPRING.split(), *AUTUMN.split()]
WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]


@pytest.mark.parametrize("number", range(12))
def test_a_message_is_found_by_the_names_of_its_day_and_by_no_others(number: int) -> None:
    at = date(2023, number + 1, 7) + timedelta(days=number)
    words = set(day_words(at))
    assert [name for name in MONTHS if set(moment_words(name)) <= words] == [MONTHS[number]]
    assert [name for name in WEEKDAYS if set(moment_words(name)) <= words] == [WEEKDAYS[at.weekday()]]
    assert {"2023", f"{at.day:02d}", str(at.month)} <= words


def test_an_unknown_day_has_no_words() -> None:
    assert day_words(None) == ()
