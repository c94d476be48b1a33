"""What a person reads of an act: one sentence, then every change, failure and condition."""

from __future__ import annotations

from functools import cache

import pytest

from winnow import open as open_engine
from winnow.app.verdict_text import receipt_lines
from winnow.engine.replies import receipt_sentences
from winnow.types.home import HomeView
from winnow.types.receipt import Confirmation, Outcome, OutcomeStatus, Receipt
from winnow.types.utterance import LanguageCode
from winnow.types.verdict import Call, ConditionCheck, Read, Refusal

NAMES = ("desk_lamp", "owl", "hall_light", "noras_lamp", "toms_lamp", "garage_light")
LAMPS = tuple(f"light.{name}" for name in NAMES)


@cache
def view() -> HomeView:
    return open_engine("example:cottage").sync.load_home().view


def off(lamp: str, status: OutcomeStatus = "done", code: str = "") -> Outcome:
    after = {"state": "off"} if status == "done" else {}
    return Outcome(Call(lamp, "light.turn_off"), status, code, before={"state": "on"}, changed=after)


def receipt(*outcomes: Outcome, **more: object) -> Receipt:
    return Receipt("a1", 100.0, outcomes=outcomes, **more)  # type: ignore[arg-type]


def lines(told: Receipt, language: LanguageCode = "en") -> list[str]:
    return list(receipt_lines(told, view(), language))


def test_one_thing_is_named_with_its_room_and_what_changed() -> None:
    assert lines(receipt(off("light.desk_lamp"))) == [
        "Done: Turned off Study Desk Lamp.",
        "  Study / Desk Lamp  state: on -> off",
    ]


def test_a_set_is_counted_by_kind_and_what_changed_alike_is_told_together() -> None:
    first, second = lines(receipt(*map(off, LAMPS)))
    assert first == "Done: Turned off 6 lights."
    assert second.startswith("  state: on -> off (6): Study / Desk Lamp, Nursery / Owl")


def test_who_does_not_answer_is_named_and_nothing_is_claimed_of_it() -> None:
    told = receipt(off("light.desk_lamp"), off("light.owl", "unknown", "timed_out"))
    said = receipt_sentences(told, view(), "en")
    assert said.startswith("Turned off Study Desk Lamp. Nursery Owl")
    assert "not known" in said
    assert "Owl" in lines(told)[-1]


@pytest.mark.parametrize("status", ["failed", "unknown", "skipped"])
def test_every_failure_of_many_is_named(status: OutcomeStatus) -> None:
    told = receipt(*(off(lamp, status, "no_such_code") for lamp in LAMPS))
    said = receipt_sentences(told, view(), "en")
    names = ("Desk Lamp", "Owl", "Hall Light", "Garage Light")
    assert all(name in said for name in names)
    assert len([line for line in lines(told) if line.startswith("  ! ")]) == len(LAMPS)


def test_what_was_only_sent_is_not_said_to_be_done() -> None:
    said = receipt_sentences(receipt(off("light.owl", "sent")), view(), "en")
    assert "Turned off" not in said
    assert "nothing tells" in said


def test_a_condition_is_told_with_value_unit_and_age() -> None:
    read = Read("sensor.sitting_room_temperature", "state")
    told = receipt(
        off("light.owl"), conditions=(ConditionCheck("above 25", (read,), True, 25.3, "°C", 98.0),)
    )
    assert "    Sitting Room / Sitting Room Temperature  state = 25.3 °C, read 2 s ago" in lines(told)


def test_refused_waiting_and_nothing_are_told_with_their_reason() -> None:
    refused = receipt(refused=(Refusal("not_allowed", {"name": "Front Door", "danger": "unlock"}),))
    assert lines(refused)[0] == "Refused: Front Door: unlocking is not allowed here."
    waiting = receipt(waiting=Confirmation("t0ken", "Shall I really unlock Front Door (Hall)?", 160.0))
    assert lines(waiting) == ["Waiting for a yes: Shall I really unlock Front Door (Hall)?"]
    assert "t0ken" not in repr(waiting)
    assert lines(receipt(reason="nothing_to_do")) == ["Nothing done: There was nothing to do."]


def test_the_same_in_chinese() -> None:
    assert lines(receipt(off("light.desk_lamp")), "zh")[0] == "完成: 关闭了Study的Desk Lamp。"
    assert receipt_sentences(receipt(*map(off, LAMPS)), view(), "zh") == "关闭了6盏灯。"


def test_names_cannot_break_out_of_a_line() -> None:
    told = receipt(refused=(Refusal("not_allowed", {"name": "Owl\nDone: all", "danger": "unlock"}),))
    assert len(lines(told)) == 1
