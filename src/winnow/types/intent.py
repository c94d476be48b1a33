"""Whether a turn needs anything looked up, where, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Source = Literal["devices", "history", "knowledge", "none"]
"""Where what the turn needs is kept."""
By = Literal["rules", "model"]
"""Who said so."""


@dataclass(frozen=True, slots=True)
class Intent:
    """What kind of turn it is (seed 002).

    ``label`` is a class of the taxonomy in force, ``act`` what the words do in the talk.
    """

    need_retrieval: bool
    source: Source
    label: str
    act: str = ""
    """``ack``, ``thanks``, ``greeting``, ``farewell``, ``stop``, ``choice``, ``confirm``, ``smalltalk``,
    ``statement``, ``question``,
    ``request``; empty when nothing was said."""
    confidence: float = 1.0
    """0..1: how sure ``need_retrieval`` is."""
    reason: str = ""
    """The rule or cue that decided."""
    by: By = "rules"


@dataclass(frozen=True, slots=True)
class Both:
    """One thing in both languages, line by line."""

    zh: tuple[str, ...] = ()
    en: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Whether there is any line."""
        return bool(self.zh or self.en)


@dataclass(frozen=True, slots=True)
class IntentClass:
    """One class of a taxonomy. ``source`` none marks the class that needs no retrieval."""

    id: str
    source: Source
    name: Both = Both()
    """One line each."""
    when: Both = Both()
    """What belongs here, as told to a model."""
    cues: Both = Both()
    """Words that speak for it, as they are spelled; English ones match from the start of a word."""
    implied: Both = Both()
    """Words that ask for it without asking: a statement with one of them is looked up (``我饿了`` of an
    assistant that cooks)."""
    request: Both = Both()
    """What is searched for where a turn of this class says no more than that (``推荐一些菜``): words that may
    enter a query though nobody said them."""
    otherwise: bool = False
    """Taken when no cue of any class of its source occurs."""


@dataclass(frozen=True, slots=True)
class Taxonomy:
    """The classes turns fall into, and what retrieval is for and not for (seed 002).

    Exactly one class has the source ``none``.
    """

    name: str
    classes: tuple[IntentClass, ...]
    title: Both = Both()
    about: Both = Both()
    """Words of its field. A question that has no word near one of these is looked up nowhere; none: whatever
    is asked is looked up."""
    retrieve: Both = Both()
    """When something must be looked up, one case a line."""
    skip: Both = Both()
    """When nothing must, one case a line."""

    @property
    def idle(self) -> IntentClass:
        """The class that needs no retrieval."""
        return next(c for c in self.classes if c.source == "none")
