"""Evaluation cases, one JSON object per line: what was said, in which home, at which moment."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from winnow.errors import CaseError
from winnow.types.dialogue import Language, Turn, Utterance

SKIPPED = (".unscored.jsonl", ".messages.jsonl", ".docs.jsonl", ".pred.jsonl")


@dataclass(frozen=True, slots=True)
class Case:
    """One sentence to be answered by itself. ``setup`` holds states laid over the home first: entity id -> state and attributes."""

    id: str
    home: str
    utterance: Utterance
    language: Language
    setup: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    file: str = ""
    line: int = 0

    def wrong(self, name: str, message: str) -> CaseError:
        """An error that names this case's place."""
        return CaseError(self.file, self.line, name, message)


def case_files(path: Path) -> tuple[Path, ...]:
    """The file itself, or every case file of a folder by name, without those set aside."""
    if path.is_dir():
        return tuple(sorted(p for p in path.iterdir() if p.name.endswith(".jsonl") and not p.name.endswith(SKIPPED)))
    return (path,) if path.is_file() else ()


def read_cases(path: Path) -> tuple[Case, ...]:
    """All cases of one file. Raises CaseError for the first line that is none."""
    cases, seen = [], set()
    for case in _cases(path):
        if case.id in seen:
            raise case.wrong("id", f"{case.id!r} occurs twice")
        seen.add(case.id)
        cases.append(case)
    return tuple(cases)


def _cases(path: Path) -> Iterator[Case]:
    with path.open(encoding="utf-8-sig") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                yield _Row(path.name, number, _object(path.name, number, line)).case()


def _object(file: str, number: int, line: str) -> dict[str, Any]:
    try:
        data = json.loads(line)
    except json.JSONDecodeError as error:
        raise CaseError(file, number, "line", f"not JSON: {error.msg} at column {error.colno}") from None
    if not isinstance(data, dict):
        raise CaseError(file, number, "line", f"expected an object, found {type(data).__name__}")
    return data


@dataclass(frozen=True, slots=True)
class _Row:
    """One line of a case file and where it stands."""

    file: str
    number: int
    data: Mapping[str, Any]

    def case(self) -> Case:
        context, language = self.get("context", dict, {}), language_of(self.get("lang", str, "en"))
        home = self.need("home")
        said = Utterance(
            text=self.get("utterance", str, None),
            language=language,
            home=home,
            room=self.place(context, "area_id") or self.place(context, "area"),
            history=tuple(self.turn(n, t) for n, t in enumerate(self.get("history", list, []))),
        )
        return Case(self.need("id"), home, said, language, self.setup(), self.file, self.number)

    def get(self, name: str, kind: type, default: Any) -> Any:
        """The field in its type; its absence is an error when ``default`` is None."""
        value = self.data.get(name)
        if value is None and default is not None:
            return default
        if not isinstance(value, kind):
            raise CaseError(
                self.file, self.number, name, "missing" if value is None else f"expected {kind.__name__}, found {type(value).__name__}"
            )
        return value

    def need(self, name: str) -> str:
        value: str = self.get(name, str, None)
        if not value:
            raise CaseError(self.file, self.number, name, "empty")
        return value

    def place(self, context: Mapping[str, Any], name: str) -> str | None:
        value = context.get(name)
        if value is not None and not isinstance(value, str):
            raise CaseError(self.file, self.number, f"context.{name}", f"expected str, found {type(value).__name__}")
        return value or None

    def turn(self, number: int, turn: Any) -> Turn:
        at = f"history[{number}]"
        if not isinstance(turn, dict) or not isinstance(turn.get("content"), str):
            raise CaseError(self.file, self.number, f"{at}.content", "expected text")
        if turn.get("role") not in ("user", "assistant"):
            raise CaseError(self.file, self.number, f"{at}.role", "expected user or assistant")
        return Turn("user" if turn["role"] == "user" else "assistant", turn["content"])

    def setup(self) -> dict[str, dict[str, Any]]:
        setup: dict[str, dict[str, Any]] = self.get("setup", dict, {})
        for entity, change in setup.items():
            if not isinstance(change, dict):
                raise CaseError(self.file, self.number, f"setup.{entity}", f"expected dict, found {type(change).__name__}")
        return setup


def language_of(tag: str) -> Language:
    """``zh`` for every Chinese tag (zh-TW, zh-HK ...), else ``en``."""
    return "zh" if tag.lower().startswith("zh") else "en"
