"""Which of the devices are meant: one, some of many, all of a kind, or too many to tell."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.decide.rows import query, row, token, view

from winnow.decide.gate import GateResult, gate_devices, without_device_parts
from winnow.decide.score import ScoredDevice, score_weights
from winnow.types.home import Command, Device, Home, HomeView, Profile, Room
from winnow.types.query import Quantifier, QueryIR

LAMP = token("台灯", "name")
LIGHT = token("灯", "type", **{"is": "light"})
BEDROOM = token("卧室", "room", "bed")
ALL = token("所有", "quantifier", **{"is": "all"})
VIEW = view("a", "b", "c")


def gated(asked: QueryIR, *rows: ScoredDevice, area: str | None = None) -> GateResult:
    return gate_devices(asked, rows, VIEW, area)


def ids(rows: tuple[ScoredDevice, ...]) -> list[str]:
    return [s.device.id for s in rows]


# one thing


def test_what_is_about_as_good_as_the_best_is_asked_about() -> None:
    close = score_weights()["epsilon"] * 0.5
    assert ids(gated(query(LAMP), row("a", score=9), row("b", score=9 - close)).tied) == ["a", "b"]


def test_what_is_offline_does_not_compete_with_what_is_there() -> None:
    assert ids(gated(query(LAMP), row("a", online=False), row("b")).chosen) == ["b"]


def test_one_that_is_offline_is_refused_by_name() -> None:
    got = gated(query(LAMP), row("a", online=False))
    assert got.refusal is not None
    assert (got.refusal.code, got.refusal.device_ids) == ("unavailable", ("a",))


def test_a_named_thing_that_cannot_do_it_is_not_replaced_by_one_that_can() -> None:
    far = 2 * score_weights()["epsilon"]
    got = gated(query(LAMP), row("a", score=9, able=False), row("b", score=9 - far))
    assert got.refusal is not None
    assert got.refusal.device_ids == ("a",)


def test_where_nothing_is_named_what_can_do_it_is_meant() -> None:
    far = 2 * score_weights()["epsilon"]
    assert ids(gated(query(), row("a", score=9, able=False), row("b", score=9 - far)).chosen) == ["b"]


def test_every_device_that_cannot_is_named_up_to_five() -> None:
    got = gated(query(LAMP), *(row(f"d{n}", able=False) for n in range(7)))
    assert got.refusal is not None
    assert len(got.refusal.device_ids) == 5


def test_a_room_said_elsewhere_in_the_sentence_settles_a_tie() -> None:
    asked = query(LAMP, scope_said=("bed",))
    assert ids(gated(asked, row("a", room="bed"), row("b", room="hall")).chosen) == ["a"]


# where


def test_the_room_of_the_speaker_wins_unless_a_place_is_said() -> None:
    rows = row("b", room="hall", score=9), row("a", room="bed")
    assert ids(gated(query(LAMP), *rows, area="bed").chosen) == ["a"]
    assert ids(gated(query(LAMP, token("门厅", "room", "hall")), *rows, area="bed").chosen) == ["b"]


def test_a_room_without_any_of_them_does_not_count() -> None:
    assert ids(gated(query(LAMP), row("a", room="hall"), area="bed").chosen) == ["a"]


def test_all_is_said_of_the_whole_home_not_of_the_room_of_the_speaker() -> None:
    asked = query(LIGHT, said=(ALL,), quantifier=Quantifier.ALL)
    got = gated(asked, row("a", room="bed"), row("b", room="hall"), area="bed")
    assert ids(got.chosen) == ["a", "b"]


# some of many


def test_any_of_a_kind_is_the_first_that_can() -> None:
    asked = query(LIGHT, quantifier=Quantifier.ANY)
    assert ids(gated(asked, row("a", able=False), row("b", online=False), row("c")).chosen) == ["c"]


def test_any_two_are_two_and_are_asked_about_when_there_is_one() -> None:
    asked = query(LIGHT, quantifier=Quantifier.ANY, count=2)
    assert ids(gated(asked, row("a"), row("b"), row("c")).chosen) == ["a", "b"]
    assert ids(gated(asked, row("a")).tied) == ["a"]


def test_any_of_nothing_named_is_asked_about() -> None:
    assert ids(gated(query(quantifier=Quantifier.ANY), row("a"), row("b")).tied) == ["a", "b"]


def test_as_many_as_there_are_is_a_set_and_one_is_none() -> None:
    two = gated(query(LIGHT, count=2), row("a"), row("b"))
    assert (ids(two.chosen), two.bulk) == (["a", "b"], True)
    one = gated(query(LIGHT, count=1), row("a"))
    assert (ids(one.chosen), one.bulk) == (["a"], False)


def test_as_many_as_there_are_in_the_room_are_those() -> None:
    rows = row("a", room="bed"), row("b", room="bed"), row("c", room="hall")
    place = token("这儿", "zone", "somewhere")
    assert ids(gated(query(LIGHT, place, count=2), *rows, area="bed").chosen) == ["a", "b"]


def test_another_number_than_there_are_is_asked_about() -> None:
    assert ids(gated(query(LIGHT, count=3), row("a"), row("b")).tied) == ["a", "b"]


def test_a_number_of_things_that_cannot_is_refused() -> None:
    assert gated(query(LIGHT, count=2), row("a", able=False), row("b", able=False)).refusal


# all of a kind


def test_next_of_kin_are_members_only_where_there_is_nothing_nearer() -> None:
    asked = query(LIGHT, quantifier=Quantifier.ALL)
    assert ids(gated(asked, row("a"), row("b", kin=1.0)).chosen) == ["a"]
    assert ids(gated(asked, row("b", kin=1.0)).chosen) == ["b"]


def test_who_is_registered_in_the_place_goes_before_who_is_named_after_it() -> None:
    asked = query(BEDROOM, LIGHT, quantifier=Quantifier.ALL)
    assert ids(gated(asked, row("a"), row("b", registered=0.0)).chosen) == ["a"]
    assert ids(gated(asked, row("b", registered=0.0)).chosen) == ["b"]


def test_both_of_two_names_are_those_two() -> None:
    asked = query(LAMP, said=(token("落地灯", "name"), token("都", "quantifier")), quantifier=Quantifier.ALL)
    assert ids(gated(asked, row("a", named=1.0), row("b")).chosen) == ["a"]
    assert ids(gated(asked.without(asked.target), row("a", named=1.0), row("b")).chosen) == ["a", "b"]


def test_fully_open_of_one_shade_of_a_room_is_no_set() -> None:
    whole = token("全", "quantifier", **{"is": "all"})
    asked = query(
        BEDROOM, token("窗帘", "type", **{"is": "curtain"}), said=(whole,), quantifier=Quantifier.ALL
    )
    rows = row("a", "curtain", named=1.0), row("b", "curtain")
    assert ids(gated(asked, *rows).chosen) == ["a"]
    lamps = row("a", named=1.0), row("b")
    assert ids(gated(asked, *lamps).chosen) == ["a", "b"]


def test_the_light_in_the_bedroom_is_the_bedroom_light() -> None:
    room = token("bedroom", "room", "bed")
    rows = row("a", exact=1.0), row("b", exact=0.5)
    light = token("light", "type", **{"is": "light"})
    lights = token("lights", "type", **{"is": "light", "plural": True})
    assert ids(gated(query(room, light), *rows).chosen) == ["a"]
    assert ids(gated(query(room, lights), *rows).chosen) == ["a", "b"]
    assert ids(gated(query(room, LIGHT), *rows).chosen) == ["a", "b"]
    twins = row("a", exact=1.0), row("b", exact=1.0)
    assert ids(gated(query(room, light), *twins).chosen) == ["a", "b"]


def test_what_has_no_command_is_not_missed_when_everything_is_meant() -> None:
    things = token("所有设备", "type", **{"is": "device"})
    asked = query(things, quantifier=Quantifier.ALL, action="on", action_cluster=("Switch.On",))
    got = gated(asked, row("a"), row("b", able=False))
    assert (ids(got.chosen), ids(got.exempt), ids(got.uncovered)) == (["a"], ["b"], [])


# only a place


def test_a_place_alone_means_its_lamps_for_light_and_asks_otherwise() -> None:
    lamps = row("a", trait="Brightness.Set"), row("b", trait="Brightness.Set")
    assert ids(gated(query(BEDROOM, action="set"), *lamps).chosen) == ["a", "b"]
    fans = row("a", trait="FanSpeed.Set"), row("b", trait="FanSpeed.Set")
    assert ids(gated(query(BEDROOM, action="set"), *fans).tied) == ["a", "b"]


def test_a_whole_floor_is_told_what_to_become_but_not_merely_opened() -> None:
    floor = token("二楼", "floor", "f2")
    shades = row("a", trait="Cover.Open"), row("b", trait="Cover.Open")
    assert ids(gated(query(floor, action="set"), *shades).chosen) == ["a", "b"]
    assert ids(gated(query(floor, action="open"), *shades).tied) == ["a", "b"]
    zone = token("楼上", "zone", "f2")
    assert ids(gated(query(zone, action="set"), *shades).chosen) == ["a", "b"]


def test_of_a_place_those_act_whose_command_is_nearest_to_the_words() -> None:
    rows = row("a", trait="Brightness.Set", rank=1), row("b", trait="Brightness.Set", rank=0)
    assert ids(gated(query(BEDROOM), *rows).chosen) == ["b"]


def test_the_kind_a_property_is_first_of_goes_before_nearer_commands() -> None:
    rows = row("a", rank=1, preferred=1.0), row("b", rank=0)
    assert ids(gated(query(BEDROOM), *rows).chosen) == ["a"]


def test_all_of_a_place_tells_what_is_left_alone_there() -> None:
    rows = row("a", rank=0), row("b", rank=1)
    asked = query(BEDROOM, action="on")
    assert ids(gated(asked, *rows).exempt) == []
    everyone = query(BEDROOM, action="on", quantifier=Quantifier.ALL)
    assert ids(gated(everyone, *rows).exempt) == ["b"]


# nobody


def test_a_place_the_home_lacks_is_named_before_the_thing() -> None:
    nobody = row("a")
    unknown = ScoredDevice(nobody.device, 1.0, nobody.fit, nobody.features, ("地下室",))
    asked = query(token("地下室", "room"), LIGHT)
    got = gated(asked, unknown)
    assert got.refusal is not None
    assert got.refusal.code == "no_room"
    called = query(token("地下室", "room", named=True), LIGHT)
    got = gated(called, unknown)
    assert got.refusal is not None
    assert (got.refusal.code, got.refusal.device_ids) == ("no_device", ("a",))


# parts of a device

HOLDER = HomeView.of(
    Home(
        "h",
        "h",
        "neutral",
        rooms=(Room("room", "客厅"),),
        profiles=(Profile("p", (Command("c", "Switch.On"),)), Profile("none")),
        devices=(
            Device("oven", "oven", "p", ("oven",)),
            Device("lamp", "oven lamp", "p", ("light",), part_of="oven"),
            Device("twin", "oven", "p", ("light",), part_of="oven"),
            Device("shell", "shell", "none", ("oven",)),
            Device("bulb", "bulb", "p", ("light",), part_of="shell"),
        ),
    )
)


def part(name: str, *, able: bool = True, **features: float) -> ScoredDevice:
    made = row(name, able=able, **features)
    return replace(made, device=HOLDER.devices[name])


@pytest.mark.parametrize(
    ("asked", "rows", "left"),
    [
        (query(LAMP), [part("oven"), part("lamp", exact=1)], ["oven"]),
        # where the device cannot do it, the part whose whole name was said does
        (query(LAMP), [part("oven", able=False), part("lamp", exact=1)], ["oven", "lamp"]),
        (query(LAMP), [part("oven", able=False), part("lamp", exact=0.99)], ["oven", "lamp"]),
        (query(LAMP), [part("oven", able=False), part("lamp", exact=0.98)], ["oven"]),
        (
            query(LAMP),
            [part("oven", able=False), part("twin", exact=0.5)],
            ["oven", "twin"],
        ),  # it has its name
        (query(LAMP), [part("lamp"), part("twin")], ["lamp", "twin"]),  # the device is not meant
        (query(LAMP), [part("shell"), part("bulb")], ["shell", "bulb"]),  # it can be told nothing
        # a set counts the parts of its kind, and no others; everything counts none
        (
            query(LIGHT, said=(ALL,), quantifier=Quantifier.ALL),
            [part("oven"), part("lamp")],
            ["oven", "lamp"],
        ),
        (
            query(token("扇", "type", **{"is": "fan"}), said=(ALL,), quantifier=Quantifier.ALL),
            [part("oven"), part("lamp")],
            ["oven"],
        ),
    ],
)
def test_parts_of_a_device_are_meant_where_they_are_named_or_counted(
    asked: QueryIR, rows: list[ScoredDevice], left: list[str]
) -> None:
    assert [s.device.id for s in without_device_parts(asked, rows, HOLDER)] == left
