"""Messages of earlier talks, where a host keeps them, and how they are searched."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from winnow.errors import Problem
from winnow.types.candidate import Step

# Where a person's messages are kept, and how they are searched: what can be set.

VectorBackend = Literal["dynamic", "pgvector", "none"]
"""``dynamic``: vectors of Winnow's own; ``pgvector``: those of the host's table; ``none``: words only."""
SearchStrategy = Literal["none", "lazy", "hybrid", "batch", "pgvector"]
"""How one question is answered; ``auto`` chooses among the middle three by the number of messages."""
VectorDistance = Literal["cosine", "l2", "inner"]


@dataclass(frozen=True, slots=True)
class HostColumns:
    """Which column of a host's table holds what. Empty: it has none."""

    id: str = "id"
    user: str = "user_id"
    """Or that of the table of conversations, where the rows do not say it: ``conversations.user_id``."""
    content: str = "content"
    role: str = "role"
    created_at: str = "created_at"
    conversation: str = ""
    edited_at: str = ""
    """When a row was changed last: tells edits that leave the length of a text as it was."""
    deleted: str = ""
    """A flag, a time, or a text such as ``deleted``; rows where it is set are as good as gone."""
    vector: str = ""
    tenant: str = ""
    """Where one table serves several tenants. Without it all rows are of the tenant ``default``."""


@dataclass(frozen=True, slots=True)
class HostTable:
    """The table of a host application that holds messages. It is only ever read."""

    url: str = field(repr=False)
    """Any URL of SQLAlchemy. May hold a password: never printed."""
    table: str = "messages"
    schema: str = ""
    columns: HostColumns = HostColumns()
    timezone: str = ""
    """Where the persons' clocks hang (``Asia/Shanghai``): times with a zone are turned to it. Empty: UTC."""
    stored_timezone: str = ""
    """Zone of stored times that carry none; often ``UTC``. Empty: they are those of the persons' clocks."""
    roles: Mapping[str, str] = field(default_factory=dict)
    """Stored role -> ``user``, ``assistant`` or a name, beside the usual ones (``human``, ``ai``)."""
    skip_roles: tuple[str, ...] = ("system", "developer", "tool", "function")
    """Rows of these roles are no part of what was said."""
    deleted_values: tuple[str, ...] = ()
    """Texts of the column ``deleted`` that mean gone, beside the usual ones."""


@dataclass(frozen=True, slots=True)
class HistorySettings:
    """How histories are searched (seed 003's ``vector_search``). Defaults work offline."""

    enabled: bool = True
    type: VectorBackend = "dynamic"
    strategy: Literal["auto", "lazy", "hybrid", "batch"] = "auto"
    embedding_model: str = ""
    """Name at the server, or ``fastembed:`` and a name. Empty: the built-in table."""
    api_url: str = ""
    api_key: str = field(default="", repr=False)
    top_k: int = 20
    """Messages one question gets, at most."""
    candidate_factor: int = 2
    """``hybrid`` embeds ``top_k`` times this many candidates."""
    similarity_threshold: float = 0.0
    """Least similarity of a message, of its cosine and the share of the question's words that it says.

    0: a word is enough, or the noise of the built-in table; with another embedder no cosine is asked for.
    """
    least_share: float = 0.2
    """Share of the best score that a message must have. 0: the best ``top_k`` whatever they score."""
    diversity: float = 0.0
    """How much a message loses that says what a better one says, 0 to 1 (MMR)."""
    half_life_days: float = 0.0
    """After how many days a message counts half as much. 0: age does not count."""
    lazy_below: int = 100
    """``auto``: fewer messages than these are embedded when they are asked for."""
    batch_above: int = 1000
    """``auto``: with more messages than these, vectors are made beforehand."""
    embedding_field: str = ""
    embedding_dim: int = 0
    distance: VectorDistance = "cosine"
    host: HostTable | None = None
    """The host's own table; None: Winnow's message store."""
    literals: tuple[str, ...] = ()
    """Where a key stands in the file itself, and should not."""


# What a look at a host's database told: whether its table can be read as mapped, and which may be meant.


@dataclass(frozen=True, slots=True)
class Advice:
    """Something that would make a table quicker or safer to read; ``sql`` is what its owner may run."""

    text: str
    sql: str = ""


@dataclass(frozen=True, slots=True)
class HostReport:
    """What stands in the way of reading a table as it is mapped, all of it at once."""

    columns: Mapping[str, str] = field(default_factory=dict)
    """Name -> type, as the database calls it; empty: the table is not there."""
    problems: tuple[Problem, ...] = ()
    advice: tuple[Advice, ...] = ()


@dataclass(frozen=True, slots=True)
class LikelyTable:
    """A table that looks as if it held messages, with the columns that seem meant."""

    table: HostTable
    score: float
    """0 to 1: how much of what a table of messages needs was found."""
    missing: tuple[str, ...] = ()
    """Fields of ``HostColumns`` nothing was found for, though they are needed."""
    advice: tuple[Advice, ...] = ()


# How a history had better be searched, and what that was concluded from.


@dataclass(frozen=True, slots=True)
class TableSurvey:
    """What was found where messages are kept."""

    settings: HistorySettings
    """As it is configured, or as it seems meant; its ``host`` is the table that was looked at."""
    counts: Mapping[str, int]
    """User -> number of messages."""
    vectors: str = ""
    """Type of the column of vectors, such as ``vector(1536)``; empty: there is none."""
    problems: tuple[Problem, ...] = ()
    """What stands in the way of reading it."""
    advice: tuple[Advice, ...] = ()
    others: tuple[str, ...] = ()
    """Other tables that look as if they held messages."""


@dataclass(frozen=True, slots=True)
class HistoryPlan:
    """What is advised: settings, and each step of the decision with its reason."""

    settings: HistorySettings
    steps: tuple[Step, ...]
    advice: tuple[Advice, ...] = ()


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a person's history. Its text is kept as it was said and never compressed."""

    id: str
    role: str
    """Who said it: ``user``, ``assistant``, or a name where a log has names."""
    content: str
    at: datetime | None = None
    """When, by the clock on the person's wall: without a time zone. None: nobody knows."""
    conversation: str = ""
    """The talk it belongs to, where the host tells; empty: gaps in time tell."""


@dataclass(frozen=True, slots=True)
class HistoryVersion:
    """What a person's history looked like at one moment, cheap to read: another stamp, other messages.

    ``mark`` stands for all that can change without a change of the number: the newest, edits, deletions.
    """

    count: int
    mark: str = ""


@dataclass(frozen=True, slots=True)
class HistoryChanges:
    """What happened to a history since a version of it."""

    version: HistoryVersion
    """What it looks like now; whoever counts another number of messages then reads all of them again."""
    gone: frozenset[str]
    """Ids of messages that may have been deleted, or are among ``messages`` as they are now."""
    messages: tuple[Message, ...]
    """What was added or changed, oldest first; of one moment in the order they came in."""
