"""What a person said, to whom, where and when; sessions and open questions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from winnow.errors import ArgumentError, MessageError, Phrase
from winnow.types.scope import HINT_TEXT_IDS, Scope

# What a person uses: for ranking among equals, never to leave anything out.


@dataclass(frozen=True, slots=True)
class Usage:
    """Device id -> how often one person used it, and when last (seconds since the epoch).

    Devices never used are missing.
    """

    counts: Mapping[str, int] = field(default_factory=dict)
    last_used: Mapping[str, float] = field(default_factory=dict)
    preferred: Mapping[str, int] = field(default_factory=dict)
    """Device id -> how much the person would rather have it meant, where the words say no more of another."""

    def order(self, device_id: str) -> tuple[int, int, float]:
        """What puts one device before another that is otherwise equal; the greater comes first."""
        liked, used = self.preferred.get(device_id, 0), self.counts.get(device_id, 0)
        return liked, used, self.last_used.get(device_id, 0.0)


LanguageCode = str
"""The code of a language that has a row in ``winnow.language.registry``: ``en``, ``zh``."""
LANGUAGE_CODES: set[LanguageCode] = {"zh", "en"}
"""The codes there are. The rows lie above these nouns, so the registry adds those of its own."""
TALK_ROLES: Mapping[object, Literal["user", "assistant"]] = {"user": "user", "assistant": "assistant"}
OTHER_ROLES = ("system", "developer", "tool", "function")
"""Roles of messages that are no turns of the talk."""
INSTRUCTION_ROLES = ("system", "developer")
"""Roles of messages in which a host instructs its model."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One earlier message of the session."""

    role: Literal["user", "assistant"]
    content: str
    device_ids: tuple[str, ...] = ()
    """The devices it was about, where that is known."""


ChatMessage = Mapping[str, object]
"""An OpenAI-style message: ``role``, and ``content`` as a text or a list of parts, of which texts count."""


def parse_turns(history: Iterable[Turn | ChatMessage]) -> tuple[Turn, ...]:
    """The turns of a talk, oldest first, from turns or messages.

    What a system, a developer or a tool said is no turn of the talk. Raises MessageError, ArgumentError.
    """
    if isinstance(history, str | Mapping) or not isinstance(history, Iterable):
        raise ArgumentError("history", "must be a list of turns or messages", history)
    return tuple(turn for n, one in enumerate(history) for turn in _turn_of_message(n, one))


def split_question(messages: Sequence[Any]) -> tuple[str, str, tuple[ChatMessage, ...]]:
    """The instructions, the question and the talk before it, of messages as a host sends them to a model.

    The question is the text of the last message, which has to be the person's; instructions are the texts of
    all messages of a system or a developer. Raises MessageError.
    """
    question = parse_turns(messages[-1:])
    before = messages[:-1]
    if not question or question[0].role != "user":
        raise MessageError(len(before), "it is the last one, and no words of the person")
    told = [one for one in before if isinstance(one, Mapping) and one.get("role") in INSTRUCTION_ROLES]
    system = "\n\n".join(text for one in told if (text := _content_text(one.get("content"))))
    return system, question[0].content, tuple(one for one in before if one not in told)


def _turn_of_message(number: int, said: Turn | ChatMessage) -> tuple[Turn, ...]:
    """The turn of one message, if it is one."""
    if isinstance(said, Turn):
        return (said,)
    if not isinstance(said, Mapping):
        raise MessageError(number, "it is neither a message nor a turn")
    role, content = said.get("role"), said.get("content")
    if role in TALK_ROLES:
        text = _content_text(content)
        if text is None:
            raise MessageError(number, "its content is neither a text nor a list of parts")
        return (Turn(TALK_ROLES[role], text),) if text else ()
    if role in OTHER_ROLES:
        return ()
    roles = "user", "assistant", *OTHER_ROLES
    raise MessageError(number, Phrase("its role is {role!r}, not one of {roles}", role=role, roles=roles))


def _content_text(content: object) -> str | None:
    """What a content says; None when it is of no known shape. Who only calls tools says nothing."""
    if content is None or isinstance(content, str):
        return content or ""
    if not isinstance(content, Sequence):
        return None
    parts = (part.get("text", "") for part in content if isinstance(part, Mapping))
    return " ".join(text for text in parts if isinstance(text, str) and text)


@dataclass(frozen=True, slots=True)
class Utterance:
    """One sentence and all that is known about the moment it was said."""

    text: str
    language: LanguageCode | None = None
    """Language of the reply; None lets the text decide."""
    home: str = ""
    """Id of the home spoken to; empty means the only one."""
    room: str | None = None
    """Id or name of the room the person stands in."""
    user: str = ""
    session: str = ""
    history: tuple[Turn, ...] = ()
    """Earlier turns, oldest first. Messages are taken as well and become turns (``parse_turns``)."""
    summary: str = ""
    """What was said before ``history``, in short, where the caller compresses it."""
    time: float | None = None
    """Seconds since the epoch; None means now."""
    usage: Usage = field(default_factory=Usage, hash=False)
    """What ``user`` uses: may rank, never filters. The engine fills it in when a user is named."""
    tenant: str = ""
    """Whose homes are spoken to; empty means the engine's own, which fills it in."""
    by_agent: bool = False
    """Whether an agent wrote the words and the turns before them on behalf of ``user``: then no word of
    them is a yes."""

    def __post_init__(self) -> None:
        for name in ("text", "home", "user", "session", "summary", "tenant"):
            if not isinstance(value := getattr(self, name), str):
                raise ArgumentError(
                    name, "must be a string", value, hint="" if name == "text" else HINT_TEXT_IDS
                )
        if not isinstance(self.room, str | None):
            raise ArgumentError("room", "must be a string", self.room, hint=HINT_TEXT_IDS)
        if self.language not in (*LANGUAGE_CODES, None):
            known = Phrase("must be one of {codes}, or None", codes=sorted(LANGUAGE_CODES))
            raise ArgumentError("language", known, self.language)
        if not isinstance(self.time, int | float | None):
            raise ArgumentError("time", "must be seconds since the epoch", self.time)
        object.__setattr__(self, "history", parse_turns(self.history))

    @property
    def scope(self) -> Scope:
        """Whose rows it may touch. Raises ValueError before the engine filled the tenant in."""
        return Scope(self.tenant, self.user, self.home, self.session)


# What lies between two sentences of a person in one session: turns, and the question still open.


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
