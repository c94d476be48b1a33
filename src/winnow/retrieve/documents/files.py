"""Finds the files of a path and yields them, or each of their records, as ingest items."""

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
from winnow.language.decode import NotText, decode_text
from winnow.retrieve.documents.conversion import IngestLimits, UnreadableDocument, check_size
from winnow.types.vector import text_key

# Files: no link is followed, so no folder is entered twice.


FILE_KINDS = {
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

EXAMPLE_PREFIX = "example:"
EXAMPLES_FOLDER = Path(__file__).parents[2] / "examples" / "knowledge"


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file that may be read."""

    name: str
    """Its path within what was added, with ``/``."""
    path: Path
    kind: str
    size: int
    at: float
    """When it was written, in seconds since the epoch."""


@dataclass(frozen=True, slots=True)
class SkippedFile:
    """Something that is not read; without a reason it is no document."""

    name: str
    why: str = ""


def document_path(source: str) -> str:
    """The folder of an example that comes with the package (``example:en/private``), else what was given."""
    folder = EXAMPLES_FOLDER / source.removeprefix(EXAMPLE_PREFIX)
    return str(folder) if source.startswith(EXAMPLE_PREFIX) and folder.is_dir() else source


def document_files(path: Path) -> Iterator[SourceFile | SkippedFile]:
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
        yield SkippedFile(name, Phrase("cannot be read: {why}", why=error.strerror))


def _file(path: Path, name: str, *, alone: bool = False) -> SourceFile | SkippedFile:
    """The file, or why it is none; one that was named is not passed over without a word."""
    kind = FILE_KINDS.get(path.suffix.lower(), "")
    about = path.stat() if alone else path.lstat()
    if stat.S_ISLNK(about.st_mode):
        return SkippedFile(name, Phrase("is a link, which is not followed"))
    if not stat.S_ISREG(about.st_mode):
        return SkippedFile(name, Phrase("is no file"))
    if not kind:
        return SkippedFile(
            name, Phrase("is of no kind that is read: {kinds}", kinds=list(FILE_KINDS)) if alone else ""
        )
    return SourceFile(name, path, kind, about.st_size, about.st_mtime)


INGEST_VERSION = "1"
"""Of the way documents are read and cut: with another one all are read anew."""
ID_FIELDS = ("id", "_id", "doc_id", "uuid")
TEXT_FIELDS = ("text", "content", "body", "contents")
MAX_ID_BYTES = 300
"""Bytes of an id; of a longer one the end is a hash."""


@dataclass(frozen=True, slots=True)
class IngestItem:
    """What may become one document."""

    id: str
    name: str
    kind: str
    collection: str = ""
    at: float | None = None
    size: int = 0
    """Bytes that reading it takes off what is to be read."""
    file: SourceFile | None = None
    raw: bytes = b""
    record: Mapping[str, Any] = field(default_factory=dict)

    def bytes(self, limits: IngestLimits) -> bytes:
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
    found = blake2b(f"{INGEST_VERSION} {told}".encode("utf-8", "replace"), digest_size=16)
    found.update(raw)
    return found.hexdigest()


def identity(*parts: str) -> str:
    """An id that is told by where something comes from, short enough to be kept."""
    whole = "/".join(part for part in parts if part)
    raw = whole.encode("utf-8", "surrogatepass")
    if len(raw) <= MAX_ID_BYTES:
        return whole
    return f"{raw[: MAX_ID_BYTES - 20].decode('utf-8', 'ignore')}~{text_key(whole)[:16]}"


def file_items(file: SourceFile, collection: str, limits: IngestLimits) -> Iterator[IngestItem | SkippedFile]:
    """The file, or each record in it. Raises OSError."""
    if file.kind != "records":
        id_ = identity(collection, file.name)
        yield IngestItem(id_, file.name, file.kind, collection, file.at, file.size, file)
        return
    with file.path.open("rb") as lines:
        yield from record_items(lines, file.name, collection, limits)


def record_items(
    lines: IO[bytes], name: str, collection: str, limits: IngestLimits
) -> Iterator[IngestItem | SkippedFile]:
    """One document a line of JSON; what is none is told with its line."""
    seen: dict[int, int] = {}
    # Lines with their numbers; of one that is too long a little more than is read
    most = limits.line
    number = 0
    while raw := lines.readline(most + 1):
        number += 1
        rest = raw
        # The rest of an overlong line is skipped, not read into memory.
        while len(rest) > most and not rest.endswith(b"\n"):
            rest = lines.readline(most + 1)
        place = f"{name}:{number}"
        try:
            record = _record(raw, limits)
        except UnreadableDocument as error:
            yield SkippedFile(place, error.why)
            continue
        if record is None:
            continue
        belongs, id_ = _record_collection(record, collection), _record_id(record, collection, name, number)
        # Of two records with one id the second would silently replace the first.
        if (first := seen.setdefault(hash(id_), number)) != number:
            yield SkippedFile(place, Phrase("has the id of line {number}", number=first))
            continue
        yield IngestItem(id_, place, "record", belongs, None, len(raw), raw=raw, record=record)


def _record(raw: bytes, limits: IngestLimits) -> Mapping[str, Any] | None:
    """The record of a line; None: the line is empty. Raises Unfit."""
    if not raw.strip():
        return None
    check_size(len(raw), limits.line)
    try:
        value = json.loads(decode_text(raw.removeprefix(b"\xef\xbb\xbf"))[0])
    except NotText as error:
        raise UnreadableDocument(error.why) from None
    except (ValueError, RecursionError):
        raise UnreadableDocument(Phrase("is not JSON")) from None
    if isinstance(value, dict) and value.get("kind") in {"message", "fact"}:
        raise UnreadableDocument(Phrase("is a {kind} of an export, and no document", kind=value["kind"]))
    if not isinstance(value, dict) or not isinstance(record_text(value), str):
        raise UnreadableDocument(
            Phrase("has no text; a document is one JSON object a line: {example}", example=RECORD_EXAMPLE)
        )
    return value


RECORD_EXAMPLE = '{"id": "tea", "title": "Tea", "text": "..."}'


def record_text(record: Mapping[str, Any]) -> object:
    """What a record says."""
    return next((record[name] for name in TEXT_FIELDS if record.get(name)), None)


def _record_collection(record: Mapping[str, Any], collection: str) -> str:
    """The collection that a record names, as those of an export do, else the one of its file."""
    own = record.get("collection")
    return own if isinstance(own, str) and own else collection


def _record_id(record: Mapping[str, Any], collection: str, name: str, number: int) -> str:
    """A record that names its collection keeps its own id."""
    own = next((str(record[key]) for key in ID_FIELDS if isinstance(record.get(key), str | int)), "")
    if own and _record_collection(record, ""):
        return identity(own)
    return identity(collection, f"{name}#{own or number}")
