"""What corrections teach, and the words a home learned from them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Slot = Literal["target", "action"]
Source = Literal["choice", "rephrased", "unplaced", "corrected"]
WordKind = Literal["alias", "verb", "type"]
Status = Literal["suggested", "accepted", "rejected"]


@dataclass(frozen=True, slots=True)
class Lesson:
    """Words that were not understood by themselves, and what turned out to be meant.

    The sentence itself is not kept.
    """

    surface: str
    """The words, normalised."""
    slot: Slot
    """What they stood for: a thing or an act."""
    device_id: str
    device_kind: str = ""
    action: str = ""
    """Canonical verb of the sentence that ended in the act."""
    source: Source = "choice"
    """A question answered, a refused sentence said again in other words, an unknown word beside an act, or
    an act after which another thing was named instead."""
    at: float = 0.0
    """Seconds since the epoch."""
    user: str = ""
    """Who said the words; empty where nobody was named."""


@dataclass(frozen=True, slots=True)
class LexiconEntry:
    """A word of one home.

    ``target`` is a device id (alias), a canonical verb (verb) or a kind of device (type).
    """

    number: int
    """What ``winnow lexicon accept`` takes; stays the same once given."""
    surface: str
    kind: WordKind
    target: str
    status: Status = "suggested"
    count: int = 0
    """How often the words ended there."""
    against: int = 0
    """How often the same words ended elsewhere."""
    user: str = ""
    """The one person the word is from; empty where it is from several, or from nobody who was named."""


def accepted(entries: Iterable[LexiconEntry]) -> set[tuple[str, WordKind, str]]:
    """What the accepted words mean: a home with other ones is understood otherwise."""
    return {(e.surface, e.kind, e.target) for e in entries if e.status == "accepted"}
