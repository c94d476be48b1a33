"""How sure a query is, slot by slot.

What was said and explained counts whole, what was inferred or misheard counts less.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from winnow.types.query import PLACE_KINDS, Confidence, Quantifier, QueryIR, Token, has_kind, of_kind

ACTING_KINDS = frozenset({"verb", "light_verb", "step", "particle"})
"""Kinds of words that say what is to be done."""
INFERRED_SCORE = 0.6
"""An act nobody named, told by a value or a property."""
POINTED_SCORE = 0.8
"""A target that a word points back to."""
UNNAMED_SCORE = 0.5
"""No target at all: the act alone must tell."""
MIN_CONFIDENCE = 0.5
"""Below it a query wants help: a model's, or a person's."""


def with_confidence(query: QueryIR) -> QueryIR:
    """The query with its confidence, whether it wants help, and what must not be lost (``risk_flags``)."""
    slots = {"action": _action_confidence(query), "target": _target_confidence(query)}
    if query.value is not None:
        slots["value"] = 1.0 if query.property else POINTED_SCORE
    if places := of_kind(query.target.tokens, *PLACE_KINDS):
        slots["scope"] = sum(bool(t.refs) or t.kind == "zone" for t in places) / len(places)
    # What could not be placed lowers the whole by its share of the characters of this query's part.
    said = sum(len(t.text) for t in query.tokens) or 1
    overall = min(slots.values()) * (1.0 - min(1.0, sum(map(len, query.unplaced)) / said))
    confidence = Confidence(round(overall, 3), {name: round(value, 3) for name, value in slots.items()})
    return replace(
        query, confidence=confidence, needs_fallback=overall < MIN_CONFIDENCE, risk_flags=risk_flags(query)
    )


def with_question_confidence(query: QueryIR) -> QueryIR:
    """A question with its confidence: the share of its characters that something explains."""
    said = query.tokens or query.target.tokens
    share = round(_explained_share(said), 3) if said else 1.0
    return replace(query, confidence=Confidence(share, {"target": share}))


def risk_flags(query: QueryIR) -> tuple[str, ...]:
    """``negation``, ``exception``, ``condition``, ``reference``, ``unplaced``.

    What the query holds of these.
    """
    held = {
        "negation": query.negated,
        "exception": bool(query.exclusions) or query.quantifier is Quantifier.EXCEPT,
        "condition": bool(query.conditions),
        "reference": bool(query.references),
        "unplaced": bool(query.unplaced),
    }
    return tuple(name for name, present in held.items() if present)


def _action_confidence(query: QueryIR) -> float:
    if query.negated or has_kind(query.tokens, *ACTING_KINDS):
        return 1.0
    return INFERRED_SCORE if query.action or query.value is not None or query.property else 0.0


def _target_confidence(query: QueryIR) -> float:
    pointed = bool(query.references or query.antecedents)
    if not query.target.tokens:
        return POINTED_SCORE if pointed else UNNAMED_SCORE
    return _explained_share(query.target.tokens) * (POINTED_SCORE if pointed else 1.0)


def _explained_share(tokens: Sequence[Token]) -> float:
    """The share of the characters that something explains.

    A word put right counts as far as it sounded alike.
    """
    known = 0.0
    for token in tokens:
        heard = token.data.get("heard", 1.0)
        if token.kind != "word":
            known += len(token.text) * (heard if isinstance(heard, int | float) else 1.0)
    return known / sum(len(t.text) for t in tokens)
