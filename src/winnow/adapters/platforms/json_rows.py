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


class Unusable(Exception):  # noqa: N818 - reads as the sentence it is
    """A row lacks what nothing can be made without; it was noted."""


@dataclass(slots=True)
class Problems:
    """The problems found so far: those no home can be made with, and those that were left out."""

    found: list[Problem] = field(default_factory=list)
    odd: list[Problem] = field(default_factory=list)

    def note(self, file: str, path: str, message: str) -> None:
        """Remember one problem no home can be made with."""
        self.found.append(Problem(file=file, path=path, message=message))

    def leave_out(self, file: str, path: str, message: str) -> None:
        """Remember what was left out."""
        self.odd.append(Problem(file=file, path=path, message=message))

    def check(self) -> None:
        """Raise ``HomeImportError`` with everything that is wrong, each once, if no home can be made."""
        if self.found:
            raise HomeImportError(tuple(dict.fromkeys((*self.found, *self.odd))))


@dataclass(frozen=True, slots=True)
class Row:
    """One JSON object. A field of the wrong type is left out: it is noted, and read as if it were absent."""

    data: Mapping[str, object]
    file: str
    path: str
    problems: Problems

    def _at(self, name: str) -> str:
        return f"{self.path}.{name}" if self.path else name

    def note(self, name: str, message: str) -> None:
        """Remember that this row's field ``name`` was left out."""
        self.problems.leave_out(self.file, self._at(name), message)

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
        """The string. Raises Unusable where there is none."""
        if value := self.text(name):
            return value
        if self.data.get(name) is None or isinstance(self.data[name], str):
            self.note(name, "missing")
        raise Unusable

    def name(self, *fields: str) -> str:
        """The first string or number of these fields. Raises Unusable where there is none."""
        for field_name in fields:
            value = self._typed(field_name, (str, int, float), "a string")
            if value is not None and (text := str(value).strip()):
                return text
        self.note(fields[0], "missing")
        raise Unusable

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
            problems.leave_out(file, at, misfit("an object", item))


def built(rows: Iterable[Row], build: Callable[[Row], Built]) -> Iterator[Built]:
    """What can be built of the rows; one that lacks what it cannot be without is left out."""
    for row in rows:
        try:
            made = build(row)
        except Unusable:
            continue
        yield made


def unreadable(error: OSError | UnicodeDecodeError) -> str:
    """Why a file cannot be read."""
    if isinstance(error, UnicodeDecodeError):
        return NOT_UTF8
    return Phrase("cannot be read: {why}", why=error.strerror)


def misfit(wanted: str, value: object) -> str:
    """What is said of a value that is not what was ``wanted``."""
    return Phrase("expected {wanted}, found {found}", wanted=wanted, found=type(value).__name__)


def once(rows: Iterable[Row], name: str) -> Iterator[Row]:
    """The rows without those whose id field ``name`` an earlier row has already."""
    seen: set[str] = set()
    for row in rows:
        value = row.text(name)
        if value and value in seen:
            row.note(name, Phrase("repeats {id!r}", id=value))
        else:
            yield row
        seen.add(value)


def newest(times: Iterable[object]) -> float | None:
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


def scalar(value: object) -> Scalar:
    """The value if it is one, else compact JSON."""
    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
