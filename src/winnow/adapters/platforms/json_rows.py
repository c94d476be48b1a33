"""Reading other people's JSON.

What cannot be read is left out and noted with its file and place; what no home can be made without is raised.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from math import isfinite
from typing import TypeVar

from winnow.errors import NOT_UTF8, HomeImportError, Phrase, Problem
from winnow.types.home import Scalar

Built = TypeVar("Built")


class UnusableRow(Exception):  # noqa: N818 - reads as the sentence it is
    """A row lacks what nothing can be made without; it was noted."""


@dataclass(slots=True)
class ImportProblems:
    """The problems found so far: those no home can be made with, and those that were left out."""

    fatal: list[Problem] = field(default_factory=list)
    omissions: list[Problem] = field(default_factory=list)

    def add_fatal(self, file: str, path: str, message: str) -> None:
        """Remember one problem no home can be made with."""
        self.fatal.append(Problem(file=file, path=path, message=message))

    def add_omission(self, file: str, path: str, message: str) -> None:
        """Remember what was left out."""
        self.omissions.append(Problem(file=file, path=path, message=message))

    def check(self) -> None:
        """Raise ``HomeImportError`` with everything that is wrong, each once, if no home can be made."""
        if self.fatal:
            raise HomeImportError(tuple(dict.fromkeys((*self.fatal, *self.omissions))))


@dataclass(frozen=True, slots=True)
class JsonRow:
    """One JSON object. A field of the wrong type is left out: it is noted, and read as if it were absent."""

    data: Mapping[str, object]
    file: str
    path: str
    problems: ImportProblems

    def path_of(self, name: str) -> str:
        """Where the field stands in its file."""
        return f"{self.path}.{name}" if self.path else name

    def note(self, name: str, message: str) -> None:
        """Remember that this row's field ``name`` was left out."""
        self.problems.add_omission(self.file, self.path_of(name), message)

    def checked_value(self, name: str, kinds: tuple[type, ...], wanted: str) -> object:
        """The field where it is of one of these kinds, else None, with a problem noted."""
        value = self.data.get(name)
        if value is None or (
            isinstance(value, kinds) and not (isinstance(value, bool) and bool not in kinds)
        ):
            return value
        self.note(name, type_mismatch(wanted, value))
        return None

    def text(self, name: str) -> str:
        """The string, stripped; empty when absent."""
        value = self.checked_value(name, (str,), "a string")
        return value.strip() if isinstance(value, str) else ""

    def id(self, name: str) -> str:
        """The string. Raises Unusable where there is none."""
        if value := self.text(name):
            return value
        if self.data.get(name) is None or isinstance(self.data[name], str):
            self.note(name, "missing")
        raise UnusableRow

    def name(self, *fields: str) -> str:
        """The first string or number of these fields. Raises Unusable where there is none."""
        for field_name in fields:
            value = self.checked_value(field_name, (str, int, float), "a string")
            if value is not None and (text := str(value).strip()):
                return text
        self.note(fields[0], "missing")
        raise UnusableRow

    def choice(self, name: str, known: Sequence[str]) -> str:
        """The string, one of the known ones; empty when absent."""
        value = self.text(name)
        if not value or value in known:
            return value
        self.note(name, Phrase("{given!r} is none of {known}", given=value, known=list(filter(None, known))))
        return ""

    def number(self, name: str) -> float | None:
        """The number, also one written as text; None when absent."""
        value = self.data.get(name)
        if isinstance(value, str):
            with suppress(ValueError):
                return number if isfinite(number := float(value)) else None
        value = self.checked_value(name, (int, float), "a number")
        return value if isinstance(value, (int, float)) else None

    def row(self, name: str) -> JsonRow:
        """The object; empty when absent."""
        value = self.checked_value(name, (dict,), "an object")
        return JsonRow(value if isinstance(value, dict) else {}, self.file, self.path_of(name), self.problems)

    def rows(self, name: str) -> list[JsonRow]:
        """The objects of a list; empty when absent."""
        value = self.checked_value(name, (list,), "a list")
        return list(
            object_rows(
                value if isinstance(value, list) else [], self.file, self.path_of(name), self.problems
            )
        )

    def strings(self, name: str) -> tuple[str, ...]:
        """The non-empty strings of a list; empty when absent. Nulls in it say nothing."""
        value = self.checked_value(name, (list,), "a list of strings")
        items = value if isinstance(value, list) else []
        if any(item is not None and not isinstance(item, str) for item in items):
            self.note(name, "expected a list of strings")
        return tuple(item.strip() for item in items if isinstance(item, str) and item.strip())

    def items(self) -> Iterator[tuple[str, JsonRow]]:
        """The members that must be objects."""
        return ((name, self.row(name)) for name in self.data)


def object_rows(items: list[object], file: str, path: str, problems: ImportProblems) -> Iterator[JsonRow]:
    """The objects of a list; anything else in it is a problem."""
    for i, item in enumerate(items):
        at = f"{path}[{i}]"
        if isinstance(item, dict):
            yield JsonRow(item, file, at, problems)
        else:
            problems.add_omission(file, at, type_mismatch("an object", item))


def build_rows(rows: Iterable[JsonRow], build: Callable[[JsonRow], Built]) -> Iterator[Built]:
    """What can be built of the rows; one that lacks what it cannot be without is left out."""
    for row in rows:
        try:
            made = build(row)
        except UnusableRow:
            continue
        yield made


def unreadable_file(error: OSError | UnicodeDecodeError) -> str:
    """Why a file cannot be read."""
    if isinstance(error, UnicodeDecodeError):
        return NOT_UTF8
    return Phrase("cannot be read: {why}", why=error.strerror)


def type_mismatch(wanted: str, value: object) -> str:
    """What is said of a value that is not what was ``wanted``."""
    return Phrase("expected {wanted}, found {found}", wanted=wanted, found=type(value).__name__)


def unique_rows(rows: Iterable[JsonRow], name: str) -> Iterator[JsonRow]:
    """The rows without those whose id field ``name`` an earlier row has already."""
    seen: set[str] = set()
    for row in rows:
        value = row.text(name)
        if value and value in seen:
            row.note(name, Phrase("repeats {id!r}", id=value))
        else:
            yield row
        seen.add(value)


def latest_time(times: Iterable[object]) -> float | None:
    """The latest of ISO 8601 times, in seconds since the epoch; what is no time does not count.

    A payload is read no earlier than the last thing it tells of. None when it tells no time at all.
    """
    moments = []
    for time in times:
        with suppress(ValueError, TypeError):
            moment = datetime.fromisoformat(time)  # type: ignore[arg-type]
            # A time that names no zone is UTC.
            moments.append((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp())
    return max(moments, default=None)


def as_scalar(value: object) -> Scalar:
    """The value if it is one, else compact JSON."""
    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
