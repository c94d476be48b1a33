"""Zones of a home: which floors and which devices they mean."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.retrieve.home.villa import VILLA, here, villa

from winnow.adapters.models.embedders import HashingEmbedder
from winnow.retrieve.home.explain import HomePosition, floors_of, in_zone
from winnow.retrieve.home.index import build_index
from winnow.types.home import Floor


@pytest.mark.parametrize(
    ("zone", "floors"),
    [("upstairs", ["attic"]), ("downstairs", ["cellar", "ground"]), ("this_floor", ["upper"])],
)
def test_floors_are_above_or_below_the_speaker(zone: str, floors: list[str]) -> None:
    assert floors_of(zone, here("nursery")) == floors


@pytest.mark.parametrize(
    ("zone", "floors"),
    [("upstairs", ["upper", "attic"]), ("downstairs", ["cellar", "ground"]), ("this_floor", [])],
)
def test_without_a_speaker_upstairs_is_above_the_ground_floor(zone: str, floors: list[str]) -> None:
    assert floors_of(zone, here()) == floors


def test_a_floor_without_a_level_stands_where_its_name_says_and_else_in_the_order_of_the_home() -> None:
    floors = tuple(Floor(name, name) for name in ("Second floor", "Ground floor", "Basement", "Roof"))
    room = replace(VILLA.rooms[0], floor_id="Second floor")
    index = build_index(replace(VILLA, floors=floors, rooms=(room,)), HashingEmbedder())
    stands = HomePosition(index, room.id)
    assert floors_of("upstairs", stands) == ["Roof"]
    assert floors_of("downstairs", stands) == ["Ground floor", "Basement"]


@pytest.mark.parametrize("zone", ["home", "indoor"])
def test_the_whole_home_is_every_device(zone: str) -> None:
    assert in_zone(zone, here("loft")) == villa().all_ids


def test_here_is_the_speaker_s_room_and_nothing_where_that_is_not_known() -> None:
    assert in_zone("here", here("nursery")) == {"nursery-lamp", "nursery-curtains", "nursery-window"}
    assert not in_zone("here", here())


def test_outdoors_is_what_stands_in_rooms_that_are_called_so() -> None:
    assert in_zone("outdoor", here("nursery")) == {"garden-lamp"}


def test_a_floor_is_what_stands_in_its_rooms() -> None:
    assert in_zone("this_floor", here("storage")) == {"storage-lamp"}
    assert "garden-lamp" in in_zone("downstairs", here("nursery"))
