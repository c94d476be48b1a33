"""What is known of a home before anybody speaks."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.retrieve.home.small import HOME, LAMP
from tests.unit.retrieve.home.villa import VILLA, villa

from winnow.adapters.models.embedders import HashingEmbedder
from winnow.retrieve.home import index as module
from winnow.retrieve.home.enrich import command_document, refine_kinds, types_in
from winnow.retrieve.home.index import HomeIndex, build_index, singular
from winnow.types.home import Choice, Command, Device, Parameter, Profile, Room


def indexed(*devices: Device, rooms: tuple[Room, ...] = VILLA.rooms) -> HomeIndex:
    return build_index(replace(VILLA, devices=devices, rooms=rooms), HashingEmbedder())


def test_what_is_something_in_particular_is_no_nameless_cover_or_climate() -> None:
    assert "parlour-curtains" not in villa().by_kind.get("cover", ())
    assert "parlour-cooler" not in villa().by_kind.get("climate", ())


def test_what_is_nothing_else_or_a_thermostat_keeps_the_wide_kind() -> None:
    found = indexed(
        Device("plain", "north", "shade", ("cover",)),
        Device("dial", "dial", "cooler", ("thermostat", "climate")),
    )
    assert found.by_kind["cover"] == {"plain"}
    assert found.by_kind["climate"] == {"dial"}


def test_plugs_and_switches_carry_what_they_are_called_after() -> None:
    assert villa().carriers == {"fan-plug"}
    assert villa().by_type_named["fan"] == {"fan-plug"}
    assert "parlour-lamp" not in villa().by_type_named.get("lamp", ())


def test_a_room_of_several_words_is_found_by_each_long_one() -> None:
    assert {"rose", "garden", "reading", "loft"} == set(villa().room_words)
    short = indexed(Device("x", "spot", "lamp", ("light",), (), "r"), rooms=(Room("r", "The Old Barn"),))
    assert set(short.room_words) == set()


@pytest.mark.parametrize(
    ("word", "one"),
    [
        ("lamps", "lamp"),
        ("nanny's", "nanny"),
        ("glass", "glass"),
        ("gas", "gas"),
        ("bus", "bus"),
        ("rooms", "room"),
    ],
)
def test_a_plain_plural_loses_its_ending(word: str, one: str) -> None:
    assert singular(word) == one


def test_the_words_of_a_hyphenated_name_are_words_of_their_own() -> None:
    assert villa().holding("night light") == {"loft-lamp"}
    assert villa().holding("light") == {"loft-lamp"}
    assert villa().holding("nothing") == frozenset()
    assert villa().holding("") == frozenset()


def test_chinese_names_are_held_by_their_characters() -> None:
    found = indexed(Device("bear", "小熊灯", "lamp", ("light",)))
    assert found.holding("小熊") == {"bear"}
    assert found.holding("熊小") == frozenset()


def test_what_a_text_is_held_by_is_looked_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    index = indexed(Device("x", "spot", "lamp", ("light",)))
    looked: list[str] = []

    def noted(text: str) -> list[str]:
        looked.append(text)
        return [text]

    monkeypatch.setattr(module, "words_in", noted)
    assert [index.holding(text) for text in ("spot", "desk", "spot")] == [{"x"}, frozenset(), {"x"}]
    assert looked == ["spot", "desk"]


def test_what_a_home_does_not_use_is_not_indexed() -> None:
    index = build_index(
        replace(VILLA, profiles=(*VILLA.profiles, Profile("spare", LAMP.commands))), HashingEmbedder()
    )
    assert "spare" not in index.commands.rows
    assert {c.trait for c, _ in index.commands.rows["cooler"]}.isdisjoint({"Housekeeping"})


def test_a_name_ends_with_its_longest_kind() -> None:
    held, final = types_in("客厅落地扇2")
    assert {"fan", "fan_model"} <= held
    assert final == {"fan_model"}


def test_an_english_kind_is_a_whole_word_of_the_name() -> None:
    assert "fan" in types_in("desk fan")[0]
    assert "fan" not in types_in("infant")[0]


@pytest.mark.parametrize(
    ("called", "kinds"), [("left appliance", ("light",)), ("台灯", ("temperature_sensor", "sensor"))]
)
def test_neither_a_word_for_anything_nor_the_name_of_a_sensor_adds_a_kind(
    called: str, kinds: tuple[str, ...]
) -> None:
    odd = Device("x", called, "lamp", kinds)
    assert refine_kinds(replace(HOME, devices=(odd,))).devices == (odd,)


def test_names_are_embedded_without_the_room_unless_nothing_is_left_of_them() -> None:
    index = indexed(
        Device("a", "Nursery", "lamp", ("light",), (), "nursery"),
        Device("b", "Nursery star", "lamp", ("light",), (), "nursery"),
        Device("c", "probe", "meter", ("sensor",)),
    )
    assert {"nursery", "star"} < set(index.by_meaning().texts)
    assert {"nursery star", "probe", ""}.isdisjoint(index.by_meaning().texts)


def test_a_command_is_found_by_its_verbs_and_the_words_of_its_values() -> None:
    mode = Parameter("value", "choice", choices=(Choice("dry", "除湿 / dehumidify"),))
    document = command_document(Command("m", "Mode.Set", "operation", (mode,)))
    assert "operation" in document
    assert "除湿" in document
    assert "switch on" in command_document(Command("on", "Switch.On")) or "打开" in command_document(
        Command("on", "Switch.On")
    )


def test_a_fan_is_no_lamp_beside_the_light_that_is_a_part_of_it() -> None:
    fan = Device("fan", "吊扇灯", "plain", ("fan",))
    light = Device("fan/light", "吊扇灯 灯", "plain", ("light",), part_of="fan")
    assert indexed(fan, light).by_kind["light"] == {"fan/light"}
    assert indexed(fan).by_kind["light"] == {"fan"}


def test_a_lamp_on_a_socket_is_one_of_the_lights() -> None:
    socket = Device("socket", "Guest Lamp Socket", "plain", ("plug",))
    assert indexed(socket).by_type_named["light"] == {"socket"}


@pytest.mark.parametrize(
    ("name", "kinds"),
    [("Guest Lamp Socket", ("plug", "light")), ("鱼缸插座", ("plug",)), ("台灯插座 2", ("plug", "light"))],
)
def test_what_hangs_on_a_carrier_is_what_stands_before_that_word(name: str, kinds: tuple[str, ...]) -> None:
    assert (
        refine_kinds(replace(VILLA, devices=(Device("d", name, "plain", ("plug",)),))).devices[0].kinds
        == kinds
    )
