"""The words of the rules, as data: lists, phrases and groups of each language."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from winnow.text.tables import table


@cache
def words(name: str) -> frozenset[str]:
    """A list of ``en.yaml``."""
    return frozenset(groups(name))


def groups(name: str, language: str = "en") -> Any:
    """A part of the table as it stands."""
    return cast("Mapping[str, Any]", table(__package__, f"{language}.yaml"))[name]


@dataclass(frozen=True, slots=True)
class Phrases:
    """A list of words and phrases, to be found in texts."""

    pattern: re.Pattern[str]
    starts: Mapping[str, tuple[tuple[str, ...], ...]]

    def found(self, text: str) -> bool:
        """Whether one of them stands in the text."""
        return self.pattern.search(text) is not None

    def at(self, tokens: Sequence[str]) -> int:
        """How many tokens the longest one takes that these begin with."""
        fits = self.starts.get(tokens[0], ())
        return max((len(p) for p in fits if tuple(tokens[: len(p)]) == p), default=0)


@cache
def phrases(name: str) -> Phrases:
    """A list of ``en.yaml`` that holds phrases."""
    listed = [str(entry) for entry in groups(name)]
    starts: dict[str, list[tuple[str, ...]]] = {}
    for entry in listed:
        split = tuple(entry.split())
        starts.setdefault(split[0], []).append(split)
    longest = sorted(listed, key=len, reverse=True)
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, longest))})\b")
    return Phrases(pattern, {first: tuple(all_) for first, all_ in starts.items()})


@cache
def person_in(word: str) -> str:
    """The word for a person, in the singular and one for those of one kinship; empty where it is none."""
    single = word if word in words("people") or word in groups("kin") else word.removesuffix("s")
    known = groups("kin").get(single, single)
    return str(known) if known in words("people") else ""
