"""Which devices may answer a condition."""

from __future__ import annotations

import pytest
from tests.unit.retrieve.home.villa import here, kind, lamp, mention, room

from winnow.retrieve.home.devices import DeviceMatch, inferred_matches
from winnow.retrieve.home.search import condition_sensors
from winnow.types.query import Mention

NOTHING = Mention()
PARLOUR = [
    f"parlour-{x}" for x in ("blinds", "cooler", "curtains", "door", "lamp", "lights", "oven", "window")
]


def ids(
    thing: Mention, found: list[DeviceMatch] | None = None, area: str | None = None, *, placed: bool = False
) -> list[str]:
    return [c.device_id for c in condition_sensors(thing, found or [], here(area), placed=placed) if c.score]


def test_a_condition_is_answered_by_what_it_names() -> None:
    assert ids(mention(room("nursery"), lamp())) == ["nursery-lamp"]


def test_a_window_that_is_no_device_is_told_by_the_contacts_named_after_it() -> None:
    assert ids(mention(kind("window"))) == ["nursery-window", "parlour-window"]
    assert ids(mention(kind("window"), room("nursery"))) == ["nursery-window"]


def test_the_contact_of_a_window_tells_nothing_of_another_thing() -> None:
    assert ids(mention(kind("garage_door"))) == []


def test_a_condition_on_nothing_is_answered_in_the_room_of_what_is_meant() -> None:
    found = [*inferred_matches(["nursery-lamp"]), DeviceMatch("loft-lamp", 0.5, missing=("green",))]
    nursery = ["nursery-curtains", "nursery-lamp", "nursery-window"]
    assert ids(NOTHING, found, "parlour", placed=True) == nursery
    assert ids(NOTHING, found) == nursery
    assert ids(NOTHING, found, "parlour") == PARLOUR


@pytest.mark.parametrize("found", [[], inferred_matches(["radio"])])
def test_where_nothing_stands_in_a_room_the_speaker_s_answers(found: list[DeviceMatch]) -> None:
    assert ids(NOTHING, found, "parlour") == PARLOUR
    assert ids(NOTHING, found) == []


def test_what_is_named_tells_more_than_what_only_stands_near() -> None:
    (named, *_), (near, *_) = (
        condition_sensors(thing, [], here("nursery")) for thing in (mention(lamp()), NOTHING)
    )
    assert named.score > near.score
    assert named.ref.kind == "sensor"
