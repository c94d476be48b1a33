"""Things told one after the other, and which of them an ordinal means."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from winnow.language.segment import Word
from winnow.types.dialogue import Turn
from winnow.understand.rewrite.zh.edits import Edit, put
from winnow.understand.rewrite.zh.vocabulary import cut, vocabulary

READ = 2000
"""Characters of a turn that are searched for a list."""
ITEM = 20
"""Characters of the longest item; anything longer is a sentence, not a name."""
_NUMBERED = re.compile(
    r"(?:^|[\n；;。])\s*(?:\d{1,2}[.、)）．]|[①-⑩]|[（(]\d{1,2}[)）])\s*([^\n；;。，,：:（(]+)"
)
_COUNTED = re.compile(
    r"第[一二三四五六七八九十]+[个种款道本部家项条首]?(?:[，,、：:]|是)\s*([^，,。；;\n：:]+)"
)
_TITLES = re.compile(r"《[^《》\n]{1,30}》")
_CLAUSE = re.compile(r"[^，,。；;！!？?：:\n]+")
_JOINT = re.compile(r"、|以及|还有|或者|还是|和|跟|与|或")
_NUMBER = {c: n for n, c in enumerate("一二三四五六七八九十", 1)}
_PLACE = r"第(?P<n>[一二三四五六七八九十]|\d{1,2})|(?P<last>最后)一|(?P<head>(?:^|(?<=[那，,的]))头一)"
_MEASURE = "[个种款道本部家项条首位样只件]"
_THING = "(?:菜|汤|书|歌|电影|方案|办法|方法|地方|景点|选项)(?!谱)"
_ORDINAL = re.compile(f"(?:{_PLACE}){_MEASURE}(?:{_THING})?|(?P<former>前者)|(?P<latter>后者)")


@dataclass(frozen=True, slots=True)
class Item:
    """A thing of a list, and the turn that told it."""

    text: str
    turn: int


def ordinal(query: str, history: Sequence[Turn], skipped: int) -> Edit | None:
    """The query with the listed thing in place of ``第二个``, ``最后一个`` or ``后者``.

    None when the query holds no such word, or the latest list has no such place.
    """
    found = _ORDINAL.search(query)
    if not found:
        return None
    of_two = found["former"] or found["latter"]
    items = next((items for items in _lists(history, skipped) if len(items) == 2 or not of_two), [])
    at = _place(found, len(items))
    if not 0 <= at < len(items):
        return None
    return put(query, found.span(), items[at].text, items[at].turn, "ordinal")


def lists_hold(query: str, history: Sequence[Turn]) -> bool:
    """Whether the query names a thing of a list that was told."""
    return any(len(item.text) > 1 and item.text in query for items in _lists(history, 0) for item in items)


def _place(found: re.Match[str], count: int) -> int:
    if found["latter"] or found["last"]:
        return count - 1
    if found["former"] or found["head"]:
        return 0
    return (int(found["n"]) if found["n"].isdigit() else _NUMBER[found["n"]]) - 1


def _lists(history: Sequence[Turn], skipped: int) -> Iterator[list[Item]]:
    """The lists that were told, latest first."""
    for i in range(len(history) - 1, -1, -1):
        texts = listed(history[i].content[:READ])
        if len(texts) > 1:
            yield [Item(text, skipped + i) for text in texts]


def listed(text: str) -> list[str]:
    """The things that a text tells one after the other.

    By numbers, by titles, or joined by ``、`` and ``和``.
    """
    for pattern in (_NUMBERED, _COUNTED, _TITLES):
        items = [m[m.lastindex or 0].strip() for m in pattern.finditer(text)]
        if len(items) > 1 and all(len(item) <= ITEM for item in items):
            return items
    return max((_joined(clause[0]) for clause in _CLAUSE.finditer(text)), key=len, default=[])


def _joined(clause: str) -> list[str]:
    parts = _JOINT.split(clause)
    if len(parts) < 2:
        return []
    items = [_without_lead(parts[0]), *(p.strip() for p in parts[1:-1]), _without_tail(parts[-1])]
    return items if all(0 < len(item) <= ITEM for item in items) else []


def _without_lead(text: str) -> str:
    """What follows the last word that leads up to a list."""
    words = cut(text.strip())
    leads = [i for i, w in enumerate(words[:-1]) if w.text in vocabulary().lead]
    return _text(words[leads[-1] + 1 :]) if leads else text.strip()


def _without_tail(text: str) -> str:
    words = cut(text.strip())
    ends = [i for i, w in enumerate(words) if i and w.text in vocabulary().tail]
    return _text(words[: ends[0]]) if ends else text.strip()


def _text(words: Sequence[Word]) -> str:
    return "".join(w.text for w in words)
