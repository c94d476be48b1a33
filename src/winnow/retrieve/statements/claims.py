"""Claims: what a statement says of whom, its typed values, its tone, and the word lists they are read by."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any, cast

from winnow.language.normalize import normalise
from winnow.language.numbers.numerals import value_of
from winnow.language.patterns import compiled_patterns
from winnow.language.registry import LANGUAGES
from winnow.language.tables import table

# What one statement says of whom, and whether it says that something changed.

UNNAMED_ATTRIBUTE = frozenset({"?"})
"""What changed is not said: ``I switched to Firefox``."""
SPEAKER = "i"
"""Whoever speaks; ``i/sister`` is theirs."""


@dataclass(frozen=True, slots=True)
class StatementClaim:
    """One statement. Whose it is and what of theirs make its subject; the rest is what it says."""

    who: str
    """``i``, ``i/sister`` or a name; a thing of nobody's is the speaker's."""
    what: frozenset[str]
    """The attribute, as stems or families: ``phone``, ``favourite`` and ``colour``, ``gym``."""
    looks: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Kind -> value of the numbers, dates and the like in it."""
    words: frozenset[str] = frozenset()
    """The other words of the value."""
    changed: bool = False
    """It says itself that something changed or was wrong."""
    single: bool = True
    """The attribute has one value at a time, as far as the statement tells."""
    ended_words: frozenset[str] = frozenset()
    """Words of a value that it says is over."""

    @property
    def counts(self) -> bool:
        """Whether it says something that can be outdated."""
        return self.single or self.changed


def values_differ(old: StatementClaim, new: StatementClaim) -> bool:
    """Whether the newer value excludes the older: another of one kind, or of mostly other words."""
    kinds = old.looks.keys() & new.looks.keys()
    if kinds:
        return any(old.looks[kind] != new.looks[kind] for kind in kinds)
    if bool(old.looks) != bool(new.looks):
        return False
    if old.looks and new.changed and old.what == new.what:
        return True
    shared, least = len(old.words & new.words), min(len(old.words), len(new.words))
    return least > 0 and 2 * shared <= least


_NUMERAL = re.compile(r"\d+(?:[.,]\d+)*|[零一二两三四五六七八九十百千万半]+")
_NOT_DIGIT = re.compile(r"\D")
_LOOSE = re.compile(r"[\s,]+|\.(?!\d)|(?<!\d)\.")
"""What spellings of one value differ in; a point between digits counts."""


@lru_cache(maxsize=16384)
def typed_values(text: str) -> Mapping[str, str]:
    """Kind -> value of what can be told by its looks in normalised ``text``, the first of each kind.

    Two spellings of one value are mostly one text: ``3 pm`` and ``3:00 pm``, ``四十八岁`` and ``48岁``.
    """
    found: dict[str, str] = {}
    for kind, _, _, said in typed_spans(text):
        found.setdefault(kind, said)
    return found


def typed_spans(text: str) -> Iterator[tuple[str, int, int, str]]:
    """Kind, start, end and value of each of them; no two overlap."""
    rest = text
    for kind, pattern in compiled_patterns(__package__, "values.yaml").items():
        for match in list(pattern.finditer(rest)):
            if "\0" not in match[0]:
                said = match[0]
                if kind == "phone":
                    canonical_value = _NOT_DIGIT.sub("", said)
                elif kind == "weekday" and said.isascii():
                    canonical_value = said[:3]
                elif kind in {"mail", "link", "code"}:
                    canonical_value = said
                else:
                    plain = _NUMERAL.sub(lambda number: _number(number[0]), said.replace(":00", ""))
                    for said_unit, unit in _units():
                        plain = plain.replace(said_unit, unit)
                    canonical_value = _LOOSE.sub("", plain.replace("-", ""))
                yield kind, match.start(), match.end(), canonical_value
            rest = rest[: match.start()] + "\0" * len(match[0]) + rest[match.end() :]


@cache
def _units() -> tuple[tuple[str, str], ...]:
    """Spelling of a unit -> the one used here, the longest first."""
    listed = (
        (said, unit) for unit, alike in table(__package__, "values.yaml")["units"].items() for said in alike
    )
    return tuple(sorted(listed, key=lambda row: -len(row[0])))


def _number(said: str) -> str:
    value = value_of(normalise(said)) if said else None
    return said if value is None else f"{value:g}"


# The words of the rules, as data: lists, phrases and groups of each language.


@cache
def statement_words(name: str) -> frozenset[str]:
    """A list of ``en.yaml``."""
    return frozenset(statement_groups(name))


def statement_groups(name: str, language: str = "en") -> Any:
    """A part of the table as it stands."""
    return cast("Mapping[str, Any]", table(__package__, f"{LANGUAGES[language].like or language}.yaml"))[name]


@dataclass(frozen=True, slots=True)
class Phrases:
    """A list of words and phrases, to be found in texts."""

    pattern: re.Pattern[str]
    starts: Mapping[str, tuple[tuple[str, ...], ...]]

    def is_in(self, text: str) -> bool:
        """Whether one of them stands in the text."""
        return self.pattern.search(text) is not None

    def prefix_length(self, tokens: Sequence[str]) -> int:
        """How many tokens the longest one takes that these begin with."""
        fits = self.starts.get(tokens[0], ())
        return max((len(p) for p in fits if tuple(tokens[: len(p)]) == p), default=0)


@cache
def phrase_list(name: str) -> Phrases:
    """A list of ``en.yaml`` that holds phrases."""
    listed = [str(entry) for entry in statement_groups(name)]
    starts: dict[str, list[tuple[str, ...]]] = {}
    for entry in listed:
        split = tuple(entry.split())
        starts.setdefault(split[0], []).append(split)
    longest = sorted(listed, key=len, reverse=True)
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, longest))})\b")
    return Phrases(pattern, {first: tuple(all_) for first, all_ in starts.items()})


@lru_cache(maxsize=16384)
def person_word(word: str) -> str:
    """The word for a person, in the singular and one for those of one kinship; empty where it is none."""
    is_single = word in statement_words("people") or word in statement_groups("kin")
    single = word if is_single else word.removesuffix("s")
    known = statement_groups("kin").get(single, single)
    return str(known) if known in statement_words("people") else ""
