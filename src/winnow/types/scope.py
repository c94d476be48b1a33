"""Whose rows are touched, and what is stored of one person."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Literal, Protocol, runtime_checkable

from winnow.errors import ArgumentError

DEFAULT_TENANT = "default"
"""The tenant where nobody names one."""
HINT_TEXT_IDS = "Ids are text: str(user_id) makes one of a number."


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose rows a store may touch: the first argument of every port over stored rows.

    ``tenant`` is never empty and begins every key, so nothing of another tenant can be reached. What is
    asked decides which of the others count: homes are listed by the tenant alone, a home's words go by
    tenant and home, a person's use by ``user`` too, a talk by ``user`` and ``session`` too.
    """

    tenant: str = DEFAULT_TENANT
    user: str = ""
    home: str = ""
    session: str = ""

    def __post_init__(self) -> None:
        for name in ("tenant", "user", "home", "session"):
            if not isinstance(value := getattr(self, name), str):
                raise ArgumentError(name, "must be a string", value, hint=HINT_TEXT_IDS)
        if not self.tenant:
            raise ValueError("a scope needs a tenant")

    def at(self, home: str) -> Scope:
        """The same scope in that home."""
        return Scope(self.tenant, self.user, home, self.session)


KEY_ID_CHARS = 12
"""Digits of a digest that a key is called by."""


@dataclass(frozen=True, slots=True)
class AccessKey:
    """What a program may do that shows the secret of this key, of which only the digest is kept."""

    digest: str = field(repr=False)
    """SHA-256 of the secret, 64 hexadecimal digits."""
    tenant: str = DEFAULT_TENANT
    name: str = ""
    """What it is for, in an administrator's words."""
    users: tuple[str, ...] = ()
    """Persons it speaks for; empty: all of the tenant."""
    homes: tuple[str, ...] = ()
    """Ids of homes it speaks to; empty: all of the tenant."""
    made_at: float = 0.0
    """Seconds since the epoch."""
    ends_at: float | None = None
    """When it ends or ended, in seconds since the epoch; None: it does not end by itself."""

    @property
    def id(self) -> str:
        """What it is called by; tells nothing of the secret."""
        return self.digest[:KEY_ID_CHARS]

    def has_ended(self, now: float) -> bool:
        """Whether it opens nothing any more."""
        return self.ends_at is not None and self.ends_at <= now


# What is stored of one person: how much of each kind there was, and what lies elsewhere.


ElsewhereKind = Literal["host_messages", "audit", "server_log", "queue", "file"]
"""``host_messages``: messages in a table of the host. ``audit``: entries of the audit log, which hold ids and
outcomes and none of the words. ``server_log``: the write-ahead log and the backups of a database server.
``queue``: jobs that a worker is busy with. ``file``: bytes of a file that another process still reads."""

DERIVED_KINDS = frozenset(
    ["histories", "shelves", "passages", "segments", "marks", "vectors", "claims", "jobs"]
)
"""Kinds of rows that are made of others: an export lacks nothing without them."""
Row = Mapping[str, Any]
"""One row of an export: JSON values by the names of columns."""


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Something that belongs to a person and is not deleted."""

    kind: ElsewhereKind
    where: str = ""
    """A table, a database; never a password."""
    count: int = 0
    """How much it is; 0: nobody counts it."""


@dataclass(frozen=True, slots=True)
class Purge:
    """How deleted rows were removed from the files of a store."""

    statements: tuple[str, ...] = ()
    """SQL that has still to be run, by somebody who may: until then deleted text stays in the files."""
    elsewhere: tuple[Elsewhere, ...] = ()


@dataclass(frozen=True, slots=True)
class ForgetReport:
    """What was deleted of one person, or would be."""

    tenant: str
    user: str
    removed: Mapping[str, int] = field(default_factory=dict)
    """Kind -> number of rows; kinds of which there was nothing are left out."""
    elsewhere: tuple[Elsewhere, ...] = ()
    """What was named and not touched."""
    statements: tuple[str, ...] = ()
    """SQL that has still to be run, by somebody who may, before no byte of the text is left in the files."""
    dry_run: bool = False
    """Whether nothing was deleted."""

    @property
    def total(self) -> int:
        """Rows of the person, in all."""
        return sum(self.removed.values())


def person_key(tenant: str, user: str) -> str:
    """What tells that a person was forgotten, without the name: 32 hexadecimal digits (BLAKE2b, 128 bits)."""
    told = f"{len(tenant)} {tenant}{user}".encode("utf-8", "surrogatepass")
    return blake2b(told, digest_size=16, person=b"winnow").hexdigest()


IsGone = Callable[[Scope], bool]
"""Whether the scope's user is one of those that are forgotten."""


@runtime_checkable
class Memory(Protocol):
    """Something a process remembers of persons between two turns."""

    def drop(self, is_gone: IsGone) -> None:
        """Forget what it remembers of those for whom ``is_gone`` holds."""
