"""What could be copied, and where it could go: spans of the history and slots of the query."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from winnow.language.segment import Word
from winnow.types.dialogue import Turn
from winnow.understand.rewrite.zh.vocabulary import GLUE, NOMINAL, cut, is_idle, kind, vocabulary

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
class Source:
    """One earlier turn, segmented. ``back`` counts turns from the end: 0 is the latest."""

    words: tuple[Word, ...] = field(compare=False)
    turn: int
    back: int
    user: bool
    text: str
    """All of it: two sources that say the same have the same words."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Words ``first`` to ``last`` (exclusive) of a source."""

    source: Source
    first: int
    last: int
    text: str
    """Its words as they were said."""

    @property
    def words(self) -> tuple[Word, ...]:
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
class Slot:
    """Words ``first`` to ``last`` (exclusive) of the query give way to a span and ``glue``.

    No word does when they are equal.
    """

    first: int
    last: int
    glue: str = ""


def sources(history: Sequence[Turn], skipped: int) -> list[Source]:
    """The turns that are read, latest first."""
    found = []
    for back, i in enumerate(_worth_reading(history)):
        words = cut(history[i].content[:TURN_CHARS])[:TURN_WORDS]
        found.append(
            Source(words, skipped + i, back, history[i].role == "user", "".join(w.text for w in words))
        )
    return found


def _worth_reading(history: Sequence[Turn]) -> list[int]:
    """Turns, latest first, without thanks and greetings and what was said to them."""
    idle = {i for i, turn in enumerate(history) if turn.role == "user" and is_idle(turn.content)}
    idle |= {i + 1 for i in idle if i + 1 < len(history) and history[i + 1].role == "assistant"}
    return [i for i in range(len(history) - 1, -1, -1) if i not in idle]


def spans(found: Sequence[Source]) -> list[Stretch]:
    """What could be copied, latest turn first, at most ``SPANS``.

    Anything from the last two turns, names and things from those before.
    """
    recent = [s for source in found if source.back < 2 for s in _stretches(source)]
    older = [s for source in found if source.back >= 2 for s in _stretches(source, OLDER_WORDS, _of_a_thing)]
    return (recent + older[:OLDER])[:SPANS]


def _of_a_thing(word: Word) -> bool:
    return word.tag in NOMINAL or word.text == "的"


def _stretches(
    source: Source, most: int = SPAN_WORDS, holds: Callable[[Word], bool] | None = None
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
            if _may_end(word):
                yield Stretch(source, first, last, source.text[words[first].start : word.end])


def slots(words: Sequence[Word]) -> list[Slot]:
    """Places between words, and stretches that point back."""
    found = []
    for i in range(len(words) + 1):
        found += [Slot(i, i)]
        if i < len(words):
            found += [Slot(i, i, glue) for glue in GLUE if _glued(words, i, glue)]
    return found + [
        slot for first, word in enumerate(words) if kind(word.text) for slot in _instead(words, first)
    ]


def _instead(words: Sequence[Word], first: int) -> Iterator[Slot]:
    """Stretches from a word that points back on: 这, 这部, 这部动漫; never 这 alone where 部 follows."""
    for last in range(first + 1, min(first + REPLACED_WORDS, len(words)) + 1):
        if last > first + 1 and not _extends(words[last - 1]):
            return
        if last < len(words) and words[last].text in vocabulary().measures:
            continue
        yield Slot(first, last)
        if last < len(words) and words[last].text != "的" and words[last].tag in NOMINAL:
            yield Slot(first, last, "的")


def _glued(words: Sequence[Word], i: int, glue: str) -> bool:
    if words[i].text == glue or (i and words[i - 1].text == glue):
        return False
    return glue == "是" or words[i].tag in NOMINAL


def _extends(word: Word) -> bool:
    """Whether a stretch that points back may go on with this word: 这 | 部 | 动漫."""
    return word.tag in _EXTENDS or word.text in vocabulary().measures


def _may_begin(words: Sequence[Word], i: int) -> bool:
    word = words[i]
    if word.tag in ("x", "y", "u", "uj") or word.text in _PARTICLES:
        return False
    # 双 belongs to 这 in front of it
    return not (i and kind(words[i - 1].text) and word.text in vocabulary().measures)


def _may_end(word: Word) -> bool:
    return word.tag not in ("x", "y", "c", "p") and word.text not in _PARTICLES


def _breaks(word: Word) -> bool:
    return word.tag == "x" and word.text not in _INSIDE
