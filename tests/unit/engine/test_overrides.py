"""A home is what its people say it is."""

from __future__ import annotations

import pytest

from winnow.engine.home_import import find_thing, merge_override, with_overrides, without_override
from winnow.errors import NoSuchThing
from winnow.types.home import Device, Home, Override, Room

PLUG = Device("p", "Plug", "x", ("plug",), ("left plug",), "k", reasons=("device_class outlet",))
LAMP, OTHER = Device("l", "Lamp", "x", ("light",), room_id="k"), Device("m", "Lamp", "x", room_id="h")
HOME = Home(
    "flat", "Flat", "neutral", rooms=(Room("k", "Kitchen"), Room("h", "Hall")), devices=(PLUG, LAMP, OTHER)
)


def test_a_home_of_which_nothing_was_said_is_the_same() -> None:
    assert with_overrides(HOME, ()) is HOME


def test_a_device_is_what_was_said_and_tells_so() -> None:
    said = Override("p", "Iron", ("the iron",), ("iron",), "h", "heat", "named")
    found = with_overrides(HOME, [said]).devices[0]
    assert found == Device(
        "p",
        "Iron",
        "x",
        ("iron",),
        ("left plug", "the iron"),
        "h",
        reach="named",
        danger="heat",
        reasons=("device_class outlet", "said kind iron", "said danger heat", "said reach named"),
    )


def test_what_was_not_said_stays_as_imported() -> None:
    assert with_overrides(HOME, [Override("p", aliases=("toaster",))]).devices[0].kinds == ("plug",)
    assert with_overrides(HOME, [Override("p", room_id="cellar")]).devices[0].room_id == "k"
    assert with_overrides(HOME, [Override("gone", "Ghost")]) == HOME


def test_a_room_has_the_names_that_were_said() -> None:
    rooms = with_overrides(HOME, [Override("k", "Galley", ("cook shop",))]).rooms
    assert rooms == (Room("k", "Galley", ("cook shop",)), Room("h", "Hall"))


@pytest.mark.parametrize(
    ("named", "thing"), [("p", PLUG), ("plug", PLUG), ("Kitchen/Lamp", LAMP), ("hall/lamp", OTHER)]
)
def test_a_thing_is_named_by_id_name_or_room_and_name(named: str, thing: Device) -> None:
    assert find_thing(HOME, named) is thing


def test_a_name_of_several_things_or_none_is_told_with_what_may_be_meant() -> None:
    with pytest.raises(NoSuchThing, match="more than one") as several:
        find_thing(HOME, "Lamp")
    assert several.value.near == ("Kitchen/Lamp", "Hall/Lamp")
    with pytest.raises(NoSuchThing) as none:
        find_thing(HOME, "Kitchen/Lamb")
    assert "Kitchen/Lamp" in none.value.near


def test_what_is_said_later_adds_names_and_replaces_the_rest() -> None:
    said = merge_override((), Override("p", aliases=("iron",), danger="heat"))
    said = merge_override(said, Override("p", aliases=("press",), danger="none"))
    assert said == (Override("p", aliases=("iron", "press"), danger="none"),)
    assert without_override(said, "p") == ()
