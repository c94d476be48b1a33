"""What acts on homes and what keeps account of it, as the rest of Winnow sees them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

from winnow.types.audit import AuditEntry, ChainHead, Record, Verified
from winnow.types.plan import Plan
from winnow.types.receipt import Outcome
from winnow.types.scope import Scope
from winnow.types.state import Snapshot
from winnow.types.verdict import Call


class Actuator(Protocol):
    """What makes the devices of a home do things, and tells how they are."""

    async def look(self, scope: Scope, refs: Collection[str] = ()) -> Snapshot:
        """The states of these devices, or of all, asked for now: nothing that was known before.

        Raises HomeNotFound, LinkError.
        """

    async def do(self, scope: Scope, calls: Sequence[Call]) -> tuple[Outcome, ...]:
        """Try each call once, in their order; what came of each. What fails is an outcome, never an error.

        ``sent``: the home took it. ``failed``: certainly not done, with ``retry_after`` where it may be tried
        again. ``unknown``: it was sent, and nobody knows. Who calls looks afterwards. The calls of one
        ``do`` are for one device, or one scene. Raises HomeNotFound.
        """


class Audit(Protocol):
    """Where it is kept what was done: a chain for each home, to which entries are only added."""

    async def append(self, scope: Scope, records: Sequence[Record]) -> AuditEntry:
        """Add these to the chain of the scope's home, all or none; the last entry. Raises StoreError."""

    async def entries(self, scope: Scope, after: int = 0, limit: int = 100) -> tuple[AuditEntry, ...]:
        """Entries with higher numbers, in order. Raises StoreError."""

    async def last(self, scope: Scope, limit: int = 100) -> tuple[AuditEntry, ...]:
        """The latest entries, oldest first. Raises StoreError."""

    async def of_act(self, scope: Scope, act: str) -> tuple[AuditEntry, ...]:
        """The entries of one act that are not archived, in order. Raises StoreError."""

    async def verified(self, scope: Scope, expected: str = "") -> Verified:
        """Whether the chain of the scope's home holds, from first to last, archives included.

        ``expected``: the hash of an entry that was written down elsewhere, and has to be there. Raises
        StoreError.
        """

    async def heads(self, scope: Scope) -> tuple[ChainHead, ...]:
        """Where each chain of the tenant ends, by home. Raises StoreError."""

    async def rotate(self, scope: Scope, keep: int) -> int:
        """Put all but the latest ``keep`` entries of the scope's home into an archive; how many those are.

        The chain goes on from them. Raises StoreError.
        """

    async def forget(self, scope: Scope) -> int:
        """Delete the chain of the scope's home with its archives; how many entries it had. Raises StoreError.

        Nothing else ever deletes any.
        """


class Plans(Protocol):
    """What may be done, each under its handle. A plan belongs to its tenant, home, user and session."""

    async def keep(self, scope: Scope, plan: Plan) -> None:
        """Keep the plan, in the place of an older one of that id. Raises StoreError."""

    async def plan(self, scope: Scope, plan_id: str) -> Plan | None:
        """The scope's plan of that id, spent or not; None where this person in this talk has none."""

    async def spend(self, scope: Scope, plan_id: str, state: str) -> Plan | None:
        """The scope's plan of that id if it is in that state, which nobody gets a second time."""

    async def agreed(self, scope: Scope, token_hash: str) -> Plan | None:
        """The plan of the scope's user that waits for that token, whatever home and session.

        Nobody gets it a second time: it is spent then. Another person's waits on. Whoever tried many wrong
        tokens gets none. Raises StoreError.
        """

    async def waiting(self, scope: Scope, token_hash: str) -> Plan | None:
        """The tenant's plan that waits for that token, whoever was asked; it is not spent.

        The scope's user gets none after many wrong tokens. Raises StoreError.
        """
