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

QUESTIONS = ("wh", "particle", "soft_particle", "asks_yes_no", "indefinite")
"""Cues of questions."""
FORMS = (*QUESTIONS, "request", "wish", "feeling", "pronoun_i", "pronoun_you", "own")
"""Cues that count by whether any clause has one."""
SHORT, LONG = 4, 15
"""Chinese characters (or Latin words) below and above which a turn is short or long."""
Flags = Mapping[str, bool]


def features(turn: Sequence[Clause], state: Before) -> Mapping[str, float]:
    """Name -> 1, or 0..1 for ``overlap``, for a turn of which something is left when the talk is taken off.

    What does not hold is left out.
    """
    said = [c for c in turn if c.rest]
    form = _form(said)
    flags = {**form, **_talk(turn), **_size(said), **_open(state), **_together(form, state)}
    words, han = runs(" ".join(c.rest for c in said))
    share = overlap(han, words, state.said)
    found = {name: 1.0 for name, holds in flags.items() if holds}
    return {**found, "overlap": share} if share else found


def _form(said: Sequence[Clause]) -> Flags:
    """The form of what is said."""
    shown = {name: any(shows(name, c.rest) for c in said) for name in FORMS}
    asking = any(is_question(c) for c in said)
    bare = not any(shows("predicate", c.rest) for c in said)
    return {**shown, "question": asking, "fragment": bare and not asking}


def _talk(turn: Sequence[Clause]) -> Flags:
    """What the turn does in the talk."""
    acts = {act for c in turn for act in c.acts}
    return {
        "mark": any(c.asked for c in turn if c.rest),
        "backchannel": all(kind(c) == "backchannel" for c in turn if c.rest),
        "thanked": not acts.isdisjoint({"thanks", "farewell"}),
        "acknowledged": not acts.isdisjoint({"ack", "praise", "yes"}),
    }


def _size(said: Sequence[Clause]) -> Flags:
    size = length(said)
    digits = any(ch.isdigit() for c in said for ch in c.rest)
    return {"short": size <= SHORT, "long": size >= LONG, "digits": digits}


def _open(state: Before) -> Flags:
    """What the turns before leave open."""
    return {
        "opening": state.turns == 0,
        "asked_before": state.asks,
        "offered_before": state.offers,
        "waiting": state.waiting,
        "failed": state.failed,
        "personal": state.personal,
    }


def _together(form: Flags, state: Before) -> Flags:
    """What the form of a turn says in this state of the talk, or beside another form."""
    asks = form["question"] or form["request"]
    return {
        "answer": state.asks and not asks,
        "fresh_fragment": form["fragment"] and not state.asks,
        "personal_question": state.personal and form["question"] and form["pronoun_you"],
        "wh_indefinite": form["wh"] and form["indefinite"],
        "plain": not asks and not form["wish"],
    }


def length(said: Sequence[Clause]) -> int:
    """Chinese characters and Latin words of what is said."""
    words, han = runs(" ".join(c.rest for c in said))
    return len(words) + sum(map(len, han))


def overlap(han: Sequence[str], words: Sequence[str], said: str) -> float:
    """The share of the turn's character pairs and longer words that ``said`` holds."""
    pieces = [run[i : i + 2] for run in han for i in range(len(run) - 1)] + [w for w in words if len(w) > 3]
    return sum(p in said for p in pieces) / len(pieces) if pieces and said else 0.0
