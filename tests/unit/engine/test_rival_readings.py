"""Of two readings that are about as likely, what each comes to in the home tells whether to ask."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.homes import engine

from winnow import Utterance
from winnow.engine import turn
from winnow.types.query import Reading
from winnow.types.retrieval import Retrieval
from winnow.types.verdict import Act, Call, Clarify, Confirm, Nothing, Refuse, named_calls
from winnow.understand.reading import understand

LAMP, FAN, DOOR = "turn on the reading lamp", "turn off the study fan", "open the garage door"


def read(said: str) -> Reading:
    return understand(Utterance(said), engine("cottage").sync.load_home().vocabulary)


def answered(monkeypatch: pytest.MonkeyPatch, said: str, *rivals: str) -> Retrieval:
    """What comes of a sentence that may mean any of these as well."""
    reading = replace(read(said), rivals=tuple(read(one).queries for one in rivals))
    with monkeypatch.context() as patched:
        patched.setattr(turn, "understand", lambda *_: reading)
        return engine("cottage").sync.retrieve(said)


@pytest.mark.parametrize(("first", "second"), [(LAMP, FAN), (FAN, LAMP), (LAMP, DOOR), (DOOR, FAN)])
def test_two_readings_that_do_different_things_are_asked_about(
    monkeypatch: pytest.MonkeyPatch, first: str, second: str
) -> None:
    found = answered(monkeypatch, first, second)
    verdict = found.verdict
    assert isinstance(verdict, Clarify)
    assert (verdict.by, [option.capability for option in verdict.options]) == ("reading", ["0", "1"])
    wanted = [read(one).queries for one in (first, second)]
    assert [one.reading.queries for one in found.attempt.rivals] == wanted
    assert [option.device_ids for option in verdict.options] == [
        tuple(call.device_id for call in calls_of(one)) for one in (first, second)
    ]
    assert all(option.label in verdict.question for option in verdict.options)


def calls_of(said: str) -> tuple[Call, ...]:
    return named_calls(engine("cottage").sync.retrieve(said).verdict)


@pytest.mark.parametrize(
    "rivals", [(LAMP,), (LAMP, LAMP), ("turn on the flux capacitor",), ("what a day",), ()]
)
def test_readings_that_come_to_the_same_or_to_nothing_are_no_rivals(
    monkeypatch: pytest.MonkeyPatch, rivals: tuple[str, ...]
) -> None:
    found = answered(monkeypatch, LAMP, *rivals)
    assert isinstance(found.verdict, Act)
    assert (found.verdict.calls, found.attempt.rivals) == (calls_of(LAMP), ())


def test_each_thing_that_may_be_meant_is_offered_once(monkeypatch: pytest.MonkeyPatch) -> None:
    found = answered(monkeypatch, LAMP, FAN, LAMP, DOOR, FAN)
    assert isinstance(found.verdict, Clarify)
    assert len(found.verdict.options) == len(found.attempt.rivals) == 3


@pytest.mark.parametrize("said", ["turn on the flux capacitor", "don't turn on the reading lamp"])
def test_a_reading_that_does_nothing_is_no_question_whatever_others_do(
    monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    assert isinstance(answered(monkeypatch, said, FAN).verdict, Refuse | Nothing)


def test_what_is_dangerous_is_asked_about_alone_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(answered(monkeypatch, DOOR, DOOR).verdict, Confirm)
