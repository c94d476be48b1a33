"""A home from a folder, whatever its vendor."""

from __future__ import annotations

from pathlib import Path

from winnow.errors import HomeImportError, Phrase, Problem
from winnow.homes.examples import alike
from winnow.homes.home_assistant.payload import STATES, load_home_assistant
from winnow.homes.neutral import HOME, load_neutral
from winnow.homes.smartthings.payload import DEVICES, load_smartthings
from winnow.types.imports import Imported

HOLDS_NONE = Phrase(
    "holds no home: expected {smartthings} (SmartThings), {homeassistant} (Home Assistant)"
    " or {neutral} (neutral)",
    smartthings=DEVICES,
    homeassistant=STATES,
    neutral=HOME,
)
NOT_THERE = "Check the path. A home to try comes along: winnow home import example:cottage"


def home_kind(path: Path) -> str:
    """``smartthings``, ``homeassistant`` or ``neutral`` by the files in the folder; empty when none tells."""
    if (path / DEVICES).exists() or (path / "devices_api.page0.json").exists():
        return "smartthings"
    if (path / STATES).exists():
        return "homeassistant"
    return "neutral" if (path / HOME).exists() else ""


def load_home(
    path: Path, home_id: str | None = None, language: str = "zh", spec: Path | None = None
) -> Imported:
    """The home in the folder, and apart from it what its devices report.

    Its id is ``home_id`` or the folder's name (neutral: the file's own id). ``language`` comes first in floor
    names and descriptions; ``spec`` is a SmartThings command specification, searched in the folder and its
    parent when not given. Raises ``HomeImportError`` naming every problem; then nothing of the home exists.
    """
    path = Path(path)
    kind = home_kind(path)
    if kind == "smartthings":
        return load_smartthings(path, home_id, language, spec)
    if kind == "homeassistant":
        return load_home_assistant(path, home_id)
    if kind == "neutral":
        return load_neutral(path, home_id)
    if path.is_dir():
        raise HomeImportError((Problem(str(path), "", HOLDS_NONE),), hint=alike(path))
    missing = "is a file; a folder of payloads is expected" if path.is_file() else "no such folder"
    raise HomeImportError((Problem(str(path), "", missing),), hint=alike(path) or NOT_THERE)
