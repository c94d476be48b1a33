"""A path -> the files that may be documents. No link is followed, so no folder is entered twice."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from winnow.errors import Phrase

KINDS = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".txt": "text",
    ".text": "text",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".pdf": "pdf",
    ".docx": "docx",
    ".jsonl": "records",
    ".ndjson": "records",
}
"""End of a file's name -> how it is read."""

MARK = "example:"
EXAMPLES = Path(__file__).parents[2] / "examples" / "knowledge"


@dataclass(frozen=True, slots=True)
class File:
    """A file that may be read."""

    name: str
    """Its path within what was added, with ``/``."""
    path: Path
    kind: str
    size: int
    at: float
    """When it was written, in seconds since the epoch."""


@dataclass(frozen=True, slots=True)
class Left:
    """Something that is not read; without a reason it is no document."""

    name: str
    why: str = ""


def located(source: str) -> str:
    """The folder of an example that comes with the package (``example:en/private``), else what was given."""
    folder = EXAMPLES / source.removeprefix(MARK)
    return str(folder) if source.startswith(MARK) and folder.is_dir() else source


def found(path: Path) -> Iterator[File | Left]:
    """The file, or all files of the folder and those within, by name; hidden ones are left out.

    Raises OSError where there is nothing at the path.
    """
    if not path.is_dir():
        yield _file(path, path.name, alone=True)
        return
    failed: list[OSError] = []
    for folder, folders, names in os.walk(path, onerror=failed.append):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        links = [name for name in folders if (Path(folder) / name).is_symlink()]  # not followed, but told
        for name in (*links, *sorted(names)):
            if not name.startswith("."):
                one = Path(folder) / name
                yield _file(one, one.relative_to(path).as_posix())
    for error in failed:
        name = Path(error.filename).relative_to(path).as_posix()
        yield Left(name, Phrase("cannot be read: {why}", why=error.strerror))


def _file(path: Path, name: str, *, alone: bool = False) -> File | Left:
    """The file, or why it is none; one that was named is not passed over without a word."""
    kind = KINDS.get(path.suffix.lower(), "")
    about = path.stat() if alone else path.lstat()
    if stat.S_ISLNK(about.st_mode):
        return Left(name, Phrase("is a link, which is not followed"))
    if not stat.S_ISREG(about.st_mode):
        return Left(name, Phrase("is no file"))
    if not kind:
        return Left(name, Phrase("is of no kind that is read: {kinds}", kinds=list(KINDS)) if alone else "")
    return File(name, path, kind, about.st_size, about.st_mtime)
