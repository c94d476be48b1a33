"""The thing that a question or a wish is about, by the shape of the sentence."""

from __future__ import annotations

import re

from winnow.understand.rewrite.zh.vocabulary import content_runs, cut, is_vague, kind, vocabulary

_LEAD = (
    r"(?:请问|你好|您好|那么?"
    r"|(?:今天|今晚|明天|周末|晚上|中午|早上|最近)(?=我?想|我?要|吃|做)"
    r"|我?(?:想|要|想要|打算|准备)(?:做|吃|学|买|去|了解|知道|问|看|听|查)?(?:一下)?"
    r"|(?:能不能|可以|麻烦)?(?:教|告诉|帮)我?(?:怎么)?(?:做|查|看|讲|介绍)?(?:一下)?|介绍(?:一下)?|说说|讲讲"
    r"|你?(?:知道|了解|听说过)|[，, ])*+"
)
_TAIL = (
    r"(?:应该|到底|一般|要)?(?:怎么|如何|咋|怎样"
    r"|的(?:做法|步骤|配方|食谱|方法|教程|用法|养法|价格)|是什么|什么意思|[，,。？?！!]|$)"
)
_MARKS = "，,。？?！!"
_SHAPE = re.compile(rf"^(?P<lead>{_LEAD})(?P<thing>[^，,。？?！!]{{1,14}}?)(?P<tail>{_TAIL})")
SUBJECTLESS = re.compile(
    r"^(?:那么?|还有?|大概|一般|总共|一共|到底|具体|最少|最多|平时|如果|要是|请问|[，, ])*+"
    r"(?:第[一二三四五六七八九十\d]+步|最后一步"
    r"|要|能|可以|可不可以|需要|需不需要|用(?!户)|放|加(?!湿)|会|应该|必须|一定|适合|贵|好|难"
    r"|多久|多少|多大|几|怎么|如何|为什么|什么|哪|有(?:没有)?|没有?|不"
    r"|[煮炒炖蒸烤煎炸](?=多|几|的时|完|好|之?前|之?后|到|时))"
)
"""A question that begins with what is done or asked: its subject was named before."""


def subject(text: str) -> str:
    """The thing that a user's turn is about.

    Empty when it only points back, asks on or keeps the talk going.
    """
    if is_vague(text) or SUBJECTLESS.match(text):
        return ""
    return _by_shape(text) or _first_thing(text)


def _by_shape(text: str) -> str:
    """``蛋挞`` of ``教我做蛋挞`` and ``蛋挞怎么做``."""
    found = _SHAPE.match(text)
    if not found or not (found["lead"] or found["tail"].strip(_MARKS)):
        return ""
    return found["thing"] if _named(found["thing"]) else ""


def _first_thing(text: str) -> str:
    """The first words with a meaning of their own that are no time or number.

    Empty where a word points back.
    """
    words = cut(text)
    if any(kind(w.text) for w in words):
        return ""
    for first, last in content_runs(words):
        if any(w.tag not in ("t", "m", "q", "f") for w in words[first:last]):
            return text[words[first].start : words[last - 1].end]
    return ""


def _named(thing: str) -> bool:
    words = cut(thing)
    clear = not any(kind(w.text) or w.text in vocabulary().questions for w in words)
    return clear and words[-1].tag not in ("y", "x") and any(w.text not in vocabulary().words for w in words)
