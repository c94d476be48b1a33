"""Closed word classes of Chinese from ``words.yaml``, and the thing a sentence is about by its shape."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from winnow.language.patterns import compiled_patterns
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
    having: frozenset[str]
    """Words before a part of a thing."""
    vague: tuple[re.Pattern[str], ...]
    """What asks for nothing that could be named."""
    idle: tuple[re.Pattern[str], ...]
    """What only keeps the talk going."""


_SETS = ("words", "measures", "lead", "tail", "attributes", "requests", "having")


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


def patterns() -> Mapping[str, re.Pattern[str]]:
    """Name -> shape of a sentence, or of a part of one, from ``patterns.yaml``."""
    return compiled_patterns(__package__, "patterns.yaml")


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

_MARKS_SUBJECTS = "，,。？?！!"


def asks_how(text: str) -> bool:
    """Whether a turn asks how something is done: who asks so is told how, however short the answer is."""
    return patterns()["how"].search(text) is not None and (subject(text) or done_to(text)) != ""


def done_to(text: str) -> str:
    """``面包`` of ``怎么烤面包``; empty where no deed and no thing follows."""
    found = patterns()["how"].search(text)
    words = cut(text[found.end() :]) if found else ()
    if not found or not words:
        return ""
    if len(words) == 1 and words[0].tag != "n":
        return ""
    deed = words[0].end if len(words) > 1 else 0  # 烤面包 is one word, and a thing
    return _first_thing(text[found.end() + deed :])


def only_attribute(text: str) -> bool:
    """Whether nothing is asked but what one asks about a thing: ``具体步骤``, ``温度呢``."""
    return patterns()["around_attribute"].sub("", _MARKS.sub("", text)) in rewrite_vocabulary().attributes


def subject(text: str) -> str:
    """The thing that a user's turn is about.

    Empty when it only points back, asks on or keeps the talk going.
    """
    if is_vague(text) or patterns()["subjectless"].match(text):
        return ""
    found = patterns()["shape"].match(text)
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
