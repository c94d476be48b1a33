"""What one clause does in the talk, whatever was said before it."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from winnow.understand.intent.clauses import Clause, clauses
from winnow.understand.intent.cues import shows

Form = Literal["question", "request", "wish", "statement"]
Kind = Literal[Form, "talk", "stop", "backchannel", "repeat", "tool", "persona", "own"]
ASKING: frozenset[Kind] = frozenset({"question", "request", "own"})
"""Kinds that ask for something to be looked up."""
_IN_ORDER: tuple[Kind, ...] = ("stop", "backchannel", "repeat", "persona")
"""Kinds whose cue settles it, in order of precedence."""


@lru_cache(maxsize=256)
def kind(clause: Clause) -> Kind:
    """The kind of a clause."""
    if not clause.rest:
        return "talk"
    for name in _IN_ORDER:
        if shows(name, clause.rest):
            return name
    if shows("tool", clause.rest) and (not is_question(clause) or shows("to_you", clause.rest)):
        return "tool"
    form = _form(clause)
    return "own" if form in ASKING and shows("own", clause.rest) else form


def _form(clause: Clause) -> Form:
    if is_question(clause):
        return "question"
    if shows("request", clause.rest):
        return "request"
    return "wish" if shows("wish", clause.rest) else "statement"


def is_question(clause: Clause) -> bool:
    """Whether the clause is in the form of a question."""
    if not clause.rest:
        return False
    if clause.asked or shows("particle", clause.rest) or shows("asks_yes_no", clause.rest):
        return True
    return shows("wh", clause.rest) and not shows("indefinite", clause.rest)


def wants(text: str) -> bool:
    """Whether an earlier turn asked for something to be looked up."""
    return any(kind(c) in ASKING or kind(c) == "wish" for c in clauses(text))
