from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from winnow.adapters.stores.store import SqlStore, memory_storage
from winnow.ports.stores import Storage
from winnow.types.home import (
    Attribute,
    Choice,
    Command,
    Device,
    Floor,
    Group,
    Home,
    Parameter,
    Profile,
    Room,
    Scene,
)
from winnow.types.state import Snapshot


class Ticking:
    """A clock that is one second later each time."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def now(self) -> float:
        self.seconds += 1
        return self.seconds


@pytest.fixture(params=["sqlite"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    """Where the store of the test is."""
    return tmp_path / "winnow.db" if request.param == "sqlite" else request.getfixturevalue("postgres_store")


both = pytest.mark.parametrize("where", ["sqlite", "postgresql"], indirect=True)
"""For a test of what a store promises in a file and on a server alike."""


@pytest.fixture
def store(where: Path | str) -> Iterator[SqlStore]:
    opened = SqlStore.open(where, Ticking(), wait=0.05)
    yield opened
    opened.close()


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Storage]:
    if request.param == "memory":
        yield memory_storage(Ticking())
        return
    sqlite = request.param == "sqlite"
    where = tmp_path / "winnow.db" if sqlite else request.getfixturevalue("postgres_store")
    opened = SqlStore.open(where, Ticking(), wait=0.05)
    yield opened.storage
    opened.close()


@pytest.fixture
def reopen(where: Path | str) -> Iterator[Callable[[], SqlStore]]:
    """The same store, opened once more."""
    opened: list[SqlStore] = []

    def once_more() -> SqlStore:
        opened.append(SqlStore.open(where, Ticking(), wait=0.05))
        return opened[-1]

    yield once_more
    for each in opened:
        each.close()


@pytest.fixture
def home() -> Home:
    level = Command(
        "setLevel",
        "Brightness.Set",
        "brightness",
        (
            Parameter("level", "number", 0, 100, "%"),
            Parameter(
                "mode", "choice", choices=(Choice("soft", "柔和"), Choice(2)), required=False, scale=0.5
            ),
        ),
        fixed={"transition": 0},
    )
    profile = Profile(
        "dimmer", (Command("on", "Switch.On"), level), (Attribute("switch", "power", values=("on", "off")),)
    )
    return Home(
        id="flat",
        name="小家",
        source="neutral",
        floors=(Floor("f1", "一楼", ("楼下",), 1), Floor("f0", "?", level=None)),
        rooms=(Room("r1", "客厅", ("厅",), "f1"), Room("r2", "书房")),
        profiles=(profile,),
        devices=(
            Device(
                "d2",
                "台灯",
                "dimmer",
                ("light",),
                ("小台",),
                "r2",
                ("Light",),
                ("fav",),
            ),
            Device("d1", "主灯", "dimmer", room_id="r1"),
        ),
        scenes=(Scene("s1", "回家", "scene-execute", ("到家",), "r1"),),
        groups=(Group("g1", "灯们", ("d1", "d2"), ("全灯",)),),
    )


@pytest.fixture
def states() -> Snapshot:
    """Of the second lamp more is known than of the first, though it cannot be reached."""
    told = {"d2": {"switch": "on", "level": 30, "temp": 2.5, "x": None}, "d1": {"switch": True}}
    return Snapshot(told, read_at=3.0, source="neutral", offline=frozenset({"d2"}))
