"""``那X呢`` and ``不对，是X``: an earlier question asked again with something else in its place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from operator import itemgetter
from typing import NamedTuple

from winnow.language.segment import SegmentedWord
from winnow.understand.rewrite.zh.vocabulary import NOMINAL, content_runs, cut, rewrite_vocabulary, subject

_THING = r"(?P<thing>[^，,。！!？?、\s]{1,16}?)"
_END = r"[。！!？?\s]*$"
_AGAIN = re.compile(rf"^(?P<lead>那么?|那要是|换成)?[，,]?(?:你?看?)?{_THING}(?:呢|怎么样呢){_END}")
_SAID = r"(?:我|人家)?(?:刚才|刚刚)?(?:是)?(?:说|问|指|要|想问|想说)的?"
_WRONG = r"(?:不对|错了|不是|不|说错了|我说错了|弄错了|搞错了)(?:了|啦|啊|哦|吧)?"
_OLD = r"(?P<old>[^，,。\s]{1,16}?)"
_NOT_THAT = re.compile(
    rf"^(?:{_WRONG}[，,\s]+)?(?:{_SAID})?(?:不是|不要){_OLD}[，,\s]*(?:而是|是|要|我{_SAID}是){_THING}{_END}"
)
_WRONG_ITS = re.compile(rf"^{_WRONG}[，,\s]+(?:应该)?(?:是|{_SAID}是|换成|改成){_THING}{_END}")
_I_MEANT = re.compile(
    rf"^(?P<wrong>{_WRONG}[，,\s]*)?我(?:刚才|刚刚)?(?:是)?(?:说|问|指)的(?:应该)?是{_THING}"
    rf"(?:[，,]?不是{_OLD})?{_END}"
)
_CLAUSE = re.compile(r"[^。！!？?；;\n]+")
_LOOSE = frozenset({"d", "r", "p", "c", "y", "x"})
"""Classes of words that no name of a thing holds."""
_NAMES = frozenset({"nr", "ns", "nt", "nz"})
CLOSE, SOME, ANY = 2, 1, -1
"""How alike two things must be for one to stand in the place of the other; see ``_alike``."""


class RepeatedQuestion(NamedTuple):
    """An earlier question asked of another thing: what stands before the thing, the thing, what follows."""

    before: str
    thing: str
    after: str


def thing_of(query: str) -> str:
    """X of ``那X呢`` and ``不对，是X``; empty for anything else."""
    found = _AGAIN.match(query) or _correction(query)
    return found["thing"] if found and _is_entity_name(found["thing"]) else ""


def _correction(query: str) -> re.Match[str] | None:
    return _NOT_THAT.match(query) or _WRONG_ITS.match(query) or _I_MEANT.match(query)


def _is_entity_name(thing: str) -> bool:
    """Whether it is the name of something, and no pronoun, deed or quality."""
    words = cut(thing)
    if words[0].tag in ("m", "q") or not all(map(_may_name, words)):
        return False
    return words[-1].tag not in ("v", "a", "uj") or (len(words) > 1 and words[0].tag in NOMINAL)


def _may_name(word: SegmentedWord) -> bool:
    """Whether a name may hold the word: it neither points back nor asks, and is no everyday deed."""
    known = rewrite_vocabulary()
    if word.text in known.pronouns or word.text in known.questions or word.tag in _LOOSE:
        return False
    return word.tag != "v" or word.text not in known.words


def repeat_question(query: str, before: str) -> RepeatedQuestion | None:
    """``before`` asked of X, for ``那X呢``."""
    found = _AGAIN.match(query)
    if not found or not _is_entity_name(found["thing"]) or not asks(before):
        return None
    thing, sure = found["thing"], bool(found["lead"])
    if thing in rewrite_vocabulary().attributes:
        return _instead(before, thing, CLOSE, sure=sure)
    return _instead(before, thing, ANY if sure else SOME, sure=sure)


def correct_question(query: str, before: str) -> RepeatedQuestion | None:
    """``before`` with what was wrong put right, for ``不对，是X``."""
    found = _correction(query)
    if not found:
        return None
    clause, old = _last_clause(before), found.groupdict().get("old")
    if old and old in clause:
        return _around(clause, clause.rindex(old), old, found["thing"])
    if (old and found.re is _NOT_THAT) or not _is_entity_name(found["thing"]):
        return None
    sure = (found.re is not _I_MEANT or bool(found["wrong"])) and asks(before)
    return _instead(before, found["thing"], ANY if sure else CLOSE, sure=sure)


def asks(text: str) -> bool:
    """Whether a turn asks for something."""
    words, known = cut(_last_clause(text)), rewrite_vocabulary()
    if any(w.text in known.questions for w in words):
        return True
    return bool(words) and words[0].text in known.requests


def _last_clause(text: str) -> str:
    clauses = _CLAUSE.findall(text)
    return clauses[-1].strip() if clauses else ""


def _instead(before: str, thing: str, least: float, *, sure: bool) -> RepeatedQuestion | None:
    """The last sentence of ``before`` with ``thing`` in place of what it resembles most, ``least`` or more.

    When it is ``sure`` that the question is asked again, what it is about gives way first.
    """
    clause, new = _last_clause(before), cut(thing)
    if thing in clause or _holds_noun(clause, new):
        return None
    name = subject(clause) if sure and new[0].tag not in ("ns", "t") else ""
    if name:
        return _around(clause, clause.index(name), name, thing)
    old = max(_places(cut(clause), new), key=lambda stretch: _alike(stretch, new), default=())
    if not old or _alike(old, new) < least:
        return None
    return RepeatedQuestion(clause[: old[0].start], thing, clause[old[-1].end :])


def _holds_noun(clause: str, words: Sequence[SegmentedWord]) -> bool:
    return any(len(w.text) > 1 and w.tag in NOMINAL and w.text in clause for w in words)


def _around(clause: str, at: int, old: str, thing: str) -> RepeatedQuestion:
    return RepeatedQuestion(clause[:at], thing, clause[at + len(old) :])


def _places(words: Sequence[SegmentedWord], new: Sequence[SegmentedWord]) -> list[Sequence[SegmentedWord]]:
    """Stretches of words with a meaning of their own, in order.

    Among them the places and times within longer ones, where a place or time is to stand for one.
    """
    found = content_runs(words)
    if len(new) == 1 and new[0].tag in ("ns", "t"):
        inside = [i for first, last in found if last - first > 1 for i in range(first, last)]
        found += [(i, i + 1) for i in inside if words[i].tag == new[0].tag]
    return [words[first:last] for first, last in sorted(found, key=itemgetter(0))]


def _alike(old: Sequence[SegmentedWord], new: Sequence[SegmentedWord]) -> float:
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
    front = _same(query, before)
    back = _same(query[front:][::-1], before[front:][::-1])
    if front + back < max(2, 0.4 * len(query)):
        return False
    other = cut(query[front : len(query) - back])
    return any(w.tag in NOMINAL for w in other) and asks(before)


def _same(a: str, b: str) -> int:
    """How many characters two texts begin with alike."""
    size = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        size += 1
    return size
