"""``那X呢`` and ``不对，是X``: an earlier question asked again with something else in its place."""

from __future__ import annotations

import re
from collections.abc import Sequence

from winnow.language.segment import Word
from winnow.understand.rewrite.zh.subjects import subject
from winnow.understand.rewrite.zh.vocabulary import NOMINAL, content_runs, cut, vocabulary

_THING = r"(?P<thing>[^，,。！!？?、\s]{1,16}?)"
_END = r"[。！!？?\s]*$"
_AGAIN = re.compile(rf"^(?P<lead>那么?|那要是|换成)?[，,]?(?:你?看?)?{_THING}(?:呢|怎么样呢){_END}")
_SAID = r"(?:我|人家)?(?:刚才|刚刚)?(?:是)?(?:说|问|指|要|想问|想说)的?"
_WRONG = r"(?:不对|错了|不是|不|说错了|我说错了|弄错了|搞错了)(?:了|啦|啊|哦|吧)?"
_CORRECTED = tuple(
    re.compile(pattern)
    for pattern in (
        rf"^(?:{_WRONG}[，,\s]+)?(?:{_SAID})?(?:不是|不要)(?P<old>[^，,。\s]{{1,16}}?)[，,\s]*(?:而是|是|要|我{_SAID}是){_THING}{_END}",
        rf"^{_WRONG}[，,\s]+(?:应该)?(?:是|{_SAID}是|换成|改成){_THING}{_END}",
        rf"^(?P<wrong>{_WRONG}[，,\s]*)?我(?:刚才|刚刚)?(?:是)?(?:说|问|指)的(?:应该)?是{_THING}(?:[，,]?不是(?P<old>[^，,。\s]{{1,16}}?))?{_END}",
    )
)
_CLAUSE = re.compile(r"[^。！!？?；;\n]+")
_LOOSE = frozenset({"d", "r", "p", "c", "y", "x"})
"""Classes of words that no name of a thing holds."""
_NAMES = frozenset({"nr", "ns", "nt", "nz"})


def thing_of(query: str) -> str:
    """X of ``那X呢`` and ``不对，是X``; empty for anything else."""
    found = _AGAIN.match(query) or next((m for pattern in _CORRECTED if (m := pattern.match(query))), None)
    return found["thing"] if found and _named(found["thing"]) else ""


def repeated(query: str, before: str) -> tuple[str, str, str] | None:
    """``before`` asked of X, for ``那X呢``: what stands before X, X, and what follows."""
    found = _AGAIN.match(query)
    if not found or not _named(found["thing"]) or not asks(before):
        return None
    return _instead(
        before, found["thing"], strict=found["thing"] in vocabulary().attributes, sure=bool(found["lead"])
    )


def _named(thing: str) -> bool:
    """Whether it is the name of something, and no pronoun, deed or quality."""
    words, known = cut(thing), vocabulary()
    if any(w.text in known.pronouns or w.text in known.questions or w.tag in _LOOSE for w in words) or words[
        0
    ].tag in ("m", "q"):
        return False
    if any(w.tag == "v" and w.text in known.words for w in words):
        return False
    return words[-1].tag not in ("v", "a", "uj") or (len(words) > 1 and words[0].tag in NOMINAL)


def corrected(query: str, before: str) -> tuple[str, str, str] | None:
    """``before`` with what was wrong put right, for ``不对，是X``."""
    for pattern in _CORRECTED:
        if found := pattern.match(query):
            old = found.groupdict().get("old")
            clause = _last_clause(before)
            if old and old in clause:
                at = clause.rindex(old)
                return clause[:at], found["thing"], clause[at + len(old) :]
            if (old and pattern is _CORRECTED[0]) or not _named(found["thing"]):
                return None
            marked = pattern is not _CORRECTED[2] or bool(found["wrong"])
            return _instead(
                before, found["thing"], strict=not (marked and asks(before)), sure=marked and asks(before)
            )
    return None


def asks(text: str) -> bool:
    """Whether a turn asks for something."""
    words = cut(_last_clause(text))
    return any(w.text in vocabulary().questions for w in words) or (
        bool(words) and words[0].text in vocabulary().requests
    )


def _last_clause(text: str) -> str:
    clauses = _CLAUSE.findall(text)
    return clauses[-1].strip() if clauses else ""


def _instead(
    before: str, thing: str, *, strict: bool = False, sure: bool = False
) -> tuple[str, str, str] | None:
    """The last sentence of ``before`` with ``thing`` in place of what it resembles most.

    ``strict`` asks for a close likeness; ``sure`` needs none, and then the first thing gives way.
    """
    clause = _last_clause(before)
    words, new = cut(clause), cut(thing)
    name = subject(clause)
    if any(len(w.text) > 1 and w.tag in NOMINAL and w.text in clause for w in new):
        return None
    if sure and name and name in clause and new[0].tag not in ("ns", "t") and thing not in clause:
        at = clause.index(name)
        return clause[:at], thing, clause[at + len(name) :]
    places = _places(words, new)
    if thing in clause or not places:
        return None
    first, last = max(places, key=lambda place: (_alike(words[place[0] : place[1]], new), -place[0]))
    old = words[first:last]
    if _alike(old, new) < (2 if strict else -1 if sure else 1):
        return None
    return clause[: old[0].start], thing, clause[old[-1].end :]


def _places(words: Sequence[Word], new: Sequence[Word]) -> list[tuple[int, int]]:
    """Stretches of words with a meaning of their own, and the places and times in them that a place or time may stand for."""
    found = content_runs(words)
    alone = [
        (i, i + 1)
        for first, last in found
        if last - first > 1
        for i in range(first, last)
        if words[i].tag in ("ns", "t")
    ]
    return found + [(i, j) for i, j in alone if len(new) == 1 and words[i].tag == new[0].tag]


def _alike(old: Sequence[Word], new: Sequence[Word]) -> float:
    """How well one stands for the other.

    Both names of one kind, both times, or sharing what they end or begin with.
    """
    a, b = "".join(w.text for w in old), "".join(w.text for w in new)
    score = 0.0
    if old[-1].tag == new[-1].tag:
        score += 2 if old[-1].tag in _NAMES | {"t", "m"} else 1
    if a[-1] == b[-1]:
        score += 2
    if a[0] == b[0]:
        score += 1
    if (old[0].tag == "t") != (new[0].tag == "t"):
        score -= 3
    return score + (0.3 if len(a) == len(b) else 0)


def parallel(query: str, said: str) -> bool:
    """Whether a query puts a question that was put before, of something else: it is complete as it stands."""
    before = _last_clause(said)
    front = next(
        (i for i, (a, b) in enumerate(zip(query, before, strict=False)) if a != b),
        min(len(query), len(before)),
    )
    rest = min(len(query), len(before)) - front
    back = next((i for i in range(rest) if query[-1 - i] != before[-1 - i]), rest)
    middle = cut(query[front : len(query) - back])
    return front + back >= max(2, 0.4 * len(query)) and any(w.tag in NOMINAL for w in middle) and asks(before)
