"""Broken payloads: every fault is named with file and place; what can be made of the rest gets in."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.adapters.platforms.payloads import (
    FULL_LAMP,
    entity,
    home_assistant,
    smartthings,
    st_device,
    write,
    write_spec,
)

from winnow.adapters.platforms.registry import load_home
from winnow.errors import HomeImportError


def faults(folder: Path) -> list[tuple[str, str, str]]:
    with pytest.raises(HomeImportError) as caught:
        load_home(folder)
    assert caught.value.hint
    return [(p.file, p.path, p.message) for p in caught.value.problems]


def left_out(folder: Path) -> list[tuple[str, str]]:
    """The place and the fault of each thing that was left out of the home."""
    return [(note.id, note.detail) for note in load_home(folder).home.notes if note.code == "odd_field"]


def test_a_folder_that_does_not_exist_is_named(tmp_path: Path) -> None:
    assert faults(tmp_path / "nowhere") == [(str(tmp_path / "nowhere"), "", "no such file or folder")]


def test_an_address_in_the_place_of_a_path_is_told_its_option() -> None:
    with pytest.raises(HomeImportError) as caught:
        load_home(Path("http://ha.local:8123"))
    assert "--url" in caught.value.hint


def test_a_zip_that_is_none_is_not_taken_for_text(tmp_path: Path) -> None:
    (tmp_path / "export.zip").write_bytes(b"\x90\xff" * 50)
    assert "damaged ZIP" in faults(tmp_path / "export.zip")[0][2]


def test_malformed_json_is_located(tmp_path: Path) -> None:
    ((file, _, message),) = faults(smartthings(tmp_path, rooms_api='{"items": [}'))
    assert file == "rooms_api.json"
    assert "line 1 column 12" in message


def test_a_file_that_is_not_utf8_is_named(tmp_path: Path) -> None:
    folder = smartthings(tmp_path)
    (folder / "scenes_api.json").write_bytes(b"\xff\xfe\x00")
    assert faults(folder)[0][0] == "scenes_api.json"


def test_a_missing_id_is_located(tmp_path: Path) -> None:
    assert faults(smartthings(tmp_path, st_device(deviceId=None))) == [
        ("devices_api.json", "items[0].deviceId", "missing")
    ]


def test_a_device_without_any_name_is_a_fault(tmp_path: Path) -> None:
    assert faults(smartthings(tmp_path, st_device(label=None))) == [
        ("devices_api.json", "items[0].label", "missing")
    ]


def test_a_repeated_id_is_located(tmp_path: Path) -> None:
    assert left_out(smartthings(tmp_path, st_device("a"), st_device("a"))) == [
        ("devices_api.json: items[1].deviceId", "repeats 'a'")
    ]


def test_a_wrong_type_says_what_was_expected_and_found(tmp_path: Path) -> None:
    assert left_out(smartthings(tmp_path, st_device(roomId=7))) == [
        ("devices_api.json: items[0].roomId", "expected a string, found int")
    ]


def test_an_entry_that_is_no_object_is_located(tmp_path: Path) -> None:
    folder = smartthings(tmp_path, devices_api={"items": [st_device(), "lamp"]})
    assert left_out(folder) == [("devices_api.json: items[1]", "expected an object, found str")]


def test_a_missing_next_page_is_a_fault(tmp_path: Path) -> None:
    page = {"items": [st_device()], "_links": {"next": {"href": "https://api.example.org/devices?page=1"}}}
    ((file, path, message),) = faults(smartthings(tmp_path, devices_api=page))
    assert (file, path) == ("devices_api.json", "_links.next")
    assert "page=1" in message


def test_all_faults_of_all_files_come_at_once(tmp_path: Path) -> None:
    folder = smartthings(
        tmp_path,
        st_device(deviceId=None),
        st_device(label=None),
        rooms_api={"items": [{"roomId": "r1"}]},
        scenes_api="[",
    )
    assert {file for file, _, _ in faults(folder)} == {
        "devices_api.json",
        "rooms_api.json",
        "scenes_api.json",
    }
    assert len(faults(folder)) == 4


def test_a_broken_line_of_the_specification_is_located(tmp_path: Path) -> None:
    folder = smartthings(tmp_path)
    with (folder / "spec.zh.jsonl").open("a", encoding="utf-8") as file:
        file.write("\n{oops")
    assert faults(folder)[0][:2] == ("spec.zh.jsonl", "line 2")


@pytest.mark.parametrize("given", ["0..100", [0], ["a", "b"]])
def test_a_range_that_is_none_is_a_fault(tmp_path: Path, given: object) -> None:
    folder = smartthings(tmp_path)
    write_spec(
        folder,
        FULL_LAMP
        | {"capabilities": [{"id": "main-switchLevel-setLevel", "type": "integer", "value_range": given}]},
    )
    assert left_out(folder)[0][0].endswith("capabilities[0].value_range")


def test_a_specification_that_was_named_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(HomeImportError, match=r"other\.jsonl"):
        load_home(smartthings(tmp_path), spec=tmp_path / "other.jsonl")


def test_one_entity_under_two_names_is_a_fault(tmp_path: Path) -> None:
    folder = home_assistant(
        tmp_path, entity("light.a", friendly_name="A"), entity("light.a", friendly_name="B")
    )
    assert left_out(folder) == [("states.json: [1].entity_id", "repeats 'light.a' under another name")]


def test_an_entity_id_without_domain_is_a_fault(tmp_path: Path) -> None:
    assert left_out(home_assistant(tmp_path, entity("lamp"), entity("light.a"))) == [
        ("states.json: [0].entity_id", "'lamp' is not domain.name")
    ]


def test_a_state_without_id_is_a_fault(tmp_path: Path) -> None:
    folder = home_assistant(tmp_path, {"state": "on", "attributes": {}}, entity_registry=[])
    assert faults(folder) == [("states.json", "[0].entity_id", "missing")]


def test_neutral_ids_must_be_there_and_unique(tmp_path: Path) -> None:
    data = {
        "id": "h",
        "rooms": [{"id": "r", "name": "a"}, {"id": "r", "name": "b"}],
        "devices": [{"name": "x", "category": "light"}],
    }
    assert faults(write(tmp_path, home=data)) == [
        ("home.json", "rooms[1].id", "repeats 'r'"),
        ("home.json", "devices[0].id", "missing"),
    ]
