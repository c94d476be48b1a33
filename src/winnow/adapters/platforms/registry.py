"""The vendors whose homes are read, a row each. A new one is a folder and a line here."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from winnow.adapters.platforms.bundle import (
    HINT_WHAT_TO_GIVE,
    ExportBundle,
    ImportOptions,
    import_error,
    read_bundle,
)
from winnow.adapters.platforms.home_assistant.platform import HOME_ASSISTANT
from winnow.adapters.platforms.json_rows import ImportProblems
from winnow.adapters.platforms.neutral import NEUTRAL
from winnow.adapters.platforms.platform import Platform, Server
from winnow.adapters.platforms.smartthings.platform import SMARTTHINGS
from winnow.errors import Phrase
from winnow.types.state import ImportedHome

# The neutral format comes first: taken alone, its rooms look like Home Assistant's areas.
PLATFORMS: tuple[Platform, ...] = (NEUTRAL, SMARTTHINGS, HOME_ASSISTANT)


def servers() -> dict[str, Server]:
    """Those that can be linked to, by name."""
    return {platform.name: platform.server for platform in PLATFORMS if platform.server}


# Import of a home from an export, whatever its vendor: the format is recognized by its content.

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
        if platform := next((one for one in PLATFORMS if one.recognizes(document)), None):
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
    options = ImportOptions(home_id, language, spec, folder)
    return recognize_platform(bundle).home_in(bundle, problems, options)


def load_home_documents(
    documents: Mapping[str, object], name: str, home_id: str | None = None, language: str = "zh"
) -> ImportedHome:
    """The home called ``name`` in answers that were fetched, each by what it is called in messages.

    Raises ``HomeImportError`` naming every problem.
    """
    bundle = ExportBundle.of_answers(documents, name)
    return recognize_platform(bundle).home_in(bundle, ImportProblems(), ImportOptions(home_id, language))
