"""Where sentences end, and where clauses and phrases do within them, in Chinese and English.

Spans tile the text they come from: put together they are that text again, blanks and line breaks included.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import cast

from winnow.language.tables import table

_CLOSE = "\"'”’」』）)】》〉\\]"
_HAN = "\u3007\u3400-\u9fff\uf900-\ufaff"
_STOP = re.compile(
    rf"(?:(?P<wide>[。！？；｡]+)|(?P<narrow>[.!?]+))[{_CLOSE}]*\s*|(?P<line>(?<![ \t\r])[ \t\r]*\n\s*)"
)
"""A mark that may end a sentence, what closes behind it and the blanks behind that; or the end of a line."""
_MARK = (
    rf"(?<=[，；：！？])[{_CLOSE}]*|(?<=[,;:!?])(?:[{_CLOSE}]*\s+|(?=[{_HAN}]))|(?<=……)|(?<=——)|(?<=[—–])\s+"
)
_LAST = re.compile(r"[A-Za-z]+(?:\.[A-Za-z]+)*$")
_ENUMERATED = re.compile(r"\s*[(（\[]?(?:\d{1,3}|[A-Za-z])$")
_OPEN, _SHUT = re.compile(r"[(（]"), re.compile(r"[)）]")
ASIDE = 200
"""Characters of the longest remark in brackets that is not cut."""
CLAUSE, PHRASE = 24, 18
"""Width of the shortest clause and phrase; a Chinese character is as wide as three letters."""


@dataclass(frozen=True, slots=True)
class TextSpan:
    """A stretch of a text, from ``start`` to before ``end``, in characters."""

    text: str
    start: int
    end: int


def split_sentences(text: str) -> tuple[TextSpan, ...]:
    """The sentences of a text, in order. A line of its own is one too; a line broken for width is none."""
    ends, start = list[int](), 0
    for stop in _STOP.finditer(text):
        if _ends(text, start, stop):
            start = stop.end()
            ends.append(start)
    return tuple(_cut(text, 0, ends))


def clauses(text: str) -> tuple[TextSpan, ...]:
    """The clauses of a text, in order; none reaches over the end of a sentence, none is very short."""
    return tuple(part for sentence in split_sentences(text) for part in clauses_of(sentence))


def clauses_of(sentence: TextSpan) -> tuple[TextSpan, ...]:
    """The clauses of a sentence. Their places are those in the text the sentence stands in."""
    return _parts(sentence, _marks("clauses"), CLAUSE)


def phrases_of(sentence: TextSpan) -> tuple[TextSpan, ...]:
    """The phrases of a sentence: English is cut before prepositions and auxiliaries as well."""
    return _parts(sentence, _marks("clauses", "phrases"), PHRASE)


def _cut(text: str, offset: int, ends: Iterable[int]) -> Iterator[TextSpan]:
    start = 0
    for end in (*ends, len(text)):
        if end > start:
            yield TextSpan(text[start:end], offset + start, offset + end)
            start = end


def _ends(text: str, start: int, stop: re.Match[str]) -> bool:
    """Whether a sentence that began at ``start`` ends with this mark."""
    piece = text[max(start, stop.start() - ASIDE) : stop.start()]  # no more: a text may have no end in sight
    if not piece.strip():
        return False
    if stop["line"]:
        # A line broken for its width only goes on in small letters.
        before, after = text[stop.start() - 1 : stop.start()], text[stop.end() : stop.end() + 1]
        goes_on = after.islower() and (before.isalnum() or before in ",;-)\"'")
        return stop["line"].count("\n") > 1 or not goes_on
    is_open = len(_OPEN.findall(piece)) > len(_SHUT.findall(piece))
    if is_open and _SHUT.search(text, stop.start() + 1, stop.start() + ASIDE):
        return False  # within brackets that close soon
    return bool(stop["wide"]) or _narrow_ends(text, piece, stop)


def _narrow_ends(text: str, piece: str, stop: re.Match[str]) -> bool:
    """Whether ``.``, ``!`` or ``?`` ends a sentence: what follows begins one, and this is no short form."""
    after = text[stop.end() : stop.end() + 1]
    if not after:
        return True
    if stop.group()[-1].isspace():
        opens = not after.islower() or "\n" in stop.group()
    else:
        opens = is_han(after) or (is_han(text[stop.start() - 1]) and not after.isalnum())
    return opens and (stop["narrow"] != "." or _full_stop_ends(text, piece, stop))


def _full_stop_ends(text: str, piece: str, stop: re.Match[str]) -> bool:
    """Whether a full stop ends a sentence and not ``Dr. Li``, ``No. 5``, ``J. Smith`` or ``1. First``."""
    if _ENUMERATED.fullmatch(piece):
        return False
    found = _LAST.search(piece[-24:])
    word = found.group() if found else ""
    if len(word) == 1 and word.isupper() and word != "I":
        return False
    return not _is_short_form(word.lower(), text[stop.end() : stop.end() + 24])


def _is_short_form(word: str, after: str) -> bool:
    forms = _words()
    if word in forms["titles"]:
        return True
    if word in forms["numbered"]:
        return after[:1].isdigit()
    following = re.match(r"[A-Za-z]+", after)
    opens = following is not None and following.group().lower() in forms["opening"]
    return word in forms["either"] and not opens and following is not None


def _parts(sentence: TextSpan, marks: re.Pattern[str], least: int) -> tuple[TextSpan, ...]:
    """The sentence cut at the marks; what would be too short stays with its neighbour."""
    text, ends, start = sentence.text, list[int](), 0
    for mark in marks.finditer(text):
        if is_wide(text[start : mark.end()], least):
            start = mark.end()
            ends.append(start)
    if ends and not is_wide(text[ends[-1] :], least):
        ends.pop()
    return tuple(_cut(text, sentence.start, ends))


def is_wide(piece: str, least: int) -> bool:
    """Whether a piece is as wide as that; asked of many pieces, so the long ones are not counted."""
    piece = piece.strip()
    return len(piece) >= least or len(piece) + 2 * sum(map(is_han, piece)) >= least


def is_relative(part: str) -> bool:
    """Whether it only tells more of what stands before it in its sentence: ``which stands near``."""
    return part.split(" ", 1)[0].lower() in _words()["relatives"]


def is_han(character: str) -> bool:
    """Whether this is a Chinese character of the everyday plane; quicker than asking a pattern."""
    return "\u3400" <= character <= "\u9fff" or character == "\u3007"


@cache
def _words() -> dict[str, frozenset[str]]:
    rows = cast("dict[str, list[str]]", table("winnow.language", "words/sentences.yaml"))
    return {name: frozenset(words) for name, words in rows.items()}


@cache
def _marks(*kinds: str) -> re.Pattern[str]:
    """The ends of clauses: behind a mark, or before a word of these kinds; not in ``5 to 7 euros``."""
    before = "|".join(sorted(frozenset[str]().union(*(_words()[kind] for kind in kinds))))
    return re.compile(rf"{_MARK}|(?<!\s)\s+(?=(?:{before})\s)(?!(?<=\d\s)\w+\s\d)")
