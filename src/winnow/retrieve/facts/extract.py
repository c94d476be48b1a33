"""The statements of a text as facts, each parsed once: marks, subject, attribute, value, credibility."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, time
from functools import cache, lru_cache
from hashlib import sha256
from itertools import chain, pairwise
from typing import cast

from winnow.language.content_words import content_terms, core, telling_terms
from winnow.language.gazetteer import runs
from winnow.language.normalize import fold, normalise
from winnow.language.numbers.find import find_numbers
from winnow.language.numbers.numerals import english_value
from winnow.language.registry import language_of, rows_for
from winnow.language.segment import segment_words
from winnow.language.sentences import split_sentences
from winnow.language.tables import table
from winnow.retrieve.statements.claims import SPEAKER, StatementClaim, typed_spans, typed_values
from winnow.retrieve.statements.supersession import text_claims
from winnow.retrieve.times.spans import day_spans
from winnow.types.fact import Fact

# How a text marks what it tells: as a change, a correction, an end, as one more, as said before.


def marks_of(text: str) -> frozenset[str]:
    """Names of the marks of a text: ``changes``, ``ended``, ``further`` ..., and how it is written."""
    plain, language = normalise(text), language_of(text)
    return frozenset(name for name, pattern in _patterns(language).items() if pattern.search(plain))


def without_mark(mark: str, text: str) -> str:
    """A normalised text without the words of a mark: without those that ask."""
    plain = normalise(text)
    return _patterns(language_of(text))[mark].sub(" ", plain)


@cache
def _patterns(language: str) -> Mapping[str, re.Pattern[str]]:
    """Mark -> pattern; a word of English stands between borders, a part of one as it is."""
    whole, parts = rows_for(_table(), language), rows_for(_table()["parts"], language)
    frame = r"(?<![\w'])(?:{})(?!\w)" if language == "en" else "(?:{})"
    found = {name: re.compile(frame.format("|".join(map(str, said)))) for name, said in whole.items()}
    return {**found, **{name: re.compile("|".join(map(str, said))) for name, said in parts.items()}}


@cache
def fact_pattern(name: str, language: str) -> re.Pattern[str]:
    """Another pattern of ``marks.yaml``: people, offices, what may own something."""
    return re.compile(str(rows_for(_table()["other"], language)[name]))


def _table() -> Mapping[str, Mapping[str, Mapping[str, list[str]]]]:
    return cast("Mapping[str, Mapping[str, Mapping[str, list[str]]]]", table(__package__, "marks.yaml"))


# What can be told of one statement at a glance.


MAX_STATEMENT_CHARS = 600
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
class FactStatement:
    """A statement as the judge reads it."""

    text: str
    terms: frozenset[str]
    words: tuple[str, ...]
    """Its content words in order, each once; English ones without their endings."""
    names: frozenset[str]
    people: frozenset[str]
    typed_values: Mapping[str, str]
    """Kind -> value of the numbers, dates and the like."""
    marks: frozenset[str]
    claims: tuple[StatementClaim, ...]
    numbers: frozenset[float]
    """Their values, however they are written; a month counts as its number."""
    weekdays: frozenset[str]
    tokens: frozenset[str]
    """All its words; in Chinese characters and pairs of them."""
    own: bool
    """It speaks of whoever says it, or of what is theirs."""
    chinese: bool


@lru_cache(maxsize=16384)
def parse_statement(text: str) -> FactStatement:
    """A statement, read once."""
    text = text[:MAX_STATEMENT_CHARS]
    plain, language = normalise(text), language_of(text)
    words, han = runs(plain)
    pairs = ("".join(pair) for run in han for pair in pairwise(run))
    return FactStatement(
        text,
        frozenset(telling_terms(text)),
        tuple(dict.fromkeys(telling_words(text, language))),
        frozenset(_names(text, language)),
        frozenset(fact_pattern("people", language).findall(plain)),
        dict(typed_values(plain)),
        marks_of(text),
        text_claims(text),
        frozenset(numbers(plain)),
        frozenset(said[:3] for kind, _, _, said in typed_spans(plain) if kind == "weekday"),
        frozenset((*words, *chain.from_iterable(han), *pairs)),
        fact_pattern("own", language).search(plain) is not None,
        language == "zh",
    )


def telling_words(text: str, language: str) -> Iterator[str]:
    """Its content words in order; English ones without their endings."""
    if language == "en":
        yield from telling_terms(text)
        return
    for word in segment_words(normalise(text)):
        if (word.tag[0] in _TELLING or word.tag == "eng") and content_terms(word.text):
            yield word.text


def _names(text: str, language: str) -> Iterator[str]:
    if language == "zh":
        yield from (word.text for word in segment_words(normalise(text)) if word.tag in _NAMES)
        return
    for name in _LARGE.findall(text):
        if name.lower() not in _OWN and not typed_values(name.lower()).keys() & {"weekday"}:
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


USER = "user"
"""The subject of what a person says of themselves; ``user/sister`` is theirs."""
PLAIN_CREDIBILITY, DOUBTFUL_CREDIBILITY, CORRECTION_CREDIBILITY = 0.7, 0.4, 1.0
"""Credibility of what is said plainly, with a doubt, and to put right what was wrong."""
MIN_FACT_CHARS, MAX_FACT_CHARS = 4, 300
"""Characters of a statement."""
NON_STATEMENT_PATTERNS = ("request", "chatter", "acknowledges")
"""Patterns of what states nothing that lasts."""


@dataclass(frozen=True, slots=True)
class StatementParts:
    """What a statement is about, as far as it can be read."""

    subject: str = ""
    attribute: str = ""
    value: str = ""


def all_statements(text: str, at: datetime | None = None, source: str = USER) -> Iterator[Fact]:
    """The statements of a text, said ``at`` that moment: no questions, no requests, no wishes.

    Those too that name nobody: ``the heating works again`` may be news of what is known.
    """
    subject = ""
    for sentence in split_sentences(text):
        told = sentence.text.strip()
        if states(told):
            # A statement that begins with a pronoun is of whom the one before was
            fact = parse_fact(told, at, source)
            plain = normalise(fact.text)
            pointing = subject and fact_pattern("theirs", language_of(fact.text)).search(plain)
            fact = replace(fact, subject=subject) if pointing else fact
            subject = fact.subject
            yield fact


def parse_fact(text: str, at: datetime | None = None, source: str = USER) -> Fact:
    """One statement as a fact, whatever it says."""
    read = parse_statement(text)
    about = _statement_parts(read)
    if "corrects" in read.marks:
        credible = CORRECTION_CREDIBILITY
    else:
        credible = DOUBTFUL_CREDIBILITY if "doubtful" in read.marks else PLAIN_CREDIBILITY
    return Fact(
        fact_id(text, at, source),
        text,
        about.subject,
        about.attribute,
        about.value,
        valid_since(text, at),
        credible,
        source,
    )


def fact_id(text: str, at: datetime | None, source: str) -> str:
    """Stable: the same words of the same moment and source are one fact."""
    told = "\n".join((fold(text), at.isoformat() if at else "", source))
    return f"f-{sha256(told.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"


def states(text: str) -> bool:
    """Whether a sentence states something: it asks for nothing."""
    plain, language = normalise(text), language_of(text)
    if not len(plain) * (3 if language == "zh" else 1) >= MIN_FACT_CHARS or len(plain) > MAX_FACT_CHARS:
        return False
    if "asks" in parse_statement(text).marks:
        return False
    return not any(fact_pattern(name, language).search(plain) for name in NON_STATEMENT_PATTERNS)


def speaks_of_somebody(fact: Fact) -> bool:
    """Whether it speaks of whoever says it, of theirs, or states something of somebody named."""
    return bool(fact.subject or parse_statement(fact.text).claims)


def valid_since(text: str, at: datetime | None) -> datetime | None:
    """Since when it holds, where the text says so (``from 1 March``), else when it was said."""
    if at is None:
        return None
    plain, begins = normalise(text), fact_pattern("since", language_of(text))
    for span in day_spans(text, at):
        where = plain.find(span.text)
        if where > 0 and begins.search(plain[:where]):
            return datetime.combine(span.start, time())
    return at


def _statement_parts(read: FactStatement) -> StatementParts:
    """Subject, attribute and value, by the grammar where it could be read, else by the verb."""
    for claim in read.claims:
        # What the grammar tells; attribute and value in the words of the sentence where its form shows them
        who, form = claim.who, _form_parts(read)
        subject = USER + who[len(SPEAKER) :] if who == SPEAKER or who.startswith(f"{SPEAKER}/") else who
        value = form.value or ", ".join(claim.looks.values()) or " ".join(sorted(claim.words))
        return StatementParts(subject, form.attribute or " ".join(sorted(claim.what)), value)
    return _form_parts(read)


def _form_parts(read: FactStatement) -> StatementParts:
    """What the form of the sentence tells: ``our landlord is Petrov``, ``I drive a Polo``."""
    language = "zh" if read.chinese else "en"
    plain = fact_pattern("lead", language).sub("", normalise(read.text))
    for form in ("labelled", "said"):
        found = fact_pattern(form, language).match(plain)
        if found:
            told = found.groupdict()
            what = told.get("what") or told.get("verb") or ""
            return StatementParts(_subject(read), what.strip(), told["value"].strip())
    return StatementParts(_subject(read))


def _subject(read: FactStatement) -> str:
    """Of whom: the first person of theirs it names, or whoever says it; empty: of nobody."""
    person = fact_pattern("people", "zh" if read.chinese else "en").search(normalise(read.text))
    if person:
        return f"{USER}/{person[0]}"
    return USER if read.own else ""
