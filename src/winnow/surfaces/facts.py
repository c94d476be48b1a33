"""Facts of persons as text, and as data: what holds, and what it replaced."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

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
    from winnow.recall.facts import lineage

    return [_line(fact, language) for history in lineage(facts) for fact in history]


def changed_lines(facts: Sequence[Fact], language: Language) -> list[str]:
    """What was kept, one line a fact; below each, indented, what it took the place of, and by which rule."""
    from winnow.recall.facts import lineage

    lines = []
    for *replaced, current in lineage(facts):
        lines.append(_line(current, language))
        for old in reversed(replaced):
            about = {"id": encode(old.id, 64), "text": encode(old.text, LONG)}
            why = worded(old.reason, language)
            lines.append(f"  {message('facts_replaces', language, **about, reason=why)}")
    return lines


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


def _line(fact: Fact, language: Language) -> str:
    """Its id, when, its text, and how it stands where it does not simply hold."""
    indent = "  " if fact.status == "superseded" else ""
    at = fact.at.isoformat(" ", "minutes") if fact.at else "-" * 16
    line = f"{indent}{encode(fact.id, 64)}  {at}  {encode(fact.text, LONG)}"
    why = worded(fact.reason, language)
    if fact.status == "superseded":
        return f"{line}  ({message('facts_replaced', language, id=fact.replaced_by, reason=why)})"
    if fact.status == "uncertain":
        return f"{line}  ({message('facts_uncertain', language, reason=why)})"
    return line
