"""A file -> what may become documents: itself, or each of its records; read only when it is needed."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import IO, Any

from winnow.errors import Phrase
from winnow.language.decode import NotText, decoded
from winnow.retrieve.documents.conversion import Limits, Unfit, check_size
from winnow.types.vector import key_of

# A path -> the files that may be documents. No link is followed, so no folder is entered twice.


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


VERSION = "1"
"""Of the way documents are read and cut: with another one all are read anew."""
IDS = ("id", "_id", "doc_id", "uuid")
TEXTS = ("text", "content", "body", "contents")
LONGEST = 300
"""Bytes of an id; of a longer one the end is a hash."""


@dataclass(frozen=True, slots=True)
class Item:
    """What may become one document."""

    id: str
    name: str
    kind: str
    collection: str = ""
    at: float | None = None
    size: int = 0
    """Bytes that reading it takes off what is to be read."""
    file: File | None = None
    raw: bytes = b""
    record: Mapping[str, Any] = field(default_factory=dict)

    def bytes(self, limits: Limits) -> bytes:
        """All of it. Raises Unfit, OSError."""
        if self.file is None:
            return self.raw
        check_size(self.file.size, limits.file)
        with self.file.path.open("rb") as file:
            raw = file.read(limits.file + 1)
        check_size(len(raw), limits.file)
        return raw


def digest(raw: bytes, told: object) -> str:
    """What stands for a document that is read from these bytes and told these things."""
    found = blake2b(f"{VERSION} {told}".encode("utf-8", "replace"), digest_size=16)
    found.update(raw)
    return found.hexdigest()


def identity(*parts: str) -> str:
    """An id that is told by where something comes from, short enough to be kept."""
    whole = "/".join(part for part in parts if part)
    raw = whole.encode("utf-8", "surrogatepass")
    if len(raw) <= LONGEST:
        return whole
    return f"{raw[: LONGEST - 20].decode('utf-8', 'ignore')}~{key_of(whole)[:16]}"


def items(file: File, collection: str, limits: Limits) -> Iterator[Item | Left]:
    """The file, or each record in it. Raises OSError."""
    if file.kind != "records":
        id_ = identity(collection, file.name)
        yield Item(id_, file.name, file.kind, collection, file.at, file.size, file)
        return
    with file.path.open("rb") as lines:
        yield from records(lines, file.name, collection, limits)


def records(lines: IO[bytes], name: str, collection: str, limits: Limits) -> Iterator[Item | Left]:
    """One document a line of JSON; what is none is told with its line."""
    seen: dict[int, int] = {}
    # Lines with their numbers; of one that is too long a little more than is read
    most = limits.line
    number = 0
    while raw := lines.readline(most + 1):
        number += 1
        rest = raw
        while len(rest) > most and not rest.endswith(b"\n"):
            rest = lines.readline(most + 1)
        place = f"{name}:{number}"
        try:
            record = _record(raw, limits)
        except Unfit as error:
            yield Left(place, error.why)
            continue
        if record is None:
            continue
        belongs, id_ = _belongs(record, collection), _id(record, collection, name, number)
        if (first := seen.setdefault(hash(id_), number)) != number:
            yield Left(place, Phrase("has the id of line {number}", number=first))
            continue
        yield Item(id_, place, "record", belongs, None, len(raw), raw=raw, record=record)


def _record(raw: bytes, limits: Limits) -> Mapping[str, Any] | None:
    """The record of a line; None: the line is empty. Raises Unfit."""
    if not raw.strip():
        return None
    check_size(len(raw), limits.line)
    try:
        value = json.loads(decoded(raw.removeprefix(b"\xef\xbb\xbf"))[0])
    except NotText as error:
        raise Unfit(error.why) from None
    except (ValueError, RecursionError):
        raise Unfit(Phrase("is not JSON")) from None
    if isinstance(value, dict) and value.get("kind") in {"message", "fact"}:
        raise Unfit(Phrase("is a {kind} of an export, and no document", kind=value["kind"]))
    if not isinstance(value, dict) or not isinstance(text_of(value), str):
        raise Unfit(Phrase("has no text; a document is one JSON object a line: {example}", example=A_RECORD))
    return value


A_RECORD = '{"id": "tea", "title": "Tea", "text": "..."}'


def text_of(record: Mapping[str, Any]) -> object:
    """What a record says."""
    return next((record[name] for name in TEXTS if record.get(name)), None)


def _belongs(record: Mapping[str, Any], collection: str) -> str:
    """The collection that a record names, as those of an export do, else the one of its file."""
    own = record.get("collection")
    return own if isinstance(own, str) and own else collection


def _id(record: Mapping[str, Any], collection: str, name: str, number: int) -> str:
    """A record that names its collection keeps its own id."""
    own = next((str(record[key]) for key in IDS if isinstance(record.get(key), str | int)), "")
    if own and _belongs(record, ""):
        return identity(own)
    return identity(collection, f"{name}#{own or number}")
