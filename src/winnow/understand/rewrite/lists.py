"""Lists that a turn tells with marks of any kind, in bold, or with commas alone."""

from __future__ import annotations

import re
from collections.abc import Iterator

HAN = "一二三四五六七八九十"
"""Numerals, from 1."""
_ENGLISH = ("first", "second", "third", "fourth", "fifth", "sixth")
_CHINESE = ("首先", "其次", "再次")
_MEASURE = "[个种款道本部家项条首样位步点]"
_AFTER_A_MARK = r"(?:^|(?<=[\s:：;；。，,、！？!?]))"
_MARK = re.compile(
    rf"(?P<ring>[①-⑩])\s*|[(（](?P<inside>\d{{1,2}}|[{HAN}])[)）]\s*|"
    rf"{_AFTER_A_MARK}(?:"
    r"(?P<number>\d{1,2})[.、)）．](?!\d)\s*|"
    rf"(?P<han>[{HAN}])(?:[、：:]|是|则?为|来)\s*|"
    rf"第(?P<place>[{HAN}]|\d{{1,2}}){_MEASURE}?(?:[，,、：:]|是)\s*|"
    rf"(?P<word>{'|'.join(_CHINESE)}|(?P<end>最后))(?:是|[，,：:])\s*|"
    rf"(?i:(?P<english>{'|'.join(_ENGLISH)})(?:ly)?|(?P<finally>finally|lastly|last))[,:]\s+)|"
    r"(?:^|\n)[ \t]*(?P<dash>[-*•])[ \t]+",
    re.MULTILINE,
)
_SET = re.compile(r"(\*{1,3}|__|`+)(?=\S)([^*`\n]+?)(?<=\S)\1")
_HEADING = re.compile(r"(?m)^[ \t]*(?:#{1,6}|>)[ \t]+")
_LINKED = re.compile(r"!?\[([^\]\n]+)\]\([^)\s]*\)")
_ITEM_END = re.compile(r"[\n；;。，,：:（(]|\.(?:\s|$)|\s[-–—]\s")
_SET_OFF = " \t*_`"
_NAME = r"(?!(?i:yes|no|ok|i|it|you|we|they|so|and|but|then|if|when)\b)[\w'’-]+(?: [\w'’-]+){0,2}"
_ROW = re.compile(rf"(?:^|[:.!?]\s+)({_NAME}(?:, {_NAME}){{2,}})(?=[.!?\n]|$)")
MIN_ITEMS = 2
"""Things that make a list."""


def marked_items(text: str) -> list[str]:
    """The things of the first such list, in order, each up to what is said of it; none where there is none.

    Numbers must count up from 1: ``1.5`` and ``in 2.`` are no marks.
    """
    text = _LINKED.sub(r"\1", text)
    marks = list(_MARK.finditer(text))
    kept: list[re.Match[str]] = []
    for mark in marks:
        if mark["dash"]:
            continue
        number = _number(mark) or len(kept) + 1
        if number == len(kept) + 1:
            kept.append(mark)
        elif number == 1:
            break
    if len(kept) < MIN_ITEMS:
        kept = [mark for mark in marks if mark["dash"]]
    if len(kept) < MIN_ITEMS:
        bold = list(_bold(text))
        row = _ROW.search(text)
        return bold if len(bold) >= MIN_ITEMS else row[1].split(", ") if row else []
    ends = [*(mark.start() for mark in kept[1:]), len(text)]
    items = [_named(text[mark.end() : end]) for mark, end in zip(kept, ends, strict=True)]
    return items if all(items) else []


def _number(mark: re.Match[str]) -> int:
    """Which place a mark gives; 0 for ``finally``, which is the next one whatever came before."""
    if mark["ring"]:
        return ord(mark["ring"]) - ord("①") + 1
    if said := mark["number"] or mark["inside"] or mark["han"] or mark["place"]:
        return int(said) if said.isdigit() else HAN.index(said) + 1
    if mark["end"] or mark["finally"]:
        return 0
    words = _CHINESE if mark["word"] else _ENGLISH
    return words.index((mark["word"] or mark["english"]).lower()) + 1


def _bold(text: str) -> Iterator[str]:
    for found in _SET.finditer(text):
        if thing := found[2].strip(_SET_OFF + ":：。."):
            yield thing


def plain(text: str) -> str:
    """A turn without the marks of Markdown: no query holds them."""
    return _HEADING.sub("", _LINKED.sub(r"\1", _SET.sub(r"\2", text)))


def _named(said: str) -> str:
    """The thing itself: what is set in bold, else what stands before anything is said of it."""
    bold = next(_bold(said), "")
    return bold or _ITEM_END.split(said.strip(_SET_OFF + "\n"), maxsplit=1)[0].strip(_SET_OFF)
