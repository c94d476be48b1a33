"""What the earlier turns make of this one: was something asked, offered, left open?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from winnow.language.normalise import normalise
from winnow.types.dialogue import Turn
from winnow.understand.intent.clauses import LONGEST, Clause, clauses
from winnow.understand.intent.cues import shows
from winnow.understand.intent.kinds import is_question, wants

TURNS = 10
"""Earlier messages that are read (seed 002)."""


@dataclass(frozen=True, slots=True)
class Before:
    """The state of the talk before a turn. Without a history all is False and empty."""

    said: str = ""
    """The last message of the assistant; empty when the last message is another's."""
    asks: bool = False
    """It ends with a question."""
    offers: bool = False
    """It offers to look something up."""
    waiting: bool = False
    """The person's last request or question was met by a question only: the answer completes it."""
    failed: bool = False
    """It says that it found nothing."""
    desk: bool = False
    """The assistant works a system of its own, and says so."""
    personal: bool = False
    """It speaks of me and you."""
    turns: int = 0


def before(history: Sequence[Turn]) -> Before:
    """What ``history``, oldest first, leaves open."""
    recent = history[-TURNS:]
    desk = any(t.role == "assistant" and _at_work(t.content) for t in recent)
    if not recent or recent[-1].role != "assistant":
        return Before(desk=desk, turns=len(recent))
    found = clauses(recent[-1].content)
    said, asks = _joined(found), _asks(found)
    return Before(
        said=said,
        asks=asks,
        offers=asks and shows("offers", said),
        waiting=asks and _clarifies(found) and wants(_last_said(recent)),
        failed=shows("failed", said),
        desk=desk,
        personal=shows("pronoun_i", said) or shows("pronoun_you", said),
        turns=len(recent),
    )


def _joined(found: Sequence[Clause]) -> str:
    return " , ".join(c.text for c in found)


def _asks(found: Sequence[Clause]) -> bool:
    """Whether the last clause asks."""
    return bool(found) and (is_question(found[-1]) or found[-1].asked)


def _clarifies(found: Sequence[Clause]) -> bool:
    """Whether all that is said asks what the person wishes, not what the person knows."""
    if any(c.rest and not is_question(c) for c in found):
        return False
    asked = _joined(found)
    return shows("clarifies", asked) and not shows("asks_me", asked)


@lru_cache(maxsize=256)
def _at_work(text: str) -> bool:
    return shows("desk", normalise(text, LONGEST))


def _last_said(recent: Sequence[Turn]) -> str:
    return next((t.content for t in reversed(recent) if t.role == "user"), "")
