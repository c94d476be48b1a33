"""A turn before it is understood, and a turn that was answered: values only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from winnow.engine.home_cache import LoadedHome
from winnow.types.context import AS_CONFIGURED, ChatMessage, ContextOptions, Tool
from winnow.types.home import NO_HOME, HomeView
from winnow.types.plan import DEFAULT_LIMITS, ActionLimits
from winnow.types.retrieval import Retrieval, Stage
from winnow.types.scope import Scope
from winnow.types.state import EMPTY_SNAPSHOT, Snapshot
from winnow.types.utterance import Question, Turn, Utterance, parse_turns


@dataclass(frozen=True, slots=True)
class CallOptions:
    """What a caller gave beside the utterance."""

    history: tuple[Turn | ChatMessage, ...] = ()
    user: str = ""
    session: str = ""
    tenant: str = ""
    home: str = ""
    room: str | None = None
    system: str = ""
    detail: bool = False
    tools: tuple[Tool, ...] = ()
    options: ContextOptions = AS_CONFIGURED
    on_stage: Callable[[Stage], None] | None = None

    @property
    def for_new_request(self) -> CallOptions:
        """The same for an answer that is a request of its own: it names its user and session itself."""
        return replace(self, history=(), user="", session="", tenant="", home="", room=None, detail=False)

    def apply_to(self, said: Utterance) -> Utterance:
        """The utterance with what was given in the place of what it says. Raises MessageError."""
        given = {name: getattr(self, name) for name in ("user", "session", "tenant", "home", "room")}
        given["history"] = parse_turns(self.history)
        told = {name: value for name, value in given.items() if value}
        return replace(said, **told) if told else said


NO_OPTIONS = CallOptions()
"""Nothing was given beside the utterance."""


@dataclass(frozen=True, slots=True)
class TurnInput:
    """A turn with all that is known before it is understood."""

    utterance: Utterance
    home: LoadedHome | None
    """None where there is no home, or it is not said which of several."""
    question: Question | None
    """The open question of its session, which it may answer."""
    call: CallOptions = NO_OPTIONS
    stored: bool = False
    """Whether what was said before is what its session holds, and not what a caller handed in."""
    now: float = 0.0
    """When it was said, in seconds since the epoch."""
    limits: ActionLimits = DEFAULT_LIMITS
    """What whoever speaks may have done in that home without asking, and what is never done."""
    snapshot: Snapshot = EMPTY_SNAPSHOT
    """What the devices of the home report now, as far as it is known."""

    @property
    def scope(self) -> Scope:
        """Whose talk it is, in the home that is meant."""
        said = self.utterance
        return Scope(said.tenant, said.user, self.view.home.id, said.session)

    @property
    def messages(self) -> tuple[ChatMessage, ...]:
        """The talk so far as messages: those that were given as they are, else its turns."""
        given = self.call.history or self.utterance.history
        return tuple(
            {"role": one.role, "content": one.content} if isinstance(one, Turn) else one for one in given
        )

    @property
    def view(self) -> HomeView:
        """The home's lookups; those of none where there is none."""
        return self.home.view if self.home else NO_HOME


@dataclass(frozen=True, slots=True)
class FinishedTurn:
    """A turn that was answered."""

    retrieval: Retrieval
    view: HomeView
    """The home's lookups; those of none where there is none."""
    answer_text: str
    """What the person said last: the words of the turn, or the answer to a question."""
    now: float
    """When, in seconds since the epoch."""
    answered: str = ""
    """Id of the question that it answers, which it closes."""


class TurnListener(Protocol):
    """Who remembers something of every turn."""

    async def turn_finished(self, turn: FinishedTurn) -> None:
        """A turn was answered. Raises StoreError."""
