"""Which devices a question reads, and which of their attributes."""

from __future__ import annotations

import pytest
from tests.homes import engine

from winnow.app.wiring.engine import open_engine
from winnow.decide.reads import properties
from winnow.engine.engine import Engine
from winnow.types.home import Attribute, Command, Device, Floor, Home, Profile, Room
from winnow.types.utterance import Turn, Utterance
from winnow.types.verdict import Nothing, NotUnderstood, Query, Read


def tells(name: str, quantity: str, text: str = "", unit: str = "") -> Profile:
    return Profile(name, (), (Attribute("state", quantity, text, unit),))


SWITCHED = (Command("turn_on", "Switch.On", "turn on"), Command("turn_off", "Switch.Off", "turn off"))
PROFILES = (
    Profile(
        "light",
        SWITCHED,
        (Attribute("state", "switch"), Attribute("brightness", "brightness", "brightness", "%")),
    ),
    Profile(
        "lock",
        (Command("lock", "Lock.Lock", "lock"),),
        (Attribute("state", "lock"), Attribute("battery", "battery", "battery", "%")),
    ),
    Profile(
        "cover",
        (Command("open", "Cover.Open", "open"),),
        (Attribute("state", "cover"), Attribute("position", "position", "", "%")),
    ),
    Profile("tv", SWITCHED, (Attribute("state", "playback"), Attribute("volume_level", "volume", "", "%"))),
    Profile("outlet", SWITCHED, (Attribute("state", "switch"),)),
    Profile(
        "thermostat",
        (Command("set", "Temperature.Set", "set temperature"),),
        (
            Attribute("state", "mode"),
            Attribute("now", "temperature", "", "C"),
            Attribute("goal", "setpoint", "", "C"),
        ),
    ),
    tells("thermometer", "temperature", "temperature", "°C"),
    tells("hygrometer", "humidity", "humidity", "%"),
    tells("contact", "contact", "window"),
    tells("motion", "motion", "motion"),
    tells("gas_alarm", "gas", "gas"),
    tells("gas_meter", "gas", "gas", "m3"),
    tells("connection", "state", "connectivity"),
    tells("plain", "state"),
    tells("person", "presence"),
    tells("weather", "weather"),
)
SENSOR = ("sensor",)
DEVICES = (
    Device("den.lamp", "den lamp", "light", ("light",), room_id="den"),
    Device("den.strip", "shelf strip", "light", ("light",), room_id="den"),
    Device("den.tv", "den tv", "tv", ("television", "media_player"), room_id="den"),
    Device("den.outlet", "tv outlet", "outlet", ("plug", "switch"), room_id="den"),
    Device("den.climate", "den thermostat", "thermostat", ("thermostat", "climate"), room_id="den"),
    Device("den.temp", "den temperature", "thermometer", ("temperature_sensor", "sensor"), room_id="den"),
    Device(
        "den.tank", "aquarium temperature", "thermometer", ("temperature_sensor", "sensor"), room_id="den"
    ),
    Device("den.hum", "den humidity", "hygrometer", ("humidity_sensor", "sensor"), room_id="den"),
    Device("den.motion", "den motion", "motion", ("motion_sensor", "sensor"), room_id="den"),
    Device("attic.lamp", "attic lamp", "light", ("light",), room_id="attic"),
    Device(
        "attic.temp", "attic temperature", "thermometer", ("temperature_sensor", "sensor"), room_id="attic"
    ),
    Device("attic.window", "attic window", "contact", ("contact_sensor", "sensor"), room_id="attic"),
    Device("attic.blind", "attic blind", "cover", ("blind", "cover"), room_id="attic"),
    Device("lock.front", "front door", "lock", ("lock",), room_id="den"),
    Device("lock.shed", "shed lock", "lock", ("lock",)),
    Device("gas.alarm", "gas alarm", "gas_alarm", ("gas_sensor", "sensor")),
    Device("gas.meter", "monthly gas", "gas_meter", ("gas_sensor", "sensor")),
    Device("router", "router", "connection", SENSOR),
    Device("feed", "well depth", "plain", SENSOR),
    Device("person.mia", "mia", "person", ("person",)),
    Device("person.leo", "leo", "person", ("person",)),
    Device("sky", "home weather", "weather", ("weather",)),
    Device("sky.far", "cabin weather", "weather", ("weather",)),
)
ROOMS = (Room("den", "den", floor_id="f1"), Room("attic", "attic", floor_id="f2"))
FLOORS = (Floor("f1", "first floor", level=1), Floor("f2", "second floor", level=2))
HOME = Home("lodge", "Lodge", "neutral", FLOORS, ROOMS, PROFILES, DEVICES)
ENGINE = open_engine(HOME)


def read(text: str, room: str | None = None) -> list[str]:
    """Ids of the devices read, sorted; a question must never act."""
    verdict = ENGINE.sync.retrieve(Utterance(text, room=room)).verdict
    assert isinstance(verdict, (Query, Nothing, NotUnderstood)), verdict
    return sorted(r.device_id for r in verdict.reads) if isinstance(verdict, Query) else []


def test_counting_reads_the_whole_set() -> None:
    assert read("how many lights are on") == ["attic.lamp", "den.lamp", "den.strip"]


def test_a_place_narrows_the_set() -> None:
    assert read("which lights are on in the den") == ["den.lamp", "den.strip"]


def test_what_is_excluded_is_not_read() -> None:
    assert read("apart from the attic, which lights are on") == ["den.lamp", "den.strip"]


def test_a_lock_question_reads_locks_only() -> None:
    assert read("are all the doors locked") == ["lock.front", "lock.shed"]


def test_the_sensor_of_the_room_answers_before_the_thermostat() -> None:
    assert read("how warm is the den") == ["den.temp"]


def test_a_comparison_reads_both_rooms() -> None:
    assert read("is the den warmer than the attic") == ["attic.temp", "den.temp"]


def test_which_room_reads_one_sensor_a_room() -> None:
    assert read("which room is the coldest") == ["attic.temp", "den.temp"]


def test_two_measures_of_a_place_are_both_read() -> None:
    assert read("what is the temperature and the humidity of the den") == ["den.hum", "den.temp"]


def test_the_goal_of_a_thermostat_is_not_its_measure() -> None:
    verdict = ENGINE.sync.retrieve("what is the den thermostat set to").verdict
    assert verdict == Query((Read("den.climate", "goal"),))


def test_a_television_is_not_the_outlet_it_hangs_on() -> None:
    assert read("is the tv on") == ["den.tv"]


def test_a_window_is_told_by_its_contact_sensor() -> None:
    assert read("are any windows open") == ["attic.window"]


def test_a_yes_or_no_question_prefers_the_sensor_that_knows_yes_and_no() -> None:
    assert read("which gas sensors are on") == ["gas.alarm"]


def test_an_amount_is_read_from_what_measures() -> None:
    assert read("what is the monthly gas") == ["gas.meter"]


def test_a_sensor_class_is_asked_by_its_own_word() -> None:
    assert read("is the router online") == ["router"]


def test_a_sensor_without_a_class_answers_to_its_whole_name() -> None:
    assert read("what is the well depth") == ["feed"]


def test_who_is_home_reads_every_person() -> None:
    assert read("who is at home") == ["person.leo", "person.mia"]


def test_someone_in_a_room_is_told_by_its_sensors() -> None:
    assert read("is anyone in the den") == ["den.motion"]


def test_the_weather_is_that_of_the_home() -> None:
    assert read("what is the weather like") == ["sky"]


def test_a_statement_of_a_quantity_is_a_question() -> None:
    assert read("attic temperature") == ["attic.temp"]


def test_without_a_place_the_speakers_room_answers() -> None:
    assert read("what is the humidity", room="den") == ["den.hum"]


def test_an_unknown_place_reads_nothing() -> None:
    assert read("is the greenhouse door locked") == []


def test_a_word_that_narrows_is_never_dropped() -> None:
    assert read("is the back door locked") == []


def test_knowledge_reads_nothing() -> None:
    assert read("how tall is the tv tower of berlin") == []


def test_a_follow_up_is_about_what_was_mentioned() -> None:
    history = (Turn("user", "is the front door locked"), Turn("assistant", "It is locked."))
    verdict = ENGINE.sync.retrieve(
        Utterance("and how much battery does it have left", history=history)
    ).verdict
    assert verdict == Query((Read("lock.front", "battery"),))


def test_every_quantity_and_property_can_be_asked() -> None:
    assert {"temperature", "locked", "brightness", "weather"} <= properties()


@pytest.fixture(scope="module")
def flat() -> Engine:
    return engine("home40")


def names(engine: Engine, text: str, room: str | None = None) -> list[str]:
    verdict = engine.sync.retrieve(Utterance(text, room=room)).verdict
    assert isinstance(verdict, Query), verdict
    view = engine.sync.load_home().view
    return sorted(
        f"{place.name if (place := view.room(r.device_id)) else ''}{view.devices[r.device_id].name}"
        for r in verdict.reads
    )


def test_chinese_room_temperature_is_read_from_the_thermometer(flat: Engine) -> None:
    assert names(flat, "客厅热不热") == ["客厅温湿度计"]


def test_chinese_appliance_door_is_told_by_the_appliance(flat: Engine) -> None:
    assert names(flat, "冰箱门关严了吗") == ["厨房冰箱"]


def test_chinese_two_rooms_share_the_thing_asked_about(flat: Engine) -> None:
    assert names(flat, "客厅和主卧的空调都关了吗") == ["主卧空调", "客厅大白"]


def test_chinese_no_device_is_read_for_a_room_without_a_sensor(flat: Engine) -> None:
    assert isinstance(flat.sync.retrieve("阳台潮不潮").verdict, NotUnderstood)


def test_chinese_statement_is_a_question(flat: Engine) -> None:
    assert names(flat, "客厅的湿度") == ["客厅温湿度计"]
