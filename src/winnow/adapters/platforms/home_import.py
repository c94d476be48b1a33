"""Import of a home from an export, whatever its vendor: the format is recognized by its content."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from winnow.act.effects.danger import danger_of_abilities
from winnow.adapters.platforms import registry
from winnow.adapters.platforms.bundle import (
    HINT_WHAT_TO_GIVE,
    ExportBundle,
    ExportDocument,
    ImportOptions,
    import_error,
    read_bundle,
)
from winnow.adapters.platforms.json_rows import ImportProblems
from winnow.adapters.platforms.platform import Platform
from winnow.errors import HomeImportError, Phrase
from winnow.types.home import Note
from winnow.types.state import ImportedHome

# Whose export it is, by what its documents hold.

_MAX_NAMED_FILES = 3
"""Files that are named when nothing was found in them."""
_HINT_ONE_HOME = "Give each home alone: its own folder, ZIP or file."


def recognize_platform(bundle: ExportBundle) -> Platform:
    """Whose it is. Raises HomeImportError when it is nobody's, or of several."""
    name = bundle.name or "input"
    found: dict[str, Platform] = {}
    for document in bundle.documents:
        # A document that no platform recognizes tells nothing.
        if platform := next((one for one in registry.PLATFORMS if one.recognizes(document)), None):
            found[platform.name] = platform
    if len(found) > 1:
        formats = Phrase("holds homes of several formats: {formats}", formats=sorted(found))
        raise import_error(name, formats, _HINT_ONE_HOME)
    if not found:
        read = [document.name for document in bundle.documents]
        why = Phrase("holds no home: nothing in {files} is of a known format", files=read)
        if len(read) > _MAX_NAMED_FILES:
            told = "holds no home: nothing in {files} and {more} more is of a known format"
            why = Phrase(told, files=read[:_MAX_NAMED_FILES], more=len(read) - _MAX_NAMED_FILES)
        raise import_error(name, why, HINT_WHAT_TO_GIVE)
    return next(iter(found.values()))


ONLY_HEATS = "only heats"
"""Why what has modes is dangerous."""


def load_home(
    source: Path | bytes, home_id: str | None = None, language: str = "zh", spec: Path | None = None
) -> ImportedHome:
    """The home in a folder, a ZIP, a file or the bytes of one, and apart from it what its devices report.

    Its id is ``home_id`` or the folder's or file's name (neutral: the file's own id). ``language`` comes
    first in floor names and descriptions; ``spec`` is a SmartThings command specification, searched in the
    folder and its parent when not given. What cannot be read of a device or a room is left out and noted.
    Raises ``HomeImportError`` naming every problem where files cannot be read or no device is left.
    """
    problems = ImportProblems()
    source = source if isinstance(source, bytes) else Path(source)
    folder = source if isinstance(source, Path) and source.is_dir() else None
    bundle = read_bundle(source, problems)
    if not bundle.documents:
        problems.check()
    return load_home_bundle(bundle, problems, ImportOptions(home_id, language, spec, folder))


def load_home_documents(
    documents: Mapping[str, object], name: str, home_id: str | None = None, language: str = "zh"
) -> ImportedHome:
    """The home called ``name`` in answers that were fetched, each by what it is called in messages.

    Raises ``HomeImportError`` naming every problem.
    """
    bundle = ExportBundle(tuple(ExportDocument(called, data) for called, data in documents.items()), name)
    return load_home_bundle(bundle, ImportProblems(), ImportOptions(home_id, language))


def load_home_bundle(bundle: ExportBundle, problems: ImportProblems, options: ImportOptions) -> ImportedHome:
    """The home in the documents. Raises ``HomeImportError`` naming every problem, where none can be made."""
    imported = recognize_platform(bundle).load(bundle, problems, options)
    home = imported.home
    problems.check()
    odd = tuple(dict.fromkeys(problems.omissions))
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
