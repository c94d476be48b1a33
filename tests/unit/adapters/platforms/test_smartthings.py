from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.unit.adapters.platforms.payloads import (
    FULL_LAMP,
    command,
    keys,
    profile_of,
    read_home,
    read_states,
    smartthings,
    st_device,
    the_device,
    write,
    write_spec,
)


def test_a_device_has_its_label_room_profile_and_kinds(tmp_path: Path) -> None:
    device = read_home(smartthings(tmp_path / "villa")).devices[0]
    assert (device.id, device.name, device.room_id, device.profile_id, device.kinds) == (
        "d1",
        "台灯",
        "r1",
        "lamp",
        ("light",),
    )


def test_the_home_is_called_after_its_folder_unless_named(tmp_path: Path) -> None:
    folder = smartthings(
        tmp_path / "villa", locations_api={"items": [{"locationId": "l", "name": "海边的家"}]}
    )
    assert (read_home(folder).id, read_home(folder, "h1").id, read_home(folder).name) == (
        "villa",
        "h1",
        "海边的家",
    )


def test_commands_carry_trait_text_and_limits(tmp_path: Path) -> None:
    dim = command(read_home(smartthings(tmp_path)), "d1", "main-switchLevel-setLevel#Brightness.Set")
    (value,) = dim.parameters
    assert (dim.text, value.name, value.kind, value.minimum, value.maximum, value.unit) == (
        "亮度",
        "value",
        "number",
        0,
        100,
        "%",
    )


def test_both_categories_count_the_makers_first(tmp_path: Path) -> None:
    folder = smartthings(tmp_path, st_device(categories=[("Light", "user"), ("SmartPlug", "manufacturer")]))
    device = read_home(folder).devices[0]
    assert (device.categories, device.kinds) == (("SmartPlug", "Light"), ("plug", "light"))


def test_a_device_without_room_is_kept(tmp_path: Path) -> None:
    assert read_home(smartthings(tmp_path, st_device(roomId=None))).devices[0].room_id is None


def test_a_device_of_an_unknown_room_is_kept_without_room(tmp_path: Path) -> None:
    assert read_home(smartthings(tmp_path, st_device(roomId="elsewhere"))).devices[0].room_id is None


def test_a_device_without_profile_is_kept_and_can_do_nothing(tmp_path: Path) -> None:
    home = read_home(smartthings(tmp_path, st_device(profile=None)))
    assert profile_of(home, "d1").commands == ()


def test_a_profile_the_specification_lacks_is_empty(tmp_path: Path) -> None:
    home = read_home(smartthings(tmp_path, st_device(profile={"id": "strange"})))
    assert profile_of(home, "d1").id == "strange"
    assert keys(home, "d1") == set()


def test_without_a_known_category_the_specification_says_what_a_device_is(tmp_path: Path) -> None:
    folder = smartthings(tmp_path, st_device(categories=[("Others", "manufacturer")]))
    assert read_home(folder).devices[0].kinds == ("light",)


def test_a_device_nothing_is_known_of_is_a_device(tmp_path: Path) -> None:
    home = read_home(smartthings(tmp_path, st_device(components=[], profile=None)))
    assert home.devices[0].kinds == ("device",)


def test_devices_of_one_profile_share_it(tmp_path: Path) -> None:
    home = read_home(smartthings(tmp_path, st_device("d1"), st_device("d2")))
    assert [p.id for p in home.profiles] == ["lamp"]


def test_only_the_main_component_is_offered(tmp_path: Path) -> None:
    folder = smartthings(tmp_path)
    extra = [
        *FULL_LAMP["capabilities"],
        {"id": "outlet2-switch-on", "type": "none"},
        {"id": "main-switchLevel-NotAvailable", "type": "none"},
    ]
    write_spec(folder, FULL_LAMP | {"capabilities": extra})
    assert {c.id for c in read_home(folder).profiles[0].commands} == {
        "main-switch-on",
        "main-switch-off",
        "main-switchLevel-setLevel",
    }


def test_descriptions_of_both_languages_are_joined_that_of_the_asked_first(tmp_path: Path) -> None:
    folder = smartthings(tmp_path)
    english = json.loads(json.dumps(FULL_LAMP).replace("\\u4eae\\u5ea6", "brightness"))
    write_spec(folder, english, name="spec.en.jsonl")
    key = "main-switchLevel-setLevel#Brightness.Set"
    assert command(read_home(folder, language="zh"), "d1", key).text == "亮度 / brightness"
    assert command(read_home(folder, language="en"), "d1", key).text == "brightness / 亮度"


def test_the_specification_may_lie_beside_the_home(tmp_path: Path) -> None:
    folder = smartthings(tmp_path / "villa")
    (folder / "spec.zh.jsonl").rename(tmp_path / "spec.jsonl")
    assert "main-switch-on#Switch.On" in keys(read_home(folder), "d1")


def test_an_explicit_specification_is_the_only_one(tmp_path: Path) -> None:
    folder = smartthings(tmp_path / "villa")
    other = write_spec(
        tmp_path / "other", {"profileId": "lamp", "capabilities": [{"id": "main-switch-on", "type": "none"}]}
    )
    assert keys(read_home(folder, spec=other), "d1") == {"main-switch-on#Switch.On"}


def test_a_specification_may_be_one_array(tmp_path: Path) -> None:
    folder = smartthings(tmp_path)
    (folder / "spec.zh.jsonl").write_text(json.dumps([FULL_LAMP], indent=1), encoding="utf-8")
    assert len(keys(read_home(folder), "d1")) == 3


def test_what_can_be_read_may_be_called_conditions(tmp_path: Path) -> None:
    folder = smartthings(tmp_path)
    write_spec(
        folder,
        {
            "profileId": "lamp",
            "capabilities": [],
            "conditions": [{"id": "main-battery-battery", "type": "integer"}],
        },
    )
    assert [(a.id, a.quantity) for a in profile_of(read_home(folder), "d1").attributes] == [
        ("main-battery-battery", "battery")
    ]


@pytest.mark.parametrize(
    "given", [[10, 30], [10, 30, 1], {"min": 10, "max": 30}, {"minimum": 10, "maximum": 30}]
)
def test_ranges_come_in_several_shapes(tmp_path: Path, given: object) -> None:
    folder = smartthings(tmp_path)
    entry = {
        "id": "main-thermostatCoolingSetpoint-setCoolingSetpoint",
        "type": "number",
        "value_range": given,
    }
    write_spec(folder, {"profileId": "lamp", "capabilities": [entry]})
    (value,) = read_home(folder).profiles[0].commands[0].parameters
    assert (value.minimum, value.maximum) == (10, 30)


def test_choices_carry_their_words(tmp_path: Path) -> None:
    folder = smartthings(tmp_path)
    values = [{"value": "cool", "description": "制冷"}, "dry"]
    entry = {"id": "main-airConditionerMode-setAirConditionerMode", "type": "enum", "value_list": values}
    write_spec(folder, {"profileId": "lamp", "capabilities": [entry]})
    (value,) = read_home(folder).profiles[0].commands[0].parameters
    assert [(c.value, c.text) for c in value.choices] == [("cool", "制冷"), ("dry", "")]


def test_a_setpoint_without_range_gets_plausible_limits_of_its_kind(tmp_path: Path) -> None:
    folder = smartthings(tmp_path, st_device(categories=[("WaterHeater", "manufacturer")]))
    entry = {"id": "main-temperatureSetpoint-setTemperatureSetpoint", "type": "number", "unit": "C"}
    write_spec(folder, {"profileId": "lamp", "capabilities": [entry]})
    (value,) = read_home(folder).profiles[0].commands[0].parameters
    assert (value.minimum, value.maximum) == (30, 75)


def test_a_level_of_a_shade_is_its_position(tmp_path: Path) -> None:
    folder = smartthings(tmp_path, st_device(categories=[("Blind", "manufacturer")]))
    entries = [
        {"id": "main-windowShade-open", "type": "none"},
        {"id": "main-switchLevel-setLevel", "type": "integer"},
    ]
    write_spec(folder, {"profileId": "lamp", "capabilities": entries})
    assert keys(read_home(folder), "d1") == {
        "main-windowShade-open#Cover.Open",
        "main-switchLevel-setLevel#Cover.SetPosition",
    }


def test_states_are_read_by_attribute_id(tmp_path: Path) -> None:
    main = {
        "temperatureMeasurement": {"temperature": {"value": 21.5, "unit": "C"}},
        "lock": {"lock": {"value": None}},
    }
    folder = smartthings(tmp_path, status_api={"d1": {"components": {"main": main}}})
    assert read_states(folder).of("d1") == {"main-temperatureMeasurement-temperature": 21.5}


def test_states_are_as_old_as_the_last_reading(tmp_path: Path) -> None:
    first = {"value": "on", "timestamp": "2026-11-20T07:51:09.000Z"}
    second = {"value": 30, "timestamp": "2026-11-20T08:00:00.000Z"}
    main = {"switch": {"switch": first}, "switchLevel": {"level": second}}
    status = {"d1": {"components": {"main": main}}}
    states = read_states(smartthings(tmp_path, status_api=status))
    assert (states.read_at, states.source) == (1795161600.0, "smartthings")


@pytest.mark.parametrize(
    "status",
    [
        {"healthState": {"state": "OFFLINE"}},
        {"healthStatus": "offline"},
        {"components": {"main": {"healthCheck": {"DeviceWatch-DeviceStatus": {"value": "offline"}}}}},
    ],
)
def test_a_device_known_to_be_offline_is_unavailable(tmp_path: Path, status: dict[str, object]) -> None:
    assert not read_states(smartthings(tmp_path, status_api={"d1": status})).online("d1")


def test_a_device_of_unknown_health_is_available(tmp_path: Path) -> None:
    assert read_states(smartthings(tmp_path)).online("d1")


def test_scenes_are_run_with_scene_execute(tmp_path: Path) -> None:
    folder = smartthings(tmp_path, scenes_api={"items": [{"sceneId": "s1", "sceneName": "观影"}]})
    (scene,) = read_home(folder).scenes
    assert (scene.id, scene.name, scene.command_id) == ("s1", "观影", "scene-execute")


def test_floors_have_names_in_both_languages(tmp_path: Path) -> None:
    folder = smartthings(tmp_path, floors__ext={"r1": {"room": "书房", "floor": -1}})
    chinese, english = read_home(folder), read_home(folder, language="en")
    assert chinese.rooms[0].floor_id == "floor:-1"
    assert (chinese.floors[0].name, chinese.floors[0].level) == ("地下室", -1)
    assert {"basement", "负一楼", "地下一层"} <= set(chinese.floors[0].aliases)
    assert english.floors[0].name == "basement"


def test_pages_are_followed_to_the_end(tmp_path: Path) -> None:
    folder = smartthings(tmp_path)
    (folder / "devices_api.json").unlink()
    link = {"next": {"href": "https://api.example.org/devices?max=1&page=1"}}
    write(
        folder,
        devices_api__page0={"items": [st_device("a")], "_links": link},
        devices_api__page1={"items": [st_device("b")], "_links": {}},
    )
    assert [d.id for d in read_home(folder).devices] == ["a", "b"]


def test_two_devices_of_one_name_stay_two(tmp_path: Path) -> None:
    home = read_home(smartthings(tmp_path, st_device("d1"), st_device("d2")))
    assert the_device(home, "d1").name == the_device(home, "d2").name
