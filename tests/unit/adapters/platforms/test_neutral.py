from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.unit.adapters.platforms.payloads import command, keys, profile_of, read_home, read_states, write

from winnow.types.home import Home


def method(name: str, *params: dict[str, Any]) -> dict[str, Any]:
    return {"id": name, "description": name.replace("_", " "), "params": list(params)}


def one(tmp_path: Path, category: str, *commands: dict[str, Any], **fields: Any) -> Home:
    device = {
        "id": "d",
        "name": "it",
        "category": category,
        "room_id": "r",
        "commands": list(commands),
    } | fields
    data = {
        "id": "h",
        "name": "Farm",
        "rooms": [{"id": "r", "name": "barn", "floor_id": None}],
        "devices": [device],
    }
    return read_home(write(tmp_path, home=data))


def test_the_file_names_the_home(tmp_path: Path) -> None:
    home = one(tmp_path, "light")
    assert (home.id, home.name, home.source) == ("h", "Farm", "neutral")


@pytest.mark.parametrize(
    ("category", "name", "trait"),
    [
        ("light", "turn_on", "Switch.On"),
        ("curtain", "open", "Cover.Open"),
        ("blinds", "close", "Cover.Close"),
        ("garage_door", "open", "Door.Open"),
        ("curtain", "set_degree", "Cover.SetPosition"),
        ("media_player", "stop", "Playback.Stop"),
        ("vacuum_robot", "set_cleaning_area", "Vacuum.CleanArea"),
        ("trash", "pack", "Trash.Pack"),
        ("fan", "set_speed", "FanSpeed.Set"),
        ("aromatherapy", "set_mist_level", "MistLevel.Set"),
        ("light", "dance", ""),
    ],
)
def test_methods_have_traits(tmp_path: Path, category: str, name: str, trait: str) -> None:
    assert profile_of(one(tmp_path, category, method(name)), "d").commands[0].trait == trait


def test_a_method_nobody_knows_keeps_its_text(tmp_path: Path) -> None:
    assert command(one(tmp_path, "light", method("do_magic")), "d", "do_magic").text == "do magic"


@pytest.mark.parametrize(
    ("category", "kinds"),
    [
        ("air_purifiers", ("air_purifier",)),
        ("blinds", ("blind", "cover")),
        ("heating", ("heating", "climate")),
        ("teleporter", ("device",)),
    ],
)
def test_categories_have_kinds(tmp_path: Path, category: str, kinds: tuple[str, ...]) -> None:
    assert one(tmp_path, category).devices[0].kinds == kinds


def test_numbers_keep_their_limits(tmp_path: Path) -> None:
    param = {"name": "brightness", "type": "int", "min": 5, "max": 90, "values": []}
    (value,) = command(
        one(tmp_path, "light", method("set_brightness", param)), "d", "set_brightness#Brightness.Set"
    ).parameters
    assert (value.name, value.kind, value.minimum, value.maximum) == ("brightness", "number", 5, 90)


def test_listed_values_make_a_choice(tmp_path: Path) -> None:
    param = {"name": "mode", "type": "str", "values": [{"value": "dry", "description": "drying"}]}
    (value,) = command(
        one(tmp_path, "air_conditioner", method("set_mode", param)), "d", "set_mode#Mode.Set"
    ).parameters
    assert (value.kind, value.choices[0].value, value.choices[0].text) == ("choice", "dry", "drying")


def test_a_tuple_is_a_colour_in_rgb(tmp_path: Path) -> None:
    param = {"name": "color", "type": "Tuple[int, int, int]"}
    (value,) = command(
        one(tmp_path, "light", method("set_color", param)), "d", "set_color#Color.Set"
    ).parameters
    assert (value.kind, value.unit) == ("color", "rgb")


def test_what_it_tells_has_quantities_by_category(tmp_path: Path) -> None:
    home = one(tmp_path, "curtain", attributes=[{"id": "state"}, {"id": "degree"}])
    assert [a.quantity for a in profile_of(home, "d").attributes] == ["cover", "position"]


def test_states_are_scalars(tmp_path: Path) -> None:
    one(tmp_path, "light", state={"state": "on", "color": [1, 2, 3]})
    assert read_states(tmp_path).of("d") == {"state": "on", "color": "[1,2,3]"}


def test_a_device_may_be_unavailable(tmp_path: Path) -> None:
    one(tmp_path, "light", available=False)
    assert not read_states(tmp_path).online("d")


@pytest.mark.parametrize(
    ("told", "read_at"),
    [("2026-11-20T08:00:00Z", 1795161600.0), ("2026-11-20T08:00:00", 1795161600.0), ("", None), (3, None)],
)
def test_the_file_may_say_when_it_was_read(tmp_path: Path, told: object, read_at: float | None) -> None:
    folder = write(tmp_path, home={"id": "h", "devices": [], "read_at": told})
    assert read_states(folder).read_at == read_at


def test_a_device_outside_the_rooms_has_none(tmp_path: Path) -> None:
    assert one(tmp_path, "vacuum_robot", room_id=None).devices[0].room_id is None


def test_scenes_groups_floors_and_aliases_are_kept(tmp_path: Path) -> None:
    data = {
        "id": "h",
        "floors": [{"id": "f", "name": "Loft", "level": 3}],
        "scenes": [{"id": "s", "name": "Dusk", "aliases": ["twilight"]}],
        "groups": [{"id": "g", "name": "Pair", "members": ["a", "b"]}],
    }
    home = read_home(write(tmp_path, home=data))
    assert (home.floors[0].level, home.scenes[0].aliases, home.groups[0].members) == (
        3,
        ("twilight",),
        ("a", "b"),
    )
    assert keys(one(tmp_path / "n", "light"), "d") == set()
