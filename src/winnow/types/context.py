"""What is sent to a language model, what comes back, and how texts are compressed and tuned."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Generic, Literal, TypeVar

from winnow.types.candidate import Candidate, Dropped, Step

# What a language model said, and what it cost.

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
    """What the answer looks like: an object, in the words that ``winnow.engine.llm.schema`` knows."""
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


def model_degradations(calls: Iterable[ModelCall]) -> tuple[str, ...]:
    """``purpose: outcome`` of every call that was in vain."""
    return tuple(f"{call.purpose}: {call.outcome}" for call in calls if call.outcome != "ok")


# Texts made smaller, and an account of what was cut (seed 004, section 3).

Level = Literal["none", "light", "medium", "heavy", "extreme"]
"""By the share that must go: below 0.3, 0.6, 0.8, and above."""


@dataclass(frozen=True, slots=True)
class Item:
    """One text that may be shortened or dropped. Items come best first."""

    id: str
    text: str
    importance: float = 0.5
    """0..1: what is important is shortened last, and dropped last."""
    title: str = ""
    """Kept in front of it where there is room."""
    data: object = field(default=None, hash=False, compare=False)
    """What the caller knows of it; carried along."""


@dataclass(frozen=True, slots=True)
class CompressedItem:
    """What is left of an item."""

    item: Item
    text: str
    tokens: int
    method: str = "whole"
    """``whole``, ``sentences``, ``clauses``, ``structure``, ``keywords``, ``metadata``, ``abstract`` ..."""


@dataclass(frozen=True, slots=True)
class Compressed:
    """Items within a number of tokens, in the order they came in."""

    kept: tuple[CompressedItem, ...]
    level: Level
    asked: float
    """Share of the tokens that was to stay, 0..1."""
    reached: float
    """Share of the tokens that stayed; never above ``asked``."""
    tokens: int
    """All kept texts together, joined by line breaks."""
    cut: tuple[Dropped, ...] = ()
    """What went: ``id`` of the item, the step that cut it, and why."""
    support: float = 1.0
    """0..1: how likely it is that what answers is still there, if it was; by what the pieces promised."""

    @property
    def text(self) -> str:
        """All kept texts, one below the other."""
        return "\n".join(kept.text for kept in self.kept)


Part = Literal["history", "knowledge", "system", "reserve"]
"""The shares of a budget (seed 004): 30, 50, 15 and 5 in a hundred."""
ChatMessage = Mapping[str, object]
"""An OpenAI-style message: ``role``, ``content``, perhaps ``tool_calls`` or ``tool_call_id``."""
Tool = Mapping[str, object]
"""The schema of a tool in OpenAI's form: ``type`` and ``function``."""


@dataclass(frozen=True, slots=True)
class Use:
    """What one share holds."""

    used: int
    total: int

    @property
    def percentage(self) -> int:
        """0..100, rounded."""
        return round(100 * self.used / self.total) if self.total else 0


WindowKind = Literal["fixed", "importance", "mixed"]
"""Which turns stay word for word: the last ones, those that matter, or both."""


@dataclass(frozen=True, slots=True)
class WindowSettings:
    """How much of a dialogue stays word for word, and when it is built anew."""

    kind: WindowKind = "mixed"
    turns: int = 8
    """``fixed``: the last so many turns stay wherever they fit, a turn being what the person says and all
    that answers it. It grows to ``high / low`` times as many before it is built anew, which is not each turn.
    """
    high: float = 0.85
    """Part of the dialogue's share that it may fill before it is built anew."""
    low: float = 0.5
    """Part that it fills then at most. The room between lets the beginning of the messages stay the same."""
    long: int = 40
    """Turns after which it is built anew even where it fits."""
    summary: float = 0.30
    """Part of the dialogue's share that the summary of earlier turns may have."""
    shift: float = 0.2
    """A new topic builds it anew only where it fills more than this part of its share."""

    @property
    def most_turns(self) -> int:
        """Turns of a ``fixed`` window after which it is built anew."""
        return max(self.turns, int(self.turns * self.high / (self.low or 1)))


Preference = Literal["history", "knowledge"]
"""What a person wants more of: what was said before, or what was looked up."""


@dataclass(frozen=True, slots=True)
class ContextOptions:
    """How the messages of turns are put together; what is None is as the engine is told, or the default."""

    tokens: int | None = None
    """Tokens of all messages and tools together, at most."""
    shares: Mapping[Part, float] | None = None
    """Parts of the whole, 0..1, together at most 1."""
    prefer: Preference | None = None
    window: WindowSettings | None = None
    trim: bool | None = None
    """Whether instructions that leave no room for the question may be cut; else that is an error."""

    def over(self, defaults: ContextOptions) -> ContextOptions:
        """These, and those of the defaults where these say nothing."""
        mine = ((one.name, getattr(self, one.name)) for one in fields(self))
        told = {name: value for name, value in mine if value is not None}
        return replace(defaults, **told) if told else defaults


AS_CONFIGURED = ContextOptions()


@dataclass(frozen=True, slots=True)
class RecentResult:
    """Something that was found lately, kept so that it need not be looked up again."""

    source: str
    candidate: Candidate
    at: float
    """When it was looked up, in seconds since the epoch."""
    is_unread: bool = False
    """Whether it was found and held back, so that nobody has read it yet."""


@dataclass(frozen=True, slots=True)
class DialogueState:
    """What a dialogue keeps of itself from one turn to the next. Without it, it is built anew."""

    window: tuple[tuple[str, int], ...] = ()
    """The turns that stay word for word, oldest first: a digest of each, and the tokens it was cut to (0:
    whole)."""
    count: int = 0
    """Turns the dialogue had."""
    since: int = 0
    """Turns since it was built anew."""
    summary: str = ""
    """The message that stands before them."""
    summarized: tuple[str, ...] = ()
    """Digests of the turns that it tells in short."""
    pinned_facts: tuple[str, ...] = ()
    """Ids of the facts in it."""
    share: int = 0
    """Tokens of the dialogue's share."""
    suspected: int = 0
    """Turns the dialogue had when a question looked as if it began another topic; 0: the last one did not."""
    recent: tuple[RecentResult, ...] = ()
    """What was looked up for the last turns, that of the last one first."""


@dataclass(frozen=True, slots=True)
class Context:
    """Messages ready to be sent; what changes from turn to turn stands last."""

    messages: tuple[ChatMessage, ...] = ()
    token_count: int = 0
    """Tokens of the messages and of the schemas of tools."""
    tools: tuple[Tool, ...] = ()
    """The schemas of tools that are sent beside the messages, as they were given."""
    tool_tokens: int = 0
    """Tokens of these schemas."""
    total: int = 0
    """Tokens that messages and tools may have."""
    counted_by: str = ""
    usage: Mapping[Part, Use] | None = None
    stable: int = 0
    """Tokens of the beginning that does not change from turn to turn: all messages before this turn's data.
    The next turn begins with them byte by byte, unless the dialogue is built anew in between."""
    shared: int = 0
    """Tokens of the beginning that the turn before began with as well: what a server need not read again."""
    warnings: tuple[str, ...] = ()
    trimmed: tuple[Dropped, ...] = ()
    """What was left out or shortened, where, and why."""
    steps: tuple[Step, ...] = ()
    """How the shares were set, what was compressed how far, whether it was built anew, and why."""
    last_reconstruction_time: float | None = None
    """Seconds since the epoch; None: it never was."""
    more: tuple[str, ...] = ()
    """Ids of what was found and held back; asked for in detail it is there."""
    smaller: Compressed | None = None
    """What of this turn's data was made smaller; None: nothing."""
    dialogue: DialogueState | None = None
    """What the next turn goes on from."""


# What feedback taught about ranking and about how room is used; empty changes nothing.


@dataclass(frozen=True, slots=True)
class Tuning:
    """Settings that ``training/knowledge/tune.py`` proposes and a person switches on."""

    ranking: Mapping[str, float] = field(default_factory=dict)
    """Feature -> what it adds to the log-odds of a candidate's relevance: the lanes of its evidence,
    ``importance``, ``credibility``, ``age`` (as ``features`` scales it), and ``source:NAME``."""
    shares: Mapping[Part, float] = field(default_factory=dict)
    """Shares of the budget, 0..1, in the place of the default ones; empty: the default ones."""
    relevant: float | None = None
    """Part of its source's best score that a candidate has to be given at first; None: the default."""
    protect: float | None = None
    """Importance from which on a text is made smaller last; None: the default."""

    def __bool__(self) -> bool:
        """Whether anything is changed."""
        return self != NO_TUNING


NO_TUNING = Tuning()
