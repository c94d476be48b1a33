"""Facts of persons as text, and as data: what holds, and what it replaced."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from winnow.recall.facts import lineage
from winnow.say.messages import message
from winnow.say.wording import worded
from winnow.surfaces.plain import plain
from winnow.text.encode import encode
from winnow.types.dialogue import Language
from winnow.types.fact import Fact

LONG = 200
"""Characters of a fact that are printed."""


def fact_lines(facts: Sequence[Fact], language: Language) -> list[str]:
    """One line a fact; before each, indented, those it replaced, oldest first, and why."""
    return [line for line_of in lineage(facts) for line in _lines(line_of, language)]


def changed_lines(facts: Sequence[Fact], language: Language) -> list[str]:
    """What was kept, one line a fact; below each, indented, what it took the place of, and by which rule."""
    return [line for line_of in lineage(facts) for line in _answered(line_of, language)]


def fact_data(facts: Sequence[Fact]) -> list[Mapping[str, Any]]:
    """The same as data, in the order they came; ``replaces``: what each took the place of, and why."""
    return [
        {
            **plain(fact),
            "at": fact.at.isoformat() if fact.at else "",
            "replaces": [
                {"id": old.id, "text": old.text, "reason": old.reason}
                for old in facts
                if old.replaced_by == fact.id
            ],
        }
        for fact in facts
    ]


def _answered(line: Sequence[Fact], language: Language) -> Iterable[str]:
    *_, kept = _lines(line, language)
    yield kept
    for old in reversed(line[:-1]):
        told = {"id": encode(old.id, 64), "text": encode(old.text, LONG)}
        why = worded(old.reason, language)
        yield f"  {message('facts_replaces', language, **told, reason=why)}"


def _lines(line: Sequence[Fact], language: Language) -> Iterable[str]:
    for fact in line:
        old = "  " if fact.status == "superseded" else ""
        at = fact.at.isoformat(" ", "minutes") if fact.at else "-" * 16
        told = f"{old}{encode(fact.id, 64)}  {at}  {encode(fact.text, LONG)}"
        yield "  ".join(part for part in (told, _standing(fact, language)) if part)


def _standing(fact: Fact, language: Language) -> str:
    """How it stands, where that is to be said."""
    why = worded(fact.reason, language)
    if fact.status == "superseded":
        return f"({message('facts_replaced', language, id=fact.replaced_by, reason=why)})"
    if fact.status == "uncertain":
        return f"({message('facts_uncertain', language, reason=why)})"
    return ""
