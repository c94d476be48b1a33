"""What a language model said, and what it cost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

T_co = TypeVar("T_co", covariant=True)

Tier = Literal["fast", "normal"]
"""``fast``: a small model for preparing a turn; ``normal``: the one that writes answers (seed 002)."""
Purpose = Literal["intent", "rewrite", "compile", "arbitration", "prepare", "abstract"]


@dataclass(frozen=True, slots=True)
class Ask(Generic[T_co]):
    """A closed question to a language model."""

    purpose: Purpose
    messages: Sequence[Mapping[str, str]]
    """``role`` and ``content``."""
    schema: Mapping[str, object]
    """What the answer looks like: an object, in the words that ``winnow.consult.schema`` knows."""
    accept: Callable[[Mapping[str, Any]], T_co | None]
    """What a valid answer is worth; None, or a ValueError, turns it down."""
    tier: Tier = "fast"


@dataclass(frozen=True, slots=True)
class Completion:
    """One answer of a model."""

    text: str
    model: str = ""
    prompt_tokens: int | None = None
    """As the server counted them; None when it did not say."""
    completion_tokens: int | None = None
    ms: float = 0.0
    attempts: int = 1
    """Requests it took, retries included."""


@dataclass(frozen=True, slots=True)
class ModelCall:
    """A call as it stands in a trace.

    ``outcome`` is ``ok``, or the code of what went wrong and made the rules answer instead.
    """

    purpose: Purpose
    outcome: str
    tier: Tier = "fast"
    model: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    ms: float = 0.0
    attempts: int = 1


def degraded(calls: Iterable[ModelCall]) -> tuple[str, ...]:
    """``purpose: outcome`` of every call that was in vain."""
    return tuple(f"{call.purpose}: {call.outcome}" for call in calls if call.outcome != "ok")
