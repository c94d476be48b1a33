from __future__ import annotations

import pytest

from winnow.types.candidate import DeviceCandidate, HomeShortlist
from winnow.types.home import (
    Attribute,
    Choice,
    Command,
    Device,
    Home,
    HomeView,
    Parameter,
    Profile,
    Room,
    Scalar,
    Scene,
)
from winnow.types.query import QueryIR, Reading
from winnow.types.state import Snapshot

ON, OFF = "main-switch-on", "main-switch-off"
LEVEL = "main-switchLevel-setLevel"
MODE = Parameter("mode", "choice", choices=tuple(Choice(f"m{n}") for n in range(9)))


@pytest.fixture
def home() -> Home:
    dimmer = Profile(
        "dimmer",
        (
            Command(ON, "Switch.On"),
            Command(OFF, "Switch.Off"),
            Command(LEVEL, "Brightness.Set", parameters=(Parameter("level", "number", 0, 100, "%"),)),
            Command(
                "main-mode-setMode",
                "Mode.Set",
                parameters=(Parameter("mode", "choice", choices=tuple(Choice(f"m{n}") for n in range(9))),),
            ),
            Command("vendor-thing"),
        ),
        (
            Attribute("main-switch-switch", "power"),
            Attribute("main-switchLevel-level", "brightness", unit="%"),
        ),
    )
    lamps = tuple(
        Device(f"lamp-{n:02}", f"灯{n}", "dimmer", ("light",), room_id="r1" if n % 2 else "r2")
        for n in range(30)
    )
    sensor = Device("sensor", "温度计", "dimmer", ("temperature_sensor",))
    return Home(
        "h",
        "家",
        "smartthings",
        (),
        (Room("r1", "客厅"), Room("r2", "书房")),
        (dimmer,),
        (*lamps, sensor),
        (Scene("s1", "回家", "scene-execute", (), "r1"),),
    )


@pytest.fixture
def snapshot() -> Snapshot:
    lamp: dict[str, Scalar] = {
        "main-switch-switch": "on",
        "main-switchLevel-level": 40,
        "main-health-status": "fine",
    }
    sensor: dict[str, Scalar] = {"main-temp-temperature": 23.5, "main-temp-unit": "C"}
    return Snapshot({**{f"lamp-{n:02}": lamp for n in range(30)}, "sensor": sensor})


@pytest.fixture
def view(home: Home) -> HomeView:
    return HomeView.of(home)


@pytest.fixture
def reading() -> Reading:
    return Reading("开灯", "zh", "command", queries=(QueryIR("开灯", action_cluster=("Switch.On",)),))


@pytest.fixture
def shortlists() -> tuple[HomeShortlist, ...]:
    keys = (f"{LEVEL}#Brightness.Set", f"{ON}#Switch.On")
    return (
        HomeShortlist(
            candidates=tuple(
                DeviceCandidate.of(f"lamp-{n:02}", key, 1 - n / 10) for n in range(8) for key in keys
            )
        ),
    )
