"""``What about the dryer?``: the question before it, asked of something else."""

from __future__ import annotations

import re
from collections.abc import Sequence
from operator import itemgetter

from winnow.types.query import CopiedSpan, Rewrite, of_kind, without_kind
from winnow.types.utterance import Turn
from winnow.understand.rewrite.en.mentions import MAX_READ_CHARS, EnglishMention, mentions
from winnow.understand.rewrite.en.slots import ENDS, EnglishToken, lists, tokens

# ``How long?`` after an explanation: the question with what the talk is about.


MAX_PHRASE_WORDS = 5
"""Words of a question that is nothing but its first part."""
EXPLAINS = 80
"""Characters from which an answer explains something, which is then what the talk is about."""


def asked_barely(query: str, history: Sequence[Turn], skipped: int = 0) -> Rewrite | None:
    """``How much salt?`` and ``for the bread`` behind it; None where it says more, or nothing was told."""
    about = _topic(history) if _is_bare(tokens(query)) else None
    if about is None:
        return None
    body = query.rstrip(" ?!.")
    text = f"{body} for {about.text}{query[len(body) :]}"
    span = CopiedSpan(about.text, about.turn + skipped, len(body))
    return Rewrite(text, True, (span,), "bare", confidence=0.7)


def _is_bare(read: Sequence[EnglishToken]) -> bool:
    """Whether a question is only a question word and what it measures or chooses: ``at what temperature``."""
    words = [token.low for token in without_kind(read, "mark")]
    leads = next((n for n, word in enumerate(words) if word not in lists()["bare_leads"]), len(words))
    placed = not lists()["bare_places"].isdisjoint(words[:leads])
    asked = words[leads:]
    if (
        not 2 <= len(asked) <= MAX_PHRASE_WORDS
        or asked[0] not in lists()["bare_at" if placed else "bare_asks"]
    ):
        return False
    more = {token.low for token in of_kind(read, "verb")}.union(lists()["bare_stops"])
    return more.isdisjoint(asked[1:])


def _topic(history: Sequence[Turn]) -> EnglishMention | None:
    """The last phrase of the last full question of the user, where an explanation followed."""
    for turn in reversed(range(len(history) - 1)):
        said, reply = history[turn], history[turn + 1]
        if said.role == "user" and reply.role == "assistant" and len(reply.content) >= EXPLAINS:
            found = [
                m
                for m in of_kind(
                    mentions([Turn("user", said.content[:MAX_READ_CHARS])]), "noun", "name", "title"
                )
                if m.words[-1] not in lists()["vague"]
            ]
            if found:
                return found[-1]._replace(turn=turn)
    return None


_ABOUT = re.compile(
    r"\s*(?:and |ok(?:ay)?,? |but |then )*(?:what|how)\s*(?:about|'\s*bout|bout)\s+"
    r"(?P<rest>[^.?!;:\n]+?)\s*[.?!]*\s*$",
    re.IGNORECASE,
)
_LEADS = frozenset({"from", "in", "on", "for", "with", "at", "to", "by", "about"})
LONGEST_ELLIPSIS = 6
"""Words of what is asked about instead."""
ALIKE = 3
"""How alike two phrases must be for one to take the other's place; see ``_likeness``."""


def asked_of_another(query: str, history: Sequence[Turn], skipped: int = 0) -> Rewrite | None:
    """The last question with the phrase of its that is most like the one asked about replaced by it.

    None where none is alike.
    """
    match = _ABOUT.match(query)
    turn = max((i for i, turn in enumerate(history) if turn.role == "user"), default=-1)
    if match is None or turn < 0:
        return None
    question, other = _question(history[turn].content[:MAX_READ_CHARS]), tokens(match["rest"])
    place = _place(question, other) if question and _short(other) else None
    if place is None:
        return None
    return _completed_question(
        match, (question[: place[0]].strip(), question[place[1] :].strip()), turn + skipped
    )


def _completed_question(about: re.Match[str], around: tuple[str, str], turn: int) -> Rewrite:
    """The question with what stood on either side ``around`` the phrase that gives way."""
    front, back = around
    query, rest, end = about.string, about["rest"], about.end("rest")
    text = " ".join(part for part in (front, rest, back) if part) + query[end:].rstrip()
    spans = (CopiedSpan(front, turn, 0, query[: about.start("rest")]), CopiedSpan(back, turn, end))
    return Rewrite(text, True, tuple(span for span in spans if span.text), "ellipsis", confidence=0.7)


def _question(text: str) -> str:
    """The last sentence of an earlier message without its closing mark, where it asks or orders."""
    sentences = [s.strip() for s in re.split(r"[.?!;:\n]+", text) if s.strip()]
    read = tokens(sentences[-1]) if sentences else ()
    if len(read) < 3 or not (read[0].low in lists()["asks"] or read[0].low in lists()["imperative"]):
        return ""
    return sentences[-1]


def _short(other: Sequence[EnglishToken]) -> bool:
    """A phrase and no sentence of its own."""
    if not 0 < len(other) <= LONGEST_ELLIPSIS:
        return False
    return not any(t.kind == "verb" or t.text in ENDS or t.text == "," for t in other)


def _place(question: str, other: Sequence[EnglishToken]) -> tuple[int, int] | None:
    """From where to where in the question the other phrase goes.

    At its end when it is a day and the question has none.
    """
    read, lead = tokens(question), other[0].low if other[0].low in _LEADS else ""
    best = _most_alike(question, other, lead)
    if best is not None:
        start = read[best.at].start
        return (read[best.at - 1].start if lead else start, start + len(best.text))
    if not _is_day_phrase(other[0].low, other[-1].low):
        return None
    # Where ``today`` stands in the question, its end when it names no day
    days = [t for t in read if t.low in lists()["days"]]
    if days and days[0].kind != "function":
        return None
    return (days[0].start, days[0].end) if days else (len(question), len(question))


def _most_alike(question: str, other: Sequence[EnglishToken], lead: str) -> EnglishMention | None:
    """The phrase of the question that the other may take the place of."""
    found = of_kind(mentions([Turn("user", question)]), "name", "noun", "title")
    alike = [(_likeness(m, other, lead), m) for m in found if not lead or m.before == lead]
    score, best = max(alike, key=itemgetter(0), default=(0, None))
    return best if score >= ALIKE else None


def _is_day_phrase(first: str, last: str) -> bool:
    """Whether a phrase with these words at its ends names a day."""
    return first in lists()["days"] or last in lists()["days"]


def _likeness(m: EnglishMention, other: Sequence[EnglishToken], lead: str) -> int:
    """0 to 6: the same kind of word in front and at the head, the same word in front, a place at the end."""
    timed = _is_day_phrase(other[0].low, other[-1].low)
    if timed != _is_day_phrase(m.words[0], m.words[-1]) or m.words[-1] in lists()["vague"]:
        return 0
    named = not without_kind(without_kind(other, "function", "mark"), "name")
    determined = other[0].low in lists()["determiners"]
    return (
        2 * (named == (m.kind in {"name", "title"}))
        + (determined == bool(m.determiner))
        + 2 * bool(lead)
        + timed
        + m.last
    )
