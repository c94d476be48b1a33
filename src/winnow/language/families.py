"""Families of verbs and states that several stages ask about: on, off, open, close and their kin."""

from __future__ import annotations

from typing import Any

from winnow.text.tables import table

_DATA: dict[str, Any] = table("winnow.language", "words/families.yaml")
_VERBS = {name: frozenset(verbs) for name, verbs in _DATA["verbs"].items()}

SWITCHING_ON = _VERBS["switching_on"]
SWITCHING_OFF = _VERBS["switching_off"]
OPENING = _VERBS["opening"]
"""What switches on or opens."""
CLOSING = _VERBS["closing"]
"""What switches off or closes."""
STARTING = _VERBS["starting"]
"""What opens, and ``start``."""
STOPPING = _VERBS["stopping"]
"""What closes, and ``stop``."""
MOVING = _VERBS["moving"]
"""``open`` and ``close`` proper, which switch nothing."""
LOCKING = _VERBS["locking"]

ACTS_AGAINST: tuple[tuple[str, str], ...] = tuple((a, b) for a, b in _DATA["acts_against"])
"""Acts that contradict each other."""
OPPOSITE_STATE: dict[str, str] = {
    state: other for a, b in _DATA["states_against"] for state, other in ((a, b), (b, a))
}
"""State -> its opposite."""
STATE_WORDS: dict[str, tuple[str, ...]] = {
    state: tuple(words) for state, words in _DATA["state_words"].items()
}
"""State -> the words a device may have for it, most usual first."""
LOCK_STATES = frozenset({"locked", "unlocked"})
RESTING: tuple[str, ...] = tuple(_DATA["resting"])
"""Values of a mode or speed at which a thing rests."""
