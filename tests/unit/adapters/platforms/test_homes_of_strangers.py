"""The homes of first contacts are read as their people have them."""

from __future__ import annotations

import pytest
from tests.homes import STRANGERS, home, imported

from winnow.adapters.platforms.bundle import example_names
from winnow.types.home import Device, Home

SIZES = {
    "loft-zh": (14, 6, 3),
    "farmhouse-en": (19, 6, 0),
    "lanehouse-zh": (13, 7, 0),
    "wharf-en": (13, 6, 3),
    "terrace-en": (16, 6, 0),
    "hillside-zh": (14, 8, 4),
    "kangtou-zh": (13, 6, 1),
    "oldschool-en": (13, 6, 2),
    "hutong-zh": (11, 4, 1),
    "boatyard-en": (16, 3, 0),
    "jiangbian-zh": (11, 3, 0),
    "ranch-en": (16, 4, 0),
    "lvyuan-zh": (16, 4, 1),
    "vineyard-en": (16, 4, 0),
    "shancun-zh": (16, 4, 1),
    "lighthouse-en": (15, 4, 0),
    "chating-zh": (14, 5, 0),
    "bakery-en": (15, 4, 1),
    "minsu-zh": (18, 3, 0),
    "vet-en": (18, 4, 0),
    "xiangzhang-zh": (16, 3, 0),
    "orchard-en": (17, 3, 0),
    "linjia-zh": (17, 5, 3),
    "pottery-en": (17, 5, 1),
    "beiwan-zh": (16, 5, 2),
    "maplewood-en": (16, 3, 1),
    "yelan-zh": (16, 4, 1),
    "rowhouse-en": (17, 4, 3),
    "wuxing-zh": (17, 3, 1),
    "leeds-en": (16, 3, 2),
}
"""Rooms, scenes and scripts, groups."""
LABELS = {"别关", "过年", "常电"}
OFFLINE = {
    "loft-zh": ("switch.xi_men_zi_xi_wan_ji",),
    "farmhouse-en": ("Byre TV", "Tunnel Soil"),
}
each_home = pytest.mark.parametrize("name", sorted(SIZES))
known_well = pytest.mark.parametrize("name", sorted(OFFLINE))


def called(name: str, where: Home) -> list[Device]:
    return [device for device in where.devices if name in (device.id, device.name)]


def room_of(device: Device, where: Home) -> str:
    return next((room.name for room in where.rooms if room.id == device.room_id), "")


def test_no_stranger_is_an_example_and_each_is_tested_here() -> None:
    found = {folder.name for folder in STRANGERS.iterdir() if folder.is_dir()}
    assert found == set(SIZES)
    assert not found & set(example_names())


@each_home
def test_rooms_scenes_and_groups_come_out_as_they_were_made(name: str) -> None:
    where = home(name)
    groups = [group for group in where.groups if group.name not in LABELS]
    assert (len(where.rooms), len(where.scenes), len(groups)) == SIZES[name]


@each_home
def test_every_room_holds_something(name: str) -> None:
    where = home(name)
    assert {room.id for room in where.rooms} == {d.room_id for d in where.devices if d.room_id}


@known_well
def test_a_lamp_of_one_name_stands_in_two_rooms(name: str) -> None:
    where = home(name)
    lamp, rooms = {
        "loft-zh": ("落地灯", {"客厅", "书房"}),
        "farmhouse-en": ("Reading Lamp", {"Snug", "Our Room"}),
    }[name]
    assert {room_of(device, where) for device in called(lamp, where)} == rooms


def test_a_gang_that_lights_another_room_stands_there() -> None:
    (wall_lamp,) = called("楼梯壁灯", home("loft-zh"))
    assert room_of(wall_lamp, home("loft-zh")) == "楼梯"


@known_well
def test_what_cannot_be_reached_is_known(name: str) -> None:
    where, told = home(name), imported(name).states
    for out_of_reach in OFFLINE[name]:
        (device,) = called(out_of_reach, where)
        assert device.id in told.offline
