"""Outcomes as the audit log keeps them, read back from it, and the record of an act under way.

The log is kept for good, so it holds ids, values and outcomes, and none of the words that people said.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, cast
from uuid import uuid4

from winnow.act.effects.thing import command_of
from winnow.errors import StoreError
from winnow.ports.services import Audit
from winnow.ports.stores import Clock
from winnow.types.home import HomeView, ParameterKind, Scalar
from winnow.types.receipt import AuditEntry, EntryKind, Outcome, OutcomeStatus, Receipt, Record
from winnow.types.scope import Scope
from winnow.types.utterance import LanguageCode
from winnow.types.verdict import Call, ConditionCheck


@dataclass(frozen=True, slots=True)
class PastAct:
    """An act as the log tells it."""

    id: str
    at: float
    session: str
    outcomes: tuple[Outcome, ...]

    @property
    def did_anything(self) -> bool:
        """Whether anything was done, or may have been."""
        return any(o.ok or o.status == "unknown" for o in self.outcomes)

    @property
    def device_ids(self) -> frozenset[str]:
        """What it acted on, or tried to."""
        return frozenset(o.call.device_id for o in self.outcomes)


WORDS = "(words)"
"""Stands for an argument that is free text."""
FREE: frozenset[ParameterKind] = frozenset(["text", "object"])
"""Kinds of parameters that take what a person dictates."""


def calls_as_json(calls: Sequence[Call], view: HomeView) -> list[object]:
    """Calls as JSON values, without words."""
    return [[c.device_id, c.command_id, _without(c, _free(c, view))] for c in calls]


def proposed_told(calls: Sequence[Call], view: HomeView) -> list[object]:
    """Ids of calls that an agent made up, as far as they are ids: whatever else it wrote may be words."""
    known = {d: {c.id for c in view.profile(d).commands} for d in view.devices}
    return [
        [
            c.device_id if c.device_id in known else "?",
            c.command_id if c.command_id in known.get(c.device_id, ()) else "?",
        ]
        for c in calls
    ]


def _free(call: Call, view: HomeView) -> dict[str, object]:
    """The arguments of a call that are words."""
    known = call.device_id in view.devices
    command = command_of(call, view.profile(call.device_id)) if known else None
    if command is None:
        return {name: value for name, value in call.arguments.items() if isinstance(value, str)}
    names = {p.name for p in command.parameters if p.kind in FREE} - command.fixed.keys()
    return {name: value for name, value in call.arguments.items() if name in names}


def _without(call: Call, words: Mapping[str, object]) -> dict[str, object]:
    return {**call.arguments, **dict.fromkeys(words, WORDS)}


def outcome_told(outcome: Outcome, view: HomeView) -> dict[str, object]:
    """An outcome as JSON values, without words: what they set cannot be taken back by the log alone."""
    words = _free(outcome.call, view)
    if not words:
        return _outcome_told(outcome)
    set_to = [name for name, value in outcome.changed.items() if value in words.values()]
    before, after = (
        {name: value for name, value in states.items() if name not in set_to}
        for states in (outcome.before, outcome.changed)
    )
    named = {name: value for name, value in outcome.facts.items() if name == "name"}
    call = replace(outcome.call, arguments=_without(outcome.call, words))
    return _outcome_told(replace(outcome, call=call, facts=named, before=before, changed=after))


def _outcome_told(outcome: Outcome) -> dict[str, object]:
    call = outcome.call
    found: dict[str, object] = {
        "device": call.device_id,
        "command": call.command_id,
        "arguments": dict(call.arguments),
        "status": outcome.status,
        "code": outcome.code,
        "facts": dict(outcome.facts),
        "before": dict(outcome.before),
        "after": dict(outcome.changed),
        "tries": outcome.tries,
    }
    return {**found, "moved": {i: dict(v) for i, v in outcome.moved.items()}} if outcome.moved else found


def ended_told(receipt: Receipt) -> dict[str, object]:
    """How an act ended, beside its outcomes, as JSON values."""
    return {
        "status": receipt.status,
        "refused": [{"code": r.code, "devices": list(r.device_ids)} for r in receipt.refused],
        "conditions": [_judgement_as_json(j) for j in receipt.conditions],
    }


def _judgement_as_json(judged: ConditionCheck) -> dict[str, object]:
    reads = [[read.device_id, read.attribute_id] for read in judged.reads]
    value = {"value": judged.value, "unit": judged.unit, "at": judged.at}
    return {"reads": reads, "holds": judged.holds, **value}


def last_act(entries: Sequence[AuditEntry], user: str, session: str, since: float) -> PastAct | None:
    """The last act that this person began: in that session, or else, in any, not before ``since``.

    None where there is none, where that was a taking back, or its beginning is not among the entries.
    """
    begun = [e.record for e in entries if (e.record.kind, e.record.user) == ("begun", user)]
    here = [r for r in begun if r.body.get("session") == session] if session else []
    last = (here or [r for r in begun if r.at >= since])[-1:]
    return _past(last[0], entries) if last and not last[0].body.get("undoes") else None


def _past(begun: Record, entries: Sequence[AuditEntry]) -> PastAct:
    """An act with what came of it."""
    came = [e.record.body for e in entries if e.record.act == begun.act and e.record.kind == "outcome"]
    outcomes = [_outcome(one) for body in came for one in cast("list[Mapping[str, Any]]", body["outcomes"])]
    calls = [Call(*one) for one in cast("list[tuple[str, str, dict[str, object]]]", begun.body["calls"])]
    # An outcome for each call, in their order; unknown where none came
    left = list(outcomes)
    return PastAct(
        begun.act,
        begun.at,
        str(begun.body.get("session", "")),
        tuple(_take_outcome(call, left) for call in calls),
    )


def _take_outcome(call: Call, left: list[Outcome]) -> Outcome:
    found = next((o for o in left if o.call == call), None)
    if found is None:
        return Outcome(call, "unknown", "interrupted")
    left.remove(found)
    return found


def _outcome(body: Mapping[str, Any]) -> Outcome:
    call = Call(body["device"], body["command"], body.get("arguments", {}))
    status, before = cast("OutcomeStatus", body["status"]), cast("Mapping[str, Scalar]", body["before"])
    facts, after = body.get("facts", {}), body["after"]
    moved = body.get("moved", {})
    return Outcome(call, status, body["code"], facts, before, after, tries=body.get("tries", 1), moved=moved)


# The record is written before anything is sent, as it goes, and at its end: a crash leaves a trace.


Progress = Callable[[Sequence[Outcome], int], None]
"""Told of outcomes as they come, and of how many calls there are in all."""


@dataclass(frozen=True, slots=True)
class ActRequest:
    """On whose word something is done."""

    scope: Scope
    said: str = ""
    language: LanguageCode = "en"
    """Of what the talk remembers."""
    plan: str = ""
    undoes: str = ""
    """Id of the act that is taken back."""
    progress: Progress | None = None


@dataclass(frozen=True, slots=True)
class ActRecord:
    """What the audit log is told of one act."""

    audit: Audit
    clock: Clock
    order: ActRequest
    view: HomeView
    id: str = field(default_factory=lambda: uuid4().hex)

    async def begin(self, calls: Sequence[Call]) -> None:
        """These are about to be sent. Raises StoreError: then nothing may be."""
        order = self.order
        body: dict[str, object] = {"session": order.scope.session, "plan": order.plan}
        undoes = {"undoes": order.undoes} if order.undoes else {}
        await self.note("begun", {**body, "calls": calls_as_json(calls, self.view), **undoes})

    async def came(self, outcomes: Sequence[Outcome], of: int) -> None:
        """What came of some of the calls, of which there are so many in all. Raises StoreError."""
        if self.order.progress is not None:
            self.order.progress(outcomes, of)
        await self.note("outcome", {"outcomes": [outcome_told(o, self.view) for o in outcomes]})

    async def end(self, receipt: Receipt) -> None:
        """How it ended. Where that cannot be put on record, the log says that nobody knows."""
        with suppress(StoreError):
            await self.note("ended", ended_told(receipt))

    async def note(self, kind: EntryKind, body: dict[str, object]) -> None:
        """Add one record of it. Raises StoreError."""
        scope = self.order.scope
        await self.audit.append(scope, [Record(self.clock.now(), scope.user, kind, self.id, body)])
