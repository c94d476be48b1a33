"""The homes that ship with the project."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.adapters.platforms.payloads import read_home

from winnow.adapters.platforms import bundle as examples
from winnow.types.home import Home


@pytest.fixture(scope="module")
def homes(root: Path) -> dict[str, Home]:
    return {name: read_home(examples.EXAMPLES_FOLDER / name) for name in ("home40", "home150")}


@pytest.mark.parametrize(
    ("name", "devices", "scenes", "floors"), [("home40", 40, 5, 1), ("home150", 150, 8, 4)]
)
def test_they_are_read_in_full(
    homes: dict[str, Home], name: str, devices: int, scenes: int, floors: int
) -> None:
    home = homes[name]
    whole = [device for device in home.devices if device.part_of is None]
    assert (len(whole), len(home.scenes), len(home.floors)) == (devices, scenes, floors)


def test_every_device_has_a_known_profile_and_room(homes: dict[str, Home]) -> None:
    for home in homes.values():
        profiles, rooms = {p.id for p in home.profiles}, {r.id for r in home.rooms}
        assert all(d.profile_id in profiles and d.room_id in rooms for d in home.devices)


def test_every_key_is_unique_in_its_profile(homes: dict[str, Home]) -> None:
    for profile in (p for home in homes.values() for p in home.profiles):
        keys = [c.key for c in profile.commands]
        assert len(keys) == len(set(keys))


def test_the_pages_hold_the_same_home(homes: dict[str, Home], root: Path, tmp_path: Path) -> None:
    for file in (examples.EXAMPLES_FOLDER / "home150").iterdir():
        if file.name != "devices_api.json":
            (tmp_path / file.name).write_bytes(file.read_bytes())
    paged = read_home(tmp_path, "home150", spec=examples.EXAMPLES_FOLDER / "spec.zh.jsonl")
    assert {d.id for d in paged.devices} == {d.id for d in homes["home150"].devices}
