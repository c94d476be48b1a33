"""An alarm is armed in the mode that was said; where none was, which one is asked."""

from __future__ import annotations

import pytest
from tests.unit.retrieve.home.flat import opened, verdict

from winnow.app.wiring.engine import open_engine
from winnow.language.kinds import mode_of_command, mode_said
from winnow.types.home import Home
from winnow.types.verdict import Act, Clarify, Confirm


@pytest.mark.parametrize(
    "text",
    ["布防", "开启布防", "打开家庭警戒", "arm the alarm", "arm the home alarm", "turn on the home alarm"],
)
def test_the_mode_is_asked_where_none_was_said(text: str) -> None:
    got = verdict(text)
    assert isinstance(got, Clarify)
    assert (got.by, len(got.options)) == ("mode", 3)
    assert {o.capability for o in got.options} == {"arm_home", "arm_away", "arm_night"}


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("离家布防", "arm_away"),
        ("夜间布防", "arm_night"),
        ("arm away", "arm_away"),
        ("arm the house for the night", "arm_night"),
        ("arm the alarm for the night", "arm_night"),
        ("arm the alarm in away mode", "arm_away"),
    ],
)
def test_a_mode_that_was_said_is_done(text: str, command: str) -> None:
    got = verdict(text)
    assert isinstance(got, Act)
    assert [c.command_id for c in got.calls] == [command]


@pytest.mark.parametrize("text", ["撤防", "disarm the alarm", "关掉家庭警戒"])
def test_the_question_before_disarming_names_disarming(text: str) -> None:
    got = verdict(text)
    assert isinstance(got, Confirm)
    assert [c.command_id for c in got.proposed] == ["disarm"]
    assert got.risks == ("disarm",)
    assert "拉响" not in got.question
    assert "sound" not in got.question


def test_the_answer_chooses_the_mode() -> None:
    talk = open_engine(_home()).sync
    asked = talk.retrieve("布防")
    done = talk.answer(asked.id, "离家").verdict
    assert isinstance(done, Act)
    assert [c.command_id for c in done.calls] == ["arm_away"]
    again = talk.retrieve("arm the alarm")
    night = talk.answer(again.id, 2).verdict
    assert isinstance(night, Act)
    assert [c.command_id for c in night.calls] == ["arm_night"]


def _home() -> Home:
    return opened().index.view.home


def test_modes_are_told_by_what_commands_are_called() -> None:
    ids = [
        "alarm_control_panel.alarm_arm_vacation",
        "securitySystem-armStay",
        "securitySystem-armAway",
        "arm",
    ]
    assert [mode_of_command(i) for i in ids] == ["vacation", "home", "away", ""]
    assert mode_said("at home and away") == ""
