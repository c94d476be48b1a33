"""What every plan has to keep before anything of it is done, on plans made by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.decide.rows import query, token
from tests.unit.retrieve.home.small import verdict

from winnow.decide.decide import sentence_verdict as verdict_of
from winnow.decide.outcome import DecisionContext, InstructionOutcome, OutcomeQuestion, PlannedCall
from winnow.decide.plan_checks import PlanStep, check_plan
from winnow.types.candidate import DeviceCandidate, Dropped, Evidence, HomeShortlist
from winnow.types.home import (
    Attribute,
    Command,
    Device,
    Group,
    Home,
    HomeView,
    Parameter,
    Profile,
    Room,
    Scene,
)
from winnow.types.plan import ActionLimits
from winnow.types.query import Condition, Mention, Quantifier, Value
from winnow.types.verdict import Act, Call, Clarify, ConditionCheck, Confirm, Nothing, Read, Refusal, Refuse

LAMP = Profile("lamp", (Command("on", "Switch.On"), Command("off", "Switch.Off")))
COLD = Profile("cold", (Command("cool", "Temperature.Set", "", (Parameter("value", "number"),)),))
METER = Profile("meter", (), (Attribute("t", "temperature", unit="C"), Attribute("switch", "switch")))
OUTER = Profile("outer", (), (Attribute("t", "temperature", unit="C", where="outdoor"),))
HOME = Home(
    "h",
    "h",
    "neutral",
    (),
    (Room("den", "den"), Room("attic", "attic")),
    (LAMP, COLD, METER, OUTER),
    (
        Device("lamp", "lamp", "lamp", ("light",), (), "den"),
        Device("torch", "torch", "lamp", ("light",), (), "attic"),
        Device("trio", "trio", "lamp", ("switch",), (), "den"),
        Device("gang", "gang", "lamp", ("switch",), (), "den", part_of="trio"),
        Device("glow", "glow", "meter", ("switch",), (), "den", part_of="trio"),
        Device("cooler", "cooler", "cold", ("air_conditioner",), (), "den"),
        Device("larder", "larder", "cold", ("refrigerator",), (), "den"),
        Device("drawer", "drawer", "cold", ("climate",), (), "den", part_of="larder"),
        Device("chest", "Deep Freezer", "cold", ("climate",), (), "attic"),
        Device("meter", "meter", "meter", ("sensor",), (), "den"),
        Device("gauge", "gauge", "meter", ("sensor",), (), "attic"),
        Device("vane", "vane", "outer", ("sensor",), (), "attic"),
    ),
    (Scene("dusk", "dusk", "run"),),
    (Group("pair", "pair", ("lamp", "torch")),),
)
VIEW = HomeView.of(HOME)
HERE = DecisionContext(VIEW, "en")
DEN = token("den", "room", "den")
LIGHTS = token("lights", "type", **{"is": "light"})
ALL = token("all", "quantifier", **{"is": "all"})


def deed(device: str, trait: str = "Switch.On", words: str = "", /, **arguments: object) -> PlannedCall:
    return PlannedCall(Call(device, trait.rpartition(".")[2].lower(), arguments), Command("c", trait), words)


def step(*deeds: PlannedCall, **fields: object) -> PlanStep:
    """An order of the fields given that comes to these deeds."""
    fields.setdefault("action_cluster", ("Switch.On",))
    return PlanStep(query(**fields), outcome=InstructionOutcome(deeds))


def found(*ids: str, lane: str = "name", **fields: object) -> HomeShortlist:
    """A shortlist of these devices, each found in that lane."""
    candidates = tuple(DeviceCandidate.of(i, "", 1.0, (Evidence(lane, 1.0),)) for i in ids)
    return replace(HomeShortlist(candidates=candidates), **fields)


def left_out(*ids: str) -> HomeShortlist:
    return HomeShortlist(dropped=tuple(Dropped(i, "exclude", "") for i in ids))


def kept(*plan: PlanStep, at: DecisionContext = HERE) -> tuple[list[str], list[str]]:
    """The devices that still get their calls, and the codes of what is told."""
    sentence = check_plan(plan, at)
    moved = [] if sentence.blocking_refusals else [d.call.device_id for d in sentence.calls]
    return moved, [r.code for r in sentence.refusals]


def test_a_sound_plan_stays_as_it_is() -> None:
    plan = (step(deed("lamp")), step(deed("torch", "Switch.Off")))
    assert check_plan(plan, HERE).parts == tuple(s.outcome for s in plan)


# one value for a setting


def test_a_second_value_for_what_was_named_once_is_not_done() -> None:
    first, second = (
        deed("cooler", "Temperature.Set", "20", value=20),
        deed("cooler", "Temperature.Set", "24", value=24),
    )
    assert kept(step(first), step(second, inherited=True)) == ([], ["two_values"])
    assert kept(step(first), step(second)) == (["cooler", "cooler"], [])
    assert kept(step(first), step(replace(second, words="20"))) == ([], ["two_values"])


def test_the_values_that_clash_and_their_thing_are_named() -> None:
    first, second = deed("cooler", "Temperature.Set", value=20), deed("cooler", "Temperature.Set", value=24)
    got = verdict_of(check_plan((step(first, second),), HERE), HERE)
    assert isinstance(got, Refuse)
    assert got.message == "cooler cannot be set to two values at once: 20, 24. Nothing was done."


def test_two_settings_and_two_things_do_not_clash() -> None:
    cool = deed("cooler", "Temperature.Set", value=20)
    fast = deed("cooler", "FanSpeed.Set", value=3)
    assert kept(step(cool, fast, deed("chest", "Mode.Set", value=24)))[1] == []


def test_what_is_sent_twice_contradicts_nothing() -> None:
    rooms = deed("lamp", "Vacuum.CleanArea", room="den"), deed("lamp", "Vacuum.CleanArea", room="attic")
    assert kept(step(*rooms)) == (["lamp", "lamp"], [])


def test_the_same_value_by_two_commands_is_one_call() -> None:
    one = deed("cooler", "Temperature.Set", value=20)
    other = replace(one, call=Call("cooler", "another", {"value": 20}))
    assert kept(step(one), step(other)) == (["cooler"], [])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("light.turn_on", "light.turn_off"),
        ("cover.open_cover", "cover.close_cover"),
        ("valve.open_valve", "valve.close_valve"),
        ("main-switch-on", "main-switch-off"),
        ("lock", "unlock"),
    ],
)
def test_a_thing_and_its_opposite_clash_whatever_the_source_calls_them(one: str, other: str) -> None:
    first, second = (
        PlannedCall(Call("lamp", one), Command(one)),
        PlannedCall(Call("lamp", other), Command(other)),
    )
    assert kept(step(first), step(second)) == ([], ["contradiction"])
    assert kept(step(first), step(replace(second, call=Call("torch", other)))) == (["lamp", "torch"], [])


# as much as was said


def test_as_many_are_moved_as_were_counted() -> None:
    lights = deed("lamp"), deed("torch")
    assert kept(step(*lights, count=2)) == (["lamp", "torch"], [])
    assert kept(step(*lights, count=3)) == ([], ["miscounted"])
    told = step(*lights, count=3)
    told = replace(told, outcome=replace(told.outcome, uncovered=("trio",)))
    assert kept(told) == (["lamp", "torch"], [])


def test_of_two_names_none_is_dropped_in_silence() -> None:
    names = token("lamp", "name", "lamp", full=True), token("torch", "name", "torch", full=True)
    both = Mention(names)
    asked = step(deed("lamp"))
    asked = replace(asked, query=replace(asked.query, things=replace(asked.query.things, base=both)))
    assert kept(asked) == ([], ["unplaced"])
    told = replace(asked, outcome=replace(asked.outcome, uncovered=("torch",)))
    assert kept(told) == (["lamp"], [])


def test_a_name_that_others_bear_a_part_of_is_answered_by_them() -> None:
    asked = PlanStep(
        query(token("torch", "name", "torch", full=True)), outcome=InstructionOutcome((deed("lamp"),))
    )
    assert kept(asked) == (["lamp"], [])


def test_a_part_answers_for_the_thing_it_is_a_part_of() -> None:
    words = token("trio", "name", "trio", full=True), token("gang", "name", "gang", full=True)
    assert kept(PlanStep(query(*words), outcome=InstructionOutcome((deed("gang"),)))) == (["gang"], [])


def test_an_order_that_came_to_nothing_is_told() -> None:
    silent = PlanStep(query(token("torch", "name", "torch"), action="on"), found("torch"))
    assert kept(step(deed("lamp")), silent) == ([], ["not_understood"])
    assert kept(step(deed("torch")), silent) == (["torch"], [])
    for came in (
        InstructionOutcome(refused=(Refusal("x"),)),
        InstructionOutcome(judged=(ConditionCheck("", (), False),)),
    ):
        assert kept(step(deed("lamp")), replace(silent, outcome=came))[0] == ["lamp"]
    asked = replace(silent, outcome=InstructionOutcome(doubt=OutcomeQuestion(Clarify(""), Refusal("x"))))
    assert kept(step(deed("lamp")), asked)[0] == ["lamp"]
    for idle in ({"negated": True}, {"quantifier": Quantifier.ANY}, {"inherited": True}):
        assert kept(step(deed("lamp")), replace(silent, query=replace(silent.query, **idle)))[0] == ["lamp"]


def test_no_figure_is_lost() -> None:
    said = replace(HERE, text="lamp and torch to 30 and 50")
    half = query(said=(token("50", "number"),), value=Value("absolute", 50.0))
    assert kept(PlanStep(half, outcome=InstructionOutcome((deed("lamp"),))), at=said) == ([], ["unplaced"])
    for whole in (
        replace(half, conditions=(Condition("over 30", Mention((DEN,)), "temperature"),)),
        replace(half, count=30),
        replace(half, tokens=(*half.tokens, token("30%", "number"))),
    ):
        plan = PlanStep(
            whole,
            outcome=InstructionOutcome(
                (deed("lamp"),), judged=(ConditionCheck("over 30", (Read("meter", "t"),), True),)
            ),
        )
        assert "unplaced" not in kept(plan, at=said)[1]
    modelled = PlanStep(replace(half, tokens=()), outcome=InstructionOutcome((deed("lamp"),)))
    assert kept(modelled, at=said) == (["lamp"], [])


# conditions


def conditioned(condition: Condition, *reads: Read, holds: bool | None = True, **fields: object) -> PlanStep:
    made = step(deed("lamp"), conditions=(condition,), **fields)
    return replace(
        made, outcome=replace(made.outcome, judged=(ConditionCheck(condition.text, reads, holds),))
    )


def test_nothing_is_done_on_a_condition_that_was_not_judged() -> None:
    warm, late = Condition("warm", quantity="temperature"), Condition("late")
    judged = conditioned(warm, Read("meter", "t"))
    assert kept(judged) == (["lamp"], [])
    assert kept(conditioned(warm)) == ([], ["unknown_condition"])
    assert kept(conditioned(warm, Read("meter", "t"), holds=None)) == ([], ["unknown_condition"])
    forgotten = replace(judged, query=replace(judged.query, conditions=(warm, late)))
    assert kept(forgotten, step(deed("torch"))) == (["torch"], ["unknown_condition"])


def test_a_condition_without_an_order_of_its_own_is_one_of_the_rest() -> None:
    alone = PlanStep(query(conditions=(Condition("warm"),)))
    assert kept(alone, step(deed("lamp"))) == ([], ["unknown_condition"])
    absent = PlanStep(
        query(conditions=(Condition("warm"),), action_cluster=("Switch.On",)),
        outcome=InstructionOutcome(refused=(Refusal("no_device"),)),
    )
    assert kept(absent, step(deed("lamp"))) == (["lamp"], ["no_device"])


@pytest.mark.parametrize(
    ("named", "placed", "read", "stays"),
    [
        ((DEN,), (), "meter", True),
        ((DEN,), (), "gauge", False),
        ((DEN,), (), "vane", True),
        ((), (DEN,), "meter", True),
        ((), (DEN,), "gauge", False),
        ((), (), "gauge", True),
        ((token("meter", "name", "meter"),), (), "meter", True),
        ((token("meter", "name", "meter"),), (), "gauge", False),
        ((token("trio", "name", "trio"),), (), "glow", True),
    ],
)
def test_a_condition_is_read_where_it_was_said(named: tuple, placed: tuple, read: str, stays: bool) -> None:
    warm = Condition("warm", Mention(named), "temperature")
    made = conditioned(warm, Read(read, "t"))
    made = replace(made, query=made.query.about(*placed))
    assert kept(made) == ((["lamp"], []) if stays else ([], ["read_elsewhere"]))


def test_a_state_that_is_said_of_nothing_is_that_of_what_is_moved() -> None:
    on = Condition("on", quantity="state", comparator="==", threshold="on")
    assert kept(conditioned(on, Read("lamp", "switch"))) == (["lamp"], [])
    assert kept(conditioned(on, Read("meter", "switch"))) == ([], ["read_elsewhere"])


def test_if_it_is_on_asks_the_thing_itself() -> None:
    got = verdict("如果关着就打开吸顶灯")
    assert isinstance(got, Nothing)
    assert [r for j in got.conditions for r in j.reads] == [Read("ceiling", "switch")]


# exceptions and prohibitions


def test_an_exception_that_takes_nothing_away_is_not_lost() -> None:
    idle = replace(step(deed("lamp"), quantifier=Quantifier.EXCEPT), shortlist=HomeShortlist(idle=("torch",)))
    assert kept(idle, step(deed("trio"))) == (["trio"], ["idle_exception"])
    forbidden = replace(idle, query=replace(idle.query, quantifier=Quantifier.ONE))
    assert kept(forbidden) == (["lamp"], [])


def test_an_exception_from_a_room_names_something_of_it() -> None:
    got = verdict("关掉书房所有的灯，除了月亮灯")
    assert isinstance(got, Act)
    assert {c.device_id for c in got.calls} == {"lamp-study", "ceiling"}
    got = verdict("关掉客厅所有的灯，除了月亮灯")
    assert isinstance(got, Refuse)
    assert [r.code for r in got.refusals] == ["idle_exception"]


@pytest.mark.parametrize("text", ["关掉客厅所有的灯，除了书房的台灯", "关掉客厅所有的灯，除了门锁"])
def test_what_was_never_meant_may_be_excepted_by_its_place_or_kind(text: str) -> None:
    got = verdict(text)
    assert isinstance(got, Act)
    assert {c.device_id for c in got.calls} == {"lamp-living"}


@pytest.mark.parametrize(
    ("spared", "moved", "stays"),
    [
        ("lamp", "lamp", False),
        ("torch", "lamp", True),
        ("gang", "trio", False),
        ("glow", "trio", True),
        ("trio", "gang", False),
        ("lamp", "pair", False),
        ("gang", "pair", True),
        ("lamp", "dusk", False),
    ],
)
def test_what_is_excepted_is_moved_by_nothing(spared: str, moved: str, stays: bool) -> None:
    view = replace(VIEW, devices={**VIEW.devices, "pair": Device("pair", "pair", "lamp")})
    made = replace(step(deed(moved)), shortlist=left_out(spared))
    made = replace(made, outcome=replace(made.outcome, bulk=True))
    told = kept(made, step(deed("cooler")), at=replace(HERE, view=view))
    assert told == (([moved, "cooler"], []) if stays else (["cooler"], ["touches_spared"]))


def test_a_part_that_was_named_itself_is_moved_though_its_thing_is_spared() -> None:
    assert kept(replace(step(deed("gang")), shortlist=left_out("trio"))) == (["gang"], [])


def test_an_order_not_to_act_holds_for_the_other_orders() -> None:
    lights = query(LIGHTS, negated=True, action_cluster=("Switch.On",))
    forbidden = PlanStep(lights, found("lamp"))
    assert kept(step(deed("lamp"), deed("torch")), forbidden) == (["torch"], ["touches_spared"])
    assert kept(step(deed("dusk")), forbidden) == ([], ["touches_spared"])
    for other in (
        PlanStep(replace(lights, action_cluster=("Switch.Off",)), found("lamp")),
        PlanStep(replace(lights, conditions=(Condition("late"),)), found("lamp")),
        PlanStep(lights, found("lamp", lane="missing")),
    ):
        assert kept(step(deed("lamp")), other) == (["lamp"], [])


# the whole home


@pytest.mark.parametrize(
    ("target", "said", "fields", "asks"),
    [
        ((LIGHTS,), (), {"quantifier": Quantifier.ALL}, True),
        ((LIGHTS,), (ALL,), {"quantifier": Quantifier.ALL}, False),
        ((LIGHTS,), (), {"quantifier": Quantifier.EXCEPT}, False),
        ((DEN, LIGHTS), (), {"quantifier": Quantifier.ALL}, False),
        ((token("pair", "group", "pair"),), (), {}, False),
        ((LIGHTS,), (), {"antecedents": (Mention((DEN,)),)}, False),
        ((token("all", "type", **{"is": "device"}),), (ALL,), {"action": "off"}, True),
        ((token("all", "type", **{"is": "device"}),), (ALL,), {"action": "pause"}, False),
        ((DEN, token("all", "type", **{"is": "device"})), (ALL,), {"action": "off"}, False),
    ],
)
def test_a_set_of_the_whole_home_that_nobody_called_so_is_asked_about(
    target: tuple, said: tuple, fields: dict, asks: bool
) -> None:
    few = replace(HERE, limits=ActionLimits(everywhere=1))
    made = PlanStep(
        query(*target, said=said, **fields),
        outcome=InstructionOutcome((deed("lamp"), deed("torch")), bulk=True),
    )
    got = verdict_of(check_plan((made,), few), few)
    assert isinstance(got, Confirm if asks else Act)


def test_a_set_in_one_room_is_not_the_whole_home() -> None:
    few = replace(HERE, limits=ActionLimits(everywhere=1))
    made = PlanStep(
        query(LIGHTS, quantifier=Quantifier.ALL),
        outcome=InstructionOutcome((deed("lamp"), deed("trio")), bulk=True),
    )
    assert isinstance(verdict_of(check_plan((made,), few), few), Act)


# temperatures


@pytest.mark.parametrize("device", ["larder", "drawer", "chest"])
def test_what_cools_food_keeps_its_temperature(device: str) -> None:
    cold = deed(device, "Temperature.Set", value=4)
    both = step(deed("cooler", "Temperature.Set", value=4), cold)
    assert kept(both) == (["cooler"], ["cools_food"])
    assert kept(step(deed(device, "Switch.On"))) == ([device], [])


@pytest.mark.parametrize(
    ("word", "device"),
    [
        (token("larder", "name", "larder"), "larder"),
        (token("larder", "name", "larder"), "drawer"),
        (token("larder", "type", **{"is": "light", "named": ("larder",)}), "larder"),
        (token("fridge", "type", **{"is": "refrigerator"}), "larder"),
        (token("freezer", "word"), "chest"),
    ],
)
def test_what_cools_food_is_set_when_it_is_named(word: object, device: str) -> None:
    cold = InstructionOutcome((deed(device, "Temperature.Set", value=4),))
    assert kept(PlanStep(query(word), outcome=cold)) == ([device], [])
    for other in (token("all", "group", device), token("attic", "room", "attic"), token("oven", "word")):
        assert kept(PlanStep(query(other), outcome=cold)) == ([], ["cools_food"])


def test_degrees_are_no_colour_of_light() -> None:
    white = deed("lamp", "ColorTemperature.Set", value=2702)
    assert kept(step(white, value=Value("relative", 2.0, "degree", direction=1))) == ([], ["no_ability"])
    assert kept(step(white, value=Value("absolute", 2700.0, "kelvin"))) == (["lamp"], [])
