"""The files of ways: ``== act kind`` opens a block, each line in it is a way and who says so.

A way holds ``{t}`` for the thing, ``{p}`` a place, ``{v}`` a value, ``{s}`` a scene; behind a tab stand the
letters of the hands that wrote it down. A third word behind ``==`` is the type that goes without saying where
no thing is named, ``-`` none.

``~`` before a way makes it a verb, said of its thing wherever the language puts a verb; ``{t}~`` one that
needs its thing said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from winnow.text.tables import table

ANY = "any"
"""The kind of a way that is said of all things."""
TURNED = "turned"
"""Data of a word that is left off: it orders what undoes it."""
VERB = "v"
"""The shape of a verb."""


@dataclass(frozen=True, slots=True)
class Way:
    """One way of saying an act of a kind of things."""

    act: str
    kind: str
    text: str
    hands: str = ""
    """A letter for each writer who gave it."""
    implied: str = ""
    """The type of what it is said of where nothing is named."""

    @property
    def shape(self) -> str:
        """The holes by their letters and ``_`` for words between them: ``_t_`` for ``give {t} a rest``."""
        if self.is_verb:
            return VERB
        return "".join(part[1] if part[0] == "{" else "_" for part in parts_of(self.text))

    @property
    def is_verb(self) -> bool:
        """Whether it is a verb, said wherever the language puts one."""
        return "~" in self.text

    @property
    def names(self) -> bool:
        """Whether its thing has to be said."""
        return "{t}" in self.text

    @property
    def words(self) -> tuple[str, ...]:
        """What is said around the holes, in order."""
        return _words(self.text)

    @property
    def meaning(self) -> str:
        """``section.meaning`` of the lexicon that it comes to."""
        known = acts()["acts"]
        return str(known.get(f"{self.act} {self.kind}") or known[self.act])


def parts_of(text: str) -> list[str]:
    """Its holes and what is said around them, in order."""
    return [part.strip() for part in re.split(r"(\{[a-z]\})", text) if part.strip()]


@cache
def _words(text: str) -> tuple[str, ...]:
    return tuple(part.strip("~ ") for part in parts_of(text) if part[0] != "{")


def acts() -> Mapping[str, Any]:
    """What the acts are to the rest of the language: ``ways/acts.yaml``."""
    return table("winnow.language", "ways/acts.yaml")  # type: ignore[no-any-return]


@cache
def ways(language: str) -> tuple[Way, ...]:
    """Every way of a language, in the order of its files."""
    folder = files("winnow.language").joinpath("ways", language)
    tables = sorted((f for f in folder.iterdir() if f.name.endswith(".txt")), key=lambda f: f.name)
    return tuple(way for file in tables for way in parsed(file.read_text("utf-8")))


def parsed(text: str) -> Iterator[Way]:
    """The ways of a file's text."""
    act = kind = implied = ""
    for line in text.splitlines():
        said, _, hands = line.partition("\t")
        if said.startswith("== "):
            act, kind, implied = f"{said[3:].strip()} ".split(" ")[:3]
        elif said.strip() and not said.startswith("#"):
            yield Way(act, kind, said.strip(), hands.strip(), implied)
