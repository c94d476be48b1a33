"""Which devices answer, case by case: a question and what recall found, written by hand."""

from __future__ import annotations

from typing import Any

import pytest

from winnow.decide.reads import TIES, reads_for
from winnow.types.candidate import DeviceCandidate, Dropped, Evidence, HomeShortlist
from winnow.types.home import Attribute, Device, Floor, Home, HomeView, Profile, Room
from winnow.types.query import Mention, Quantifier, QueryIR, Reference, SetExpr, Token
from winnow.types.state import Snapshot


def state(name: str, quantity: str, text: str = "", unit: str = "") -> Profile:
    return Profile(name, (), (Attribute("state", quantity, text, unit),))


PROFILES = (
    Profile("lamp", (), (Attribute("state", "switch"), Attribute("level", "brightness", unit="%"))),
    Profile(
        "heating", (), (Attribute("now", "temperature", unit="C"), Attribute("goal", "setpoint", unit="C"))
    ),
    Profile("gas", (), (Attribute("alarm", "gas"), Attribute("amount", "gas", unit="m3"))),
    Profile("fan", (), (Attribute("rate", "fan_speed"),)),
    Profile("printer", (), (Attribute("done", "progress", unit="%"),)),
    Profile("mute"),
    Profile("goal", (), (Attribute("goal", "setpoint", unit="C"),)),
    state("connection", "state", "connectivity"),
    state("switch", "switch"),
    state("warm", "temperature", "temperature", "°C"),
    state("contact", "contact", "window"),
    state("motion", "motion", "motion"),
    state("plain", "state"),
    state("degrees", "state", unit="°F"),
    state("odd", "odd", "ozone"),
    state("person", "presence"),
)
ROOMS = (Room("den", "den", floor_id="f1"), Room("attic", "attic", floor_id="f2"))
FLOORS = (Floor("f1", "first floor"), Floor("f2", "second floor"))
SENSOR = ("sensor",)


def thing(name: str, profile: str, *kinds: str, room: str | None = "den") -> Device:
    return Device(name, name, profile, kinds, room_id=room)


def lamp(name: str, **more: Any) -> Device:
    return thing(name, "lamp", "light", **more)


def warm(name: str, **more: Any) -> Device:
    return thing(name, "warm", "temperature_sensor", "sensor", **more)


def word(text: str, kind: str, **data: object) -> Token:
    return Token(text, kind, 0, len(text), data)


LAMP = word("lamp", "type", **{"is": "light"})
LAMPS = word("lamps", "type", **{"is": "light", "plural": True})
WINDOW = word("window", "type", **{"is": "window"})
DEVICE = word("device", "type", **{"is": "device"})
DEN = Token("den", "room", 0, 3, refs=("den",))


def asked(prop: str, *words: Token, said: str = "", **more: Any) -> QueryIR:
    tokens = (*words, *(word(w, "word") for w in said.split()))
    return QueryIR("", "query", property=prop, things=SetExpr(Mention(words)), tokens=tokens, **more)


Found = Device | tuple[Device, tuple[Evidence, ...]]


def by(device: Device, *lanes: str, said: str = "lamp", fit: float = 1.0) -> Found:
    """A device found in these lanes for a word."""
    return device, tuple(Evidence(lane, fit, said) for lane in lanes)


def read(
    query: QueryIR,
    *found: Found,
    also: tuple[Device, ...] = (),
    dropped: tuple[Device, ...] = (),
    offline: tuple[Device, ...] = (),
) -> list[str]:
    """``device`` or ``device.attribute`` where that is not its state, in the order they are read."""
    rows = [f if isinstance(f, tuple) else (f, ()) for f in found]
    devices = (*(d for d, _ in rows), *also)
    view = HomeView.of(Home("h", "h", "neutral", FLOORS, ROOMS, PROFILES, devices))
    shortlist = HomeShortlist(
        candidates=tuple(DeviceCandidate.of(d.id, "", 1.0, e) for d, e in rows),
        dropped=tuple(Dropped(d.id, "exclude", "") for d in dropped),
    )
    reads = reads_for(query, shortlist, view, Snapshot(offline=frozenset(d.id for d in offline)))
    return [r.device_id if r.attribute_id == "state" else f"{r.device_id}.{r.attribute_id}" for r in reads]


# which attribute of a device


def test_yes_or_no_is_told_without_a_unit_and_an_amount_with_one() -> None:
    gas = thing("gas", "gas", "gas_sensor", "sensor")
    assert read(asked("gas", yes_no=True), gas) == ["gas.alarm"]
    assert read(asked("gas"), gas) == ["gas.amount"]


def test_what_tells_the_very_thing_answers_before_the_next_best() -> None:
    pump, fan = thing("pump", "fan", "pump"), thing("fan", "switch", "fan")
    assert read(asked("switched"), fan, pump) == ["fan"]
    assert read(asked("switched"), pump) == ["pump.rate"]


def test_a_sensor_that_says_what_it_measures_answers_between_them() -> None:
    goal = thing("a", "goal", "heater")
    by_name, by_unit = thing("water temperature", "plain", *SENSOR), thing("outlet water", "degrees", *SENSOR)
    assert read(asked("temperature"), by_name) == ["water temperature"]
    assert read(asked("temperature"), by_unit) == ["outlet water"]
    assert read(asked("humidity"), by_unit) == []
    assert read(asked("temperature", DEN), goal, by_name) == ["water temperature"]
    assert read(asked("temperature", DEN), goal) == []
    assert read(asked("setpoint", DEN), goal, thing("setpoint", "plain", *SENSOR)) == ["a.goal"]
    assert read(asked("temperature"), thing("water temperature", "connection", *SENSOR)) == []


def test_a_short_word_in_a_name_says_nothing_of_what_is_measured() -> None:
    assert read(asked("humidity"), thing("潮汐", "plain", *SENSOR)) == []
    assert read(asked("ozone"), thing("o3 purifier", "plain", *SENSOR)) == []
    assert read(asked("humidity"), thing("潮湿仪", "plain", *SENSOR)) == ["潮湿仪"]


def test_what_has_no_class_and_does_not_say_it_measures_answers_only_to_its_name() -> None:
    depth = thing("well depth", "plain", *SENSOR)
    assert read(asked("humidity", word("well depth", "name")), by(depth, "name", said="well depth")) == [
        "well depth"
    ]
    assert read(asked("humidity", word("well depth", "name")), depth) == []


def test_a_state_of_what_was_named_is_read_from_what_it_tells_first() -> None:
    named = by(thing("oracle", "odd", "oracle"), "name", said="oracle")
    assert read(asked("switched", word("oracle", "name")), named) == ["oracle"]
    assert read(asked("", word("oracle", "name")), thing("oracle", "odd", "oracle")) == ["oracle"]
    assert read(asked("switched", word("oracle", "nameword")), thing("oracle", "odd", "oracle")) == []
    assert read(asked("humidity", word("oracle", "name")), named) == []
    assert read(asked("switched", word("oracle", "name")), by(thing("oracle", "mute"), "name")) == []


def test_a_class_that_no_table_knows_is_asked_for_by_its_own_word() -> None:
    assert read(asked("ozone"), thing("sniffer", "odd", *SENSOR)) == ["sniffer"]


# kinds


def test_only_a_sensor_detects() -> None:
    heard, seen = thing("doorbell", "motion", "doorbell"), thing("eye", "motion", "motion_sensor", "sensor")
    assert read(asked("detected", DEN), heard, seen) == ["eye"]
    assert read(asked("detected", DEN), heard) == ["doorbell"]


def test_without_a_place_the_thermostat_tells_the_room_and_a_thermometer_there_before_it() -> None:
    both = (thing("a", "heating", "thermostat"), warm("b"))
    assert read(asked("temperature"), both[0], warm("b", room="attic")) == ["a.now"]
    assert read(asked("temperature"), both[0], warm("b", room=None)) == ["a.now"]
    assert read(asked("temperature"), *both) == ["b"]
    assert read(asked("temperature", DEN), *both) == ["b"]
    assert read(asked("temperature", quantifier=Quantifier.ALL), *both) == ["b"]


def test_a_set_is_those_of_the_kind_that_explain_the_word_best() -> None:
    rows = (
        by(lamp("a"), "type", said="lamps"),
        by(lamp("b"), "type", fit=0.6, said="lamps"),
        by(thing("c", "switch", "toaster"), "type", said="lamps"),
    )
    assert read(asked("switched", LAMPS), *rows) == ["a"]


def test_of_worse_explained_ones_all_but_the_next_of_kin_are_read() -> None:
    better = by(thing("c", "switch", "toaster"), "type", said="lamps")
    rows = (
        by(lamp("a"), "type.like", fit=0.6, said="lamps"),
        by(lamp("b"), "type", fit=0.6, said="lamps"),
        better,
    )
    assert read(asked("switched", LAMPS), *rows) == ["b"]


def test_a_plug_that_carries_a_lamp_is_one_of_the_lamps() -> None:
    plug = by(thing("p", "switch", "plug", "switch"), "contains", said="lamps")
    assert read(asked("switched", LAMPS), by(lamp("a"), "type", said="lamps"), plug) == ["a", "p"]
    toaster = by(thing("p", "switch", "toaster"), "contains", said="lamps")
    assert read(asked("switched", LAMPS), by(lamp("a"), "type", said="lamps"), toaster) == ["a"]
    faint = by(thing("p", "switch", "plug", "switch"), "contains", fit=0.5, said="lamps")
    assert read(asked("switched", LAMPS), by(lamp("a"), "type", said="lamps"), faint) == ["a"]


def test_a_plug_that_explains_the_word_worse_never_answers_for_the_lamp() -> None:
    lantern = by(thing("a", "fan", "light"), "type", said="lamps")
    plug = by(thing("p", "switch", "plug", "switch"), "contains", fit=0.5, said="lamps")
    assert read(asked("switched", LAMPS), lantern, plug) == ["a.rate"]


def test_of_a_set_with_a_name_those_that_explain_the_kind_best_are_read() -> None:
    rows = (by(lamp("a"), "type", said="lamps"), by(lamp("b"), "type", fit=0.6, said="lamps"))
    assert read(asked("switched", word("desk", "nameword"), LAMPS), *rows) == ["a"]


def test_a_plug_called_like_its_lamp_tells_the_same_twice() -> None:
    twin = Device("p", "a", "switch", ("plug", "switch"), room_id="den")
    assert read(
        asked("switched", LAMPS), by(lamp("a"), "type", said="lamps"), by(twin, "contains", said="lamps")
    ) == ["a"]


def test_a_plug_stands_for_lamps_only() -> None:
    windows = word("windows", "type", **{"is": "window", "plural": True})
    pane = by(thing("w", "contact", "window"), "type", said="windows")
    plug = by(thing("p", "switch", "plug", "switch"), "contains", said="windows")
    contact = by(thing("c", "contact", "contact_sensor", "sensor"), "contains", said="windows")
    assert read(asked("switched_or_opened", windows), pane, plug, contact) == ["c", "w"]


def test_a_lamp_called_by_the_bare_word_is_that_one_unless_all_are_asked() -> None:
    rows = (by(lamp("lamp"), "name", "type"), by(lamp("far lamp"), "type"))
    assert read(asked("switched", LAMP), *rows) == ["lamp"]
    toaster = by(thing("lamp toaster", "switch", "toaster"), "contains")
    every = asked("switched", LAMP, quantifier=Quantifier.ALL)
    assert read(every, *rows, toaster) == ["far lamp", "lamp"]


def test_all_devices_are_of_no_kind() -> None:
    rows = (by(lamp("a"), "type"), by(thing("b", "switch", "toaster"), "type"))
    assert read(asked("switched", DEVICE, LAMP, quantifier=Quantifier.ALL), *rows) == ["a", "b"]


# one, several, all


def test_what_asks_for_nothing_and_names_nothing_reads_nothing() -> None:
    assert read(asked("", DEN), lamp("a")) == []


def test_a_group_is_read_whole() -> None:
    party = word("party", "group")
    assert read(asked("switched", party), by(lamp("b"), "group"), by(lamp("a"), "name")) == ["b", "a"]


def test_a_plural_name_is_a_set() -> None:
    spots, spot = word("spots", "nameword", plural=True), word("spot", "nameword")
    assert read(asked("switched", spots), lamp("spot one"), lamp("spot")) == ["spot", "spot one"]
    assert read(asked("switched", spot, said="spot"), lamp("spot one"), lamp("spot")) == ["spot"]


def test_all_of_a_word_is_a_set_and_all_of_a_name_is_that_one() -> None:
    rows = (lamp("spot one"), by(lamp("spot"), "name", said="spot"))
    every = Quantifier.ALL
    assert read(asked("switched", word("spot", "nameword"), quantifier=every), *rows) == ["spot", "spot one"]
    assert read(asked("switched", word("spot", "name"), quantifier=every), *rows) == ["spot"]


def test_the_lamp_is_that_of_the_speakers_room_unless_a_place_or_all_were_said() -> None:
    rows = (by(lamp("a"), "type"), by(lamp("b"), "type", "area"))
    assert read(asked("switched", LAMP), *rows) == ["b"]
    assert read(asked("switched", LAMP, DEN), *rows) == ["a", "b"]
    assert read(asked("switched", LAMP, quantifier=Quantifier.ALL), *rows) == ["a", "b"]


def test_what_stands_in_the_place_goes_before_what_is_only_called_by_it() -> None:
    called, there = by(lamp("den glow", room="attic"), "type", "room.name"), by(lamp("z"), "type")
    assert read(asked("switched", LAMPS, DEN), called, there) == ["z"]
    assert read(asked("switched", LAMPS, DEN), called) == ["den glow"]
    named = by(lamp("den glow", room="attic"), "name", "room.name", said="den glow")
    assert read(asked("switched", LAMPS, DEN), named, there) == ["den glow", "z"]


def test_one_thing_is_the_one_named_then_in_reach_then_with_the_least_unsaid() -> None:
    spot = word("spot", "nameword")
    named, long, short = lamp("spot by the window"), lamp("spot two"), lamp("spot a")
    query = asked("switched", spot, said="spot")
    assert read(query, by(named, "name"), long, short) == ["spot by the window"]
    assert read(query, long, short) == ["spot a"]
    assert read(query, long, short, offline=(short,)) == ["spot two"]


def test_what_the_room_or_a_plural_says_is_not_left_unsaid() -> None:
    spot = word("spot", "nameword")
    assert read(asked("switched", spot, said="spot"), lamp("den spot"), lamp("x spot")) == ["den spot"]
    several = (lamp("spot lamp"), lamp("spot xy"))
    assert read(asked("switched", spot, said="spot lamps"), *several) == ["spot lamp"]


@pytest.mark.parametrize(("count", "answered"), [(TIES, TIES), (TIES + 1, 0)])
def test_so_many_alike_are_nobodys_answer(count: int, answered: int) -> None:
    alike = [lamp(f"spot {n}") for n in range(count)]
    assert len(read(asked("switched", word("spot", "nameword"), said="spot"), *alike)) == answered


# a place alone


@pytest.mark.parametrize(("count", "answered"), [(TIES, TIES), (TIES + 1, 0)])
def test_without_any_place_a_few_may_tell_and_many_may_not(count: int, answered: int) -> None:
    gas = [thing(f"g{n}", "gas", "gas_sensor", "sensor") for n in range(count)]
    assert len(read(asked("gas"), *gas)) == answered
    assert len(read(asked("gas", DEN), *gas)) == count
    assert len(read(asked("gas", quantifier=Quantifier.ALL), *gas)) == count


def test_the_air_is_that_of_the_speakers_room_and_never_that_outside() -> None:
    outside, inside, here = warm("a outdoor"), warm("bb", room="attic"), by(warm("cccc"), "area")
    assert read(asked("temperature"), outside, inside, here) == ["cccc"]
    assert read(asked("temperature"), outside, warm("bbbbbbbbbbbb", room="attic")) == ["bbbbbbbbbbbb"]
    assert read(asked("temperature"), outside) == []
    assert read(asked("temperature"), warm("室外"), warm("很长的名字")) == ["很长的名字"]


def test_the_air_of_every_room_is_told_by_one_sensor_each() -> None:
    three = (warm("a1"), warm("a"), warm("b", room="attic"))
    assert read(asked("temperature", quantifier=Quantifier.ALL), *three) == ["a", "b"]


# the whole home


def test_a_question_that_names_nothing_is_put_to_the_whole_home() -> None:
    home = (warm("a"), lamp("b"))
    assert read(asked("temperature"), also=home) == ["a"]
    assert read(asked("temperature"), also=home, dropped=(home[0],)) == []
    assert read(asked("temperature"), warm("z"), also=home) == ["z"]


def test_whether_it_is_on_is_not_asked_of_the_whole_home_unless_all_are_meant() -> None:
    home = (lamp("a"), lamp("b"))
    assert read(asked("switched"), also=home) == []
    assert read(asked("switched", quantifier=Quantifier.ALL), also=home) == ["a", "b"]
    assert read(asked("locked"), also=(thing("c", "contact", "door"),)) == []


def test_a_lock_question_may_be_put_to_the_whole_home() -> None:
    bolt = Device("bolt", "bolt", "bolt", ("lock",))
    view = HomeView.of(Home("h", "h", "neutral", profiles=(state("bolt", "lock"),), devices=(bolt,)))
    assert [r.device_id for r in reads_for(asked("locked"), HomeShortlist(), view, Snapshot())] == ["bolt"]


@pytest.mark.parametrize(
    "more", [{"references": (Reference("it", "last"),)}, {"antecedents": (Mention((LAMP,)),)}]
)
def test_what_is_pointed_at_is_not_looked_for_elsewhere(more: dict[str, Any]) -> None:
    assert read(asked("temperature", **more), also=(warm("a"),)) == []


def test_people_are_no_devices_but_may_be_asked_for() -> None:
    mia, eye = thing("mia", "person", "person"), thing("eye", "person", "occupancy_sensor", "sensor")
    assert read(asked("state", DEVICE, quantifier=Quantifier.ALL), mia, eye) == ["eye"]
    assert read(asked("presence", quantifier=Quantifier.ALL), also=(mia,)) == ["mia"]


def test_a_state_asked_of_all_devices_is_told_by_those_that_have_it() -> None:
    rows = (by(lamp("a"), "name", said="device"), thing("fan", "fan", "fan"))
    assert read(asked("switched", DEVICE, quantifier=Quantifier.ALL), *rows) == ["a"]


# sensors called by what they watch


def contact(name: str, **more: Any) -> Device:
    return thing(name, "contact", "contact_sensor", "sensor", **more)


def test_a_sensor_is_found_by_the_thing_it_watches() -> None:
    pane = contact("kitchen window")
    assert read(asked("opened", WINDOW), also=(pane,)) == ["kitchen window"]
    assert read(asked("opened", WINDOW), also=(contact("kitchen windowsill"),)) == []
    assert read(asked("opened", WINDOW), also=(thing("kitchen window", "switch", "toaster"),)) == []
    assert read(asked("opened", WINDOW), also=(pane,), dropped=(pane,)) == []
    assert read(asked("opened", word("window", "nameword")), also=(pane,)) == []
    assert read(asked("opened", DEVICE, quantifier=Quantifier.ALL), also=(contact("device two"),)) == []


def test_a_sensor_that_tells_nothing_of_the_kind_watches_nothing() -> None:
    assert read(asked("", WINDOW), also=(thing("kitchen window", "odd", *SENSOR),)) == []


def test_a_nameless_sensor_tells_nothing_new_beside_the_thing_itself() -> None:
    pane = by(thing("pane", "contact", "window"), "type", said="window")
    assert read(asked("opened", WINDOW), pane, also=(contact("window"),)) == ["pane"]
    assert read(asked("opened", WINDOW), pane, also=(contact("window", room="attic"),)) == ["pane", "window"]
    assert read(asked("opened", WINDOW), pane, also=(contact("left window"),)) == ["left window", "pane"]


def test_a_sensor_is_registered_in_the_place_or_called_by_it() -> None:
    den = contact("den window", room="attic")
    assert read(asked("opened", WINDOW, DEN), also=(den,)) == ["den window"]
    assert read(asked("opened", WINDOW, DEN), also=(den, contact("left window"))) == ["left window"]
    assert read(asked("opened", WINDOW, DEN), also=(contact("left window", room="attic"),)) == []


def test_a_floor_is_where_a_sensor_is_and_never_what_it_is_called() -> None:
    first = Token("first", "floor", 0, 5, refs=("f1",))
    up = contact("first window", room="attic")
    assert read(asked("opened", WINDOW, first), also=(up, contact("left window"))) == ["left window"]
    assert read(asked("opened", WINDOW, first), also=(up,)) == []
    indoors = word("inside", "zone", **{"is": "indoor"})
    assert read(asked("opened", WINDOW, indoors), also=(up,)) == ["first window"]


def test_a_chinese_sensor_is_called_by_the_word_that_was_said() -> None:
    said = word("窗", "type", **{"is": "window"})
    assert read(asked("opened", said), also=(contact("阳台窗传感器"),)) == ["阳台窗传感器"]
    assert read(asked("opened", said), also=(contact("kitchen window"),)) == []
    assert read(asked("opened", said), also=(contact("window"),)) == ["window"]


# what is done names what does it


def test_the_print_is_the_printers() -> None:
    printer = thing("office printer", "printer", "printer")
    assert read(asked("progress", word("print", "word")), also=(printer,)) == ["office printer.done"]
    for token in (
        word("pri", "word"),
        word("print", "nameword"),
        word("rint", "word"),
        word("打印机器", "word"),
    ):
        assert read(asked("progress", token), also=(printer, thing("打印机器", "printer"))) == []
    assert read(asked("running", word("print", "word")), also=(thing("printer", "switch"),)) == []
