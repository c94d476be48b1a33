"""What can be told of one statement at a glance."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from winnow.language.content import content_terms, core, is_character
from winnow.language.ngrams import runs
from winnow.language.normalise import language_of, normalise
from winnow.language.numbers.find import find_numbers
from winnow.language.numbers.numerals import english_value
from winnow.language.segment import segment
from winnow.recall.facts.marks import marks_of, pattern
from winnow.recall.history.superseded import claims
from winnow.recall.history.superseded.claim import Claim
from winnow.recall.history.superseded.values import looks, spans

LONGEST = 600
"""Characters of a statement that are read."""
_THOUSANDS = re.compile(r"(?<![a-z0-9])(\d+(?:\.\d+)?)k\b")
_GLUED = re.compile(r"(?<![a-z0-9])(\d+(?:\.\d+)?)(mg|ml|kg|km|gb|tb|cm|mm|g|h|min|mbps|eur|usd|inch|hz)\b")
_HOUR = re.compile(r"\b(?P<minutes>five|ten|quarter|twenty) (?P<way>to|past) (?P<hour>[a-z]+|\d{1,2})\b")
_SLASHED = re.compile(r"(?<![\d/])(\d{1,2})/(\d{1,2})(?![\d/])")
_COLON = re.compile(r"(?<!\d):|:(?!\d)")
_ONE = frozenset({"一", "one", "a", "an"})
_MONTH = re.compile(
    r"\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?:uary|ruary|ch|il|e|y|ust|t(?:ember)?|ober|ember)?\b"
    r"(?=\W*\d)|(?<=\d )(?:of )?(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b"
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_LARGE = re.compile(r"(?<=[\w,'&-] )[A-Z][\w&'-]*")
_OWN = frozenset({"i", "i'm", "i've", "i'd", "i'll"})
_TELLING = frozenset("nvajdtismlbzx")
"""Parts of speech whose words say something, as the segmenter tags them."""
_NAMES = frozenset({"nr", "ns", "nz", "nt", "nrt"})


@dataclass(frozen=True, slots=True)
class Said:
    """A statement as the judge reads it."""

    text: str
    terms: frozenset[str]
    words: tuple[str, ...]
    """Its content words in order, each once; English ones without their endings."""
    names: frozenset[str]
    people: frozenset[str]
    looks: Mapping[str, str]
    """Kind -> value of the numbers, dates and the like."""
    marks: frozenset[str]
    claims: tuple[Claim, ...]
    numbers: frozenset[float]
    """Their values, however they are written; a month counts as its number."""
    weekdays: frozenset[str]
    tokens: frozenset[str]
    """All its words; in Chinese characters and pairs of them."""
    own: bool
    """It speaks of whoever says it, or of what is theirs."""
    chinese: bool


@lru_cache(maxsize=16384)
def said(text: str) -> Said:
    """A statement, read once."""
    text = text[:LONGEST]
    plain, language = normalise(text), language_of(text)
    return Said(
        text,
        frozenset(term for term in content_terms(text) if not is_character(term)),
        tuple(dict.fromkeys(_words(text, language))),
        frozenset(_names(text, language)),
        frozenset(pattern("people", language).findall(plain)),
        dict(looks(plain)),
        marks_of(text),
        claims(text),
        frozenset(numbers(plain)),
        frozenset(said[:3] for kind, _, _, said in spans(plain) if kind == "weekday"),
        frozenset(_tokens(plain)),
        pattern("own", language).search(plain) is not None,
        language == "zh",
    )


def _words(text: str, language: str) -> Iterator[str]:
    if language == "en":
        yield from (term for term in content_terms(text) if not is_character(term))
        return
    for word in segment(normalise(text)):
        if (word.tag[0] in _TELLING or word.tag == "eng") and content_terms(word.text):
            yield word.text


def _names(text: str, language: str) -> Iterator[str]:
    if language == "zh":
        yield from (word.text for word in segment(normalise(text)) if word.tag in _NAMES)
        return
    for name in _LARGE.findall(text):
        if name.lower() not in _OWN and not looks(name.lower()).keys() & {"weekday"}:
            yield core(name.lower().removesuffix("'s"))


def numbers(plain: str) -> Iterator[float]:
    """The values of the numbers in a normalised text, and of the months that are dated; hours up to 12.

    A bare one counts nothing: ``a day``, ``one of them``.
    """
    for number in find_numbers(written_out(plain)):
        if number.text not in _ONE:
            yield round(number.value % 12 if number.unit == "clock" else number.value, 3)
    yield from months_of(plain)
    for day, month_ in _SLASHED.findall(plain):
        yield from (float(day), float(month_))


def written_out(plain: str) -> str:
    """A normalised text with its numbers as others write them: ``2k``, ``5mg``, ``ten to eight``."""
    full = _THOUSANDS.sub(lambda short: f"{float(short[1]) * 1000:g}", plain)
    return _COLON.sub(" ", _HOUR.sub(_hour, _GLUED.sub(r"\1 \2", full)))


def months_of(plain: str) -> Iterator[float]:
    """The months that are dated, as their numbers."""
    for month in _MONTH.finditer(plain):
        yield _MONTHS.index(month[1] or month[2]) + 1.0


def _hour(said: re.Match[str]) -> str:
    """``ten to eight`` as digits."""
    minutes, hour = english_value(said["minutes"]) or 15.0, english_value(said["hour"])
    if hour is None:
        return said[0]
    at = hour * 60 + (minutes if said["way"] == "past" else -minutes)
    return f"{int(at // 60)}:{int(at % 60):02d}"


def _tokens(plain: str) -> Iterator[str]:
    words, han = runs(plain)
    yield from words
    for run in han:
        yield from run
        yield from map("".join, pairwise(run))
