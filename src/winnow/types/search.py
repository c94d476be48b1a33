"""What a source is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from winnow.types.dialogue import Language


@dataclass(frozen=True, slots=True)
class Search:
    """A standalone question, and the moment and tongue it was asked in."""

    text: str
    """The standalone query: nothing in it points back into the talk."""
    at: datetime | None = None
    """When it was asked, by the clock on the person's wall; what ``last week`` counts from."""
    language: Language | None = None
    """Language of the question; None lets the text decide."""
    seen: tuple[str, ...] = ()
    """What was said in this talk, the question itself among it: whoever asks has it before them. A host that
    keeps a message before it asks would find it again."""
    context: Mapping[str, float] = field(default_factory=dict, hash=False)
    """Terms that the talk turns on and the question does not say, as ``content_terms`` gives them, and what
    each counts for against a term of the question, 0..1: a follow-up rarely repeats what it is about. They
    add to the score of what is searched by words, and never count for how well the question is covered."""


def wall_clock(seconds: float | None) -> datetime | None:
    """Seconds since the epoch as the clock of this machine shows them; None stays None."""
    return None if seconds is None else datetime.fromtimestamp(seconds)  # noqa: DTZ006 - a wall clock has no zone
