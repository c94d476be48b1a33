"""Candidates of a Chinese rewrite: spans to copy, slots they may go to, edits, and lists with ordinals."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from winnow.language.segment import SegmentedWord
from winnow.types.query import CopiedSpan
from winnow.types.utterance import Turn
from winnow.understand.rewrite.lists import marked_items, place_of, plain, thing_at
from winnow.understand.rewrite.zh.vocabulary import (
    GLUE,
    NOMINAL,
    cut,
    is_idle,
    kind,
    patterns,
    rewrite_vocabulary,
)

SPAN_WORDS = 6
"""Words of the longest span."""
SPAN_CHARS = 16
"""Characters of the longest span."""
SPANS = 240
"""Spans that are looked at."""
OLDER = 24
"""Spans of turns before the last two."""
OLDER_WORDS = 3
"""Words of the longest span of such a turn."""
TURN_CHARS = 160
"""Characters of a turn that are read."""
TURN_WORDS = 40
"""Words of a turn that are read; what an assistant talks about is named early."""
REPLACED_WORDS = 4
"""Words of the longest stretch that a span takes the place of: 这 + 部 + 动漫."""
_EXTENDS = frozenset({"n", "nr", "ns", "nt", "nz", "vn", "q", "m", "r"})
_PARTICLES = frozenset("吗呢吧啊呀嘛么哦哈啦")
_INSIDE = frozenset(" 《》“”\"·-.'")
"""Marks that a name may hold."""


@dataclass(frozen=True, slots=True)
class SourceTurn:
    """One earlier turn, segmented. ``back`` counts turns from the end: 0 is the latest."""

    words: tuple[SegmentedWord, ...] = field(compare=False)
    turn: int
    back: int
    user: bool
    text: str
    """All of it: two sources that say the same have the same words."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Words ``first`` to ``last`` (exclusive) of a source."""

    source: SourceTurn
    first: int
    last: int
    text: str
    """Its words as they were said."""

    @property
    def words(self) -> tuple[SegmentedWord, ...]:
        """Its words."""
        return self.source.words[self.first : self.last]

    @property
    def before(self) -> str:
        """The word in front of it, empty at the start of the turn."""
        return self.source.words[self.first - 1].text if self.first else ""

    @property
    def after(self) -> str:
        """The word behind it, empty at the end of the turn."""
        return self.source.words[self.last].text if self.last < len(self.source.words) else ""


@dataclass(frozen=True, slots=True)
class ChineseSlot:
    """Words ``first`` to ``last`` (exclusive) of the query give way to a span and ``glue``.

    No word does when they are equal.
    """

    first: int
    last: int
    glue: str = ""


def sources(history: Sequence[Turn], skipped: int) -> list[SourceTurn]:
    """The turns that are read, latest first."""
    found = []
    for back, i in enumerate(_worth_reading(history)):
        words = cut(plain(history[i].content[:TURN_CHARS]))[:TURN_WORDS]
        found.append(
            SourceTurn(words, skipped + i, back, history[i].role == "user", "".join(w.text for w in words))
        )
    return found


def _worth_reading(history: Sequence[Turn]) -> list[int]:
    """Turns, latest first, without thanks and greetings and what was said to them."""
    idle = {i for i, turn in enumerate(history) if turn.role == "user" and is_idle(turn.content)}
    idle |= {i + 1 for i in idle if i + 1 < len(history) and history[i + 1].role == "assistant"}
    return [i for i in range(len(history) - 1, -1, -1) if i not in idle]


def spans(found: Sequence[SourceTurn]) -> list[Stretch]:
    """What could be copied, latest turn first, at most ``SPANS``.

    Anything from the last two turns, names and things from those before.
    """
    recent = [s for source in found if source.back < 2 for s in _stretches(source)]
    older = [s for source in found if source.back >= 2 for s in _stretches(source, OLDER_WORDS, _of_a_thing)]
    return (recent + older[:OLDER])[:SPANS]


def _of_a_thing(word: SegmentedWord) -> bool:
    return word.tag in NOMINAL or word.text == "的"


def _stretches(
    source: SourceTurn, most: int = SPAN_WORDS, holds: Callable[[SegmentedWord], bool] | None = None
) -> Iterator[Stretch]:
    """Spans of one turn that begin and end with a word that can be talked about.

    ``holds``: what each word in them must be.
    """
    words = source.words
    for first in range(len(words)):
        if not _may_begin(words, first):
            continue
        for last in range(first + 1, min(first + most, len(words)) + 1):
            word = words[last - 1]
            if _breaks(word) or word.end - words[first].start > SPAN_CHARS or (holds and not holds(word)):
                break
            if word.tag not in ("x", "y", "c", "p") and word.text not in _PARTICLES:
                yield Stretch(source, first, last, source.text[words[first].start : word.end])


def slots(words: Sequence[SegmentedWord]) -> list[ChineseSlot]:
    """Places between words, and stretches that point back."""
    found = []
    for i in range(len(words) + 1):
        found += [ChineseSlot(i, i)]
        if i < len(words):
            found += [ChineseSlot(i, i, glue) for glue in GLUE if _is_glued(words, i, glue)]
    return found + [
        slot for first, word in enumerate(words) if kind(word.text) for slot in _instead(words, first)
    ]


def _instead(words: Sequence[SegmentedWord], first: int) -> Iterator[ChineseSlot]:
    """Stretches from a word that points back on: 这, 这部, 这部动漫; never 这 alone where 部 follows."""
    for last in range(first + 1, min(first + REPLACED_WORDS, len(words)) + 1):
        if last > first + 1:
            # Whether a stretch that points back may go on with this word: 这 | 部 | 动漫
            word = words[last - 1]
            if not (word.tag in _EXTENDS or word.text in rewrite_vocabulary().measures):
                return
        if last < len(words) and words[last].text in rewrite_vocabulary().measures:
            continue
        yield ChineseSlot(first, last)
        if last < len(words) and words[last].text != "的" and words[last].tag in NOMINAL:
            yield ChineseSlot(first, last, "的")


def _is_glued(words: Sequence[SegmentedWord], i: int, glue: str) -> bool:
    if words[i].text == glue or (i and words[i - 1].text == glue):
        return False
    return glue == "是" or words[i].tag in NOMINAL


def _may_begin(words: Sequence[SegmentedWord], i: int) -> bool:
    word = words[i]
    if word.tag in ("x", "y", "u", "uj") or word.text in _PARTICLES:
        return False
    having = rewrite_vocabulary().having
    if word.text in having or (i and words[i - 1].text in having):
        return False
    # 双 belongs to 这 in front of it
    return not (i and kind(words[i - 1].text) and word.text in rewrite_vocabulary().measures)


def _breaks(word: SegmentedWord) -> bool:
    return word.tag == "x" and word.text not in _INSIDE


# An edit records the words it copied, so that law 8 can be checked.


@dataclass(frozen=True, slots=True)
class Edit:
    """The query after the change, what was copied, and which rule made it."""

    query: str
    spans: tuple[CopiedSpan, ...]
    reason: str
    confidence: float = 1.0


def put(query: str, place: tuple[int, int], text: str, turn: int, reason: str) -> Edit:
    """``text``, which a turn said, in place of the characters from ``place[0]`` to ``place[1]``."""
    start, end = place
    span = CopiedSpan(text, turn, start, query[start:end])
    return Edit(query[:start] + text + query[end:], (span,), reason)


# Lists of the history, and which item an ordinal means.

MAX_READ_CHARS = 2000
"""Characters of a turn that are searched for a list."""
ITEM = 20
"""Characters of the longest item; anything longer is a sentence, not a name."""
_TITLES = re.compile(r"《[^《》\n]{1,30}》")
_CLAUSE = re.compile(r"[^，,。；;！!？?：:\n]+")
_SENTENCE = re.compile(r"[。；;！!？?：:\n]+")
NAME, MIN_NAMES = 8, 3
"""Characters of the longest name between commas, and how many make a list: with fewer they may be clauses."""
_SAYING = frozenset({"r", "d", "p", "c", "y", "u", "uj", "m", "t"})
"""Classes of words that say something of a thing."""


def ordinal(query: str, history: Sequence[Turn], skipped: int) -> Edit | None:
    """The query with the listed thing in place of ``第二个``, ``最后一个`` or ``后者``.

    None when the query holds no such word, or the latest list has no such place.
    """
    found = patterns()["ordinal"].search(query)
    if not found:
        return None
    of_two = found["former"] or found["latter"]
    told = (one for one in _lists(history, skipped) if len(one[1]) == 2 or not of_two)
    turn, items = next(told, (0, {}))
    thing = thing_at(items, _place(found, len(items)))
    return put(query, found.span(), thing, turn, "ordinal") if thing else None


def lists_hold(query: str, history: Sequence[Turn]) -> bool:
    """Whether the query names a thing of a list that was told."""
    return any(len(it) > 1 and it in query for _, items in _lists(history, 0) for it in items.values())


def _place(found: re.Match[str], count: int) -> int:
    """The place that is meant, as ``thing_at`` reads it."""
    if found["latter"] or found["last"]:
        return -1
    if found["former"] or found["head"]:
        return -count
    place = place_of(found["n"])
    return -place if found["back"] else place


def _lists(history: Sequence[Turn], skipped: int) -> Iterator[tuple[int, Mapping[int, str]]]:
    """The turns that told a list, latest first, and place -> thing of each."""
    for i in reversed(range(len(history))):
        items = list_items(history[i].content[:MAX_READ_CHARS])
        if len(items) > 1:
            yield skipped + i, items


def list_items(text: str) -> Mapping[int, str]:
    """Place -> thing that a text tells, one after the other.

    By marks, by titles, or joined by ``、`` and ``和``.
    """
    if (marked := marked_items(text)) and all(len(item) <= ITEM for item in marked.values()):
        return marked
    text = plain(text)
    titles = [found[0] for found in _TITLES.finditer(text)]
    found = titles if len(titles) > 1 else []
    found = found or max((_conjoined_items(part[0]) for part in _CLAUSE.finditer(text)), key=len, default=[])
    found = found or max((_comma_items(part) for part in _SENTENCE.split(text)), key=len, default=[])
    return dict(enumerate(found, 1))


def _comma_items(sentence: str) -> list[str]:
    """``可以试试A，B，C``: three names or more and nothing that is said of them."""
    first, *more = (clause.strip() for clause in re.split("[，,]", sentence))
    items = [_without_lead(first), *more]
    named = all(0 < len(item) <= NAME and not any(w.tag in _SAYING for w in cut(item)) for item in items)
    return items if named and len(items) >= MIN_NAMES else []


def _conjoined_items(clause: str) -> list[str]:
    parts = patterns()["joint"].split(clause)
    if len(parts) < 2:
        return []
    last = cut(parts[-1].strip())
    ends = [i for i, w in enumerate(last) if i and w.text in rewrite_vocabulary().tail]
    tail = "".join(w.text for w in last[: ends[0]]) if ends else parts[-1].strip()
    items = [_without_lead(parts[0]), *(p.strip() for p in parts[1:-1]), tail]
    return items if all(0 < len(item) <= ITEM for item in items) else []


def _without_lead(text: str) -> str:
    """What follows the last word that leads up to a list."""
    words = cut(text.strip())
    leads = [i for i, w in enumerate(words[:-1]) if w.text in rewrite_vocabulary().lead]
    return "".join(w.text for w in words[leads[-1] + 1 :]) if leads else text.strip()
