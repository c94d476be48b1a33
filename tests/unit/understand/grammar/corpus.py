"""Sentences grouped by what they mean, and sentences that look like orders and are none.

``corpus.LANGUAGE.yaml``: a list of groups ``{means, say}``; ``means`` is what all of them come to: calls as
``id command value``, one text each (``kind: act`` unless given), or only a ``kind`` of verdict. ``why`` marks
a group that is not read rightly yet, ``ambiguous`` one that may be read in two ways.
``none.LANGUAGE.yaml``: kind of sentence -> sentences, none of which may act or ask for a yes; ``why``: those
that do, and why.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from winnow.language.tables import parse_yaml
from winnow.types.utterance import LanguageCode

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Group:
    """Ways of saying one thing."""

    means: str
    say: tuple[str, ...]
    kind: str
    ambiguous: bool
    late: dict[str, str]
    """Sentence -> why it is not read rightly yet."""


@cache
def groups(language: LanguageCode) -> tuple[Group, ...]:
    """The groups of a language."""
    return tuple(map(_group, _read(f"corpus.{language}.yaml")))


@cache
def none(language: LanguageCode) -> dict[str, list[str]]:
    """Kind of sentence -> sentences that look like orders and are none."""
    return {kind: said for kind, said in _read(f"none.{language}.yaml").items() if kind != "why"}


def waiting(language: LanguageCode) -> dict[str, str]:
    """Sentence of these -> why it acts all the same."""
    return dict(_read(f"none.{language}.yaml").get("why", {}))


def sentences(language: LanguageCode) -> Iterator[str]:
    """All of them."""
    for group in groups(language):
        yield from group.say
    for said in none(language).values():
        yield from said


def _group(row: dict[str, Any]) -> Group:
    return Group(
        row["means"],
        tuple(row["say"]),
        row.get("kind", "act"),
        row.get("ambiguous", False),
        row.get("why", {}),
    )


def _read(name: str) -> Any:
    return parse_yaml((HERE / name).read_text("utf-8"))
