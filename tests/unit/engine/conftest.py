from __future__ import annotations

import pytest

from winnow.types.home import Attribute, Command, Device, Home, Profile, Room
from winnow.types.state import Snapshot


@pytest.fixture
def home() -> Home:
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


@pytest.fixture
def states() -> Snapshot:
    told = {"study.lamp": {"state": "off"}, "hall.light": {"state": "on"}}
    return Snapshot(told, read_at=0.0, source="neutral")
