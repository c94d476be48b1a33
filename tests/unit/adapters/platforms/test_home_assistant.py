from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.unit.adapters.platforms.payloads import (
    command,
    entity,
    home_assistant,
    keys,
    profile_of,
    read_home,
    read_states,
    the_device,
)

from winnow.types.home import Home


def one(tmp_path: Path, entity_id: str, state: str = "off", **attributes: Any) -> Home:
    return read_home(home_assistant(tmp_path, entity(entity_id, state, **attributes)))


def test_a_name_is_the_friendly_name(tmp_path: Path) -> None:
    assert one(tmp_path, "light.a", friendly_name="Sink Light").devices[0].name == "Sink Light"


def test_without_friendly_name_the_registry_names_the_entity(tmp_path: Path) -> None:
    registry = [{"entity_id": "light.a", "original_name": "Counter"}]
    assert (
        read_home(home_assistant(tmp_path, entity("light.a"), entity_registry=registry)).devices[0].name
        == "Counter"
    )


def test_without_any_name_the_id_is_the_name(tmp_path: Path) -> None:
    assert one(tmp_path, "light.sink_left").devices[0].name == "sink left"


def test_an_entity_is_in_the_area_of_its_device(tmp_path: Path) -> None:
    assert one(tmp_path, "light.a").devices[0].room_id == "kitchen"


def test_an_entity_s_own_area_wins(tmp_path: Path) -> None:
    areas = [{"area_id": "kitchen", "name": "Kitchen"}, {"area_id": "hall", "name": "Hall"}]
    registry = [{"entity_id": "light.a", "device_id": "dev", "area_id": "hall"}]
    folder = home_assistant(tmp_path, entity("light.a"), area_registry=areas, entity_registry=registry)
    assert read_home(folder).devices[0].room_id == "hall"


def test_a_state_without_registry_entry_is_kept_without_room(tmp_path: Path) -> None:
    home = read_home(home_assistant(tmp_path, entity("sun.sun", "above_horizon"), entity_registry=[]))
    assert (home.devices[0].id, home.devices[0].room_id) == ("sun.sun", None)


def test_aliases_come_from_the_entries(tmp_path: Path) -> None:
    entries = {"light.a": {"entity_id": "light.a", "device_id": "dev", "aliases": ["Old Faithful"]}}
    folder = home_assistant(tmp_path, entity("light.a"), entity_registry_entries=entries)
    device = read_home(folder).devices[0]
    assert (device.aliases, device.room_id) == (("Old Faithful",), "kitchen")


def test_areas_and_floors_keep_their_aliases(tmp_path: Path) -> None:
    areas = [{"area_id": "kitchen", "name": "Kitchen", "aliases": ["cookhouse"], "floor_id": "up"}]
    floors = [{"floor_id": "up", "name": "Second Floor", "aliases": ["loft"], "level": None}]
    home = read_home(home_assistant(tmp_path, entity("light.a"), area_registry=areas, floor_registry=floors))
    assert (home.rooms[0].aliases, home.rooms[0].floor_id) == (("cookhouse",), "up")
    assert (home.floors[0].level, home.floors[0].aliases[0]) == (2, "loft")
    assert "二楼" in home.floors[0].aliases


def test_usual_floor_names_are_not_given_twice(tmp_path: Path) -> None:
    floors = [{"floor_id": "g", "name": "Ground Floor"}, {"floor_id": "f", "name": "First Floor"}]
    ground, first = read_home(home_assistant(tmp_path, floor_registry=floors)).floors
    assert (ground.level, first.level) == (0, 1)
    assert "ground floor" not in first.aliases


def test_a_disabled_entity_is_left_out(tmp_path: Path) -> None:
    registry = [{"entity_id": "light.a", "disabled_by": "user"}]
    assert read_home(home_assistant(tmp_path, entity("light.a"), entity_registry=registry)).devices == ()


def test_a_hidden_entity_is_tagged(tmp_path: Path) -> None:
    registry = [{"entity_id": "light.a", "hidden_by": "user", "labels": ["seasonal"]}]
    assert read_home(home_assistant(tmp_path, entity("light.a"), entity_registry=registry)).devices[
        0
    ].tags == ("hidden", "seasonal")


@pytest.mark.parametrize(("state", "available"), [("unavailable", False), ("unknown", True), ("on", True)])
def test_only_unavailable_is_unavailable(tmp_path: Path, state: str, available: bool) -> None:
    folder = home_assistant(tmp_path, entity("light.a", state))
    assert read_states(folder).online("light.a") is available


@pytest.mark.parametrize("modes", [["onoff"], None])
def test_a_lamp_that_only_switches_cannot_be_dimmed(tmp_path: Path, modes: list[str] | None) -> None:
    attributes: dict[str, Any] = {"supported_color_modes": modes} if modes else {}
    assert keys(one(tmp_path, "light.a", **attributes), "light.a") == {
        "light.turn_on#Switch.On",
        "light.turn_off#Switch.Off",
        "light.toggle#Switch.Toggle",
    }


def test_a_dimmable_lamp_is_dimmed_by_turning_it_on(tmp_path: Path) -> None:
    home = one(tmp_path, "light.a", supported_color_modes=["brightness"])
    (value,) = command(home, "light.a", "light.turn_on#Brightness.Set").parameters
    assert (value.name, value.minimum, value.maximum, value.unit) == ("brightness_pct", 0, 100, "%")
    assert not {"light.turn_on#Color.Set", "light.turn_on#ColorTemperature.Set"} & keys(home, "light.a")


def test_a_colour_lamp_takes_colour_names(tmp_path: Path) -> None:
    (value,) = command(
        one(tmp_path, "light.a", supported_color_modes=["hs"]), "light.a", "light.turn_on#Color.Set"
    ).parameters
    assert (value.name, value.kind) == ("color_name", "color")


def test_a_white_lamp_has_its_own_colour_temperatures(tmp_path: Path) -> None:
    home = one(
        tmp_path,
        "light.a",
        supported_color_modes=["color_temp"],
        min_color_temp_kelvin=2700,
        max_color_temp_kelvin=5000,
    )
    (value,) = command(home, "light.a", "light.turn_on#ColorTemperature.Set").parameters
    assert (value.minimum, value.maximum, value.unit) == (2700, 5000, "K")


def test_a_cover_does_what_its_flags_say(tmp_path: Path) -> None:
    home = one(tmp_path, "cover.a", device_class="curtain", supported_features=1 | 4)
    assert keys(home, "cover.a") == {
        "cover.open_cover#Cover.Open",
        "cover.set_cover_position#Cover.SetPosition",
    }
    assert home.devices[0].kinds == ("curtain", "cover")


@pytest.mark.parametrize("device_class", ["garage", "gate", "door"])
def test_doors_and_gates_are_opened_as_doors(tmp_path: Path, device_class: str) -> None:
    home = one(tmp_path, "cover.a", device_class=device_class, supported_features=3 | 8)
    assert keys(home, "cover.a") == {
        "cover.open_cover#Door.Open",
        "cover.close_cover#Door.Close",
        "cover.stop_cover#Cover.Stop",
    }


def test_a_fan_without_flags_can_still_be_switched(tmp_path: Path) -> None:
    assert keys(one(tmp_path, "fan.a"), "fan.a") == {
        "fan.turn_on#Switch.On",
        "fan.turn_off#Switch.Off",
        "fan.toggle#Switch.Toggle",
    }


def test_a_full_fan_has_speed_swing_direction_and_modes(tmp_path: Path) -> None:
    home = one(tmp_path, "fan.a", supported_features=15, preset_modes=["sleep"])
    wanted = {
        "fan.set_percentage#FanSpeed.Set",
        "fan.oscillate#Swing.Set",
        "fan.set_direction#Direction.Set",
        "fan.set_preset_mode#Mode.Set",
    }
    assert wanted <= keys(home, "fan.a")


def test_a_thermostat_has_its_own_limits_and_modes(tmp_path: Path) -> None:
    home = one(
        tmp_path, "climate.a", supported_features=1, hvac_modes=["off", "heat"], min_temp=7, max_temp=28
    )
    (value,) = command(home, "climate.a", "climate.set_temperature#Temperature.Set").parameters
    assert (value.minimum, value.maximum) == (7, 28)
    (mode,) = command(home, "climate.a", "climate.set_hvac_mode#Mode.Set").parameters
    assert [c.value for c in mode.choices] == ["off", "heat"]
    assert {"climate.turn_on#Switch.On", "climate.turn_off#Switch.Off"} <= keys(home, "climate.a")


def test_a_thermostat_without_off_cannot_be_turned_off(tmp_path: Path) -> None:
    assert "climate.turn_off#Switch.Off" not in keys(
        one(tmp_path, "climate.a", supported_features=1, hvac_modes=["heat"]), "climate.a"
    )


def test_numbers_too_warm_for_celsius_make_the_home_fahrenheit(tmp_path: Path) -> None:
    states = [
        entity("climate.a", supported_features=1, current_temperature=68),
        entity("climate.b", supported_features=1),
    ]
    (value,) = command(
        read_home(home_assistant(tmp_path, *states)), "climate.b", "climate.set_temperature#Temperature.Set"
    ).parameters
    assert (value.unit, value.minimum, value.maximum) == ("F", 41, 104)


def test_thermometers_tell_the_unit_when_thermostats_do_not(tmp_path: Path) -> None:
    thermometer = entity("sensor.t", "21", device_class="temperature", unit_of_measurement="°C")
    home = read_home(home_assistant(tmp_path, thermometer, entity("climate.a", supported_features=1)))
    (value,) = command(home, "climate.a", "climate.set_temperature#Temperature.Set").parameters
    assert (value.unit, value.minimum, value.maximum) == ("C", 5, 40)


def test_volume_is_spoken_in_percent_and_sent_as_a_fraction(tmp_path: Path) -> None:
    home = one(tmp_path, "media_player.a", supported_features=4)
    (value,) = command(home, "media_player.a", "media_player.volume_set#Volume.Set").parameters
    assert (value.name, value.maximum, value.scale) == ("volume_level", 100, 0.01)


def test_muting_is_one_service_and_two_commands(tmp_path: Path) -> None:
    home = one(tmp_path, "media_player.a", supported_features=8)
    assert command(home, "media_player.a", "media_player.volume_mute#Mute.On").fixed == {
        "is_volume_muted": True
    }
    assert command(home, "media_player.a", "media_player.volume_mute#Mute.Off").fixed == {
        "is_volume_muted": False
    }


def test_a_player_without_flags_can_do_nothing(tmp_path: Path) -> None:
    assert keys(one(tmp_path, "media_player.a", supported_features=0), "media_player.a") == set()


def test_sources_are_choices(tmp_path: Path) -> None:
    home = one(
        tmp_path,
        "media_player.a",
        device_class="tv",
        supported_features=2048,
        source_list=["HDMI 1", "Radio"],
    )
    (value,) = command(home, "media_player.a", "media_player.select_source#Source.Set").parameters
    assert [c.value for c in value.choices] == ["HDMI 1", "Radio"]
    assert home.devices[0].kinds == ("television", "media_player")


def test_a_vacuum_starts_and_docks_if_it_can(tmp_path: Path) -> None:
    states = [entity("vacuum.a", supported_features=8192 | 16), entity("vacuum.b", supported_features=3)]
    home = read_home(home_assistant(tmp_path, *states))
    assert keys(home, "vacuum.b") == {"vacuum.clean_area#Vacuum.CleanArea"}
    assert keys(home, "vacuum.a") - keys(home, "vacuum.b") == {
        "vacuum.start#Vacuum.Start",
        "vacuum.return_to_base#Vacuum.Dock",
    }


def test_a_lock_opens_only_if_it_can(tmp_path: Path) -> None:
    states = [entity("lock.a", supported_features=0), entity("lock.b", supported_features=1)]
    home = read_home(home_assistant(tmp_path, *states))
    assert keys(home, "lock.b") - keys(home, "lock.a") == {"lock.open#Lock.Open"}


def test_completing_a_todo_item_fixes_its_status(tmp_path: Path) -> None:
    home = one(tmp_path, "todo.a", supported_features=7)
    assert command(home, "todo.a", "todo.update_item#Todo.Complete").fixed == {"status": "completed"}


def test_scenes_and_scripts_are_scenes_and_no_devices(tmp_path: Path) -> None:
    home = read_home(
        home_assistant(
            tmp_path, entity("scene.a", friendly_name="Film", entity_id=["light.x"]), entity("script.b")
        )
    )
    assert [(s.name, s.command_id) for s in home.scenes] == [
        ("Film", "scene.turn_on"),
        ("b", "script.turn_on"),
    ]
    assert not home.devices
    assert not home.groups


def test_an_entity_that_stands_for_others_is_a_group_and_no_device(tmp_path: Path) -> None:
    states = [
        entity("light.a"),
        entity("light.all", friendly_name="All", entity_id=["light.a", "light.gone"]),
    ]
    home = read_home(home_assistant(tmp_path, *states))
    assert [(g.name, g.members) for g in home.groups] == [("All", ("light.a",))]
    assert [d.id for d in home.devices] == ["light.a"]


def test_a_mere_group_is_no_device(tmp_path: Path) -> None:
    home = read_home(home_assistant(tmp_path, entity("light.a"), entity("group.g", entity_id=["light.a"])))
    assert ([d.id for d in home.devices], [g.id for g in home.groups]) == (["light.a"], ["group.g"])


@pytest.mark.parametrize(
    ("entity_id", "device_class", "quantity", "kinds"),
    [
        ("sensor.a", "temperature", "temperature", ("temperature_sensor", "sensor")),
        ("binary_sensor.a", "window", "contact", ("contact_sensor", "sensor")),
        ("binary_sensor.a", "moisture", "leak", ("leak_sensor", "sensor")),
        ("switch.a", "outlet", "switch", ("plug", "switch")),
        ("cover.a", "garage", "door", ("garage_door", "cover")),
        ("weather.a", None, "weather", ("weather",)),
        ("person.a", None, "presence", ("person",)),
    ],
)
def test_domain_and_class_say_what_a_thing_is_and_tells(
    tmp_path: Path, entity_id: str, device_class: str | None, quantity: str, kinds: tuple[str, ...]
) -> None:
    attributes: dict[str, Any] = {"device_class": device_class} if device_class else {}
    home = one(tmp_path, entity_id, **attributes)
    assert home.devices[0].kinds == kinds
    assert profile_of(home, entity_id).attributes[0].quantity == quantity


def test_states_hold_raw_values(tmp_path: Path) -> None:
    lamp = entity("light.a", "on", supported_color_modes=["brightness"], brightness=128, friendly_name="A")
    states = read_states(home_assistant(tmp_path, lamp))
    assert (states.of("light.a"), states.source) == ({"state": "on", "brightness": 128}, "homeassistant")


def test_states_are_as_old_as_the_last_that_was_heard_of_any(tmp_path: Path) -> None:
    early = entity("light.a") | {"last_changed": "2026-11-20T07:00:00+00:00"}
    late = entity("light.b") | {"last_reported": "2026-11-20T08:00:00+00:00"}
    assert read_states(home_assistant(tmp_path, late, early)).read_at == 1795161600.0
    assert read_states(home_assistant(tmp_path, entity("light.a"))).read_at is None


def test_a_lamp_that_is_off_can_still_tell_its_brightness(tmp_path: Path) -> None:
    home = one(tmp_path, "light.a", "off", supported_color_modes=["brightness"])
    assert "brightness" in {a.quantity for a in profile_of(home, "light.a").attributes}


def test_equal_entities_share_one_profile_with_a_stable_id(tmp_path: Path) -> None:
    lamps = [entity(f"light.{n}", supported_color_modes=["hs"], friendly_name=n) for n in "ab"]
    first = read_home(home_assistant(tmp_path / "x", *lamps, entity("light.c")))
    second = read_home(home_assistant(tmp_path / "y", lamps[0]))
    assert (
        the_device(first, "light.a").profile_id
        == the_device(first, "light.b").profile_id
        == second.devices[0].profile_id
    )
    assert len(first.profiles) == 2


def test_websocket_answers_may_keep_their_wrapping(tmp_path: Path) -> None:
    folder = home_assistant(
        tmp_path, states={"id": 1, "type": "result", "success": True, "result": [entity("light.a")]}
    )
    assert [d.id for d in read_home(folder).devices] == ["light.a"]


def test_an_entity_given_twice_under_one_name_is_one(tmp_path: Path) -> None:
    folder = home_assistant(
        tmp_path, entity("light.a", friendly_name="A"), entity("light.a", friendly_name="A")
    )
    assert len(read_home(folder).devices) == 1
