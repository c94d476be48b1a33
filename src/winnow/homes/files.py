"""A home from an export, whatever its vendor and however it was taken."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from winnow.effects.danger import danger_of_abilities
from winnow.errors import HomeImportError
from winnow.homes.bundle import Bundle, Document, Options, read_bundle
from winnow.homes.fields import Problems
from winnow.homes.home_assistant.payload import load_home_assistant
from winnow.homes.neutral import load_neutral
from winnow.homes.recognise import recognise
from winnow.homes.smartthings.payload import load_smartthings
from winnow.types.catalog import Note
from winnow.types.imports import Imported

ONLY_HEATS = "only heats"
"""Why what has modes is dangerous."""
_LOADERS = {
    "homeassistant": load_home_assistant,
    "smartthings": load_smartthings,
    "neutral": load_neutral,
}


def load_home(
    source: Path | bytes, home_id: str | None = None, language: str = "zh", spec: Path | None = None
) -> Imported:
    """The home in a folder, a ZIP, a file or the bytes of one, and apart from it what its devices report.

    Its id is ``home_id`` or the folder's or file's name (neutral: the file's own id). ``language`` comes
    first in floor names and descriptions; ``spec`` is a SmartThings command specification, searched in the
    folder and its parent when not given. What cannot be read of a device or a room is left out and noted.
    Raises ``HomeImportError`` naming every problem where files cannot be read or no device is left.
    """
    problems = Problems()
    source = source if isinstance(source, bytes) else Path(source)
    folder = source if isinstance(source, Path) and source.is_dir() else None
    bundle = read_bundle(source, problems)
    if not bundle.documents:
        problems.check()
    return load_bundle(bundle, problems, Options(home_id, language, spec, folder))


def load_documents(
    documents: Mapping[str, object], name: str, home_id: str | None = None, language: str = "zh"
) -> Imported:
    """The home called ``name`` in answers that were fetched, each by what it is called in messages.

    Raises ``HomeImportError`` naming every problem.
    """
    bundle = Bundle(tuple(Document(called, data) for called, data in documents.items()), name)
    return load_bundle(bundle, Problems(), Options(home_id, language))


def load_bundle(bundle: Bundle, problems: Problems, options: Options) -> Imported:
    """The home in the documents. Raises ``HomeImportError`` naming every problem, where none can be made."""
    imported = _LOADERS[recognise(bundle)](bundle, problems, options)
    home = imported.home
    problems.check()
    odd = tuple(dict.fromkeys(problems.odd))
    if odd and not home.devices:
        raise HomeImportError(odd)
    commands = {profile.id: profile.commands for profile in home.profiles}
    devices = []
    for device in home.devices:
        # What it can do tells the danger where neither its source nor its name does.
        danger = "" if device.danger else danger_of_abilities(device.kinds, commands[device.profile_id])
        reasons = (*device.reasons, ONLY_HEATS)
        devices.append(replace(device, danger=danger, reasons=reasons) if danger else device)
    left_out = (
        Note("odd_field", ": ".join(filter(None, (one.file, one.path))), detail=str(one.message))
        for one in odd
    )
    home = replace(home, devices=tuple(devices), notes=(*bundle.notes, *left_out, *home.notes))
    return replace(imported, home=home)
