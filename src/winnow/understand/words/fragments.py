"""Things told by a part of their name or by their side.

``名字里带“吸顶”的灯``, ``叫灯带的那几个``, ``左边那盏``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from winnow.types.query import Token

_QUOTE = "[\"'“”‘’「」]"
_PART = rf"{_QUOTE}?(?P<part>[^\s\"'“”‘’「」,，。、;；!?字的不]{{1,8}}?){_QUOTE}?"
_CHARS = r"(?:(?:[这那])?[一两俩二三四几]?个?字(?:眼|样|儿)?)"
_NAME = r"(?:名字|名称|名儿)(?:里面|里头|里边|里|中|当中|上)?"
_HOLD = r"(?:带有|带着|带了|带|含有|包含|含|有)"
_PATTERNS = tuple(
    re.compile(p)
    for p in (
        rf"{_NAME}(?P<not>[不没])?{_HOLD}{_PART}{_CHARS}?的",
        rf"{_NAME}(?:是|叫|就叫)(?P<whole>){_PART}{_CHARS}?的",
        rf"{_NAME}以{_PART}{_CHARS}?(?:(?P<first>开头|打头)|结尾)的",
        rf"(?P<not>[不没])?(?:带有|带着|带|含有|含)(?={_QUOTE}){_PART}{_CHARS}?的",
        rf"(?P<not>[不没])?(?:带有|带着|带|含有|含){_PART}{_CHARS}的",
        rf"叫(?:做|作)?(?P<whole>){_PART}的(?=(?:那|这)?(?:[几两俩些三四五]|都|全|统统|通通|一律|所有|灯|空调|窗帘|设备))",
    )
)
_WITH = re.compile("(?P<part>连)(?=[^,，。;；]{1,10}?(?:一起|一块|一并|一同|也|都|全|在内))")
_SIDES = re.compile(r"(?P<part>[左右])(?:手边|边|侧|面)")


def fragments(tokens: list[Token], text: str) -> list[Token]:
    """The tokens with each phrase that tells a part of a name as one.

    A phrase that denies it as an exception.
    """
    for pattern in _PATTERNS if "名" in text or "字" in text or "叫" in text or "带" in text else ():
        for found in pattern.finditer(text):
            if not any(
                t.data.get("part") and t.start < found.end() and t.end > found.start() for t in tokens
            ):
                tokens = _put(tokens, found, text)
    for found in _WITH.finditer(text):
        if any(t.kind == "word" and t.start <= found.start() < t.end for t in tokens):
            tokens = _replaced(tokens, found, [Token("连", "conj", *found.span(), {"is": "include"})], text)
    for found in _SIDES.finditer(text):
        if any(t.kind == "word" and t.start < found.end() and t.end > found.start() for t in tokens):
            tokens = _put(tokens, found, text, whole=False)
    return tokens


def _put(tokens: Sequence[Token], found: re.Match[str], text: str, *, whole: bool = True) -> list[Token]:
    """The tokens with the phrase in the place of what it covers."""
    start, end = found.span()
    groups = found.groupdict()
    how = (
        "whole"
        if groups.get("whole") is not None
        else "first"
        if groups.get("first")
        else "last"
        if "结尾" in found.group()
        else "any"
    )
    part = Token(found["part"], "nameword", start, end, {"part": how, "plural": whole})
    made = [replace(part, kind="lacking") if groups.get("not") else part]
    return _replaced(tokens, found, made, text)


def _replaced(tokens: Sequence[Token], found: re.Match[str], made: Sequence[Token], text: str) -> list[Token]:
    return [*_clipped(tokens, 0, found.start(), text), *made, *_clipped(tokens, found.end(), len(text), text)]


def _clipped(tokens: Sequence[Token], start: int, end: int, text: str) -> Iterator[Token]:
    for t in tokens:
        first, last = max(t.start, start), min(t.end, end)
        if (first, last) == (t.start, t.end):
            yield t
        elif first < last:
            yield Token(text[first:last], "word", first, last)
