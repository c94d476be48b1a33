"""Closed word classes of Chinese from ``words.yaml``, and the thing a sentence is about by its shape."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from winnow.language.segment import SegmentedWord, segment_words
from winnow.language.tables import table

NOMINAL = frozenset({"n", "nr", "ns", "nt", "nz", "vn", "eng", "m", "f", "b", "t"})
"""Classes of words that name something."""
GLUE = ("的", "是")
"""Words that may come in behind a span; neither says anything by itself."""


@dataclass(frozen=True, slots=True)
class RewriteVocabulary:
    """Classes of words."""

    tags: Mapping[str, str]
    pronouns: Mapping[str, str]
    """Word that points back -> what it may point at."""
    questions: Mapping[str, str]
    """Question word -> what it asks for."""
    words: frozenset[str]
    """Words that features name."""
    measures: frozenset[str]
    lead: frozenset[str]
    """Words before the thing that a question is about."""
    tail: frozenset[str]
    """Words behind it."""
    attributes: frozenset[str]
    """What one asks about a thing."""
    requests: frozenset[str]
    """Words that a request begins with."""
    vague: tuple[re.Pattern[str], ...]
    """What asks for nothing that could be named."""
    idle: tuple[re.Pattern[str], ...]
    """What only keeps the talk going."""


_SETS = ("words", "measures", "lead", "tail", "attributes", "requests")


@lru_cache(maxsize=1)
def rewrite_vocabulary() -> RewriteVocabulary:
    """The classes of ``words.yaml``."""
    data = table("winnow.understand.rewrite.zh", "words.yaml")
    return RewriteVocabulary(
        tags=data["tags"],
        pronouns=_invert_classes(data["pronouns"]),
        questions=_invert_classes(data["questions"]),
        vague=tuple(map(re.compile, data["vague"])),
        idle=tuple(map(re.compile, data["idle"])),
        **{name: frozenset(data[name]) for name in _SETS},
    )


def _invert_classes(classes: Mapping[str, list[str]]) -> dict[str, str]:
    return {word: name for name, words in classes.items() for word in words}


def kind(text: str) -> str:
    """What a word that points back may point at; empty for every other word."""
    return rewrite_vocabulary().pronouns.get(text, "")


_MARKS = re.compile(r"[\s\W_]+")
_MEASURE_STARTS = frozenset("个些里儿边样么种们")
_FRONT = frozenset("这那他她它我你")
_BACK = frozenset("吗嘛呢吧啊呀")


@lru_cache(maxsize=512)
def cut(text: str) -> tuple[SegmentedWord, ...]:
    """The words of ``text`` with their class as tag.

    A pronoun or particle that was taken for a part of an unknown name is a word of its own.
    """
    tags = rewrite_vocabulary().tags
    return tuple(
        SegmentedWord(part.text, tags.get(part.tag, part.tag[:1]), part.start)
        for word in segment_words(text)
        for part in _parts(word)
    )


def _parts(word: SegmentedWord) -> list[SegmentedWord]:
    text, at, known = word.text, word.start, rewrite_vocabulary()
    if len(text) < 2 or text in known.words or text in known.pronouns or text in known.questions:
        return [word]
    if text[0] in _FRONT and text[1] not in _MEASURE_STARTS:
        return [
            SegmentedWord(text[0], "r", at),
            *_parts(SegmentedWord(text[1:], "v" if len(text) == 2 else word.tag, at + 1)),
        ]
    if text[-1] in _BACK and len(text) > 2:
        return [SegmentedWord(text[:-1], word.tag, at), SegmentedWord(text[-1], "y", word.end - 1)]
    return [word]


def content_runs(words: Sequence[SegmentedWord]) -> list[tuple[int, int]]:
    """Stretches of words with a meaning of their own: things, names, times."""
    found: list[tuple[int, int]] = []
    first = 0
    for i in range(len(words) + 1):
        if i == len(words) or not _content(words[i]):
            if i > first:
                found.append((first, i))
            first = i + 1
    return found


def _content(word: SegmentedWord) -> bool:
    known = rewrite_vocabulary()
    listed = word.text in known.tail or word.text in known.lead or word.text in known.questions
    return not listed and word.text not in _BACK and word.tag not in ("x", "y", "u", "uj", "d", "p", "c", "r")


def is_vague(query: str) -> bool:
    """Whether a query asks for nothing that could be named, or only keeps the talk going."""
    return is_idle(query) or _is(query, rewrite_vocabulary().vague)


def is_idle(said: str) -> bool:
    """Whether a turn only keeps the talk going: a greeting, thanks, assent."""
    return _is(said, rewrite_vocabulary().idle)


def _is(said: str, patterns: Sequence[re.Pattern[str]]) -> bool:
    plain = _MARKS.sub("", said)
    return any(pattern.fullmatch(plain) for pattern in patterns)


# The thing that a question or a wish is about, by the shape of the sentence.


_LEAD = (
    r"(?:请问|你好|您好|那么?"
    r"|(?:今天|今晚|明天|周末|晚上|中午|早上|最近)(?=我?想|我?要|吃|做)"
    r"|我?(?:想|要|想要|打算|准备)(?:做|吃|学|买|去|了解|知道|问|看|听|查)?(?:一下|一?[个款台部本份](?!人))?"
    r"|(?:能不能|可以|麻烦)?(?:教|告诉|帮)我?(?:怎么)?(?:做|查|看|讲|介绍)?(?:一下)?|介绍(?:一下)?|说说|讲讲"
    r"|[这那][个款台把本部种](?=带|[^，,。？?！!]{1,6}的)|你?(?:知道|了解|听说过)|[，, ])*+"
)
_TAIL = (
    r"(?:应该|到底|一般|要)?(?:怎么|如何|咋|怎样"
    r"|的?(?:做法|步骤|配方|食谱|方法|教程|用法|养法|价格)|是什么|什么意思|[，,。？?！!]|$)"
)
_MARKS_SUBJECTS = "，,。？?！!"
_SHAPE = re.compile(rf"^(?P<lead>{_LEAD})(?P<thing>[^，,。？?！!]{{1,14}}?)(?P<tail>{_TAIL})")
_HOW = re.compile(
    r"(?<!就是知道)(?:怎么|如何|咋|怎样)(?!样|了|办|回事|会|还|这|那|说|你|个|想|看)"
    r"|的?(?:做法|步骤|配方|食谱|教程|用法|养法)"
)


def asks_how(text: str) -> bool:
    """Whether a turn asks how something is done: who asks so is told how, however short the answer is."""
    return _HOW.search(text) is not None and (subject(text) or done_to(text)) != ""


def done_to(text: str) -> str:
    """``面包`` of ``怎么烤面包``; empty where no deed and no thing follows."""
    found = _HOW.search(text)
    words = cut(text[found.end() :]) if found else ()
    if not found or not words:
        return ""
    if len(words) == 1 and words[0].tag != "n":
        return ""
    deed = words[0].end if len(words) > 1 else 0  # 烤面包 is one word, and a thing
    return _first_thing(text[found.end() + deed :])


_FIRST = "(?:那么?|还有?|大概|一般|总共|一共|到底|具体|最少|最多|平时|如果|要是|请问|[，, ])*+"
SUBJECTLESS = re.compile(
    rf"^{_FIRST}"
    r"(?:第[一二三四五六七八九十\d]+步|最后一步"
    r"|要|能|可以|可不可以|需要|需不需要|用(?!户)|放|加(?!湿)|会|应该|必须|一定|适合|贵|好|难"
    r"|[多少](?=[放加撒倒搁用])|多久|多少|多大|几|怎么|如何|为什么|什么|哪|有(?:没有)?|没有?|不"
    r"|[煮炒炖蒸烤煎炸](?=多|几|的时|完|好|之?前|之?后|到|时))"
)
"""A question that begins with what is done or asked: its subject was named before."""


def only_attribute(text: str) -> bool:
    """Whether nothing is asked but what one asks about a thing: ``具体步骤``, ``温度呢``."""
    return re.sub(f"^{_FIRST}|呢$", "", _MARKS.sub("", text)) in rewrite_vocabulary().attributes


def subject(text: str) -> str:
    """The thing that a user's turn is about.

    Empty when it only points back, asks on or keeps the talk going.
    """
    if is_vague(text) or SUBJECTLESS.match(text):
        return ""
    found = _SHAPE.match(text)
    if not found or not (found["lead"] or found["tail"].strip(_MARKS_SUBJECTS)):
        return _first_thing(text)
    return (found["thing"] if _is_named_thing(found["thing"]) else "") or _first_thing(text)


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


def _is_named_thing(thing: str) -> bool:
    words = cut(thing)
    clear = not any(kind(w.text) or w.text in rewrite_vocabulary().questions for w in words)
    return (
        clear
        and words[-1].tag not in ("y", "x")
        and any(w.text not in rewrite_vocabulary().words for w in words)
    )
