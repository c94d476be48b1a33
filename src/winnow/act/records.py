"""Outcomes as the audit log keeps them, and read from it again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from winnow.types.audit import AuditEntry, Record
from winnow.types.catalog import Scalar
from winnow.types.receipt import Outcome, Receipt, Status
from winnow.types.verdict import Call, Judged, Refusal


@dataclass(frozen=True, slots=True)
class Past:
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


def told(calls: Sequence[Call]) -> list[object]:
    """Calls as JSON values."""
    return [[call.device_id, call.command_id, dict(call.arguments)] for call in calls]


def outcome_told(outcome: Outcome) -> dict[str, object]:
    """An outcome as JSON values."""
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
        "refused": [_refusal(r) for r in receipt.refused],
        "conditions": [_judged(j) for j in receipt.conditions],
    }


def _refusal(refusal: Refusal) -> dict[str, object]:
    return {"code": refusal.code, "facts": dict(refusal.facts), "devices": list(refusal.device_ids)}


def _judged(judged: Judged) -> dict[str, object]:
    value = {"value": judged.value, "unit": judged.unit, "at": judged.at}
    return {"text": judged.text, "holds": judged.holds, **value}


def last_act(entries: Sequence[AuditEntry], user: str, session: str, since: float) -> Past | None:
    """The last act that this person began: in that session, or else, in any, not before ``since``.

    None where there is none, or its beginning is not among the entries.
    """
    begun = [e.record for e in entries if (e.record.kind, e.record.user) == ("begun", user)]
    here = [r for r in begun if r.body.get("session") == session] if session else []
    last = (here or [r for r in begun if r.at >= since])[-1:]
    return _past(last[0], entries) if last else None


def _past(begun: Record, entries: Sequence[AuditEntry]) -> Past:
    """An act with what came of it."""
    came = [e.record.body for e in entries if e.record.act == begun.act and e.record.kind == "outcome"]
    outcomes = [_outcome(one) for body in came for one in cast("list[Mapping[str, Any]]", body["outcomes"])]
    calls = [Call(*one) for one in cast("list[tuple[str, str, dict[str, object]]]", begun.body["calls"])]
    return Past(begun.act, begun.at, str(begun.body.get("session", "")), _in_order(calls, outcomes))


def _in_order(calls: Sequence[Call], outcomes: Sequence[Outcome]) -> tuple[Outcome, ...]:
    """An outcome for each call, in their order; unknown where none came."""
    left = list(outcomes)
    return tuple(_taken(call, left) for call in calls)


def _taken(call: Call, left: list[Outcome]) -> Outcome:
    found = next((o for o in left if o.call == call), None)
    if found is None:
        return Outcome(call, "unknown", "interrupted")
    left.remove(found)
    return found


def _outcome(body: Mapping[str, Any]) -> Outcome:
    call = Call(body["device"], body["command"], body.get("arguments", {}))
    status, before = cast("Status", body["status"]), cast("Mapping[str, Scalar]", body["before"])
    facts, after = body.get("facts", {}), body["after"]
    moved = body.get("moved", {})
    return Outcome(call, status, body["code"], facts, before, after, tries=body.get("tries", 1), moved=moved)
