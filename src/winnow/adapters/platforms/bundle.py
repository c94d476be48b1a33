"""An export as it came: a folder, a ZIP, one file, or the bytes of one, as a list of JSON documents.

What a document is of is told by its content (``recognise``), never by the name of its file. Of Home
Assistant's ``.storage`` only what a home is made of is opened: accounts, keys and tokens lie beside it.
"""

from __future__ import annotations

import io
import json
import os
import re
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from winnow.adapters.platforms.json_rows import ImportProblems
from winnow.errors import HomeImportError, Phrase, Problem
from winnow.language import decode
from winnow.types.home import Note

# From the bytes of a file to JSON: encodings, lines of JSON, and what no honest export holds.

MAX_JSON_DEPTH = 64
"""How many lists and objects may lie in each other. Exports need fewer than 20."""
_HALF_A_CHARACTER = re.compile(r"\\u[dD][89a-fA-F]")


class UnreadableText(Exception):  # noqa: N818 - reads as the sentence it is
    """The bytes are no JSON: ``path`` is the line where lines were read, the message says why."""

    def __init__(self, message: str, path: str = "") -> None:
        super().__init__(message)
        self.message, self.path = message, path


def decode_text(raw: bytes) -> tuple[str, str]:
    """The text, and its encoding where that had to be guessed. Raises Unreadable."""
    try:
        return decode.decode_text(raw, json.detect_encoding(raw))
    except decode.NotText as error:
        raise UnreadableText(error.why) from None


def parse_json(text: str, *, lines: bool = False) -> object:
    """What the text holds; several values, or ``lines``, become a list. Raises Unreadable."""
    if lines and not text.lstrip().startswith("["):
        return _json_lines(text)
    try:
        return _json_value(text)
    except json.JSONDecodeError as error:
        if error.msg == "Extra data":
            # Several values are lines where the first one is a list or an object by itself.
            with suppress(ValueError, RecursionError):
                if isinstance(json.loads(text.lstrip().partition("\n")[0]), (dict, list)):
                    return _json_lines(text)
        where = {"line": error.lineno, "column": error.colno}
        not_json = Phrase("not JSON: {why} at line {line} column {column}", why=error.msg, **where)
        raise UnreadableText(not_json) from None


def _json_lines(text: str) -> list[object]:
    """One value a line; empty lines do not count."""
    values = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            if line.strip():
                values.append(_json_value(line))
        except json.JSONDecodeError as error:
            raise UnreadableText(Phrase("not JSON: {why}", why=error.msg), f"line {number}") from None
    return values


def _json_value(text: str) -> object:
    """One JSON value. What JSON does not know (NaN, Infinity) is nothing; half characters are replaced."""
    try:
        value: object = json.loads(text, parse_constant=lambda _: None)
        if _HALF_A_CHARACTER.search(text):
            # Pairs are joined by the parser; what is left alone could be neither stored nor printed.
            whole = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
            value = json.loads(whole)
    except json.JSONDecodeError:
        raise
    except RecursionError:
        raise UnreadableText(Phrase("is nested more than {most} deep", most=MAX_JSON_DEPTH)) from None
    except ValueError as error:
        raise UnreadableText(Phrase("not JSON: {why}", why=str(error))) from None
    if text.count("[") + text.count("{") > MAX_JSON_DEPTH:
        level = [value]
        for _ in range(MAX_JSON_DEPTH):
            level = [inner for outer in level for inner in _containers_in(outer)]
        if level:
            raise UnreadableText(Phrase("is nested more than {most} deep", most=MAX_JSON_DEPTH))
    return value


def _containers_in(value: object) -> list[object]:
    """The lists and objects in a list or an object."""
    members = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [member for member in members if isinstance(member, dict | list)]


# The homes that come with the package, by name: ``example:cottage``.

EXAMPLES_FOLDER = Path(__file__).parents[2] / "examples" / "homes"
EXAMPLE_PREFIX = "example:"


def example_names() -> tuple[str, ...]:
    """What they are called, in order."""
    return tuple(sorted(path.name for path in EXAMPLES_FOLDER.iterdir() if path.is_dir()))


def example_path(source: Path | str) -> Path:
    """The folder that is meant: that of an example, else the path as it is.

    Raises HomeImportError for an example that there is not.
    """
    path, called = Path(source), str(source)
    if path.exists() or not called.startswith(EXAMPLE_PREFIX):
        return path
    name = called.removeprefix(EXAMPLE_PREFIX)
    if name not in example_names():
        known = [EXAMPLE_PREFIX + known for known in example_names()]
        raise HomeImportError(
            (Problem(called, "", "no such example"),), hint=Phrase("There are {known}.", known=known)
        )
    return EXAMPLES_FOLDER / name


def example_hint(path: Path) -> str:
    """A hint when a folder that is not there is called like an example; empty when it is not."""
    if path.name not in example_names():
        return ""
    return Phrase("An example of that name comes along: {example}", example=EXAMPLE_PREFIX + path.name)


MEGABYTE = 1_000_000
MAX_FILE_BYTES = 64 * MEGABYTE
MAX_EXPORT_BYTES = 256 * MEGABYTE
MAX_FILES = 2_000
MAX_PATHS_VISITED = 20_000
"""Files and folders that are looked at to find those of the export."""

STORAGE = ".storage"
_REGISTRIES = r"core\.(area|device|entity|floor|label)_registry"
_OF_STORAGE = re.compile(rf"{_REGISTRIES}|core\.restore_state|homeassistant\.exposed_entities|person")
_SECRET = re.compile(r"(auth|auth_.*|auth\..*|cloud|core\.config_entries|application_credentials|secrets)")
_JSON = (".json", ".jsonl")

HINT_NO_SUCH_PATH = "Check the path. A home to try comes along: winnow home import example:cottage"
HINT_URL = "What runs is read from its address: winnow home import --url http://... --token-env NAME"
HINT_PACK_AGAIN = "Pack it again."
HINT_WHAT_TO_GIVE = (
    "Give the folder, ZIP or file with the export: Home Assistant's .storage folder, its WebSocket answers or"
    " GET /api/states; SmartThings' GET /devices; or a home.json of the neutral format."
)


@dataclass(frozen=True, slots=True)
class ExportDocument:
    """One file's JSON. ``name`` is its path inside the export."""

    name: str
    data: object


@dataclass(frozen=True, slots=True)
class ExportBundle:
    """The documents of one export, by path; ``name`` is that of the folder or file, empty for bare bytes."""

    documents: tuple[ExportDocument, ...]
    name: str = ""
    notes: tuple[Note, ...] = ()
    """What was guessed to read them."""

    @classmethod
    def of_answers(cls, answers: Mapping[str, object], name: str) -> ExportBundle:
        """Answers that were fetched, each by what it is called in messages."""
        return cls(tuple(ExportDocument(called, data) for called, data in answers.items()), name)


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """How a home is to be read. ``language`` comes first in floor names and descriptions."""

    home_id: str | None = None
    """None: what the export is called."""
    language: str = "zh"
    spec: Path | None = None
    """A SmartThings command specification; None: one that lies with the export."""
    folder: Path | None = None
    """Where the export lies, when it is a folder."""


@dataclass(frozen=True, slots=True)
class _ExportFile:
    """A file that may be a part of the export. ``read`` gives at most so many of its bytes."""

    path: PurePosixPath
    size: int
    read: Callable[[int], bytes]

    @property
    def name(self) -> str:
        return str(self.path)


def read_bundle(source: Path | bytes, problems: ImportProblems) -> ExportBundle:
    """All JSON of the export. Files that cannot be read are ``problems``.

    Raises HomeImportError when there is nothing to read, or more than any home has.
    """
    name, files = _named_files(source)
    found = _relevant_files(files)
    # No home has more or larger files: what has is something else, or meant to do harm.
    if len(found) > MAX_FILES:
        facts = {"count": len(found), "most": MAX_FILES}
        raise import_error(name, Phrase("holds {count} JSON files, at most {most} are read", **facts))
    for file in found:
        if file.size > MAX_FILE_BYTES:
            raise import_error(name, _too_large(file.name, MAX_FILE_BYTES))
    if sum(file.size for file in found) > MAX_EXPORT_BYTES:
        raise import_error(name, _too_large("", MAX_EXPORT_BYTES))
    if not found:
        raise import_error(name, "holds no JSON file")
    notes: list[Note] = []
    documents = (_read_document(file, problems, notes) for file in found)
    return ExportBundle(tuple(filter(None, documents)), _stem(source), tuple(notes))


def import_error(name: str, message: str, hint: str = HINT_WHAT_TO_GIVE) -> HomeImportError:
    """The error of an export that is none."""
    return HomeImportError((Problem(name, "", message),), hint=hint)


def _stem(source: Path | bytes) -> str:
    """What the export is called: a folder by its name, ``.storage`` by that of the folder it lies in."""
    if isinstance(source, bytes):
        return ""
    path = source.resolve()
    if path.name == STORAGE:
        return path.parent.name
    return path.name if path.is_dir() else path.stem


def _named_files(source: Path | bytes) -> tuple[str, Iterable[_ExportFile]]:
    """How the source is called in messages, and its files."""
    if isinstance(source, bytes):
        return "input", _contents("input", source)
    if source.is_dir():
        return str(source), _folder_files(source)
    if not source.exists():
        hint = HINT_URL if source.parts[0] in ("http:", "https:") else HINT_NO_SUCH_PATH
        raise import_error(str(source), "no such file or folder", example_hint(source) or hint)
    if _is_secret(source.name):
        raise import_error(str(source), "holds accounts or keys and is not read")
    return str(source), _contents(source.name, _bytes(source)(MAX_FILE_BYTES + 1))


def _bytes(path: Path) -> Callable[[int], bytes]:
    """A reader of the file. Raises HomeImportError when the system refuses."""

    def read(most: int) -> bytes:
        try:
            with path.open("rb") as file:
                return file.read(most)
        except OSError as error:
            why = Phrase("cannot be read: {why}", why=error.strerror)
            raise import_error(str(path), why, "Check its permissions.") from None

    return read


def _contents(name: str, raw: bytes) -> Iterable[_ExportFile]:
    """The files of an archive, or the one file that the bytes are. Nothing is ever written to a disk."""
    if not raw.startswith(b"PK\x03\x04") and not name.lower().endswith(".zip"):
        return [_ExportFile(PurePosixPath(name), len(raw), lambda most: raw[:most])]
    try:
        archive = zipfile.ZipFile(io.BytesIO(raw))
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise import_error(name, Phrase("is a damaged ZIP: {why}", why=str(error)), HINT_PACK_AGAIN) from None
    # One without a name is no folder that it could be asked whether it is one.
    entries = [entry for entry in archive.infolist() if entry.filename and not entry.is_dir()]
    for entry in entries:
        if entry.filename.startswith("/") or ".." in PurePosixPath(entry.filename).parts:
            raise import_error(
                name, Phrase("{file!r} leads out of the archive", file=entry.filename), HINT_PACK_AGAIN
            )
    return [
        _ExportFile(PurePosixPath(entry.filename), entry.file_size, _zip_reader(name, archive, entry))
        for entry in entries
    ]


def _zip_reader(name: str, archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> Callable[[int], bytes]:
    def read(most: int) -> bytes:
        try:
            with archive.open(entry) as file:
                return file.read(most)
        # An archive may be cut short, encrypted, or packed in a way this Python has no library for.
        except (zipfile.BadZipFile, zlib.error, RuntimeError, EOFError, OSError, ValueError) as error:
            why = Phrase("{file} cannot be unpacked: {why}", file=entry.filename, why=str(error))
            raise import_error(name, why, HINT_PACK_AGAIN) from None

    return read


def _folder_files(folder: Path) -> Iterator[_ExportFile]:
    """The files in and below the folder. Beside ``.storage`` nothing lies deeper that is of the home."""
    looked_at = 0
    for here, folders, names in os.walk(folder):
        looked_at += len(folders) + len(names)
        if looked_at > MAX_PATHS_VISITED:
            raise import_error(str(folder), Phrase("holds more than {most} files", most=MAX_PATHS_VISITED))
        folders[:] = [STORAGE] if STORAGE in folders else sorted(f for f in folders if not f.startswith("."))
        for name in sorted(names):
            path = Path(here, name)
            if path.is_file():
                relative = PurePosixPath(path.relative_to(folder).as_posix())
                inside = PurePosixPath(STORAGE) / relative if folder.name == STORAGE else relative
                yield _ExportFile(inside, path.stat().st_size, _bytes(path))


def _relevant_files(files: Iterable[_ExportFile]) -> list[_ExportFile]:
    """The files to open, by path; a single one is opened whatever it is called."""
    listed = sorted(files, key=lambda file: file.path)
    if len(listed) == 1 and STORAGE not in listed[0].path.parts:
        return listed
    return [file for file in listed if _is_relevant(file.path)]


def _is_relevant(path: PurePosixPath) -> bool:
    """Whether the file is JSON by its name, or one of Home Assistant's storage that is needed."""
    if _OF_STORAGE.fullmatch(path.name.removesuffix(".json")):
        return True
    hidden = any(part.startswith((".", "__MACOSX")) for part in path.parts)
    return path.suffix.lower() in _JSON and not hidden and not _is_secret(path.name)


def _is_secret(name: str) -> bool:
    """Whether a file of that name holds accounts, keys or tokens."""
    return bool(_SECRET.fullmatch(name.removesuffix(".json")))


def _too_large(file: str, limit: int) -> Phrase:
    """What is said of a file, or of all of them, that is larger than any home's."""
    most = limit // MEGABYTE
    if not file:
        return Phrase("is larger than {most} MB, the most that is read", most=most)
    return Phrase("{file} is larger than {most} MB, the most that is read", file=file, most=most)


def _read_document(file: _ExportFile, problems: ImportProblems, notes: list[Note]) -> ExportDocument | None:
    """The file's JSON; None, with a problem noted, when it holds none."""
    raw = file.read(MAX_FILE_BYTES + 1)
    if len(raw) > MAX_FILE_BYTES:  # an archive may lie about what it holds
        raise import_error(file.name, _too_large("", MAX_FILE_BYTES))
    try:
        text, guessed = decode_text(raw)
        document = ExportDocument(file.name, parse_json(text, lines=file.path.suffix.lower() == ".jsonl"))
    except UnreadableText as error:
        problems.add_fatal(file.name, error.path, error.message)
        return None
    if guessed:
        notes.append(Note("guessed_encoding", file.name, file.name, guessed))
    return document
