"""Sets: one act for all members, groups of alike commands, and a limit to what is done unasked."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.retrieve.home.small import HOME, IMPORTED, STATES, verdict

from winnow.adapters.models.embedders import HashingEmbedder
from winnow.app.wiring.engine import open_engine
from winnow.decide.clarify import act_phrase, question_after_model, representatives
from winnow.decide.decide import decide
from winnow.decide.outcome import PlannedCall, call_batches, command_signature, device_groups, excess_targets
from winnow.retrieve.home.index import build_index
from winnow.retrieve.home.search import search_home
from winnow.types.home import Choice, Command, Device, Home, Parameter, Profile, Room
from winnow.types.plan import DEFAULT_LIMITS, ActionLimits
from winnow.types.state import Snapshot
from winnow.types.utterance import Utterance
from winnow.types.verdict import Act, Call, CallGroup, Clarify, Confirm, Option, Refuse, Verdict
from winnow.understand.reading import understand
from winnow.understand.words.vocabulary import build_vocabulary

PERCENT = Parameter("value", "number", 0, 100, "%")


def decided(
    text: str,
    home: Home = HOME,
    limits: ActionLimits = DEFAULT_LIMITS,
    states: Snapshot = STATES,
    *,
    clarified: bool = False,
    confirmed: bool = False,
) -> Verdict:
    heard, made = Utterance(text), build_index(home, HashingEmbedder())
    understood = replace(understand(heard, build_vocabulary(home)), clarified=clarified, confirmed=confirmed)
    return decide(understood, search_home(understood, made, heard), made.view, states, heard, limits=limits)


def lamps(count: int, makes: int = 1) -> Home:
    """Lamps called 灯1, 灯2 ... of so many makes, which differ in their brightest."""
    levels = [
        Command("level", "Brightness.Set", "", (replace(PERCENT, maximum=100 + n),)) for n in range(makes)
    ]
    profiles = tuple(
        Profile(f"p{n}", (Command("on", "Switch.On"), Command("off", "Switch.Off"), level))
        for n, level in enumerate(levels)
    )
    devices = tuple(
        Device(f"d{n}", f"灯{n}", f"p{n % makes}", ("light",), (), f"r{n % 3}") for n in range(count)
    )
    return Home(
        "many",
        "家",
        "neutral",
        (),
        tuple(Room(f"r{n}", name) for n, name in enumerate(("客厅", "书房", "玄关"))),
        profiles,
        devices,
    )


# what to do


def test_a_bare_number_for_everything_is_a_question_what_to_do() -> None:
    got = verdict("所有设备调到50%")
    assert isinstance(got, Clarify)
    assert (got.by, got.hints) == ("action", ("need_clarification",))
    assert [(o.label, o.capability, set(o.device_ids)) for o in got.options] == [
        ("亮度", "Brightness.Set", {"lamp-living", "lamp-study", "ceiling"}),
        ("开合度", "Cover.SetPosition", {"shade"}),
    ]
    assert got.options[1].examples == ("窗帘 (客厅)",)


def test_what_is_offline_is_not_offered() -> None:
    got = verdict("所有设备调到50%")
    assert isinstance(got, Clarify)
    assert "jukebox" not in {i for o in got.options for i in o.device_ids}


def test_at_most_three_acts_are_offered() -> None:
    got = decided("所有设备调到30", states=replace(STATES, offline=frozenset()))
    assert isinstance(got, Clarify)
    assert len(got.options) == 3


@pytest.mark.parametrize(
    ("choice", "called"), [(0, {"lamp-living", "lamp-study", "ceiling"}), (1, {"shade"})]
)
def test_the_answer_is_an_index(choice: int, called: set[str]) -> None:
    engine = open_engine(IMPORTED)
    asked = engine.sync.retrieve("所有设备调到50%")
    after = engine.sync.answer(asked.id, choice).verdict
    assert isinstance(after, Act)
    assert after.bulk is not None
    assert {c.device_id for c in after.calls} == called


def test_it_is_asked_once_and_then_some_that_may_be_meant_are_named() -> None:
    got = decided("所有设备调到50%", clarified=True)
    assert isinstance(got, Refuse)
    assert got.hints == ("be_more_specific",)
    assert got.refusals[0].device_ids == ("ceiling", "shade", "lamp-living", "lamp-study")


def test_how_many_are_named_is_a_setting() -> None:
    got = decided("所有设备调到50%", limits=ActionLimits(representatives=2), clarified=True)
    assert isinstance(got, Refuse)
    assert got.refusals[0].device_ids == ("ceiling", "shade")


@pytest.mark.parametrize("limits", [ActionLimits(top1_ratio=0.0, margin=0.0)])
def test_a_trusted_act_takes_those_that_have_it_and_names_the_rest(limits: ActionLimits) -> None:
    got = decided("所有设备调到50%", limits=limits)
    assert isinstance(got, Act)
    assert got.bulk is not None
    assert {c.device_id for c in got.calls} == {"lamp-living", "lamp-study", "ceiling"}
    assert "shade" in got.bulk.uncovered


@pytest.mark.parametrize(
    "limits", [ActionLimits(top1_ratio=1.0, margin=0.0), ActionLimits(top1_ratio=0.0, margin=1.0)]
)
def test_both_thresholds_must_be_met(limits: ActionLimits) -> None:
    assert isinstance(decided("所有设备调到50%", limits=limits), Clarify)


@pytest.mark.parametrize(
    "text", ["所有的灯调到50%", "所有设备亮度调到50%", "关掉所有的灯", "所有设备都关掉", "所有设备调到26度"]
)
def test_no_question_where_the_words_tell(text: str) -> None:
    assert isinstance(verdict(text), Act)


def test_degrees_are_a_temperature_wherever_one_can_be_set() -> None:
    got = verdict("所有设备调到26度")
    assert isinstance(got, Act)
    assert got.bulk is not None
    assert [(c.device_id, c.command_id) for c in got.calls] == [("snow", "setpoint")]


@pytest.mark.parametrize(
    ("capability", "zh", "en"),
    [
        ("Brightness.Set", "亮度", "brightness"),
        ("Volume.Set", "音量", "volume"),
        ("my-command", "my-command", "my-command"),
        ("Valve.Stop", "停止", "stop"),
        ("Vacuum.Pause", "暂停", "pause"),
        ("Valve.SetPosition", "开合度", "coverage"),
        ("RapidCooling.On", "rapid cooling on", "rapid cooling on"),
        ("Switch.Off", "关闭", "turn off"),
        ("Mute.On", "静音", "mute"),
    ],
)
def test_an_act_is_said_in_a_persons_word(capability: str, zh: str, en: str) -> None:
    assert (act_phrase(capability, "zh"), act_phrase(capability, "en")) == (zh, en)


@pytest.mark.parametrize(
    ("outcome", "hint", "question"),
    [("", "arbitration_failed", "what?"), ("lights or shades?", "arbitration_asks", "lights or shades?")],
)
def test_arbitration_in_vain_is_told(outcome: str, hint: str, question: str) -> None:
    got = question_after_model(Clarify("what?", (), "action", ("need_clarification",)), outcome)
    assert got.hints == ("need_clarification", hint)
    assert got.question == question


def test_representatives_come_from_every_option_in_turn() -> None:
    offered = (Option("a", ("1", "2", "3")), Option("b", ("4",)), Option("c", ("5", "6")))
    assert representatives(offered, 4) == ("1", "4", "5", "2")
    assert representatives((), 3) == ()


# nobody is forgotten


@pytest.mark.parametrize(
    "text", ["关掉所有的灯", "所有的灯调到50%", "所有设备都关掉", "所有设备调到26度", "客厅全部打开"]
)
def test_every_member_is_called_or_named(text: str) -> None:
    got = verdict(text)
    assert isinstance(got, Act)
    assert got.bulk is not None
    called = {c.device_id for c in got.calls}
    assert not called & set(got.bulk.uncovered)
    place = {
        d.id
        for d in HOME.devices
        if d.profile_id != "meter" and ("客厅" not in text or d.room_id == "living")
    }
    members = {"lamp-living", "lamp-study", "ceiling", "moon"} if "灯" in text else place
    assert called | set(got.bulk.uncovered) == members


def test_coverage_is_the_share_that_gets_a_call() -> None:
    got = verdict("所有的灯调到50%")
    assert isinstance(got, Act)
    assert got.bulk is not None
    assert got.coverage == pytest.approx(3 / 4)


def test_a_set_that_is_offline_as_a_whole_is_refused_as_such() -> None:
    got = verdict("make all speakers louder")
    assert isinstance(got, Refuse)
    assert got.refusals[0].code == "unavailable"


# groups and batches


@pytest.mark.parametrize(
    "other",
    [
        replace(PERCENT, maximum=50),
        replace(PERCENT, minimum=1),
        replace(PERCENT, unit="K"),
        replace(PERCENT, name="level"),
        replace(PERCENT, kind="text"),
        replace(PERCENT, scale=0.01),
        replace(PERCENT, required=False),
        replace(PERCENT, choices=(Choice("low"),)),
    ],
)
def test_whatever_shapes_a_parameter_shows_in_the_signature(other: Parameter) -> None:
    assert command_signature(Command("c", parameters=(PERCENT,))) != command_signature(
        Command("c", parameters=(other,))
    )


def test_words_around_a_command_do_not() -> None:
    assert command_signature(Command("c", "T.Set", "one", (PERCENT,))) == command_signature(
        Command("d", "", "two", (PERCENT,))
    )


def test_a_set_is_grouped_by_what_can_be_sent_together() -> None:
    got = decided("所有的灯调到50%", lamps(9, makes=3))
    assert isinstance(got, Act)
    assert got.bulk is not None
    assert [(g.command_id, g.signature, len(g.device_ids)) for g in got.bulk.groups] == [
        ("level", f"value:number[0..{100 + n}]%", 3) for n in range(3)
    ]


def test_groups_hold_every_target_once_whatever_its_room() -> None:
    got = decided("所有的灯调到50%", lamps(50, makes=2))
    assert isinstance(got, Act)
    assert got.bulk is not None
    assert sorted(i for g in got.bulk.groups for i in g.device_ids) == sorted(f"d{n}" for n in range(50))
    assert [len(b.calls) for b in got.bulk.batches] == [20, 5, 20, 5]


def test_no_batch_mixes_groups() -> None:
    got = decided("所有的灯调到50%", lamps(30, makes=3))
    assert isinstance(got, Act)
    assert got.bulk is not None
    of = {i: n for n, g in enumerate(got.bulk.groups) for i in g.device_ids}
    assert all(len({of[c.device_id] for c in b.calls}) == 1 for b in got.bulk.batches)


def test_the_size_of_a_batch_is_a_setting() -> None:
    got = decided("关掉所有的灯", lamps(7), ActionLimits(batch=3))
    assert isinstance(got, Act)
    assert got.bulk is not None
    assert [len(b.calls) for b in got.bulk.batches] == [3, 3, 1]


@given(st.lists(st.sampled_from("abc"), max_size=90), st.integers(1, 30))
def test_batches_keep_every_call_and_their_size(commands: list[str], size: int) -> None:
    deeds = [PlannedCall(Call(f"d{n}", c), Command(c)) for n, c in enumerate(commands)]
    made = call_batches(deeds, ActionLimits(batch=size))
    assert sorted(c.device_id for b in made for c in b.calls) == sorted(d.call.device_id for d in deeds)
    assert all(1 <= len(b.calls) <= size for b in made)
    assert {g.command_id for g in device_groups(deeds)} == set(commands)


# too many


@pytest.mark.parametrize(("count", "kind"), [(100, Act), (101, Confirm)])
def test_more_than_a_hundred_devices_want_a_yes(count: int, kind: type[Verdict]) -> None:
    assert isinstance(decided("关掉所有的灯", lamps(count)), kind)


@pytest.mark.parametrize(("makes", "kind"), [(10, Act), (11, Confirm)])
def test_more_than_ten_groups_want_a_yes(makes: int, kind: type[Verdict]) -> None:
    assert isinstance(decided("所有的灯调到50%", lamps(24, makes)), kind)


def test_the_question_names_how_many_and_every_target_is_in_it() -> None:
    got = decided("关掉所有的灯", lamps(120))
    assert isinstance(got, Confirm)
    assert "120" in got.question
    assert got.hints == ("too_many_targets",)
    assert len(got.proposed) == 120


def test_a_yes_does_them_all() -> None:
    got = decided("关掉所有的灯", lamps(120), confirmed=True)
    assert isinstance(got, Act)
    assert got.bulk is not None
    assert len(got.calls) == 120
    assert got.bulk.hints == ("too_many_targets",)


def test_the_limits_are_settings() -> None:
    assert isinstance(decided("关掉所有的灯", limits=ActionLimits(max_targets=3)), Confirm)
    assert isinstance(decided("关掉所有的灯", limits=ActionLimits(max_groups=0)), Confirm)


def test_everything_of_a_whole_home_waits_for_a_yes_sooner() -> None:
    assert isinstance(decided("turn everything off", limits=ActionLimits(everywhere=3)), Confirm)
    assert isinstance(decided("turn everything off", limits=ActionLimits(everywhere=30)), Act)
    assert isinstance(decided("关掉所有的灯", limits=ActionLimits(everywhere=3)), Act)


def test_danger_and_number_are_both_named() -> None:
    got = decided("关掉所有的灯，门锁解锁", limits=ActionLimits(max_targets=3))
    assert isinstance(got, Confirm)
    assert "门锁" in got.question
    assert "5" in got.question


def test_a_small_set_is_not_too_many() -> None:
    assert excess_targets((CallGroup("off", "", ("a", "b")), CallGroup("stop", "", ("b",)))) == 0
    assert (
        excess_targets(
            (CallGroup("off", "", ("a", "b")), CallGroup("stop", "", ("b",))), ActionLimits(max_groups=1)
        )
        == 2
    )


def test_an_act_is_trusted_by_as_much_evidence_as_is_looked_at() -> None:
    """With one piece of evidence there is no second act to doubt the first."""
    assert isinstance(decided("所有设备调到50%"), Clarify)
    assert isinstance(decided("所有设备调到50%", limits=ActionLimits(window=1)), Act)
