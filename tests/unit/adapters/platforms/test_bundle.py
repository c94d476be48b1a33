"""An export gets in as it comes: a folder, a ZIP, one file, bytes; in any encoding, and never too much."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from tests.unit.adapters.platforms.payloads import entity

from winnow.adapters.platforms import bundle
from winnow.adapters.platforms import bundle as decode
from winnow.adapters.platforms.bundle import ExportBundle, read_bundle
from winnow.adapters.platforms.json_rows import ImportProblems
from winnow.adapters.platforms.registry import load_home, load_home_documents
from winnow.errors import HomeImportError

STATES = [entity("light.desk", friendly_name="台灯"), entity("switch.fan", friendly_name="Fan")]
ENTRIES = [{"entity_id": "light.desk", "area_id": "study", "platform": "hue", "device_id": None}]
AREAS: list[dict[str, Any]] = [
    {"id": "study", "name": "书房", "aliases": [], "floor_id": None, "picture": None}
]


def stored(key: str, member: str, rows: object) -> dict[str, Any]:
    """A file of ``.storage``."""
    return {"version": 1, "minor_version": 8, "key": key, "data": {member: rows}}


STORAGE = {
    "core.entity_registry": stored("core.entity_registry", "entities", ENTRIES),
    "core.area_registry": stored("core.area_registry", "areas", AREAS),
    "core.device_registry": stored("core.device_registry", "devices", []),
}


def lay(folder: Path, **files: object) -> Path:
    """Write each file; ``__`` stands for a slash."""
    for name, data in files.items():
        path = folder / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return folder


def zipped(**files: object) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data if isinstance(data, str) else json.dumps(data))
    return packed.getvalue()


def read(source: Path | bytes) -> ExportBundle:
    problems = ImportProblems()
    found = read_bundle(source, problems)
    problems.check()
    return found


def fault(source: Path | bytes) -> str:
    with pytest.raises(HomeImportError) as caught:
        load_home(source)
    assert caught.value.hint
    return str(caught.value)


def test_a_configuration_folder_is_read_from_its_storage(tmp_path: Path) -> None:
    lay(tmp_path / ".storage", **STORAGE)
    lay(tmp_path, **{"states.json": STATES, "custom_components__x__strings.json": {"a": 1}})
    names = [document.name for document in read(tmp_path).documents]
    assert names == [*(f".storage/{name}" for name in sorted(STORAGE)), "states.json"]
    imported = load_home(tmp_path)
    assert [(d.name, d.room_id) for d in imported.home.devices] == [("台灯", "study"), ("Fan", None)]


def test_the_storage_folder_itself_is_called_as_what_holds_it(tmp_path: Path) -> None:
    lay(tmp_path / "flat" / ".storage", **STORAGE)
    found = read(tmp_path / "flat" / ".storage")
    assert (found.name, len(found.documents)) == ("flat", 3)


def test_accounts_and_keys_are_never_opened(tmp_path: Path) -> None:
    secret = {"auth": "{", "auth_provider.homeassistant": "{", "cloud": "{", "core.config_entries": "{"}
    lay(tmp_path / ".storage", **STORAGE, **secret, **{"http.auth": "{", "lovelace": "{"})
    lay(tmp_path, **{"secrets.json": "{", "core.config_entries.json": "{"})
    assert len(read(tmp_path).documents) == 3
    assert "is not read" in fault(tmp_path / ".storage" / "core.config_entries")


def test_a_nested_folder_and_any_file_name_will_do(tmp_path: Path) -> None:
    lay(tmp_path, **{"export__homeassistant__meine-daten.JSON": STATES})
    assert len(load_home(tmp_path).home.devices) == 2


def test_one_file_of_any_name_will_do(tmp_path: Path) -> None:
    lay(tmp_path, **{"dump.txt": STATES})
    imported = load_home(tmp_path / "dump.txt")
    assert (imported.home.id, len(imported.home.devices)) == ("dump", 2)


def test_an_archive_is_read_like_its_folder(tmp_path: Path) -> None:
    extra = {"export/.storage/auth": "{", "__MACOSX/export/._states.json": "\x00"}
    storage = {f"export/.storage/{name}": data for name, data in STORAGE.items()}
    packed = zipped(**storage, **extra, **{"export/states.json": STATES})
    (tmp_path / "flat.zip").write_bytes(packed)
    lay(tmp_path / "flat" / ".storage", **STORAGE)
    lay(tmp_path / "flat", **{"states.json": STATES})
    assert load_home(tmp_path / "flat.zip") == load_home(tmp_path / "flat")


def test_bytes_are_told_by_content() -> None:
    assert len(load_home(json.dumps(STATES).encode(), "x").home.devices) == 2
    assert len(load_home(zipped(**{"a.json": STATES}), "x").home.devices) == 2


def test_lines_of_json_are_a_list(tmp_path: Path) -> None:
    lines = "\n\n".join(json.dumps(state) for state in STATES)
    lay(tmp_path, **{"a__states.jsonl": lines, "b__one.jsonl": lines.split("\n")[0], "c__states.txt": lines})
    assert [len(load_home(tmp_path / x).home.devices) for x in "abc"] == [2, 1, 2]


def test_a_broken_line_is_located(tmp_path: Path) -> None:
    lay(tmp_path, **{"states.jsonl": json.dumps(STATES[0]) + "\n{oops"})
    assert "states.jsonl: line 2: not JSON" in fault(tmp_path)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_unicode_in_any_form_is_read(encoding: str) -> None:
    found = read(json.dumps(STATES, ensure_ascii=False).encode(encoding))
    assert (found.documents[0].data, found.notes) == (STATES, ())


def test_a_guessed_encoding_is_noted() -> None:
    home = load_home(json.dumps(STATES, ensure_ascii=False).encode("gbk"), "x").home
    assert home.devices[0].name == "台灯"
    assert ("guessed_encoding", "GBK") in [(note.code, note.detail) for note in home.notes]


@pytest.mark.parametrize("raw", ['["é"]'.encode("latin-1"), b'["\xff\xff\x80"]', b"\xff\xfe\x00", b"\x89PNG"])
def test_what_is_no_text_says_how_to_save_it(raw: bytes) -> None:
    assert "save it as UTF-8" in fault(raw)


def test_half_a_character_is_replaced() -> None:
    assert read(b'["\\ud83d lamp", "\\ud83d\\ude00"]').documents[0].data == ["? lamp", "😀"]


@pytest.mark.parametrize("raw", [b"[" * 5000 + b"]" * 5000, b"[" * 70 + b"]" * 70])
def test_absurd_depth_is_refused(raw: bytes) -> None:
    assert f"nested more than {decode.MAX_JSON_DEPTH} deep" in fault(raw)


DAMAGED = {
    b"[1" + b"0" * 5000 + b"]": "not JSON",
    b"": "not JSON",
    b"PK\x03\x04rest": "damaged ZIP",
    b"[]": "holds no home",
    b'{"name": "left-pad"}': "holds no home",
    b"[NaN]": "holds no home",
}


@pytest.mark.parametrize(("raw", "why"), DAMAGED.items(), ids=range(len(DAMAGED)))
def test_what_is_no_home_is_refused(raw: bytes, why: str) -> None:
    assert why in fault(raw)


def test_an_empty_folder_says_what_to_give(tmp_path: Path) -> None:
    with pytest.raises(HomeImportError, match="holds no JSON file") as caught:
        load_home(tmp_path)
    assert ".storage" in caught.value.hint


def test_a_wrong_folder_names_what_was_read_in_vain(tmp_path: Path) -> None:
    lay(tmp_path, **{"package.json": {"name": "left-pad"}, "tsconfig.json": {}})
    assert "nothing in package.json, tsconfig.json is of a known format" in fault(tmp_path)


def test_homes_of_several_formats_are_refused(tmp_path: Path) -> None:
    lay(tmp_path, **{"a.json": STATES, "b.json": {"items": [{"deviceId": "d", "label": "Lamp"}]}})
    assert "homeassistant, smartthings" in fault(tmp_path)


def test_a_path_out_of_the_archive_is_refused() -> None:
    assert "leads out of the archive" in fault(zipped(**{"../../etc/x.json": STATES}))


def test_too_large_a_file_is_refused_unread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle, "MAX_FILE_BYTES", 20_000)
    bomb = zipped(**{"states.json": " " * 1_000_000 + "[]", "b.json": "[]"})
    assert len(bomb) < 20_000
    assert "states.json is larger than" in fault(bomb)
    lay(tmp_path, **{"states.json": " " * 20_001 + "[]"})
    assert "states.json is larger than" in fault(tmp_path)


def test_too_much_in_all_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay(tmp_path, **{f"{i}.json": STATES for i in range(5)})
    monkeypatch.setattr(bundle, "MAX_FILES", 4)
    assert "holds 5 JSON files, at most 4 are read" in fault(tmp_path)
    monkeypatch.setattr(bundle, "MAX_FILES", 9)
    monkeypatch.setattr(bundle, "MAX_EXPORT_BYTES", 9)
    assert ": is larger than" in fault(tmp_path)
    monkeypatch.setattr(bundle, "MAX_PATHS_VISITED", 3)
    assert "more than 3 files" in fault(tmp_path)


def test_answers_that_were_fetched_need_no_file() -> None:
    answers = {
        "get_states": {"id": 1, "type": "result", "success": True, "result": STATES},
        "config/entity_registry/list": {"id": 2, "type": "result", "success": True, "result": ENTRIES},
        "config/area_registry/list": [{"area_id": "study", "name": "书房"}],
    }
    home = load_home_documents(answers, "flat").home
    assert (home.id, home.devices[0].room_id, home.rooms[0].name) == ("flat", "study", "书房")


def test_all_answers_may_lie_in_one_file() -> None:
    together = json.dumps({"states": STATES, "entities": ENTRIES, "areas": AREAS}).encode()
    log = "\n".join(json.dumps({"id": i, "result": rows}) for i, rows in enumerate((STATES, ENTRIES, AREAS)))
    for raw in (together, log.encode()):
        home = load_home(raw, "x").home
        assert (len(home.devices), home.devices[0].room_id) == (2, "study")
