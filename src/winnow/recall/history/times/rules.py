"""The rules of ``words.yaml`` as patterns: one alternation tells whether a time begins, another which."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import Any, NamedTuple, cast

from winnow.language.numbers.numerals import WORDS, english_value, value_of
from winnow.text.tables import table

Said = dict[str, Any]
"""What words say of a time, by the keys of ``words.yaml``: ``{"unit": "week", "by": -1, "weekday": 4}``."""
_SLOT = re.compile(r"\{(_?)([a-z][a-z_]*)\}")
_END = {"english": "(?![a-z0-9])", "chinese": ""}
_ONE = ("a", "an")


class Rule(NamedTuple):
    """A pattern with its slots as groups, what it says besides them, and its section."""

    pattern: re.Pattern[str]
    says: Said
    section: str


class Rules(NamedTuple):
    """Rules in order. ``any`` has no groups, so it fails fast; ``which`` has one for each rule."""

    all: tuple[Rule, ...]
    any: re.Pattern[str]
    which: re.Pattern[str]

    def read(self, text: str, start: int) -> tuple[int, Said, str] | None:
        """Where the words that begin there end, what they say, and the section of their rule."""
        if not self.any.match(text, start):
            return None
        found = self.which.match(text, start)
        assert found is not None, "the same alternation"
        rule = self.all[int((found.lastgroup or "r0")[1:])]
        match = rule.pattern.match(text, start)
        assert match is not None, "the same pattern"
        told = {slot: words for slot, words in match.groupdict().items() if words is not None}
        said = {slot.rpartition("_")[2]: _value(slot, words) for slot, words in told.items()}
        return match.end(), {**rule.says, **said}, rule.section


@cache
def rules(language: str, *sections: str) -> Rules:
    """The rules of these sections of ``words.yaml``, those of the first before the others."""
    rows = [(say, says, section) for section in sections for say, says in words()[section]]
    made = tuple(Rule(_compiled(say, language, named=True), says, section) for say, says, section in rows)
    alternatives = [f"(?:{_filled(say)}){_END[language]}" for say, _, _ in rows]
    which = "|".join(f"(?P<r{n}>{alternative})" for n, alternative in enumerate(alternatives))
    return Rules(made, re.compile("|".join(alternatives)), re.compile(which))


@cache
def pattern(*keys: str) -> re.Pattern[str]:
    """A pattern of ``words.yaml`` that stands alone: ``pattern("ranges", "to")``."""
    found: Any = words()
    for key in keys:
        found = found[key]
    return re.compile(_filled(found))


@cache
def words() -> Mapping[str, Any]:
    """What ``words.yaml`` holds."""
    return cast("Mapping[str, Any]", table("winnow.recall.history.times", "words.yaml"))


def _compiled(say: str, language: str, *, named: bool) -> re.Pattern[str]:
    return re.compile(f"(?:{_filled(say, named=named)}){_END[language]}")


def _filled(say: str, *, named: bool = False) -> str:
    """A rule with its slots as patterns, as named groups where they are to be read."""

    def slot(match: re.Match[str]) -> str:
        silent, name = match.groups()
        return f"(?P<{name}>{_words_of(name)})" if named and not silent else f"(?:{_words_of(name)})"

    return _SLOT.sub(slot, say)


@cache
def _words_of(slot: str) -> str:
    """The alternatives of a slot, longer ones first."""
    shapes = words()["patterns"]
    if slot in shapes:
        return str(shapes[slot]).replace("{numeral}", _longest_first(WORDS))
    return _longest_first(str(word) for found in words()["slots"][slot].values() for word in found)


def _longest_first(found: Iterable[str]) -> str:
    return "|".join(sorted(found, key=len, reverse=True))


@lru_cache(maxsize=4096)
def _value(slot: str, said: str) -> Any:
    """The value that a slot's words stand for."""
    if slot in words()["patterns"]:
        return _number(said)
    found = words()["slots"][slot].items()
    return next(value for value, known in found if any(re.fullmatch(str(word), said) for word in known))


def _number(said: str) -> int | None:
    if said in _ONE:
        return 1
    value = english_value(said) if said[0].isalpha() and said.isascii() else value_of(said)
    return None if value is None else int(value)
