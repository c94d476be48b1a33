"""Texts that mean the same, written for this project.

A group a line, Chinese ways, a tab, English ways, set off by ``|``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from winnow.language.normalize import fold

FOLDER = Path(__file__).with_name("said")


@dataclass(frozen=True, slots=True)
class Group:
    """Ways of saying one thing."""

    zh: tuple[str, ...]
    en: tuple[str, ...]

    @property
    def texts(self) -> tuple[str, ...]:
        """All of them."""
        return self.zh + self.en


def read_groups(without: Collection[str]) -> list[Group]:
    """The groups of all files in order, each of two texts or more, none of them in ``without`` (folded)."""
    lines = [line for path in sorted(FOLDER.glob("*.tsv")) for line in path.read_text("utf-8").splitlines()]
    found = [Group(*(tuple(_ways(half, without)) for half in line.split("\t"))) for line in lines]
    return [group for group in found if len(group.texts) > 1]


def _ways(half: str, without: Collection[str]) -> Iterator[str]:
    ways = dict.fromkeys(way.strip() for way in half.split("|"))
    return (way for way in ways if way and fold(way) not in without)
