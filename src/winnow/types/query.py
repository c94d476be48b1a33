"""What was understood: one ``QueryIR`` per instruction, with what each word was taken for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal


class Quantifier(StrEnum):
    """How many devices are meant."""

    ONE = "one"
    ANY = "any"
    ALL = "all"
    EXCEPT = "except"


@dataclass(frozen=True, slots=True)
class Token:
    """A stretch of the normalised text and what it was taken for.

    ``kind`` is a section of the lexicon (``verb``, ``type``, ``number`` ...), or ``name``, ``room``,
    ``floor``, ``scene``, ``group``
    for names of the home, or ``word`` for what nothing explains. ``data`` holds the entry's fields; ``refs``
    the ids it may refer to.
    """

    text: str
    kind: str
    start: int
    end: int
    data: Mapping[str, object] = field(default_factory=dict)
    refs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Mention:
    """The words that say which device, room or kind is meant."""

    tokens: tuple[Token, ...] = ()

    @property
    def text(self) -> str:
        """The words as said, joined."""
        return " ".join(t.text for t in self.tokens)


@dataclass(frozen=True, slots=True)
class Value:
    """What a setting should become.

    ``absolute``: ``number`` (with ``unit``) or ``text`` (a mode, a colour). ``relative``: ``direction`` +1 or
    -1 and ``number`` as
    the amount, None when none was said. ``extreme``: ``direction`` +1 for the maximum, -1 for the minimum.
    """

    kind: Literal["absolute", "relative", "extreme"]
    number: float | None = None
    unit: str = ""
    text: str = ""
    direction: int = 0


@dataclass(frozen=True, slots=True)
class Condition:
    """If this holds.

    ``quantity`` is canonical (``temperature``); ``comparator`` one of ``> >= < <= == !=``.
    """

    text: str
    mention: Mention = Mention()
    quantity: str = ""
    comparator: str = ""
    threshold: float | str | None = None
    unit: str = ""
    repeated: bool = False
    """Whether its thing was named by the condition before it."""
    decidable: bool = True
    """False for clock times, future events and what no home can know."""
    timed: bool = False
    """Whether it speaks of a time or an event to come."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A word that points back: ``last``, ``other``, ``both``, ``ordinal``, ``there``."""

    text: str
    kind: str
    index: int | None = None


@dataclass(frozen=True, slots=True)
class Confidence:
    """0..1, overall and per slot (``action``, ``target``, ``value``, ``scope``)."""

    overall: float = 0.0
    slots: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class QueryIR:
    """One instruction. Field names follow the seeds (seed 000 §3.1.6, seed 001)."""

    raw: str
    action: str = ""
    """Canonical verb of the lexicon: ``on``, ``off``, ``open``, ``set``, ``step``, ``query`` ..."""
    action_cluster: tuple[str, ...] = ()
    """The ``Trait.Action`` pairs the verb may mean, best first."""
    property: str = ""
    """Canonical property the value belongs to (``brightness``), empty when unsaid."""
    target: Mention = Mention()
    type_hint: tuple[str, ...] = ()
    name_hint: str = ""
    entity_mentions: tuple[str, ...] = ()
    scope_include: tuple[str, ...] = ()
    """Room, floor or zone ids."""
    scope_exclude: tuple[str, ...] = ()
    excluded: tuple[Mention, ...] = ()
    """Whole mentions to take away (a device, a kind, a room)."""
    quantifier: Quantifier = Quantifier.ONE
    count: int | None = None
    """How many things were said to be meant, when a number was."""
    conditions: tuple[Condition, ...] = ()
    references: tuple[Reference, ...] = ()
    value: Value | None = None
    negated: bool = False
    """An order not to act."""
    confidence: Confidence = Confidence()
    needs_fallback: bool = False
    risk_flags: tuple[str, ...] = ()
    antecedents: tuple[Mention, ...] = ()
    """What ``it`` may mean, the last mentioned first."""
    other_than: Mention | None = None
    """For ``the other one``: the thing it is not."""
    inherited: bool = False
    """The target was said with another instruction of the sentence."""
    scope_said: tuple[str, ...] = ()
    """Rooms named elsewhere in the sentence: they settle a tie, nothing more."""
    unplaced: tuple[str, ...] = ()
    """Content words that nothing explains."""
    yes_no: bool = False
    """A question for a state rather than an amount: what knows yes and no answers before what measures."""
    tokens: tuple[Token, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """All that was understood of one utterance."""

    text: str
    """The normalised text."""
    language: Literal["zh", "en"]
    intent: Literal["command", "query", "none", "hostile", "empty"]
    reason: str = ""
    """Why there is nothing to do, when there is nothing."""
    queries: tuple[QueryIR, ...] = ()
    compiled_by: str = "rules"
    """``rules``, or ``model`` where a model's reading was checked and taken."""
    guess: str = ""
    """What a model took it for where the words themselves name neither act nor thing: asked first, never done
    unasked (law 12)."""
    confirmed: bool = False
    """A yes to our own question: what is dangerous may be done now."""
    clarified: bool = False
    """Our question what to do was answered: it is not asked a second time."""
