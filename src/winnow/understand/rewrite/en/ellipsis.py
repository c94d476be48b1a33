"""``What about the dryer?``: the question before it, asked of something else."""

from __future__ import annotations

import re
from collections.abc import Sequence

from winnow.types.dialogue import Turn
from winnow.types.rewrite import Rewrite, Span
from winnow.understand.rewrite.en.mentions import READ, Mention, mentions
from winnow.understand.rewrite.en.words import ENDS, Token, lists, tokens

_ABOUT = re.compile(
    r"\s*(?:and |ok(?:ay)?,? |but |then )*(?:what|how)\s*(?:about|'\s*bout|bout)\s+(?P<rest>[^.?!;:\n]+?)\s*[.?!]*\s*$",
    re.IGNORECASE,
)
_LEADS = frozenset({"from", "in", "on", "for", "with", "at", "to", "by", "about"})
LONGEST = 6
"""Words of what is asked about instead."""
ALIKE = 3
"""How alike two phrases must be for one to take the other's place; see ``_likeness``."""


def asked_of_another(query: str, history: Sequence[Turn], skipped: int = 0) -> Rewrite | None:
    """The last question with the phrase of its that is most like the one asked about replaced by it.

    None where none is alike.
    """
    match = _ABOUT.match(query)
    turn = next((i for i in range(len(history) - 1, -1, -1) if history[i].role == "user"), -1)
    if match is None or turn < 0:
        return None
    question, other = _question(history[turn].content[:READ]), tokens(match["rest"])
    place = _place(question, other) if question and _short(other) else None
    if place is None:
        return None
    front, back = question[: place[0]].strip(), question[place[1] :].strip()
    mark = query[match.end("rest") :].rstrip()
    text = " ".join(part for part in (front, match["rest"], back) if part) + mark
    spans = (
        Span(front, turn + skipped, 0, query[: match.start("rest")]),
        Span(back, turn + skipped, match.end("rest")),
    )
    return Rewrite(text, True, tuple(span for span in spans if span.text), "ellipsis", confidence=0.7)


def _question(text: str) -> str:
    """The last sentence of an earlier message without its closing mark, where it asks or orders."""
    sentences = [s.strip() for s in re.split(r"[.?!;:\n]+", text) if s.strip()]
    read = tokens(sentences[-1]) if sentences else ()
    return (
        sentences[-1]
        if read and read[0].low in lists()["asks"] | lists()["imperative"] and len(read) > 2
        else ""
    )


def _short(other: Sequence[Token]) -> bool:
    """A phrase and no sentence of its own."""
    return 0 < len(other) <= LONGEST and not any(
        t.kind == "verb" or t.text in ENDS or t.text == "," for t in other
    )


def _place(question: str, other: Sequence[Token]) -> tuple[int, int] | None:
    """From where to where in the question the other phrase goes.

    At its end when it is a day and the question has none.
    """
    lead = other[0].low if other[0].low in _LEADS else ""
    read = tokens(question)
    found = [m for m in mentions([Turn("user", question)]) if m.kind in {"name", "noun", "title"}]
    alike = [(_likeness(m, other, lead), m) for m in found if not lead or m.before == lead]
    score, best = max(alike, key=lambda pair: pair[0], default=(0, None))
    if best is not None and score >= ALIKE:
        start = read[best.at].start
        return (read[best.at - 1].start if lead else start, start + len(best.text))
    return _day(question, read) if {other[-1].low, other[0].low} & lists()["days"] else None


def _day(question: str, read: Sequence[Token]) -> tuple[int, int] | None:
    """Where ``today`` stands in the question, its end when it names no day, None when it names one in more words."""
    days = [t for t in read if t.low in lists()["days"]]
    if days and days[0].kind != "function":
        return None
    return (days[0].start, days[0].end) if days else (len(question), len(question))


def _likeness(m: Mention, other: Sequence[Token], lead: str) -> int:
    """0 to 6: the same kind of word in front and at the head, the same word in front, a place at the end."""
    timed = bool({other[-1].low, other[0].low} & lists()["days"])
    if timed != bool({m.words[0], m.words[-1]} & lists()["days"]) or {m.words[-1]} & lists()["vague"]:
        return 0
    named = all(t.kind == "name" for t in other if t.kind not in {"function", "mark"})
    determined = other[0].low in lists()["determiners"]
    return (
        2 * (named == (m.kind in {"name", "title"}))
        + (determined == bool(m.determiner))
        + 2 * bool(lead)
        + timed
        + m.last
    )
