"""The same answers of SmartThings, however they were saved, give the same home."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from winnow.adapters.platforms import bundle as examples
from winnow.adapters.platforms.registry import load_home, load_home_documents
from winnow.types.state import ImportedHome

RAW = examples.EXAMPLES_FOLDER / "smartthings-raw"
Answers = Mapping[str, Any]


def answers() -> dict[str, Any]:
    """The saved answers by file name."""
    return {file.name: json.loads(file.read_text("utf-8")) for file in sorted(RAW.glob("*.json"))}


def pages() -> list[str]:
    return sorted(name for name in answers() if name.startswith("devices"))


def merged() -> dict[str, Any]:
    """All pages of devices as one list, in a file of another name, and the other answers."""
    known = answers()
    devices = [item for name in pages() for item in known[name]["items"]]
    return {"everything.json": devices, **{n: a for n, a in known.items() if n not in pages()}}


def renamed() -> dict[str, Any]:
    """Names that tell nothing, in the order of the old ones."""
    return {f"{n}.json": answer for n, answer in enumerate(answers().values())}


def status_by_status() -> dict[str, Any]:
    """A file for the status of each device."""
    known = answers()
    told = known.pop("statuses.json")
    return {**known, **{f"status/{i}.json": {"deviceId": i, **status} for i, status in told.items()}}


def folder(files: Answers, at: Path) -> Path:
    for name, answer in files.items():
        (at / name).parent.mkdir(parents=True, exist_ok=True)
        (at / name).write_text(json.dumps(answer, ensure_ascii=False), "utf-8")
    return at


def packed(files: Answers) -> bytes:
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, answer in files.items():
            archive.writestr(f"export/{name}", json.dumps(answer))
    return memory.getvalue()


def archive(files: Answers, at: Path) -> Path:
    at.mkdir(parents=True, exist_ok=True)
    (at / "home.zip").write_bytes(packed(files))
    return at / "home.zip"


FORMS: dict[str, Callable[[Path], ImportedHome]] = {
    "a ZIP": lambda at: load_home(archive(answers(), at)),
    "standard input": lambda at: load_home(packed(answers())),
    "other file names": lambda at: load_home(folder(renamed(), at)),
    "one list of devices": lambda at: load_home(folder(merged(), at)),
    "a status a file": lambda at: load_home(folder(status_by_status(), at)),
    "fetched answers": lambda at: load_home_documents(answers(), "live"),
}


@pytest.mark.parametrize("form", FORMS)
def test_it_is_the_same_home_in_every_form(form: str, tmp_path: Path) -> None:
    wanted, got = load_home(RAW), FORMS[form](tmp_path / "export")
    assert replace(got.home, id="", name="") == replace(wanted.home, id="", name="")
    assert got.states == wanted.states
