"""What the talk is about when an assistant explains something.

The thing of the user's last full question, and the one before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from winnow.types.dialogue import Turn
from winnow.types.rewrite import Span
from winnow.understand.rewrite.zh.repeats import asks, thing_of
from winnow.understand.rewrite.zh.subjects import SUBJECTLESS, subject
from winnow.understand.rewrite.zh.vocabulary import cut, is_idle, vocabulary

_EARLIER = re.compile(
    r"(?:上一?|前一|刚才那|刚刚那|之前那|前面那|先前那)(?:个|道|种|款|首|部|本|家)(?P<of>菜|汤|歌|书|电影|地方|问题(?!是))?(?!月|星期|礼拜|周|世纪|季|学期)"
)
_THING = re.compile(
    r"[这那](?:个|道|款|种|部|本|台|件|首)(?:菜|汤|东西|产品)?(?!里|儿|边|样|么|些|天|次|时|位|人)|它(?!们)|这(?=要|能|可以|是|好|难|贵|怎|需|有|会|得|该)"
)
_ANSWER_CHARS, _ANSWER_MARKS = 15, 2
"""An assistant explains when it says at least so many characters with so many marks; less is small talk."""


def topic(text: str) -> str:
    """The thing that a user's turn puts in the middle; empty when it only points back or asks on."""
    if again := thing_of(text):
        return "" if again in vocabulary().attributes else again
    return subject(text)


def topics(history: Sequence[Turn], skipped: int) -> Iterator[tuple[str, int]]:
    """What the user's turns were about, latest first, each once, and the turn."""
    seen = set()
    for i in range(len(history) - 1, -1, -1):
        name = topic(history[i].content[:100]) if history[i].role == "user" else ""
        if name and name not in seen:
            seen.add(name)
            yield name, skipped + i


def earlier(query: str, history: Sequence[Turn], skipped: int) -> tuple[str, Span] | None:
    """The query with the topic before the present one in place of ``上一道菜``.

    The present one when there was no other.
    """
    found = _EARLIER.search(query)
    known = list(topics(history, skipped))[:2] if found else []
    if not found or not known:
        return None
    name, turn = known[-1]
    return query[: found.start()] + name + query[found.end() :], Span(name, turn, found.start(), found[0])


def explained(query: str, history: Sequence[Turn], skipped: int) -> tuple[str, Span] | None:
    """The query about what is talked about, in place of ``这个`` or in front of a question without a subject.

    After small talk only a question that begins with what one asks of a thing (``门票多少钱``), and that follows a
    question.
    """
    present = next(topics(history, skipped), None)
    if present is None or present[0] in query:
        return None
    (name, turn), told = present, explains(history)
    if told and (found := _THING.search(query)):
        return query[: found.start()] + name + query[found.end() :], Span(name, turn, found.start(), found[0])
    attribute = (
        asks(query)
        and asks(history[turn - skipped].content)
        and cut(query)[0].text in vocabulary().attributes
    )
    if attribute or (told and SUBJECTLESS.match(query)):
        at = len(query) - len(query.lstrip("那么，, "))
        return query[:at] + name + query[at:], Span(name, turn, at)
    return None


def explains(history: Sequence[Turn]) -> bool:
    """Whether one of the assistant's last two answers is of some length.

    The talk is about a thing, and no small talk.
    """
    spoken = [
        turn
        for i, turn in enumerate(history)
        if turn.role == "assistant" and not (i and is_idle(history[i - 1].content))
    ]
    answers = [turn.content for turn in spoken[-2:]]
    return any(len(told) >= _ANSWER_CHARS and len(_MARKS.findall(told)) >= _ANSWER_MARKS for told in answers)


_MARKS = re.compile(r"[，。；：:、,.;\n]")
