"""What a Home Assistant entity is, what it belongs to, and who speaks to it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.homes import over
from tests.unit.adapters.platforms.payloads import entity, keys, profile_of, the_device

from winnow.adapters.platforms.registry import load_home, load_home_documents
from winnow.types.home import Device, Home
from winnow.types.state import ImportedHome
from winnow.types.verdict import Act, Call

Rows = list[dict[str, Any]]


def entry(entity_id: str, own: str | None = "", /, **more: Any) -> dict[str, Any]:
    """A registry entry; ``own`` is its name beside its device's: None, it has that of the device."""
    named = {} if own == "" else {"has_entity_name": True, "original_name": own}
    return {"entity_id": entity_id, "platform": "x", "device_id": None, "area_id": None, **named, **more}


def device(name: str = "Thing", **more: Any) -> dict[str, Any]:
    return {"id": "dev", "area_id": "hall", "name": name, "identifiers": [], **more}


def read(*entries: dict[str, Any], states: Rows | None = None, **documents: Any) -> ImportedHome:
    """A home of these entries; those without a device_id are of the device ``dev`` if there is one."""
    here = [e | {"device_id": "dev"} if "devices" in documents and not e["device_id"] else e for e in entries]
    rest = {"areas": [{"area_id": "hall", "name": "Hall"}], **documents}
    given = {"entities": here, "states": states, **rest}
    return load_home_documents({name: rows for name, rows in given.items() if rows}, "flat")


def home(*entries: dict[str, Any], **documents: Any) -> Home:
    return read(*entries, **documents).home


def codes(made: Home) -> list[tuple[str, str, str]]:
    return [(n.code, n.id, n.detail) for n in made.notes if n.code != "fewer_facts"]


def one(domain: str, name: str, **more: Any) -> Device:
    """The only device of a home, called so."""
    return home(entry(f"{domain}.x", original_name=name, **more)).devices[0]


# names


@pytest.mark.parametrize(
    ("row", "name"),
    [
        (entry("light.a", None), "Lamp"),
        (entry("light.a", "Ring"), "Lamp Ring"),
        (entry("light.a", "Ring", name="Halo"), "Halo"),
        (entry("light.a", original_name="Ring"), "Ring"),
        (entry("light.big_one"), "big one"),
    ],
)
def test_without_a_state_the_registries_name_an_entity(row: dict[str, Any], name: str) -> None:
    assert home(row, devices=[device("Lamp")]).devices[0].name == name


def test_what_its_owner_calls_a_device_wins() -> None:
    assert home(entry("light.a", None), devices=[device(name_by_user="Moon")]).devices[0].name == "Moon"


def test_an_alias_left_open_is_the_entity_s_own_name() -> None:
    assert one("light", "A", aliases=[None, "B"]).aliases == ("B",)


# registries alone, states alone


def test_registries_alone_tell_what_an_entity_can_do() -> None:
    row = entry("light.a", capabilities={"supported_color_modes": ["color_temp"]}, supported_features=0)
    made = home(row)
    assert "light.turn_on#Brightness.Set" in keys(made, "light.a")
    assert [n.id for n in made.notes if n.code == "fewer_facts"] == ["state", "device"]


def test_an_override_of_the_class_wins() -> None:
    assert one("cover", "A", original_device_class="shade", device_class="garage").kinds[0] == "garage_door"


def test_states_alone_are_a_home_with_fewer_facts() -> None:
    made = load_home_documents({"states": [entity("light.a", friendly_name="A")]}, "flat").home
    assert [d.name for d in made.devices] == ["A"]
    assert {n.id for n in made.notes if n.code == "fewer_facts"} == {"entity", "device", "area"}


def test_states_of_an_earlier_run_count_where_there_are_no_others() -> None:
    old = {"state": entity("light.a", "on", friendly_name="Old"), "last_seen": "2026-11-20T08:00:00+00:00"}
    assert home(entry("light.a"), restored=[old]).devices[0].name == "Old"
    now = [entity("light.a", friendly_name="New")]
    assert home(entry("light.a"), restored=[old], states=now).devices[0].name == "New"


# left out, gone


def test_what_is_disabled_is_left_out_and_noted() -> None:
    rows = entry("light.a", disabled_by="user"), entry("light.b", device_id="dev")
    made = home(*rows, devices=[device(disabled_by="user")])
    assert made.devices == ()
    assert [why for code, _, why in codes(made) if code == "ignored"] == [
        "disabled_by user",
        "device disabled_by user",
    ]


@pytest.mark.parametrize("states", [[entity("light.b")], [entity("light.a", "unavailable", restored=True)]])
def test_a_ghost_is_offline_and_only_its_name_means_it(states: Rows) -> None:
    made = read(entry("light.a"), states=states)
    assert the_device(made.home, "light.a").reach == "named"
    assert not made.states.online("light.a")
    assert [code for code, of, _ in codes(made.home) if of == "light.a"] == ["restored"]


# who is spoken to


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (entry("light.a", hidden_by="user"), "hidden_by user"),
        (entry("light.a", entity_category="config"), "entity_category config"),
        (entry("sensor.a", entity_category="diagnostic"), "entity_category diagnostic"),
        (entry("automation.a"), "domain automation"),
        (entry("update.a"), "domain update"),
        (entry("remote.a"), "domain remote"),
    ],
)
def test_only_its_name_means_what_serves_the_installation(row: dict[str, Any], why: str) -> None:
    found = home(row).devices[0]
    assert (found.reach, why in found.reasons) == ("named", True)


def exposed(entity_id: str, shown: bool) -> dict[str, Any]:
    return entry(entity_id, options={"conversation": {"should_expose": shown}})


def test_exposure_is_honoured() -> None:
    made = home(exposed("light.a", True), exposed("light.b", False), entry("light.c"))
    assert [d.reach for d in made.devices] == ["spoken", "named", "spoken"]


@pytest.mark.parametrize(
    "listed",
    [
        {"exposed_entities": {"light.a": {"conversation": True}, "light.b": {"conversation": False}}},
        {
            "key": "homeassistant.exposed_entities",
            "data": {
                "assistants": {},
                "exposed_entities": {
                    "light.a": {"assistants": {"conversation": {"should_expose": True}}},
                    "light.b": {"assistants": {"conversation": {"should_expose": False}}},
                },
            },
        },
    ],
)
def test_exposure_may_be_listed_apart(listed: dict[str, Any]) -> None:
    made = home(entry("light.a"), entry("light.b"), exposure=listed)
    assert [d.reach for d in made.devices] == ["spoken", "named"]


def test_a_home_that_exposes_nothing_was_not_set_up_to_be_spoken_to() -> None:
    made = home(exposed("light.a", False), exposed("light.b", False))
    assert [d.reach for d in made.devices] == ["spoken", "spoken"]
    assert [code for code, *_ in codes(made)] == ["nothing_exposed"]


def test_a_person_is_read_whatever_is_exposed() -> None:
    made = home(exposed("person.a", False), exposed("light.b", True), entry("device_tracker.phone"))
    assert {d.id: d.reach for d in made.devices} == {
        "person.a": "spoken",
        "light.b": "spoken",
        "device_tracker.phone": "named",
    }
    assert home(entry("device_tracker.phone")).devices[0].reach == "spoken"


@pytest.mark.parametrize(
    "domain", ["automation", "update", "sun", "zone", "input_boolean", "timer", "remote"]
)
def test_what_is_no_lamp_and_no_switch_is_a_kind_of_its_own(domain: str) -> None:
    assert set(one(domain, "Sunset Lights").kinds).isdisjoint({"light", "switch", "television", "device"})


def test_a_remote_switches_nothing_itself() -> None:
    made = home(entry("remote.a"))
    assert keys(made, "remote.a") == {"remote.send_command#Remote.Send"}


# parts


def wholes(*entries: dict[str, Any], **of_device: Any) -> dict[str, str | None]:
    return {d.id: d.part_of for d in home(*entries, devices=[device(**of_device)]).devices}


def test_what_serves_a_device_is_a_part_of_it() -> None:
    rows = [
        entry("climate.ac", None),
        entry("sensor.out", "Outdoor temperature"),
        entry("switch.beep", "Prompt tone"),
        entry("light.panel", "Display"),
        entry("button.restart", "Restart", entity_category="config"),
    ]
    made = home(*rows, devices=[device("AC")])
    assert {d.part_of for d in made.devices if d.id != "climate.ac"} == {"climate.ac"}
    assert the_device(made, "switch.beep").kinds == ("setting",)
    assert the_device(made, "light.panel").reach == "named"


def test_a_remote_is_a_part_of_the_television_it_is_called_as() -> None:
    assert wholes(entry("media_player.tv", None), entry("remote.tv", None)) == {
        "media_player.tv": None,
        "remote.tv": "media_player.tv",
    }


def test_a_plug_s_meter_and_indicator_are_its_parts() -> None:
    rows = entry("switch.plug", None), entry("sensor.power", "Power"), entry("light.led", "Indicator")
    assert set(wholes(*rows).values()) == {None, "switch.plug"}


def test_the_lamp_of_a_fan_is_a_thing_of_its_own() -> None:
    assert set(wholes(entry("fan.f", "Fan"), entry("light.l", "Light")).values()) == {None}


def test_equals_are_no_parts_of_each_other() -> None:
    assert set(wholes(entry("sensor.t", "Temperature"), entry("sensor.h", "Humidity")).values()) == {None}
    gangs = [entry(f"switch.{side}", side) for side in ("Left", "Middle", "Right")]
    assert set(wholes(*gangs).values()) == {None}


def test_outlets_beside_one_for_all_are_parts() -> None:
    rows = entry("switch.strip", None), entry("switch.one", "Outlet 1"), entry("switch.two", "Outlet 2")
    assert wholes(*rows) == {"switch.strip": None, "switch.one": "switch.strip", "switch.two": "switch.strip"}


def test_a_machine_is_known_as_what_powers_it() -> None:
    rows = entry("switch.power", "Power"), entry("sensor.left", "Remaining time"), entry("switch.eco", "Eco")
    assert wholes(*rows, name="Washer") == {
        "switch.power": None,
        "sensor.left": "switch.power",
        "switch.eco": None,
    }


def test_what_a_service_tells_are_no_parts() -> None:
    rows = entry("weather.w", None), entry("sensor.uv", "UV index")
    assert set(wholes(*rows, entry_type="service").values()) == {None}


# groups


def group(entity_id: str, name: str, *members: str) -> dict[str, Any]:
    return entity(entity_id, friendly_name=name, entity_id=list(members))


def test_groups_within_groups_are_flat_and_may_hold_themselves() -> None:
    states = [
        entity("light.a"),
        entity("light.b"),
        group("light.up", "Up", "light.a", "group.all"),
        group("group.all", "All", "light.up", "light.b", "light.gone"),
    ]
    made = load_home_documents({"states": states}, "flat").home
    assert {g.name: set(g.members) for g in made.groups} == {
        "All": {"light.a", "light.b"},
        "Up": {"light.a", "light.b"},
    }
    assert [d.id for d in made.devices] == ["light.a", "light.b"]


def test_a_group_of_unknown_members_is_a_device() -> None:
    made = load_home_documents({"states": [group("light.hue_room", "Den", "light.gone")]}, "flat").home
    assert ([d.id for d in made.devices], made.groups) == (["light.hue_room"], ())


def test_a_mean_of_sensors_is_a_sensor() -> None:
    states = [entity("sensor.a"), group("sensor.mean", "Mean", "sensor.a")]
    assert load_home_documents({"states": states}, "flat").home.groups == ()


def test_members_hidden_behind_a_group_that_is_spoken_to_are_spoken_to() -> None:
    states = [entity("light.a"), group("light.all", "All", "light.a")]
    row = entry("light.a", hidden_by="integration", options={"conversation": {"should_expose": False}})
    assert home(row, exposed("light.all", True), states=states).devices[0].reach == "spoken"
    assert (
        home(row, exposed("light.all", False), exposed("light.b", True), states=states).devices[0].reach
        == "named"
    )


def test_a_label_is_a_name_for_what_has_it() -> None:
    labels = [
        {"label_id": i, "name": name} for i, name in (("x", "Holidays"), ("y", "Lights"), ("z", "Hall"))
    ]
    rows = [entry(f"light.{i}", labels=["x", "y", "z"]) for i in "ab"]
    rows += [entry("light.c", labels=["x"], hidden_by="user")]
    made = home(*rows, labels=labels)
    assert [(g.name, g.members) for g in made.groups] == [("Holidays", ("light.a", "light.b"))]


# kinds and danger


@pytest.mark.parametrize(
    ("name", "danger"),
    [
        ("Kettle Plug", "heat"),
        ("Water Heater Socket", "heat"),
        ("Iron", "heat"),
        ("Air Fryer", "heat"),
        ("Towel Rail", "heat"),
        ("取暖器插座", "heat"),
        ("电热毯开关", "heat"),
        ("油汀", "heat"),
        ("Reading Corner", ""),
        ("Oven Light", ""),
        ("电脑插座", ""),
    ],
)
def test_what_hangs_on_a_plug_tells_its_danger(name: str, danger: str) -> None:
    found = one("switch", name, original_device_class="outlet")
    assert (found.danger, bool([r for r in found.reasons if r.startswith("name ")])) == (danger, bool(danger))


def test_a_device_and_its_model_tell_the_danger_of_what_it_is_known_as() -> None:
    rows = entry("switch.a", None, name="Corner"), entry("switch.lock", "Child lock")
    made = home(*rows, devices=[device("Kettle Plug")])
    assert {d.id: d.danger for d in made.devices} == {"switch.a": "heat", "switch.lock": ""}
    assert (
        home(entry("switch.a", None), devices=[device("X1", model="Water Heater Switch")]).devices[0].danger
        == "heat"
    )


def test_a_reading_of_a_heater_is_not_dangerous() -> None:
    assert one("sensor", "Heater temperature", original_device_class="temperature").danger == ""


@pytest.mark.parametrize(
    ("name", "kind", "opens"),
    [
        ("Garage Door", "garage_door", "Door.Open"),
        ("车库门", "garage_door", "Door.Open"),
        ("Driveway Gate", "gate", "Door.Open"),
        ("阳台推拉门", "door", "Door.Open"),
        ("Standing Desk", "desk", "Cover.Open"),
        ("升降桌", "desk", "Cover.Open"),
        ("Attic Ladder", "ladder", "Cover.Open"),
        ("晾衣架", "clothes_rack", "Cover.Open"),
        ("Left Window Covering", "cover", "Cover.Open"),
    ],
)
def test_a_cover_of_no_class_is_what_it_is_called(name: str, kind: str, opens: str) -> None:
    made = home(entry("cover.x", original_name=name, supported_features=3))
    assert made.devices[0].kinds[0] == kind
    assert f"cover.open_cover#{opens}" in keys(made, "cover.x")
    assert [code for code, *_ in codes(made)] == ["guessed_kind"] * (kind != "cover")


def test_a_door_with_the_class_of_a_curtain_is_a_curtain() -> None:
    assert one("cover", "Door", original_device_class="curtain").kinds[0] == "curtain"


def test_a_television_is_told_by_its_device() -> None:
    made = home(entry("media_player.x", None, name="The Box"), devices=[device("Living Room TV")])
    assert made.devices[0].kinds == ("television", "media_player")


# where


def where(*entries: dict[str, Any], **of_device: Any) -> str:
    """Where the sensor ``sensor.t`` of the home measures."""
    made = home(*entries, devices=[device(**of_device)])
    return profile_of(made, "sensor.t").attributes[0].where


@pytest.mark.parametrize(
    ("own", "place"),
    [
        ("Outdoor temperature", "outdoor"),
        ("室外温度", "outdoor"),
        ("Water temperature", "water"),
        ("水温", "water"),
        ("Floor temperature", "surface"),
        ("Coil temperature", "appliance"),
        ("Room temperature", "indoor"),
        ("Target temperature", "setpoint"),
        ("Temperature", ""),
    ],
)
def test_a_sensor_s_name_says_where_it_measures(own: str, place: str) -> None:
    assert where(entry("sensor.t", own, original_device_class="temperature"), name="Box") == place


def test_a_storey_is_no_surface_and_a_room_no_water() -> None:
    row = entry("sensor.t", "Temperature", original_device_class="temperature")
    assert where(row, name="First Floor") == ""
    areas = [{"area_id": "hall", "name": "Pool Room"}]
    made = home(row, devices=[device("Pool Room Box")], areas=areas)
    assert profile_of(made, "sensor.t").attributes[0].where == ""


def test_the_thing_a_sensor_belongs_to_says_where_it_measures() -> None:
    row = entry("sensor.t", "Temperature", original_device_class="temperature")
    assert where(row, name="Fridge") == "appliance"
    assert where(row, entry("climate.c", None), name="AC") == "indoor"
    assert where(row, entry("water_heater.w", None), name="Boiler") == "water"
    assert where(row | {"entity_category": "diagnostic"}, name="Box") == "appliance"


def test_a_thermostat_tells_the_room_and_what_is_wanted() -> None:
    states = [entity("climate.c", current_temperature=20, temperature=22, supported_features=1)]
    made = home(entry("climate.c"), states=states)
    assert {a.id: a.where for a in profile_of(made, "climate.c").attributes} == {
        "state": "",
        "current_temperature": "indoor",
        "temperature": "setpoint",
    }


def test_the_weather_is_outdoors() -> None:
    states = [entity("weather.w", "sunny", temperature=12)]
    made = home(entry("weather.w"), states=states)
    assert profile_of(made, "weather.w").attributes[1].where == "outdoor"


def test_a_timer_and_a_calendar_tell_more_than_their_state() -> None:
    states = [entity("timer.t", remaining="0:05:00"), entity("calendar.c", message="Dentist")]
    made = home(entry("timer.t"), entry("calendar.c"), states=states)
    assert [profile_of(made, i).attributes[1].id for i in ("timer.t", "calendar.c")] == [
        "remaining",
        "message",
    ]


def test_the_messy_homes_tell_what_they_left_out() -> None:
    from winnow.adapters.platforms import bundle as examples

    for name in ("apartment-zh", "townhouse-en"):
        made = load_home(Path(examples.EXAMPLES_FOLDER / name)).home
        assert {"ignored", "restored", "guessed_kind"} <= {n.code for n in made.notes}
        assert {"cover", "light", "media_player"} <= {g.id.partition(".")[0] for g in made.groups}


# keys of a switch


@pytest.mark.parametrize("names", [("Right", "Left", "Middle"), ("右键", "左键", "中键")])
def test_keys_of_a_switch_can_be_counted(names: tuple[str, ...]) -> None:
    made = home(*(entry(f"switch.{own}", own) for own in names), devices=[device("Hall Switch")])
    right, left, middle = names
    assert [(d.id, d.aliases) for d in made.devices] == [
        (f"switch.{left}", ("Hall Switch 1",)),
        (f"switch.{middle}", ("Hall Switch 2",)),
        (f"switch.{right}", ("Hall Switch 3",)),
    ]


def test_numbered_keys_come_in_their_order() -> None:
    rows = [entry(f"switch.s{n}", f"Plug {n}") for n in (10, 2, 1)]
    made = home(*rows, devices=[device("Strip")])
    assert [(d.id, d.aliases) for d in made.devices] == [
        ("switch.s1", ()),
        ("switch.s2", ()),
        ("switch.s10", ()),
    ]


def test_keys_whose_names_tell_no_place_are_not_counted() -> None:
    rows = [entry(f"switch.{own}", own) for own in ("Wall", "Left")]
    made = home(*rows, devices=[device("Hall Switch")])
    assert [(d.id, d.aliases) for d in made.devices] == [("switch.Wall", ()), ("switch.Left", ())]


# buttons of an appliance that is no entity itself

APPLIANCES = (
    entry("button.a", original_name="Rinser Washer Start"),
    entry("button.b", original_name="Pause Rinser Washer"),
    entry("button.c", original_name="烘干机 停止"),
    entry("button.d", original_name="Doorbell Test"),
    entry("sensor.e", original_name="Rinser Washer Programme"),
)


@pytest.mark.parametrize(
    ("said", "pressed"),
    [
        ("start the rinser washer", "button.a"),
        ("could you pause the rinser washer please", "button.b"),
        ("把烘干机停了", "button.c"),
        ("让烘干机停下来", "button.c"),
    ],
)
def test_a_button_named_after_an_appliance_does_that_to_it(said: str, pressed: str) -> None:
    assert over(read(*APPLIANCES)).sync.retrieve(said).verdict == Act((Call(pressed, "button.press"),))


def test_an_appliance_of_buttons_is_read_from_its_sensors() -> None:
    made = read(*APPLIANCES)
    assert the_device(made.home, "sensor.e").aliases == ("Rinser Washer",)
    assert not profile_of(made.home, "button.a").attributes
    assert keys(made.home, "button.d") == {"button.press#Button.Press"}


def test_what_is_an_entity_itself_lends_its_name_to_no_button() -> None:
    made = home(*APPLIANCES, entry("switch.w", original_name="Rinser Washer"))
    assert the_device(made, "button.a").aliases == ()
