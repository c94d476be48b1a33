from __future__ import annotations

import pytest

from winnow.types.home import Attribute, Command, Device, Home, Profile, Room


@pytest.fixture
def two_lights() -> Home:
    switch = Profile(
        "switch",
        (Command("turn_on", "Switch.On", "turn on"), Command("turn_off", "Switch.Off", "turn off")),
        (Attribute("state", "power"),),
    )
    return Home(
        id="flat",
        name="Flat",
        source="neutral",
        rooms=(Room("study", "study"), Room("hall", "hall")),
        profiles=(switch,),
        devices=(
            Device("study.lamp", "desk lamp", "switch", ("light",), room_id="study"),
            Device("hall.light", "hall light", "switch", ("light",), room_id="hall"),
        ),
    )
