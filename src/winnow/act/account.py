"""The account of one act: on record before anything is sent, as it goes, and when it ended."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from uuid import uuid4

from winnow.act.records import ended_told, outcome_told, told
from winnow.errors import StoreError
from winnow.ports import Audit, Clock
from winnow.types.audit import EntryKind, Record
from winnow.types.dialogue import Language
from winnow.types.receipt import Outcome, Receipt
from winnow.types.scope import Scope
from winnow.types.verdict import Call
from winnow.types.view import HomeView

Progress = Callable[[Sequence[Outcome], int], None]
"""Told of outcomes as they come, and of how many calls there are in all."""


@dataclass(frozen=True, slots=True)
class Order:
    """On whose word something is done."""

    scope: Scope
    said: str = ""
    language: Language = "en"
    """Of what the talk remembers."""
    plan: str = ""
    undoes: str = ""
    """Id of the act that is taken back."""
    progress: Progress | None = None


@dataclass(frozen=True, slots=True)
class Account:
    """What the audit log is told of one act."""

    audit: Audit
    clock: Clock
    order: Order
    view: HomeView
    id: str = field(default_factory=lambda: uuid4().hex)

    async def begun(self, calls: Sequence[Call]) -> None:
        """These are about to be sent. Raises StoreError: then nothing may be."""
        order = self.order
        body: dict[str, object] = {"session": order.scope.session, "plan": order.plan}
        undoes = {"undoes": order.undoes} if order.undoes else {}
        await self.note("begun", {**body, "calls": told(calls, self.view), **undoes})

    async def came(self, outcomes: Sequence[Outcome], of: int) -> None:
        """What came of some of the calls, of which there are so many in all. Raises StoreError."""
        if self.order.progress is not None:
            self.order.progress(outcomes, of)
        await self.note("outcome", {"outcomes": [outcome_told(o, self.view) for o in outcomes]})

    async def ended(self, receipt: Receipt) -> None:
        """How it ended. Where that cannot be put on record, the log says that nobody knows."""
        with suppress(StoreError):
            await self.note("ended", ended_told(receipt))

    async def note(self, kind: EntryKind, body: dict[str, object]) -> None:
        """Add one record of it. Raises StoreError."""
        scope = self.order.scope
        await self.audit.append(scope, [Record(self.clock.now(), scope.user, kind, self.id, body)])
