"""The patterns of both languages, and the words by which an order is taken apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from winnow.language.tables import parse_yaml

HERE = Path(__file__).resolve().parent
LANGUAGES = ("zh", "en")
NEVER = "never"
"""The law of patterns after which nothing may be done or offered."""
SAME = "same"
"""The law of patterns after which an order is what it was, or is asked about."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One pattern: ``don't {order}``."""

    language: str
    law: str
    kind: str
    pattern: str
    example: str
    any: bool = False
    """Takes whatever was said, not only a plain order."""


@dataclass(frozen=True, slots=True)
class Grammar:
    """What a language's file says of orders."""

    language: str
    words: Mapping[str, Any]
    frames: tuple[Frame, ...]

    @property
    def verbs(self) -> Mapping[str, tuple[str, ...]]:
        """Verb -> third person, past, participle and gerund; nothing where a language has no such forms."""
        rows = self.words["verbs"]
        return {verb: tuple(rows[verb]) if isinstance(rows, dict) else () for verb in rows}


@cache
def grammar(language: str) -> Grammar:
    """The patterns and words of ``zh`` or ``en``."""
    rows = parse_yaml((HERE / f"frames.{language}.yaml").read_text("utf-8"))
    laws = {law: rows.pop(law) for law in (NEVER, SAME)}
    frames = [
        Frame(language, law, kind, row["frame"], row["example"], row.get("of") == "any")
        for law, kinds in laws.items()
        for kind, patterns in kinds.items()
        for row in patterns
    ]
    return Grammar(language, rows, tuple(frames))
