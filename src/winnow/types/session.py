"""What lies between two sentences of a person in one session: turns, and the question still open."""

from __future__ import annotations

from dataclasses import dataclass

from winnow.types.dialogue import Turn, Utterance


@dataclass(frozen=True, slots=True)
class Question:
    """A question asked and not answered yet.

    It can be answered once; asking ``utterance`` again leads to the same question.
    """

    id: str
    """Id of the retrieval that asked."""
    home_id: str
    version: int
    """Version of the home it was asked about."""
    utterance: Utterance
    """What was said, with the history it was understood by."""
    asked_at: float
    """Seconds since the epoch."""
    mark: str
    """Digest of the verdict: another verdict is another question."""


@dataclass(frozen=True, slots=True)
class Session:
    """One person in one session of one home: the last turns, oldest first, and the open question."""

    turns: tuple[Turn, ...] = ()
    question: Question | None = None
