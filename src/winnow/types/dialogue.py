"""What a person said, to whom, where and when."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from winnow.types.scope import Scope
from winnow.types.usage import Usage

Language = Literal["zh", "en"]


@dataclass(frozen=True, slots=True)
class Turn:
    """One earlier message of the session."""

    role: Literal["user", "assistant"]
    content: str
    device_ids: tuple[str, ...] = ()
    """The devices it was about, where that is known."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """One sentence and all that is known about the moment it was said."""

    text: str
    language: Language | None = None
    """Language of the reply; None lets the text decide."""
    home: str = ""
    """Id of the home spoken to; empty means the only one."""
    room: str | None = None
    """Id or name of the room the person stands in."""
    user: str = ""
    session: str = ""
    history: tuple[Turn, ...] = ()
    """Earlier turns, oldest first."""
    summary: str = ""
    """What was said before ``history``, in short, where the caller compresses it."""
    time: float | None = None
    """Seconds since the epoch; None means now."""
    usage: Usage = field(default_factory=Usage, hash=False)
    """What ``user`` uses: may rank, never filters. The engine fills it in when a user is named."""
    tenant: str = ""
    """Whose homes are spoken to; empty means the engine's own, which fills it in."""

    @property
    def scope(self) -> Scope:
        """Whose rows it may touch. Raises ValueError before the engine filled the tenant in."""
        return Scope(self.tenant, self.user, self.home, self.session)
