"""What one statement says of whom, and whether it says that something changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

UNNAMED = frozenset({"?"})
"""What changed is not said: ``I switched to Firefox``."""
SELF = "i"
"""Whoever speaks; ``i/sister`` is theirs."""


@dataclass(frozen=True, slots=True)
class Claim:
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
    over: frozenset[str] = frozenset()
    """Words of a value that it says is over."""

    @property
    def counts(self) -> bool:
        """Whether it says something that can be outdated."""
        return self.single or self.changed


def differ(old: Claim, new: Claim) -> bool:
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
