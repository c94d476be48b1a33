"""Texts made smaller, and an account of what was cut (seed 004, section 3)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from winnow.types.shortlist import Dropped

Level = Literal["none", "light", "medium", "heavy", "extreme"]
"""By the share that must go: below 0.3, 0.6, 0.8, and above."""


@dataclass(frozen=True, slots=True)
class Item:
    """One text that may be shortened or dropped. Items come best first."""

    id: str
    text: str
    importance: float = 0.5
    """0..1: what is important is shortened last, and dropped last."""
    title: str = ""
    """Kept in front of it where there is room."""
    data: object = field(default=None, hash=False, compare=False)
    """What the caller knows of it; carried along."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What is left of an item."""

    item: Item
    text: str
    tokens: int
    method: str = "whole"
    """``whole``, ``sentences``, ``clauses``, ``structure``, ``keywords``, ``metadata``, ``abstract`` ..."""


@dataclass(frozen=True, slots=True)
class Compressed:
    """Items within a number of tokens, in the order they came in."""

    kept: tuple[Kept, ...]
    level: Level
    asked: float
    """Share of the tokens that was to stay, 0..1."""
    reached: float
    """Share of the tokens that stayed; never above ``asked``."""
    tokens: int
    """All kept texts together, joined by line breaks."""
    cut: tuple[Dropped, ...] = ()
    """What went: ``id`` of the item, the step that cut it, and why."""
    support: float = 1.0
    """0..1: how likely it is that what answers is still there, if it was; by what the pieces promised."""

    @property
    def text(self) -> str:
        """All kept texts, one below the other."""
        return "\n".join(kept.text for kept in self.kept)
