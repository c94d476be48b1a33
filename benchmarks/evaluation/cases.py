"""Evaluation cases, one JSON object per line.

Read, checked, and every mistake named with its file, line and field.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeVar

from winnow.errors import NOT_UTF8, CaseError, Phrase
from winnow.types.utterance import LanguageCode, Turn, Utterance
from winnow.understand.rewrite.rewrite import MAX_TURNS

SKIPPED_SUFFIXES = (".unscored.jsonl", ".messages.jsonl", ".docs.jsonl", ".pred.jsonl")


class CaseWithId(Protocol):
    """Any case."""

    @property
    def id(self) -> str:
        """What its prediction is found by; occurs once in a file."""


C = TypeVar("C", bound=CaseWithId)


@dataclass(frozen=True, slots=True)
class DeviceCase:
    """One sentence to be answered by itself.

    ``setup`` holds states laid over the home first: entity id -> state and attributes.
    """

    id: str
    home: str
    utterance: Utterance
    language: LanguageCode
    setup: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    expect: Mapping[str, Any] = field(default_factory=dict)
    """What is right, where the case tells it."""
    file: str = ""
    line: int = 0

    def error(self, name: str, message: str) -> CaseError:
        """An error that names this case's place."""
        return CaseError(self.file, self.line, name, message)


@dataclass(frozen=True, slots=True)
class QuestionCase:
    """The last thing said in a conversation, with the turns before it and its language in ``utterance``."""

    id: str
    utterance: Utterance


def case_files(path: Path) -> tuple[Path, ...]:
    """The file itself, or every case file of a folder by name, without those set aside."""
    if path.is_dir():
        return tuple(
            sorted(
                p
                for p in path.iterdir()
                if p.name.endswith(".jsonl") and not p.name.endswith(SKIPPED_SUFFIXES)
            )
        )
    return (path,) if path.is_file() else ()


def read_cases(path: Path, read: Callable[[CaseRow], C]) -> tuple[C, ...]:
    """All cases of one file. Raises CaseError for the first line that is none."""
    cases: dict[str, C] = {}
    for row in case_rows(path):
        case = read(row)
        if case.id in cases:
            raise row.error("id", Phrase("{id!r} occurs twice", id=case.id))
        cases[case.id] = case
    return tuple(cases.values())


def device_case(row: CaseRow) -> DeviceCase:
    """``id, home, utterance``, and where there are any ``lang, history, context, setup, expect``.

    Raises CaseError.
    """
    context, language, home = row.get("context", dict, {}), row.language(), row.required_text("home")
    room = row.place(context, "area_id") or row.place(context, "area")
    said = Utterance(
        text=row.get("utterance", str, None), language=language, home=home, room=room, history=row.history()
    )
    expect: Mapping[str, Any] = row.get("expect", dict, {})
    return DeviceCase(
        row.required_text("id"), home, said, language, row.setup(), expect, row.file, row.number
    )


def question_case(row: CaseRow) -> QuestionCase:
    """``id, query``, and where there are any ``lang, history``. Raises CaseError.

    Of a conversation about a page, ``title`` and ``section`` are said first, and then its last turns, as many
    as are read.
    """
    page = tuple(
        Turn("assistant", said) for said in (row.get("title", str, ""), row.get("section", str, "")) if said
    )
    turns = row.history()[-(MAX_TURNS - len(page)) :] if page else row.history()
    return QuestionCase(
        row.required_text("id"),
        Utterance(row.get("query", str, None), language=row.language(), history=(*page, *turns)),
    )


def case_rows(path: Path) -> Iterator[CaseRow]:
    """The objects of a file, one per line. Raises CaseError for the first line that is none."""
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                file = path.name
                try:
                    data = json.loads(line.decode("utf-8-sig"))
                except UnicodeDecodeError:
                    raise CaseError(file, number, "line", NOT_UTF8) from None
                except json.JSONDecodeError as error:
                    why = Phrase("not JSON: {why} at column {column}", why=error.msg, column=error.colno)
                    raise CaseError(file, number, "line", why) from None
                if not isinstance(data, dict):
                    raise CaseError(file, number, "line", type_mismatch("an object", data))
                yield CaseRow(path.name, number, data, path.parent)


def type_mismatch(wanted: str, value: object) -> Phrase:
    """What is said of a value that is not what was ``wanted``."""
    return Phrase("expected {wanted}, found {found}", wanted=wanted, found=type(value).__name__)


@dataclass(frozen=True, slots=True)
class CaseRow:
    """One line of a case file and where it stands.

    What it is asked for it gives in the right type, or raises CaseError.
    """

    file: str
    number: int
    data: Mapping[str, Any]
    folder: Path = Path()
    """Where the file lies, and what belongs to it."""

    def error(self, name: str, message: str) -> CaseError:
        """An error that names this line and a field of it."""
        return CaseError(self.file, self.number, name, message)

    def get(self, name: str, kind: type, default: Any) -> Any:
        """The field in its type; its absence is an error when ``default`` is None."""
        value = self.data.get(name)
        if value is None and default is not None:
            return default
        if not isinstance(value, kind):
            raise self.error(name, "missing" if value is None else type_mismatch(kind.__name__, value))
        return value

    def required_text(self, name: str) -> str:
        """Text that is not empty."""
        value: str = self.get(name, str, None)
        if not value:
            raise self.error(name, "empty")
        return value

    def language(self) -> LanguageCode:
        """What ``lang`` says; English when nothing."""
        return language_of(self.get("lang", str, "en"))

    def history(self) -> tuple[Turn, ...]:
        """The turns before, oldest first."""
        turns: list[Turn] = []
        for n, t in enumerate(self.get("history", list, [])):
            at = f"history[{n}]"
            if not isinstance(t, dict) or not isinstance(t.get("content"), str):
                raise self.error(f"{at}.content", "expected text")
            if t.get("role") not in ("user", "assistant"):
                raise self.error(f"{at}.role", "expected user or assistant")
            turns.append(Turn("user" if t["role"] == "user" else "assistant", t["content"]))
        return tuple(turns)

    def place(self, context: Mapping[str, Any], name: str) -> str | None:
        """A room of ``context``."""
        value = context.get(name)
        if value is not None and not isinstance(value, str):
            raise self.error(f"context.{name}", type_mismatch("str", value))
        return value or None

    def setup(self) -> dict[str, dict[str, Any]]:
        """States to lay over the home."""
        setup: dict[str, dict[str, Any]] = self.get("setup", dict, {})
        for entity, change in setup.items():
            if not isinstance(change, dict):
                raise self.error(f"setup.{entity}", type_mismatch("dict", change))
        return setup


def language_of(tag: str) -> LanguageCode:
    """``zh`` for every Chinese tag (zh-TW, zh-HK ...), else ``en``."""
    return "zh" if tag.lower().startswith("zh") else "en"
