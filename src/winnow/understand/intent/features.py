"""What can be weighed of a turn.

The form of its sentences and the state of the talk, never what it is about.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from winnow.language.ngrams import runs
from winnow.understand.intent.before import Before
from winnow.understand.intent.clauses import Clause
from winnow.understand.intent.cues import shows
from winnow.understand.intent.kinds import is_question, kind

FORMS = (
    "wh",
    "particle",
    "soft_particle",
    "asks_yes_no",
    "indefinite",
    "request",
    "wish",
    "feeling",
    "pronoun_i",
    "pronoun_you",
    "own",
)
"""Cues that count by whether any clause has one."""
SHORT, LONG = 4, 15
"""Chinese characters (or Latin words) below and above which a turn is short or long."""


def features(turn: Sequence[Clause], state: Before) -> Mapping[str, float]:
    """Name -> 0 or 1 (``overlap``: 0..1) for a turn of which something is left when the talk is taken off."""
    said = [c for c in turn if c.rest]
    text = " , ".join(c.rest for c in said)
    shown = {name for name in FORMS if any(shows(name, c.rest) for c in said)}
    asking = any(is_question(c) for c in said)
    words, han = runs(text)
    size = length(said)
    found = {
        **dict.fromkeys(shown, 1.0),
        "mark": float(any(c.asked for c in said)),
        "question": float(asking),
        "backchannel": float(all(kind(c) == "backchannel" for c in said)),
        "thanked": float(any({"thanks", "farewell"} & set(c.acts) for c in turn)),
        "acknowledged": float(any({"ack", "praise", "yes"} & set(c.acts) for c in turn)),
        "short": float(size <= SHORT),
        "long": float(size >= LONG),
        "digits": float(any(ch.isdigit() for ch in text)),
        "fragment": float(not asking and not any(shows("predicate", c.rest) for c in said)),
        "opening": float(state.turns == 0),
        "asked_before": float(state.asks),
        "offered_before": float(state.offers),
        "waiting": float(state.waiting),
        "failed": float(state.failed),
        "personal": float(state.personal),
        "overlap": overlap(han, words, state.said),
    }
    asks = asking or "request" in shown
    pairs = {
        "answer": state.asks and not asks,
        "fresh_fragment": bool(found["fragment"]) and not state.asks,
        "personal_question": state.personal and asking and "pronoun_you" in shown,
        "wh_indefinite": "wh" in shown and "indefinite" in shown,
        "plain": not asks and "wish" not in shown,
    }
    return {
        name: value for name, value in {**found, **{k: float(v) for k, v in pairs.items()}}.items() if value
    }


def length(said: Sequence[Clause]) -> int:
    """Chinese characters and Latin words of what is said."""
    words, han = runs(" ".join(c.rest for c in said))
    return len(words) + sum(map(len, han))


def overlap(han: Sequence[str], words: Sequence[str], said: str) -> float:
    """The share of the turn's character pairs and longer words that the last message of the assistant holds."""
    pieces = [run[i : i + 2] for run in han for i in range(len(run) - 1)] + [w for w in words if len(w) > 3]
    return sum(p in said for p in pieces) / len(pieces) if pieces and said else 0.0
