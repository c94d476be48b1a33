"""What the talk is about when an assistant explains something.

The thing of the user's last full question, and the one before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import NamedTuple

from winnow.language.segment import SegmentedWord
from winnow.types.utterance import Turn
from winnow.understand.rewrite.zh.candidates import ChineseSlot, Edit, SourceTurn, Stretch, put, sources
from winnow.understand.rewrite.zh.vocabulary import (
    NOMINAL,
    asks_how,
    content_runs,
    cut,
    done_to,
    is_idle,
    only_attribute,
    patterns,
    rewrite_vocabulary,
    subject,
)

# "那X呢" and "不对，是X": an earlier question asked again with something else in its place

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
    found = patterns()["again"].match(query) or _correction(query)
    return found["thing"] if found and _is_entity_name(found["thing"]) else ""


def _correction(query: str) -> re.Match[str] | None:
    kinds = ("not_that", "wrong_its", "i_meant")
    return next(filter(None, (patterns()[kind].match(query) for kind in kinds)), None)


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
    found = patterns()["again"].match(query)
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
    if (old and found.re is patterns()["not_that"]) or not _is_entity_name(found["thing"]):
        return None
    sure = (found.re is not patterns()["i_meant"] or bool(found["wrong"])) and asks(before)
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


# A query and what was said before it, segmented.


@dataclass(frozen=True, slots=True)
class ChineseScene:
    """The query and the turns that are read, latest first."""

    query: tuple[SegmentedWord, ...]
    sources: tuple[SourceTurn, ...]

    @property
    def text(self) -> str:
        """The query as said."""
        return "".join(w.text for w in self.query)


def scene_of(query: str, history: Sequence[Turn], skipped: int = 0) -> ChineseScene:
    """A query and its history, segmented; ``skipped`` turns before ``history`` were not read."""
    return ChineseScene(cut(query), tuple(sources(history, skipped)))


def apply_edit(scene: ChineseScene, stretch: Stretch, slot: ChineseSlot) -> tuple[str, int, int]:
    """The query with a span in a slot, and where what gave way began and ended."""
    words, query = scene.query, scene.text
    start = words[slot.first].start if slot.first < len(words) else len(query)
    end = words[slot.last - 1].end if slot.last > slot.first else start
    return query[:start] + stretch.text + slot.glue + query[end:], start, end


_MARKS = re.compile(r"[，。；：:、,.;\n]")
_ANSWER_CHARS, _ANSWER_MARKS = 15, 2
"""An assistant explains when it says at least so many characters with so many marks; less is small talk."""


def topic(text: str) -> str:
    """The thing that a user's turn puts in the middle; empty when it only points back or asks on."""
    if again := thing_of(text):
        return "" if again in rewrite_vocabulary().attributes else again
    return subject(text)


def topic_edits(history: Sequence[Turn], skipped: int) -> Iterator[tuple[str, int]]:
    """What the user's turns were about, latest first, each once, and the turn."""
    seen = set()
    for i in reversed(range(len(history))):
        name = topic(history[i].content[:100]) if history[i].role == "user" else ""
        if name and name not in seen:
            seen.add(name)
            yield name, skipped + i
    if not seen:
        asked = ((done_to(turn.content[:100]), i) for i, turn in enumerate(history) if turn.role == "user")
        yield from ((name, skipped + i) for name, i in asked if name)


def earlier(query: str, history: Sequence[Turn], skipped: int) -> Edit | None:
    """The query with the topic before the present one in place of ``上一道菜``.

    The present one when there was no other.
    """
    found = patterns()["earlier"].search(query)
    known = list(topic_edits(history, skipped))[:2] if found else []
    if not found or not known:
        return None
    name, turn = known[-1]
    return put(query, found.span(), name, turn, "earlier_topic")


def resolve_topic(query: str, history: Sequence[Turn], skipped: int) -> Edit | None:
    """The query with what is talked about in place of ``这个``, or in front where it has no subject.

    After small talk only a question that begins with what one asks of a thing (``门票多少钱``), and that
    follows a question.
    """
    name, turn = next(topic_edits(history, skipped), ("", 0))
    if not name or name in query:
        return None
    told = explains(history)
    if told and (found := patterns()["present"].search(query)):
        return put(query, found.span(), name, turn, "topic")
    # A question that begins with what one asks of a thing, and follows a question, is about that thing.
    goes_on = asks(query) and asks(history[turn - skipped].content)
    bare = only_attribute(query) or patterns()["amount"].match(query) is not None
    if (
        patterns()["wish"].match(query)
        or (told and (bare or patterns()["subjectless"].match(query)))
        or (goes_on and cut(query)[0].text in rewrite_vocabulary().attributes)
    ):
        at = len(query) - len(query.lstrip("那么，, "))
        return put(query, (at, at), name, turn, "bare" if bare else "topic")
    return None


def explains(history: Sequence[Turn]) -> bool:
    """Whether one of the assistant's last two answers is of some length, or says how something is done.

    Then this is no small talk. What it said to thanks and greetings is no answer.
    """
    answers = [
        (turn.content, history[i - 1].content if i else "")
        for i, turn in enumerate(history)
        if turn.role == "assistant" and not (i and is_idle(history[i - 1].content))
    ]
    return any(
        (len(told) >= _ANSWER_CHARS and len(_MARKS.findall(told)) >= _ANSWER_MARKS) or asks_how(asked)
        for told, asked in answers[-2:]
    )
