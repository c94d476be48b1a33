"""What a line of the briefing says of a device, a set or a reading, in full and when there is less room."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from tests.unit.context.rows import row, rows

from winnow.context import briefing_lines as entities
from winnow.context.briefing import build_briefing, quotation_lines
from winnow.context.briefing_lines import BriefingLine, command_shape, entity_name, entity_room
from winnow.types.candidate import Candidate, DeviceCandidate, HomeShortlist, Ref, Shortlist
from winnow.types.home import Attribute, Choice, Command, Device, Home, HomeView, Parameter, Profile
from winnow.types.query import Reading
from winnow.types.retrieval import Attempt
from winnow.types.state import EMPTY_SNAPSHOT, Snapshot
from winnow.types.verdict import (
    Act,
    Bulk,
    Call,
    Clarify,
    ConditionCheck,
    Nothing,
    Option,
    Query,
    Read,
    Refusal,
    Refuse,
    Verdict,
)

ON, OFF = "main-switch-on", "main-switch-off"
LEVEL = "main-switchLevel-setLevel"
LAMPS = tuple(f"lamp-{n:02}" for n in range(30))


def versions(line: BriefingLine, view: HomeView) -> list[dict]:
    return [row(text, view) for text in line.versions]


def told(
    verdict: Verdict,
    view: HomeView,
    reading: Reading,
    shortlists: tuple[HomeShortlist, ...] = (),
    budget: int = 2000,
    snapshot: Snapshot = EMPTY_SNAPSHOT,
) -> list[dict]:
    text = build_briefing(Attempt(reading, shortlists, verdict, snapshot), view, budget).text
    return rows(text, view)


@pytest.mark.parametrize(
    ("parameter", "shown"),
    [
        (Parameter("level", "number", 0, 100, "%"), "level:0..100%"),
        (Parameter("level", "number", 0, 100, "%", required=False), "level?:0..100%"),
        (Parameter("level", "number", minimum=5, unit="C"), "level:5..C"),
        (Parameter("level", "number", maximum=5.5), "level:..5.5"),
        (Parameter("level", "number", 0, 1, "%", scale=100), "level:0..100"),
        (Parameter("level", "number", unit="C"), "level:C"),
        (Parameter("text", "text"), "text:text"),
        (Parameter("mode", "choice", choices=(Choice("a"), Choice(2))), "mode:a/2"),
        (Parameter("mode", "choice", choices=tuple(Choice(n) for n in range(6))), "mode:0/1/2/3/4/5"),
        (Parameter("mode", "choice", choices=tuple(Choice(n) for n in range(7))), "mode:0/1/2/3/4/5/…"),
    ],
)
def test_a_parameter_is_shown_with_what_it_takes(parameter: Parameter, shown: str) -> None:
    assert command_shape("T.Set", Command("c", "T.Set", parameters=(parameter,))) == f"T.Set {shown}"


def test_a_command_is_told_with_what_it_takes() -> None:
    assert (
        command_shape("c", Command("c", "", parameters=(Parameter("a", "text"), Parameter("b", "text"))))
        == "c a:text b:text"
    )
    assert command_shape("Switch.On", Command("c", "Switch.On")) == "Switch.On"


def test_what_no_home_has_goes_by_its_id_and_has_no_room(view: HomeView) -> None:
    assert (entity_name(view, "x"), entity_room(view, "x")) == ("x", "")
    assert (entity_name(view, "s1"), entity_room(view, "s1")) == ("回家", "客厅")
    assert entity_room(view, "sensor") == ""


@pytest.mark.parametrize(
    ("states", "main"),
    [
        ({"power": 1, "state": "on", "main-switch-switch": "on"}, "state"),
        ({"power": 1, "main-switch-switch": "on"}, "main-switch-switch"),
        ({"power": 1, "level": 2}, "power"),
        ({}, ""),
    ],
)
def test_the_main_state_is_the_one_that_says_most(states: dict[str, object], main: str) -> None:
    assert entities.main_state(states) == main


def test_a_device_called_says_less_when_there_is_less_room(view: HomeView, snapshot: Snapshot) -> None:
    who = {"id": "lamp-03", "name": "灯3", "room": "客厅", "kind": "light"}
    act = {"do": "Brightness.Set level=30"}
    assert versions(entities.called_line((Call("lamp-03", LEVEL, {"level": 30}),), view, snapshot), view) == [
        {**who, **act, "now": "brightness 40"},
        {**who, **act},
        {"id": "lamp-03", **act},
    ]


def test_a_device_that_may_be_meant_says_less_when_there_is_less_room(view: HomeView) -> None:
    who = {"id": "lamp-03", "name": "灯3", "room": "客厅"}
    level = view.command_named("lamp-03", "Brightness.Set")
    assert level is not None
    line = entities.able_line("lamp-03", (level,), view)
    assert versions(line, view) == [
        {**who, "kind": "light", "can": "Brightness.Set level:0..100%"},
        {**who, "kind": "light", "can": "Brightness.Set"},
        {**who, "kind": "light"},
        who,
    ]
    assert line.naming == 2
    assert versions(entities.possible_line("lamp-03", view), view) == [{**who, "kind": "light"}, who]
    assert versions(entities.possible_line("lamp-03", view, above=level), view) == [who]


def test_what_a_device_can_do_is_what_is_wanted_of_it_else_all_that_has_a_trait(view: HomeView) -> None:
    def able(*wanted: str) -> list[str]:
        return [c.trait for c in entities.callable_commands("lamp-03", wanted, view)]

    assert able("Brightness.Set", "Lock.Lock") == ["Brightness.Set"]
    assert able("Lock.Lock") == able() == ["Switch.On", "Brightness.Set", "Mode.Set", "Switch.Off"]
    assert entities.callable_commands("s1", (), view) == ()


def test_a_reading_keeps_its_value_when_there_is_less_room(view: HomeView, snapshot: Snapshot) -> None:
    line = entities.reading_line(
        "sensor", (Read("sensor", "main-temp-temperature"), Read("sensor")), view, snapshot
    )
    now = {"now": "main-temp-temperature 23.5"}
    assert line.name == "sensor"
    assert versions(line, view) == [
        {"id": "sensor", "name": "温度计", "kind": "temperature_sensor", **now},
        {"id": "sensor", "name": "温度计", **now},
    ]


def test_a_set_loses_its_last_handles_first_then_all_of_them_then_its_names(view: HomeView) -> None:
    handles = [view.handles[i] for i in LAMPS]
    named = 'do Switch.Off for 30: "灯0", "灯1", "灯2", …'
    line = entities.set_line(tuple(Call(i, OFF) for i in LAMPS), view)
    assert line.name == f"{OFF} x30"
    assert line.versions == (
        f"{named}; {' '.join(handles)}",
        *(f"{named}; {' '.join(handles[:n])} and {30 - n} more" for n in (20, 10, 5, 2)),
        named,
        "do Switch.Off for 30",
    )
    two = entities.set_line(tuple(Call(i, OFF) for i in LAMPS[:2]), view)
    assert not any("more" in text or "…" in text for text in two.versions)


def test_a_tally_loses_names_before_numbers(view: HomeView, snapshot: Snapshot) -> None:
    reads = tuple(Read(i, "main-switchLevel-level") for i in (*LAMPS[:5], "sensor"))
    line = entities.tally_line("main-switchLevel-level", reads, view, snapshot)
    assert line.name == "main-switchLevel-level x6"
    assert line.versions == (
        'brightness of 6: 40 5 ("灯0", "灯1", "灯2", "灯3", "灯4"), null 1 ("温度计")',
        'brightness of 6: 40 5 ("灯0", "灯1", "灯2", …), null 1 ("温度计")',
        "brightness of 6: 40 5, null 1",
    )


def test_a_tally_without_an_attribute_counts_the_main_states(view: HomeView, snapshot: Snapshot) -> None:
    full, *_ = entities.tally_line("", tuple(Read(i) for i in LAMPS[:6]), view, snapshot).versions
    assert full == "state of 6: on 6 ({})".format(", ".join(f'"灯{n}"' for n in range(6)))


BULB = Profile(
    "bulb",
    (Command("light.turn_on#b", "Brightness.Set"), Command("odd", "")),
    (Attribute("brightness", "brightness"), Attribute("tone", "color"), Attribute("bare")),
)


@pytest.mark.parametrize(
    ("command", "states", "beside"),
    [
        ("light.turn_on#b", {"state": "on", "brightness": 7, "tone": "red"}, {"brightness": 7}),
        ("light.turn_on#b", {"state": "on", "tone": "red"}, {"state": "on"}),
        ("odd", {"bare": 1, "state": "on"}, {"state": "on"}),
        ("odd", {}, {}),
        (
            "m-x-set",
            {"m-x-a": 1, "m-y-a": 2, "m-x-b": 3, "m-x-c": 4, "m-x-d": 5},
            {"m-x-a": 1, "m-x-b": 3, "m-x-c": 4},
        ),
    ],
)
def test_beside_a_call_stand_the_states_that_it_changes(
    home: Home, command: str, states: dict, beside: dict
) -> None:
    bulb = Device("bulb", "灯泡", "bulb", ("light",))
    view = HomeView.of(replace(home, profiles=(*home.profiles, BULB), devices=(bulb,)))
    assert entities.changed_states("bulb", (command,), view, Snapshot({"bulb": states})) == beside


def test_the_wanted_command_is_the_first_of_the_wanted_traits(view: HomeView) -> None:
    able = (
        ("lamp-00", f"{OFF}#Switch.Off"),
        ("lamp-00", f"{ON}#Switch.On"),
        ("lamp-01", f"{LEVEL}#Brightness.Set"),
    )
    found = (HomeShortlist(candidates=tuple(DeviceCandidate.of(*one) for one in able)),)

    def wanted(device: str, *cluster: str) -> str:
        command = entities.wanted_command(device, found, cluster, view)
        return command.id if command else ""

    assert wanted("lamp-00", "Switch.On", "Switch.Off") == ON
    assert wanted("lamp-00", "Lock.Lock") == OFF
    assert wanted("lamp-02", "Switch.On") == ""


def test_three_that_were_chosen_leave_no_room_for_others(
    view: HomeView, reading: Reading, shortlists
) -> None:
    shown = [
        len(told(Act(tuple(Call(i, ON) for i in LAMPS[10 : 10 + n])), view, reading, shortlists)) - 1
        for n in (1, 2, 3, 4)
    ]
    assert shown == [1 + 1 + 2, 2 + 1, 3, 4]  # two runners-up of one command have a line above them


def test_up_to_five_calls_have_a_line_each_and_six_are_grouped(view: HomeView, reading: Reading) -> None:
    five, six = (told(Act(tuple(Call(i, ON) for i in LAMPS[:n])), view, reading) for n in (5, 6))
    assert [one.get("id") for one in five[1:]] == list(LAMPS[:5])
    assert [one["count"] for one in six[1:]] == [6]


def test_of_a_set_one_that_differs_is_shown_as_a_device(view: HomeView, reading: Reading) -> None:
    calls = (Call(LAMPS[0], LEVEL, {"level": 1}), *(Call(i, OFF) for i in LAMPS[1:4]))
    _, group, single = told(Act(calls, Bulk()), view, reading)
    assert (group["do"], group["count"], single["id"]) == ("Switch.Off", 3, LAMPS[0])


def test_up_to_five_devices_are_read_by_name_and_six_are_tallied(
    view: HomeView, reading: Reading, snapshot: Snapshot
) -> None:
    five, six = (
        told(
            Query(
                tuple(Read(i, a) for i in LAMPS[:n] for a in ("main-switch-switch", "main-switchLevel-level"))
            ),
            view,
            reading,
            snapshot=snapshot,
        )
        for n in (5, 6)
    )
    assert [one["id"] for one in five[1:]] == list(LAMPS[:5])
    assert five[1]["now"] == "power on, brightness 40"
    assert [(one["read"], one["count"]) for one in six[1:]] == [
        ("power", 6),
        ("brightness", 6),
    ]


def test_of_many_at_fault_or_near_three_are_shown(view: HomeView, reading: Reading) -> None:
    blamed = told(Refuse((Refusal("no_ability", {"name": "x"}, LAMPS[:6]),), ""), view, reading)
    near = told(Refuse((Refusal("no_device", {"what": "x"}, near=LAMPS[:6]),), ""), view, reading)
    assert [one["id"] for one in blamed[1:]] == [one["id"] for one in near[1:]] == list(LAMPS[:3])


def test_a_refusal_names_each_reason_once_and_says_nothing_without_words(
    view: HomeView, reading: Reading
) -> None:
    twice = (Refusal("no_ability", {"name": "x"}), Refusal("no_ability", {"name": "y"}), Refusal("hostile"))
    (verdict,) = told(Refuse(twice, ""), view, reading)
    assert verdict == {"verdict": "reject (no_ability, hostile)"}


def test_the_best_of_each_instruction_comes_first(view: HomeView, reading: Reading) -> None:
    first, second = (
        HomeShortlist(candidates=tuple(DeviceCandidate.of(i, f"{ON}#Switch.On") for i in ids))
        for ids in (LAMPS[:7], LAMPS[10:12])
    )
    _, *lines = told(Refuse((Refusal("no_device", {"what": "x"}),), "x"), view, reading, (first, second))
    assert [line["id"] for line in lines] == ["lamp-00", "lamp-10", "lamp-01"]


def test_a_set_names_three_of_what_was_taken_away(view: HomeView, reading: Reading) -> None:
    verdict, _ = told(
        Act((Call("lamp-09", OFF),), Bulk(excluded=LAMPS[:5], uncovered=LAMPS[5:9])), view, reading
    )
    assert verdict["verdict"] == 'act; except "灯0", "灯1", "灯2"; uncovered "灯5", "灯6", "灯7"'


def test_side_notes_go_before_the_verdict_does(view: HomeView, reading: Reading) -> None:
    judged = (ConditionCheck("温度超过20度", (Read("sensor"),), True, "热"),)
    sure = Act((Call("lamp-03", ON),), conditions=judged)
    full = build_briefing(Attempt(reading, (), sure), view, 2000)
    (verdict, *_) = told(sure, view, reading)
    assert verdict["verdict"] == 'act; if "温度超过20度" holds: "热" by "温度计"'
    assert told(sure, view, reading, budget=full.tokens - 12)[0] == {"verdict": "act"}


def test_without_room_for_the_verdict_nothing_is_told_and_all_is_named_as_left_out(
    view: HomeView, reading: Reading
) -> None:
    found = build_briefing(Attempt(reading, (), Act((Call("lamp-03", ON),))), view, 5)
    assert (found.text, found.tokens, found.sections) == ("", 0, ())
    assert found.left_out == ("header", "verdict", "lamp-03")


def test_a_question_is_cut_at_four_hundred_characters(view: HomeView, reading: Reading) -> None:
    whole, cut = (told(Clarify("问" * long, ()), view, reading)[0]["verdict"] for long in (400, 401))
    assert whole == 'clarify: "{}"'.format("问" * 400)
    assert len(cut) <= len(whole)


def test_a_condition_that_failed_is_told_and_nothing_beside_it(
    view: HomeView, reading: Reading, shortlists
) -> None:
    judged = (ConditionCheck("有人", (Read("sensor"),), False, None),)
    (verdict,) = told(Nothing("condition_false", judged), view, reading, shortlists)
    assert verdict == {"verdict": 'none; if "有人" does not hold by "温度计"'}


def test_an_option_of_two_devices_shows_both(view: HomeView, reading: Reading) -> None:
    options = (Option("卧室", ("lamp-00", "lamp-01")), Option("客厅", ("lamp-01", "lamp-02")))
    _, *lines = told(Clarify("？", options), view, reading)
    assert [line["id"] for line in lines] == ["lamp-00", "lamp-01", "lamp-02"]


def test_what_other_sources_found_is_quoted_best_first_with_its_source(
    view: HomeView, reading: Reading
) -> None:
    found = (
        Shortlist(
            "history",
            (Candidate(Ref("message", "m1"), data={"said": "买牛奶"}), Candidate(Ref("message", "m2"))),
        ),
        Shortlist("knowledge", (Candidate(Ref("passage", "p1"), data="一章"),)),
    )
    briefing = build_briefing(Attempt(reading, (), Nothing("chat")), view, 2000, found)
    _, *lines = briefing.text.splitlines()
    assert [json.loads(line) for line in lines] == [
        {"source": "history", "id": "m1", "said": "买牛奶"},
        {"source": "history", "id": "m2", "text": ""},
        {"source": "knowledge", "id": "p1", "text": "一章"},
    ]
    assert [s.name for s in briefing.sections] == ["header", "m1", "m2", "p1"]


def test_a_long_quotation_is_cut_and_cut_again_where_there_is_less_room() -> None:
    found = (Shortlist("knowledge", (Candidate(Ref("passage", "p1"), data="字" * 1200),)),)
    (line,) = quotation_lines(found)
    full, short = map(json.loads, line.versions)
    assert 990 < len(full["text"]) <= 1000
    assert 190 < len(short["text"]) <= 200
    (brief,) = quotation_lines((Shortlist("knowledge", (Candidate(Ref("passage", "p1"), data="字" * 150),)),))
    assert len(brief.versions) == 1
