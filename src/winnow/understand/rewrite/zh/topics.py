"""What the talk is about when an assistant explains something.

The thing of the user's last full question, and the one before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from winnow.language.segment import SegmentedWord
from winnow.types.utterance import Turn
from winnow.understand.rewrite.zh.candidates import ChineseSlot, Edit, SourceTurn, Stretch, put, sources
from winnow.understand.rewrite.zh.repeats import asks, thing_of
from winnow.understand.rewrite.zh.vocabulary import SUBJECTLESS, cut, is_idle, rewrite_vocabulary, subject

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


_EARLIER = re.compile(
    "(?:上一?|前一|刚才那|刚刚那|之前那|前面那|先前那)[个道种款首部本家]"
    "(?:菜|汤|歌|书|电影|地方|问题(?!是))?(?!月|星期|礼拜|周|世纪|季|学期)"
)
_THING = re.compile(
    "[这那][个道款种部本台件首](?:菜|汤|东西|产品)?(?![里儿边样么些天次时位人])|它(?!们)"
    "|这(?=要|能|可以|是|好|难|贵|怎|需|有|会|得|该)"
)
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


def earlier(query: str, history: Sequence[Turn], skipped: int) -> Edit | None:
    """The query with the topic before the present one in place of ``上一道菜``.

    The present one when there was no other.
    """
    found = _EARLIER.search(query)
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
    if told and (found := _THING.search(query)):
        return put(query, found.span(), name, turn, "topic")
    # A question that begins with what one asks of a thing, and follows a question, is about that thing.
    goes_on = asks(query) and asks(history[turn - skipped].content)
    if (told and SUBJECTLESS.match(query)) or (
        goes_on and cut(query)[0].text in rewrite_vocabulary().attributes
    ):
        at = len(query) - len(query.lstrip("那么，, "))
        return put(query, (at, at), name, turn, "topic")
    return None


def explains(history: Sequence[Turn]) -> bool:
    """Whether one of the assistant's last two answers is of some length: then this is no small talk.

    What it said to thanks and greetings is no answer.
    """
    answers = [
        turn.content
        for i, turn in enumerate(history)
        if turn.role == "assistant" and not (i and is_idle(history[i - 1].content))
    ]
    for told in answers[-2:]:
        if len(told) >= _ANSWER_CHARS and len(_MARKS.findall(told)) >= _ANSWER_MARKS:
            return True
    return False
