"""What instructions come to, one after the other, and what is done of the whole."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import pytest
from tests.unit.decide.rows import query, row, token, view
from tests.unit.retrieve.home.small import STATES, index, reading, shortlists, verdict

from winnow.decide.bulk import BulkChoice
from winnow.decide.clarify import with_near_matches
from winnow.decide.conditions import in_condition_rooms, judge_conditions
from winnow.decide.confirm import ConfirmationContent, confirmation_text
from winnow.decide.decide import decide, instruction_outcome
from winnow.decide.decide import sentence_verdict as verdict_of
from winnow.decide.gate import GateResult
from winnow.decide.outcome import (
    DecisionContext,
    InstructionOutcome,
    PlannedCall,
    SentenceOutcome,
    calls_outcome,
)
from winnow.decide.refusals import refusal_outcome
from winnow.types.candidate import DeviceCandidate, HomeShortlist
from winnow.types.home import Command, Device, Home, HomeView, Parameter, Profile, Room
from winnow.types.query import Condition, Mention, Quantifier, Value
from winnow.types.utterance import Usage, Utterance
from winnow.types.verdict import (
    Act,
    Call,
    Clarify,
    ConditionCheck,
    Confirm,
    Nothing,
    Read,
    Refusal,
    Refuse,
    named_calls,
)

VIEW = view("a", "b", "c", "d", "e")
HERE = DecisionContext(VIEW, "zh")


def deed(
    device: str, command: str = "on", trait: str = "", words: str = "", **arguments: object
) -> PlannedCall:
    return PlannedCall(Call(device, command, arguments), Command(command, trait or "Switch.On"), words)


# deeds


def test_the_same_by_another_command_is_done_once() -> None:
    ring = deed("a", "ring", "Alarm.On")
    assert ring.repeats(deed("a", "sound", "Alarm.On"))
    assert not ring.repeats(deed("b", "sound", "Alarm.On"))
    assert not ring.repeats(deed("a", "hush", "Alarm.Off"))
    assert not ring.repeats(deed("a", "ring", "Alarm.On"))
    assert not ring.repeats(deed("a", "sound", "Alarm.On", volume=3))
    assert not deed("a", "sound", "Alarm.On", volume=3).repeats(ring)
    assert not ring.repeats(PlannedCall(Call("a", "scene")))


def test_a_second_order_for_what_is_done_already_adds_nothing() -> None:
    made = row("a", trait="Alarm.On")
    before = SentenceOutcome((InstructionOutcome((deed("a", "ring", "Alarm.On"),)),))
    assert calls_outcome(query(), GateResult((made,)), BulkChoice((made,)), before).calls == ()
    assert len(calls_outcome(query(), GateResult((made,)), BulkChoice((made,)), SentenceOutcome()).calls) == 1


def test_a_set_of_which_nobody_is_there_is_refused_once() -> None:
    away = row("a", online=False), row("b", online=False)
    came = calls_outcome(query(), GateResult(away, bulk=True), BulkChoice(away), SentenceOutcome())
    assert [r.code for r in came.refused] == ["unavailable"]
    assert came.uncovered == ("a", "b")


def test_of_a_set_those_that_are_there_are_called_and_the_others_named() -> None:
    rows = row("a"), row("b", online=False)
    came = calls_outcome(query(), GateResult(rows, bulk=True), BulkChoice(rows), SentenceOutcome())
    assert ([d.call.device_id for d in came.calls], came.uncovered, came.refused) == (["a"], ("b",), ())


def test_who_cannot_take_a_value_is_told_and_who_has_no_such_command_is_not() -> None:
    rows, unable = (row("a"),), (row("b", able=False),)
    gated = GateResult(rows, uncovered=unable, bulk=True)
    half = Value("absolute", 50.0, "%")
    assert [
        r.code for r in calls_outcome(query(value=half), gated, BulkChoice(rows), SentenceOutcome()).refused
    ] == ["no_ability"]
    assert calls_outcome(query(), gated, BulkChoice(rows), SentenceOutcome()).refused == ()


@pytest.mark.parametrize(("quantifier", "told"), [(Quantifier.EXCEPT, ("台灯",)), (Quantifier.ALL, ())])
def test_exceptions_are_told_where_all_but_them_was_said(
    quantifier: Quantifier, told: tuple[str, ...]
) -> None:
    rows, lamp = (row("a"),), Mention((token("台灯", "name"),))
    asked = query(quantifier=quantifier).without(lamp)
    assert (
        calls_outcome(asked, GateResult(rows, bulk=True), BulkChoice(rows), SentenceOutcome()).excluded
        == told
    )


# refusals


def test_a_thing_named_once_for_two_orders_is_refused_once() -> None:
    absent = Refusal("no_device", {"what": "滑翔机"})
    before = SentenceOutcome((InstructionOutcome(refused=(absent,)),))
    assert refusal_outcome(query(inherited=True), absent, before).refused == ()
    assert refusal_outcome(query(), absent, before).refused == (absent,)
    assert refusal_outcome(query(inherited=True), absent, SentenceOutcome()).refused == (absent,)


def test_only_the_absence_of_a_thing_names_what_is_near() -> None:
    commands = Command("unlock", "Lock.Unlock"), Command("lock", "Lock.Lock")
    home = Home(
        "h",
        "h",
        "neutral",
        profiles=(Profile("lock", commands), Profile("p", (Command("on", "Switch.On"),))),
        devices=(
            Device("bolt", "门锁", "lock"),
            Device("bolt2", "后门锁", "lock"),
            Device("lamp", "灯", "p"),
        ),
    )
    near = tuple(DeviceCandidate.of(i) for i in ("bolt", "bolt2", "lamp"))
    found = HomeShortlist(near=near)
    absent = with_near_matches(Refusal("no_device"), found, HomeView.of(home))
    assert absent.near == ("bolt", "lamp")
    assert with_near_matches(Refusal("out_of_range"), found, HomeView.of(home)).near == ()


# conditions


def test_the_same_condition_is_judged_once_in_a_sentence() -> None:
    condition = Condition("下雨", decidable=False)
    known = ConditionCheck("下雨", (), True)
    asked, found = query(conditions=(condition,)), HomeShortlist(sensors=((),))
    assert judge_conditions(
        asked, found, SentenceOutcome((InstructionOutcome(judged=(known,)),)), HERE
    ).judged == (known,)
    assert judge_conditions(asked, found, SentenceOutcome(), HERE).holds is False


@pytest.mark.parametrize(
    ("condition", "code"),
    [
        (Condition("室外很美"), "unknown_condition"),
        (Condition("下雨", decidable=False), "undecidable_condition"),
        (Condition("天黑以后", decidable=False, timed=True), "time_trigger"),
    ],
)
def test_a_condition_that_cannot_be_told_says_why(condition: Condition, code: str) -> None:
    came = judge_conditions(
        query(conditions=(condition,)), HomeShortlist(sensors=((),)), SentenceOutcome(), HERE
    )
    assert [r.code for r in came.refused] == [code]


def test_an_instruction_stops_at_the_first_condition_that_does_not_hold() -> None:
    first, second = Condition("一", decidable=False), Condition("二", decidable=False)
    before = SentenceOutcome((InstructionOutcome(judged=(ConditionCheck("一", (), False),)),))
    asked = query(conditions=(first, second))
    came = judge_conditions(asked, HomeShortlist(sensors=((), ())), before, HERE)
    assert ([j.text for j in came.judged], came.refused) == (["一"], ())


# the verdict of the whole


def test_a_part_that_was_not_understood_spoils_the_whole() -> None:
    unread = Refusal("unplaced", {"words": "嗡嗡"})
    sentence = SentenceOutcome(
        (
            InstructionOutcome((deed("a"),)),
            InstructionOutcome(refused=(Refusal("no_device"), unread), blocks_sentence=True),
        )
    )
    got = verdict_of(sentence, HERE)
    assert isinstance(got, Refuse)
    assert got.refusals == (unread,)


def test_conditions_that_do_not_hold_are_no_refusal() -> None:
    missed = InstructionOutcome(judged=(ConditionCheck("下雨", (), False),))
    assert verdict_of(SentenceOutcome((missed,)), HERE) == Nothing("condition_false", missed.judged)
    other = InstructionOutcome(refused=(Refusal("no_device"),))
    assert isinstance(verdict_of(SentenceOutcome((missed, other)), HERE), Refuse)


def test_nothing_at_all_is_not_understood() -> None:
    got = verdict_of(SentenceOutcome((InstructionOutcome(),)), HERE)
    assert isinstance(got, Refuse)
    assert [r.code for r in got.refusals] == ["not_understood"]


def test_a_member_left_out_twice_is_named_once() -> None:
    part = InstructionOutcome((deed("a"),), bulk=True, uncovered=("b",))
    got = verdict_of(SentenceOutcome((part, part)), HERE)
    assert isinstance(got, Act)
    assert got.bulk is not None
    assert got.bulk.uncovered == ("b",)


def test_what_was_guessed_wants_a_yes_and_says_how_many_are_not_named() -> None:
    deeds = tuple(deed(i) for i in "abcdefgh")
    guessed = replace(HERE, guess="睡觉")
    got = verdict_of(SentenceOutcome((InstructionOutcome(deeds),)), guessed)
    assert isinstance(got, Confirm)
    assert got.risks == ("guess",)
    assert "客厅的a、客厅的b、客厅的c、客厅的d、客厅的e、另外3个" in got.question
    assert isinstance(
        verdict_of(SentenceOutcome((InstructionOutcome(deeds),)), replace(guessed, confirmed=True)), Act
    )


def test_every_danger_is_named() -> None:
    dangerous = [replace(deed(i), danger="unlock") for i in "ab"]
    text = confirmation_text(ConfirmationContent(dangerous), VIEW, "zh")
    assert all(VIEW.devices[i].name in text for i in "ab")
    assert text != confirmation_text(ConfirmationContent(dangerous[:1]), VIEW, "zh")


def test_what_a_yes_does_beside_the_danger_is_named() -> None:
    deeds = [deed("a"), replace(deed("b"), danger="unlock"), *map(deed, "cde")]
    text = confirmation_text(ConfirmationContent(deeds), VIEW, "zh")
    assert all(VIEW.devices[i].name in text for i in "abcde")
    assert text.endswith(confirmation_text(ConfirmationContent(deeds[1:2]), VIEW, "zh"))


# sentences


def test_either_of_two_is_one() -> None:
    got = verdict("吸顶灯和月亮灯随便开一个")
    assert isinstance(got, Act)
    assert [c.device_id for c in got.calls] == ["ceiling"]


def test_two_open_questions_are_told_with_the_first() -> None:
    one, two = verdict("打开台灯"), verdict("打开台灯，关掉台灯")
    assert isinstance(one, Clarify)
    assert isinstance(two, Clarify)
    assert (one.hints, two.hints) == ((), ("also_open",))
    assert two.question.endswith(one.question)


def test_habits_order_what_is_equal() -> None:
    heard = Utterance("随便开一个灯", usage=Usage({"moon": 3}))
    got = decide(reading(heard.text), shortlists(heard.text), index().view, STATES, heard)
    assert [c.device_id for c in named_calls(verdict(heard.text))] == ["ceiling"]
    assert [c.device_id for c in named_calls(got)] == ["moon"]


# one instruction


def cleaned(source: Literal["neutral", "homeassistant"], where: str, area: str | None) -> object:
    """The room a robot is sent to, as the source is told it."""
    send = Command("send", "Vacuum.CleanRoom", "", (Parameter("room", "text"),))
    robot = Device("robot", "扫地机", "p", ("vacuum",))
    home = Home("h", "h", source, (), (Room("study", "书房"),), (Profile("p", (send,)),), (robot,))
    value = Value("absolute", unit="room", text=where)
    asked = query(action="clean", action_cluster=("Vacuum.CleanRoom",), value=value)
    found = HomeShortlist(candidates=(DeviceCandidate.of("robot", send.key),))
    came = instruction_outcome(
        asked, found, SentenceOutcome(), DecisionContext(HomeView.of(home), "zh", area=area)
    )
    return came.calls[0].call.arguments["room"]


def test_a_robot_is_sent_to_a_room_by_the_name_its_source_takes() -> None:
    assert cleaned("neutral", "study", None) == "书房"
    assert cleaned("homeassistant", "study", None) == "study"


def test_a_robot_that_is_called_here_is_sent_to_where_the_person_is() -> None:
    assert cleaned("neutral", "here", "study") == "书房"


def test_where_a_condition_was_read_says_which_of_them_is_meant() -> None:
    asked = query(conditions=(Condition("超过28度"),), scope_said=("hall",))
    read = (ConditionCheck("超过28度", (Read("a"), Read("nowhere")), True),)
    assert in_condition_rooms(asked, read, HERE).scope_said == ("hall", "room")
    assert in_condition_rooms(query(), read, HERE).scope_said == ()
