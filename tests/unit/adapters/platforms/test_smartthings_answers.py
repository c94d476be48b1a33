"""SmartThings answers get in as the API gives them: any names, any pages, no specification."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.unit.adapters.platforms.payloads import command, keys, profile_of, the_device

from winnow.adapters.platforms.registry import load_home_documents
from winnow.errors import HomeImportError
from winnow.types.home import Device, Home
from winnow.types.state import ImportedHome


def device(device_id: str, label: str, *capabilities: str, **fields: Any) -> dict[str, Any]:
    """A device as ``GET /devices`` gives it; ``components`` are further ones by id."""
    category = fields.pop("category", "")
    main = component("main", *capabilities, category=category)
    others = [component(name, *own) for name, own in fields.pop("components", {}).items()]
    return {
        "deviceId": device_id,
        "name": "thing",
        "label": label,
        "locationId": "l1",
        "roomId": "r1",
        "profile": {"id": f"p-{device_id}"},
        "components": [main, *others],
    } | fields


def component(name: str, *capabilities: str, category: str = "", label: str = "") -> dict[str, Any]:
    categories = [{"name": category, "categoryType": "manufacturer"}] if category else []
    declared = [{"id": capability, "version": 1} for capability in capabilities]
    return {"id": name, "label": label or name, "capabilities": declared, "categories": categories}


def _readings(readings: dict[str, Any]) -> dict[str, Any]:
    """Bare values as readings."""
    is_reading = {key: isinstance(value, dict) and "value" in value for key, value in readings.items()}
    return {key: value if is_reading[key] else {"value": value} for key, value in readings.items()}


def status(**capabilities: Any) -> dict[str, Any]:
    """A status of the main component: ``switch={"switch": "on"}``; ``__`` stands for a dot."""
    told = {name.replace("__", "."): _readings(readings) for name, readings in capabilities.items()}
    return {"components": {"main": told}}


ROOMS = {"items": [{"roomId": "r1", "locationId": "l1", "name": "书房"}]}
LAMP = device("d1", "台灯", "switch", "switchLevel", "refresh", category="Light")
FAN = device("d2", "吊扇", "switch", "fanSpeed", category="Fan")


def imported(*devices: dict[str, Any], **documents: Any) -> ImportedHome:
    return load_home_documents({"a": {"items": list(devices)}, "rooms": ROOMS, **documents}, "villa")


def home(*devices: dict[str, Any], **documents: Any) -> Home:
    return imported(*devices, **documents).home


def codes(found: Home) -> list[str]:
    return [note.code for note in found.notes]


def parts(found: Home) -> dict[str, Device]:
    return {d.id: d for d in found.devices if d.part_of}


@pytest.mark.parametrize(
    "documents",
    [
        {"x": {"items": [LAMP, FAN], "_links": {}}},
        {"page-b": {"items": [FAN]}, "page-a": {"items": [LAMP], "_links": {"next": {"href": "?page=1"}}}},
        {"x": [LAMP, FAN]},
        {"lamp": LAMP, "fan": FAN},
        {"all": {"devices": {"items": [LAMP, FAN]}, "rooms": ROOMS}},
        {"all": {"devices": [LAMP, FAN], "anything": 1}},
        {"all": {"items": [LAMP, FAN]}, "again": {"items": [LAMP]}},
    ],
)
def test_devices_come_in_any_number_of_documents_of_any_name(documents: dict[str, Any]) -> None:
    found = load_home_documents({**documents, "rooms": ROOMS}, "villa").home
    assert {d.name for d in found.devices} == {"台灯", "吊扇"}
    assert {d.room_id for d in found.devices} == {"r1"}


def test_commands_come_from_the_declared_capabilities() -> None:
    found = home(LAMP)
    assert keys(found, "d1") == {
        "main-switch-on#Switch.On",
        "main-switch-off#Switch.Off",
        "main-switchLevel-setLevel#Brightness.Set",
    }
    (value,) = command(found, "d1", "main-switchLevel-setLevel#Brightness.Set").parameters
    assert (value.name, value.kind, value.minimum, value.maximum, value.unit) == (
        "value",
        "number",
        0,
        100,
        "%",
    )
    assert {a.id for a in profile_of(found, "d1").attributes} == {
        "main-switch-switch",
        "main-switchLevel-level",
    }


@pytest.mark.parametrize(
    "told",
    [
        {"s": {"d1": status(switch={"switch": "on"})}},
        {"d1": status(switch={"switch": "on"})},
        {"folder/d1.json": status(switch={"switch": "on"})},
        {"s": [{"deviceId": "d1", **status(switch={"switch": "on"})}]},
        {"s": {"items": [{"deviceId": "d1", **status(switch={"switch": "on"})}]}},
    ],
)
def test_statuses_come_as_a_map_one_by_one_or_as_a_list(told: dict[str, Any]) -> None:
    assert imported(LAMP, **told).states.of("d1") == {"main-switch-switch": "on"}


@pytest.mark.parametrize(
    "told",
    [{"h": {"deviceId": "d1", "state": "OFFLINE"}}, {"h": {"d1": {"deviceId": "d1", "state": "OFFLINE"}}}],
)
def test_a_health_answer_says_who_cannot_be_reached(told: dict[str, Any]) -> None:
    assert not imported(LAMP, **told).states.online("d1")


def test_what_the_status_supports_narrows_the_choices() -> None:
    ac = device(
        "d1", "空调", "switch", "airConditionerMode", "thermostatCoolingSetpoint", category="AirConditioner"
    )
    told = status(
        airConditionerMode={"supportedAcModes": ["cool", "dry", "aIComfort"], "airConditionerMode": "cool"},
        thermostatCoolingSetpoint={
            "coolingSetpointRange": {"minimum": 61, "maximum": 86, "step": 1},
            "coolingSetpoint": {"value": 75, "unit": "F"},
        },
    )
    found = home(ac, s={"d1": told})
    (mode,) = command(found, "d1", "main-airConditionerMode-setAirConditionerMode#Mode.Set").parameters
    assert [choice.value for choice in mode.choices] == ["cool", "dry", "aIComfort"]
    assert mode.choices[0].text == "制冷 / cool"
    (setpoint,) = command(
        found, "d1", "main-thermostatCoolingSetpoint-setCoolingSetpoint#Temperature.Set"
    ).parameters
    assert (setpoint.minimum, setpoint.maximum, setpoint.unit) == (61, 86, "F")


def test_a_range_of_the_table_is_not_taken_for_fahrenheit() -> None:
    ac = device("d1", "AC", "thermostatCoolingSetpoint", category="AirConditioner")
    told = status(thermostatCoolingSetpoint={"coolingSetpoint": {"value": 75, "unit": "F"}})
    found = home(ac, s={"d1": told})
    (setpoint,) = profile_of(found, "d1").commands[0].parameters
    assert setpoint.minimum is not None
    assert setpoint.minimum > 50


def test_disabled_capabilities_and_commands_that_are_not_supported_are_left_out() -> None:
    lamp = device("d1", "灯", "switch", "switchLevel", "mediaPlayback", category="Light")
    told = status(
        custom__disabledCapabilities={"disabledCapabilities": ["switchLevel"]},
        mediaPlayback={"supportedPlaybackCommands": ["play", "pause"]},
    )
    found = home(lamp, s={"d1": told})
    names = {c.id for c in profile_of(found, "d1").commands}
    assert names == {
        "main-switch-on",
        "main-switch-off",
        "main-mediaPlayback-play",
        "main-mediaPlayback-pause",
    }


def test_an_unknown_capability_has_no_command_is_told_and_can_be_read() -> None:
    desk = device("d1", "升降桌", "switch", "acme12345.standingDesk")
    told = status(
        acme12345__standingDesk={"deskHeight": {"value": 72, "unit": "cm"}, "supportedHeights": [72, 110]}
    )
    found = imported(desk, s={"d1": told})
    (height,) = (a for a in profile_of(found.home, "d1").attributes if "Desk" in a.id)
    assert (height.id, height.text, height.unit) == (
        "main-acme12345.standingDesk-deskHeight",
        "standing desk height",
        "cm",
    )
    assert found.states.of("d1")["main-acme12345.standingDesk-deskHeight"] == 72
    assert all("standingDesk" not in c.id for c in profile_of(found.home, "d1").commands)
    assert ("unknown_capability", "acme12345.standingDesk") in {(n.code, n.detail) for n in found.home.notes}


def test_housekeeping_is_neither_offered_nor_told() -> None:
    found = home(
        device(
            "d1",
            "灯",
            "switch",
            "refresh",
            "ocf",
            "execute",
            "firmwareUpdate",
            "healthCheck",
            category="Light",
        )
    )
    assert {c.id for c in profile_of(found, "d1").commands} == {"main-switch-on", "main-switch-off"}
    assert "unknown_capability" not in codes(found)


def test_without_statuses_the_home_says_that_it_knows_less() -> None:
    assert "fewer_facts" in codes(home(LAMP))
    assert "fewer_facts" not in codes(home(LAMP, s={"d1": status(switch={"switch": "on"})}))


def test_a_document_that_nobody_knows_is_told() -> None:
    (note,) = (n for n in home(LAMP, other={"subscriptions": [1]}).notes if n.code == "ignored")
    assert note.id == "other"


def test_the_home_is_the_location_with_most_devices() -> None:
    away = device("d9", "度假屋灯", "switch", category="Light", locationId="l2")
    places = {"items": [{"locationId": "l1", "name": "家"}, {"locationId": "l2", "name": "海边"}]}
    scenes = {
        "items": [
            {"sceneId": "s1", "sceneName": "出门", "locationId": "l1"},
            {"sceneId": "s2", "sceneName": "到了", "locationId": "l2"},
        ]
    }
    found = home(LAMP, FAN, away, l=places, s=scenes)
    assert (found.name, [d.id for d in found.devices], [s.id for s in found.scenes]) == (
        "家",
        ["d1", "d2"],
        ["s1"],
    )
    (note,) = (n for n in found.notes if n.code == "ignored")
    assert (note.id, note.name) == ("l2", "海边")


def test_equal_devices_share_a_profile_and_narrowed_ones_have_their_own() -> None:
    def ac(device_id: str) -> dict[str, Any]:
        return device(
            device_id, "空调", "airConditionerMode", category="AirConditioner", profile={"id": "ac"}
        )

    told = {"d2": status(airConditionerMode={"supportedAcModes": ["cool"]})}
    found = home(ac("d1"), ac("d2"), ac("d3"), s=told)
    one, two, three = (the_device(found, name).profile_id for name in ("d1", "d2", "d3"))
    assert one == three == "ac"
    assert two != "ac"


def test_a_switch_with_a_component_for_each_gang_has_numbered_parts() -> None:
    gangs = {name: ["switch"] for name in ("switch1", "switch2", "switch3")}
    found = home(device("d1", "三键开关", "switch", category="Switch", components=gangs))
    assert {d.id: (d.name, d.part_of) for d in parts(found).values()} == {
        "d1/switch1": ("三键开关 第一键", "d1"),
        "d1/switch2": ("三键开关 第二键", "d1"),
        "d1/switch3": ("三键开关 第三键", "d1"),
    }
    assert keys(found, "d1/switch2") == {"switch2-switch-on#Switch.On", "switch2-switch-off#Switch.Off"}
    assert {"三键开关第二个", "三键开关 second", "三键开关2", "三键开关 中间"} <= set(
        the_device(found, "d1/switch2").aliases
    )
    assert {c.id for c in profile_of(found, "d1").commands} == {"main-switch-on", "main-switch-off"}
    assert found.groups == ()


@pytest.mark.parametrize(
    ("label", "names"),
    [("三键开关", ["switch1", "switch2"]), ("Wall switch", ["switch2"]), ("Wall switch", ["switch1"])],
)
def test_where_main_is_a_gang_itself_the_device_is_the_group_of_its_gangs(
    label: str, names: list[str]
) -> None:
    found = home(device("d1", label, "switch", category="Switch", components={n: ["switch"] for n in names}))
    assert list(parts(found)) == [f"d1/{name}" for name in ("main", *names)]
    assert keys(found, "d1/main") == {"main-switch-on#Switch.On", "main-switch-off#Switch.Off"}
    assert profile_of(found, "d1").commands == ()
    (group,) = found.groups
    assert (group.name, list(group.members)) == (label, list(parts(found)))


def test_a_gang_with_a_label_is_called_so_and_by_its_number() -> None:
    strip = device("d1", "排插", "switch", category="SmartPlug")
    strip["components"] += [component("outlet1", "switch", label="热水壶"), component("outlet2", "switch")]
    found = home(strip)
    kettle, second = (the_device(found, f"d1/outlet{n}") for n in (1, 2))
    assert (kettle.name, kettle.kinds) == ("排插 热水壶", ("kettle",))
    assert {"热水壶", "排插 第一孔"} <= set(kettle.aliases)
    assert (second.name, second.danger) == ("排插 第二孔", "")


def test_compartments_are_parts_and_what_has_only_housekeeping_is_none() -> None:
    fridge = {
        "freezer": ["thermostatCoolingSetpoint", "temperatureMeasurement"],
        "scale-10": ["samsungce.weightMeasurement"],
        "pantry-01": ["refresh"],
    }
    found = home(device("d1", "冰箱", "contactSensor", category="Refrigerator", components=fridge))
    (freezer,) = parts(found).values()
    assert (freezer.name, freezer.kinds, freezer.room_id) == ("冰箱 冷冻室", ("refrigerator",), "r1")
    (temperature,) = (a for a in profile_of(found, freezer.id).attributes if a.quantity == "temperature")
    assert temperature.where == "appliance"


@pytest.mark.parametrize(
    "told",
    [
        {
            "components": {
                "main": {"custom.disabledComponents": {"disabledComponents": {"value": ["cavity-01"]}}}
            }
        },
        {
            "components": {
                "main": {"ovenMode": {"ovenMode": {"value": "Bake"}}},
                "cavity-01": {"ovenMode": {"ovenMode": {"value": None}}},
            }
        },
    ],
)
def test_a_part_that_is_disabled_or_tells_nothing_is_not_there(told: dict[str, Any]) -> None:
    oven = device("d1", "烤箱", "ovenMode", category="Oven", components={"cavity-01": ["ovenMode"]})
    assert list(parts(home(oven))) == ["d1/cavity-01"]
    assert parts(home(oven, s={"d1": told})) == {}


@pytest.mark.parametrize(
    ("label", "category", "capabilities", "kinds", "danger"),
    [
        ("热水器插座", "SmartPlug", ["switch"], ("plug",), "heat"),
        ("Kettle Plug", "SmartPlug", ["switch"], ("plug",), "heat"),
        ("落地灯插座", "SmartPlug", ["switch"], ("plug", "light"), ""),
        ("天然气阀", "WaterValve", ["valve"], ("gas_valve", "valve"), ""),
        ("温湿度", "Thermostat", ["temperatureMeasurement"], ("temperature_sensor", "sensor"), ""),
        ("浴霸", "", ["switch"], ("bath_heater",), "heat"),
        ("充电桩", "", ["evseChargingSession", "powerMeter"], ("device",), ""),
        ("小白", "", ["switch"], ("switch",), ""),
    ],
)
def test_kinds_and_danger_come_from_all_that_tells(
    label: str, category: str, capabilities: list[str], kinds: tuple[str, ...], danger: str
) -> None:
    found = home(device("d1", label, *capabilities, category=category))
    assert (found.devices[0].kinds, found.devices[0].danger) == (kinds, danger)
    assert found.devices[0].reasons
    if not category:
        assert "guessed_kind" in codes(found)


def test_a_robot_without_an_operating_state_starts_and_docks_by_value() -> None:
    robot = device(
        "d1", "小圆", "switch", "robotCleanerMovement", "robotCleanerCleaningMode", category="RobotCleaner"
    )
    found = home(robot)
    start = command(found, "d1", "main-robotCleanerMovement-setRobotCleanerMovement#Vacuum.Start")
    dock = command(found, "d1", "main-robotCleanerMovement-setRobotCleanerMovement#Vacuum.Dock")
    assert (start.fixed, dock.fixed) == ({"value": "cleaning"}, {"value": "homing"})
    assert start.parameters == ()


def test_a_phone_is_the_person_who_carries_it() -> None:
    phones = [device("d1", "爸爸的手机", "presenceSensor"), device("d2", "Mom’s Phone", "presenceSensor")]
    for phone in phones:
        phone["components"][0]["categories"] = [{"name": "MobilePresence", "categoryType": "manufacturer"}]
    found = home(*phones)
    assert [d.kinds[0] for d in found.devices] == ["person", "person"]
    assert [d.aliases for d in found.devices] == [("爸爸",), ("Mom",)]


def test_the_raw_example_needs_no_other_file(root: Path) -> None:
    folder = root / "src/winnow/examples/homes/smartthings-raw"
    documents = {path.name: json.loads(path.read_text("utf-8")) for path in folder.iterdir()}
    found = load_home_documents(documents, "raw").home
    able = [d for d in found.devices if profile_of(found, d.id).commands]
    assert len(found.devices) > 70
    assert len(able) > 50


def test_a_missing_page_is_refused() -> None:
    page = {"items": [LAMP], "_links": {"next": {"href": "https://api.example.org/devices?page=1"}}}
    with pytest.raises(HomeImportError, match="page=1"):
        load_home_documents({"x": page}, "villa")
