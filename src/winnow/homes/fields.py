"""Reading other people's JSON.

Every problem is noted with its file and place, and all are raised together.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from winnow.errors import NOT_UTF8, HomeImportError, Phrase, Problem
from winnow.types.catalog import Scalar


@dataclass(slots=True)
class Problems:
    """The problems found so far."""

    found: list[Problem] = field(default_factory=list)

    def note(self, file: str, path: str, message: str) -> None:
        """Remember one problem."""
        self.found.append(Problem(file=file, path=path, message=message))

    def check(self) -> None:
        """Raise ``HomeImportError`` with everything found, each once, if anything was."""
        if self.found:
            raise HomeImportError(tuple(dict.fromkeys(self.found)))


@dataclass(frozen=True, slots=True)
class Row:
    """One JSON object. Reading a field of the wrong type notes a problem and answers as if it were absent."""

    data: Mapping[str, object]
    file: str
    path: str
    problems: Problems

    def _at(self, name: str) -> str:
        return f"{self.path}.{name}" if self.path else name

    def note(self, name: str, message: str) -> None:
        """Remember a problem of this row's field ``name``."""
        self.problems.note(self.file, self._at(name), message)

    def _typed(self, name: str, kinds: tuple[type, ...], wanted: str) -> object:
        value = self.data.get(name)
        if value is None or (
            isinstance(value, kinds) and not (isinstance(value, bool) and bool not in kinds)
        ):
            return value
        self.note(name, misfit(wanted, value))
        return None

    def text(self, name: str) -> str:
        """The string, stripped; empty when absent."""
        value = self._typed(name, (str,), "a string")
        return value.strip() if isinstance(value, str) else ""

    def id(self, name: str) -> str:
        """The string; its absence is a problem."""
        value = self.text(name)
        if not value and not isinstance(self.data.get(name), (dict, list, int, float)):
            self.note(name, "missing")
        return value

    def choice(self, name: str, known: Sequence[str]) -> str:
        """The string, one of the known ones; empty when absent."""
        value = self.text(name)
        if not value or value in known:
            return value
        self.note(name, Phrase("{given!r} is none of {known}", given=value, known=list(filter(None, known))))
        return ""

    def number(self, name: str) -> float | None:
        """The number, None when absent."""
        value = self._typed(name, (int, float), "a number")
        return value if isinstance(value, (int, float)) else None

    def row(self, name: str) -> Row:
        """The object; empty when absent."""
        value = self._typed(name, (dict,), "an object")
        return Row(value if isinstance(value, dict) else {}, self.file, self._at(name), self.problems)

    def rows(self, name: str) -> list[Row]:
        """The objects of a list; empty when absent."""
        value = self._typed(name, (list,), "a list")
        return list(each(value if isinstance(value, list) else [], self.file, self._at(name), self.problems))

    def strings(self, name: str) -> tuple[str, ...]:
        """The non-empty strings of a list; empty when absent. Nulls in it say nothing."""
        value = self._typed(name, (list,), "a list of strings")
        items = value if isinstance(value, list) else []
        if any(item is not None and not isinstance(item, str) for item in items):
            self.note(name, "expected a list of strings")
        return tuple(item.strip() for item in items if isinstance(item, str) and item.strip())

    def items(self) -> Iterator[tuple[str, Row]]:
        """The members that must be objects."""
        return ((name, self.row(name)) for name in self.data)


def each(items: list[object], file: str, path: str, problems: Problems) -> Iterator[Row]:
    """The objects of a list; anything else in it is a problem."""
    for i, item in enumerate(items):
        at = f"{path}[{i}]"
        if isinstance(item, dict):
            yield Row(item, file, at, problems)
        else:
            problems.note(file, at, misfit("an object", item))


def read_json(path: Path, problems: Problems) -> object:
    """What the file holds; None, with a problem noted, when it cannot be read."""
    try:
        return json.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        problems.note(path.name, "", "file is missing")
    except (OSError, UnicodeDecodeError) as error:
        problems.note(path.name, "", unreadable(error))
    except json.JSONDecodeError as error:
        where = {"line": error.lineno, "column": error.colno}
        why = Phrase("not JSON: {why} at line {line} column {column}", why=error.msg, **where)
        problems.note(path.name, "", why)
    return None


def unreadable(error: OSError | UnicodeDecodeError) -> str:
    """Why a file cannot be read."""
    if isinstance(error, UnicodeDecodeError):
        return NOT_UTF8
    return Phrase("cannot be read: {why}", why=error.strerror)


def misfit(wanted: str, value: object) -> str:
    """What is said of a value that is not what was ``wanted``."""
    return Phrase("expected {wanted}, found {found}", wanted=wanted, found=type(value).__name__)


def read_object(path: Path, problems: Problems) -> Row:
    """The file as one object."""
    data = read_json(path, problems)
    if data is not None and not isinstance(data, dict):
        problems.note(path.name, "", misfit("an object", data))
    return Row(data if isinstance(data, dict) else {}, path.name, "", problems)


def note_repeats(rows: list[Row], name: str) -> None:
    """Note every row whose id field ``name`` an earlier row has already."""
    seen: set[str] = set()
    for row in rows:
        value = row.text(name)
        if value and value in seen:
            row.note(name, Phrase("repeats {id!r}", id=value))
        seen.add(value)


def newest(times: Iterable[object]) -> float | None:
    """The latest of ISO 8601 times, in seconds since the epoch; what is no time does not count.

    A payload is read no earlier than the last thing it tells of. None when it tells no time at all.
    """
    return max((at for time in times if (at := _moment(time)) is not None), default=None)


def _moment(time: object) -> float | None:
    """Seconds since the epoch; a time that names no zone is UTC."""
    if not isinstance(time, str):
        return None
    try:
        told = datetime.fromisoformat(time)
    except ValueError:
        return None
    return (told if told.tzinfo else told.replace(tzinfo=UTC)).timestamp()


def scalar(value: object) -> Scalar:
    """The value if it is one, else compact JSON."""
    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
