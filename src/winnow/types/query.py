"""What was understood: intent, standalone query, and one ``QueryIR`` per instruction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Literal, Protocol, TypeVar

from winnow.types.utterance import LanguageCode

# Whether a turn needs anything looked up, where, and why.


IntentSource = Literal["devices", "history", "knowledge", "none"]
"""Where what the turn needs is kept."""
DecidedBy = Literal["rules", "model"]
"""Who said so."""


@dataclass(frozen=True, slots=True)
class Intent:
    """What kind of turn it is (seed 002).

    ``label`` is a class of the taxonomy in force, ``act`` what the words do in the talk.
    """

    need_retrieval: bool
    source: IntentSource
    label: str
    act: str = ""
    """``ack``, ``thanks``, ``greeting``, ``farewell``, ``stop``, ``choice``, ``confirm``, ``smalltalk``,
    ``statement``, ``question``,
    ``request``; empty when nothing was said."""
    confidence: float = 1.0
    """0..1: how sure ``need_retrieval`` is."""
    reason: str = ""
    """The rule or cue that decided."""
    by: DecidedBy = "rules"


@dataclass(frozen=True, slots=True)
class Bilingual:
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
    source: IntentSource
    name: Bilingual = Bilingual()
    """One line each."""
    when: Bilingual = Bilingual()
    """What belongs here, as told to a model."""
    cues: Bilingual = Bilingual()
    """Words that speak for it, as they are spelled; English ones match from the start of a word."""
    implied: Bilingual = Bilingual()
    """Words that ask for it without asking: a statement with one of them is looked up (``我饿了`` of an
    assistant that cooks)."""
    request: Bilingual = Bilingual()
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
    title: Bilingual = Bilingual()
    about: Bilingual = Bilingual()
    """Words of its field. A question that has no word near one of these is looked up nowhere; none: whatever
    is asked is looked up."""
    retrieve: Bilingual = Bilingual()
    """When something must be looked up, one case a line."""
    skip: Bilingual = Bilingual()
    """When nothing must, one case a line."""

    @property
    def idle(self) -> IntentClass:
        """The class that needs no retrieval."""
        return next(c for c in self.classes if c.source == "none")


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

    def means(self, kind: str, *senses: object) -> bool:
        """Whether it is a word of that kind with one of these canonical readings."""
        return self.kind == kind and self.data.get("is", "") in senses


class _OfKind(Protocol):
    @property
    def kind(self) -> str: ...


_K = TypeVar("_K", bound=_OfKind)


def has_kind(tokens: Iterable[_OfKind], *kinds: str) -> bool:
    """Whether one of the tokens is of one of these kinds."""
    return any(t.kind in kinds for t in tokens)


def has_sense(tokens: Iterable[Token], kind: str, *senses: object) -> bool:
    """Whether one of the tokens is a word of that kind with one of these canonical readings."""
    return any(t.means(kind, *senses) for t in tokens)


def of_kind(tokens: Iterable[_K], *kinds: str) -> list[_K]:
    """The tokens of these kinds, in order."""
    return [t for t in tokens if t.kind in kinds]


def without_kind(tokens: Iterable[_K], *kinds: str) -> list[_K]:
    """The tokens of all other kinds, in order."""
    return [t for t in tokens if t.kind not in kinds]


DEVICE_KINDS = frozenset({"name", "nameword", "type", "scene", "group"})
"""Kinds of words that name a thing."""
PLACE_KINDS = frozenset({"room", "floor", "zone"})
"""Kinds of words that name where."""


@dataclass(frozen=True, slots=True)
class Mention:
    """The words that say which device, room or kind is meant."""

    tokens: tuple[Token, ...] = ()

    @property
    def text(self) -> str:
        """The words as said, joined."""
        return " ".join(t.text for t in self.tokens)

    @property
    def things(self) -> tuple[Token, ...]:
        """The words that name a device or a kind of device."""
        return tuple(t for t in self.tokens if t.kind in DEVICE_KINDS)

    @property
    def places(self) -> tuple[str, ...]:
        """Room, floor or zone ids, each once; a place the home lacks stands as what it means."""
        said = (t.refs or (str(t.data.get("is", "")),) for t in self.tokens if t.kind in PLACE_KINDS)
        return tuple(dict.fromkeys(ref for refs in said for ref in refs))


@dataclass(frozen=True, slots=True)
class Value:
    """What a setting should become.

    ``absolute``: ``number`` (with ``unit``) or ``text`` (a mode, a colour). ``relative``: ``direction`` +1 or
    -1 and ``number`` as the amount, None when none was said; in the unit ``share`` it is in percent of what
    is so far. ``extreme``: ``direction`` +1 for the maximum, -1 for the minimum.
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
class SetExpr:
    """The things meant: ``base`` without ``minus``, with ``plus``; of those, what ``where`` holds for.

    One thing is a set as well. ``recall`` evaluates it, once.
    """

    base: Mention = Mention()
    minus: tuple[Mention, ...] = ()
    """Whole mentions to take away (a device, a kind, a room)."""
    plus: tuple[Mention, ...] = ()
    """What is taken back in of what ``minus`` takes away."""
    where: tuple[Condition, ...] = ()
    """What each member must be like (``that are on``)."""


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
class Limit:
    """How far an order may go, in the person's words: ``not too bright``, ``别全开``."""

    text: str
    strict: bool = True
    """False where it may as well be why something is switched off."""


class QueryTargets:
    """What a query says of the things it means, under the names the seeds gave it."""

    __slots__ = ()
    things: SetExpr

    @property
    def target(self) -> Mention:
        """The words for what is meant, before anything is taken away."""
        return self.things.base

    @property
    def exclusions(self) -> tuple[Mention, ...]:
        """What is taken away."""
        return self.things.minus

    @property
    def type_hint(self) -> tuple[str, ...]:
        """Canonical kinds that were named, each once."""
        return tuple(dict.fromkeys(str(t.data.get("is", "")) for t in self.target.tokens if t.kind == "type"))

    @property
    def name_hint(self) -> str:
        """The names that were said, joined."""
        return " ".join(t.text for t in self.target.things if t.kind != "type")

    @property
    def entity_mentions(self) -> tuple[str, ...]:
        """The words that name a device or a kind of device, as said."""
        return tuple(t.text for t in self.target.things)

    @property
    def scope_include(self) -> tuple[str, ...]:
        """Room, floor or zone ids that were named."""
        return self.target.places


@dataclass(frozen=True, slots=True)
class QueryIR(QueryTargets):
    """One instruction. Field names follow the seeds (seed 000 §3.1.6, seed 001)."""

    raw: str
    action: str = ""
    """Canonical verb of the lexicon: ``on``, ``off``, ``open``, ``set``, ``step``, ``query`` ..."""
    action_cluster: tuple[str, ...] = ()
    """The ``Trait.Action`` pairs the verb may mean, best first."""
    property: str = ""
    """Canonical property the value belongs to (``brightness``), empty when unsaid."""
    things: SetExpr = SetExpr()
    """What it is to be done to."""
    quantifier: Quantifier = Quantifier.ONE
    count: int | None = None
    """How many things were said to be meant, when a number was."""
    conditions: tuple[Condition, ...] = ()
    otherwise: tuple[Condition, ...] = ()
    """The conditions of the order before, where this is for when they do not all hold."""
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
    ambient: str = ""
    """What stands for the air, the light or the sound (``make it warmer``), nothing having been spoken of."""
    limits: tuple[Limit, ...] = ()
    """How far it may go, where no value says so."""
    yes_no: bool = False
    """A question for a state rather than an amount: what knows yes and no answers before what measures."""
    tokens: tuple[Token, ...] = ()

    def about(self, *words: Token) -> QueryIR:
        """The same of what these words name."""
        return replace(self, things=replace(self.things, base=Mention(words)))

    def which(self, *where: Condition) -> QueryIR:
        """The same of those things only that are like this."""
        return replace(self, things=replace(self.things, where=where)) if where else self

    def without(self, *mentions: Mention) -> QueryIR:
        """The same with these taken away, and nothing else."""
        return replace(self, things=replace(self.things, minus=mentions))


MOOD_CORRECTION = "instead"
"""The mood of a reading that says what was meant in the place of what was done."""
UNDO = "undo"
"""The reason of a reading that takes back what was done last: nothing new is ordered."""


@dataclass(frozen=True, slots=True)
class Reading:
    """All that was understood of one utterance."""

    text: str
    """The normalised text."""
    language: LanguageCode
    intent: Literal["command", "query", "none", "hostile", "empty"]
    reason: str = ""
    """Why there is nothing to do, when there is nothing."""
    queries: tuple[QueryIR, ...] = ()
    moods: tuple[str, ...] = ()
    """What is said besides orders: ``told``, ``asked``, ``able`` (asks what can be done), ``reported``,
    ``wish``, ``withdrawn``, ``elsewhere`` (for another home)."""
    compiled_by: str = "rules"
    """``rules``, or ``model`` where a model's reading was checked and taken."""
    guess: str = ""
    """What a model took it for where the words themselves name neither act nor thing: asked first, never done
    unasked (law 12)."""
    island: bool = False
    """An order inside words that nothing reads: asked about, never done unasked."""
    claimed: bool = False
    """Whether those words tell who the speaker is: then nothing dangerous is asked about."""
    confirmed: bool = False
    """A yes to our own question: what is dangerous may be done now."""
    rivals: tuple[tuple[QueryIR, ...], ...] = ()
    """Other readings that are about as likely; what they come to in the home tells whether to ask."""
    clarified: bool = False
    """Our question what to do was answered: it is not asked a second time."""


# A question that stands alone, and where each of its words comes from.


QueryStyle = Literal["plain", "retrieval", "written"]
"""``plain`` reads as a person would say it; ``retrieval`` adds words the talk turns on, for nobody to read;
``written`` puts spoken language into written."""


@dataclass(frozen=True, slots=True)
class CopiedSpan:
    """A stretch of an earlier turn that was copied into the query."""

    text: str
    turn: int
    """Index into the history, oldest 0."""
    at: int
    """Where it was put: offset in the query as said."""
    replaced: str = ""
    """The words of the query it stands for (``它``, ``that one``); empty where it was only put in."""


@dataclass(frozen=True, slots=True)
class Rewrite:
    """The standalone query. No content word of it is in neither the query nor the history (law 8)."""

    query: str
    changed: bool = False
    spans: tuple[CopiedSpan, ...] = ()
    """Evidence: what was copied from where."""
    reason: str = ""
    """``no_history``, ``complete``, ``vague``, or the rule that wrote it."""
    confidence: float = 1.0
    by: DecidedBy = "rules"
    context: Mapping[str, float] = field(default_factory=dict, hash=False)
    """Terms that the talk turns on and the query lacks; they go into a search as ``Search.context``."""
