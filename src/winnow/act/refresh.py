"""What is left of a plan in the home as it is now: its own devices, on readings fresh enough."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from winnow.language.naming import thing_name
from winnow.ports.stores import seconds_since
from winnow.types.home import Attribute, HomeView
from winnow.types.plan import ActingRules
from winnow.types.retrieval import Attempt
from winnow.types.state import Snapshot
from winnow.types.verdict import (
    Act,
    Call,
    ConditionCheck,
    Read,
    Refusal,
    Refuse,
    Verdict,
    conditions_of,
    named_calls,
)

_MEASURED = (
    "temperature humidity illuminance co2 co pm10 pm25 voc pressure power voltage air_quality sound gas"
)
MEASURED = frozenset(_MEASURED.split())
"""What is measured, and so may be told too long ago to be believed; a state holds until it changes."""
HOUR = 3600.0


@dataclass(frozen=True, slots=True)
class FreshState:
    """A look without what is too old to be decided on."""

    snapshot: Snapshot
    old: frozenset[Read] = frozenset()
    """What was left out."""

    @classmethod
    def of(cls, look: Snapshot, view: HomeView, rules: ActingRules, now: float) -> FreshState:
        """What of a look at the home may be decided on ``now``."""
        look = look.with_read_time(now)
        assert look.read_at is not None
        stale = seconds_since(look.read_at, now) > rules.fresh_seconds
        told = {
            i: {a: v for a, v in values.items() if not (stale or _silent(look, i, a, view, rules, now))}
            for i, values in look.values.items()
        }
        old = {Read(i, a) for i, values in look.values.items() for a in values if a not in told[i]}
        return cls(replace(look, values=told), frozenset(old))


def _silent(
    look: Snapshot, device_id: str, name: str, view: HomeView, rules: ActingRules, now: float
) -> bool:
    """Whether it is a measurement that was told too long ago."""
    at = look.origin(device_id, name).at
    if not rules.silent_hours or at is None or device_id not in view.devices:
        return False
    attribute = _attribute(Read(device_id, name), view)
    measured = attribute is not None and attribute.quantity in MEASURED
    return measured and now - at > rules.silent_hours * HOUR


def waiting_for(attempt: Attempt) -> frozenset[str]:
    """Devices of instructions whose condition was not met: they are acted on if it is met now."""
    met = {j.text for j in conditions_of(attempt.verdict) if j.holds}
    both = zip(attempt.reading.queries, attempt.shortlists, strict=True)
    out: set[str] = set()
    for query, found in both:
        unmet = any(c.text not in met for c in query.conditions)
        if unmet or (bool(query.otherwise) and all(c.text in met for c in query.otherwise)):
            for i in found.device_ids:
                out.add(i)
    return frozenset(out)


def worth_a_look(attempt: Attempt, planned: Sequence[Call], view: HomeView) -> frozenset[str]:
    """Devices that it is decided anew by; none where that is the whole home.

    What a condition is read from does not hang on what is read, so it is known once it was judged. A scene
    moves nobody knows what.
    """
    judged = conditions_of(attempt.verdict)
    said = {c.text for q in attempt.reading.queries for c in (*q.conditions, *q.otherwise)}
    found = {i for shortlist in attempt.shortlists for i in shortlist.device_ids}
    ids = found.union(_devices(planned), (r.device_id for j in judged for r in j.reads))
    unknown = said.difference(j.text for j in judged)
    return frozenset() if unknown or not ids <= view.devices.keys() else frozenset(ids)


def restrict_to_plan(
    planned: Sequence[Call], free: Collection[str], verdict: Act, told: FreshState, view: HomeView
) -> Act:
    """The act without what the plan did not name; what it named and is not done now is told.

    ``free`` are devices that may be acted on though no call named them.
    """
    known = {*free, *_devices(planned)}
    new = [c.device_id for c in verdict.calls if c.device_id not in known]
    blind = [c.device_id for c in verdict.calls if c.device_id in known and "step" in c.arguments]
    told_too = [*_device_refusals("changed_since", new, view), *_device_refusals("unread_value", blind, view)]
    if all(judged.holds for judged in verdict.conditions):  # else that is why it is not done, which is told
        told_too += _missing_calls(planned, verdict, told, view)
    calls = tuple(call for call in verdict.calls if call.device_id not in {*new, *blind})
    return replace(verdict, calls=calls, refused=(*verdict.refused, *told_too))


def _devices(calls: Sequence[Call]) -> tuple[str, ...]:
    """Each once."""
    return tuple(dict.fromkeys(call.device_id for call in calls))


def _missing_calls(
    planned: Sequence[Call], verdict: Act, told: FreshState, view: HomeView
) -> Iterator[Refusal]:
    """Those that the plan named and nothing is to be done with now, unless that is told already."""
    named = {i for refusal in verdict.refused for i in refusal.device_ids}
    named.update(_devices(verdict.calls))
    for device_id in _devices(planned):
        if device_id not in named:
            code = "fits_no_longer" if told.snapshot.online(device_id) else "device_offline"
            yield from _device_refusals(code, [device_id], view)


def _device_refusals(code: str, device_ids: Sequence[str], view: HomeView) -> Iterator[Refusal]:
    """One refusal for each, by name."""
    for device_id in dict.fromkeys(device_ids):
        yield Refusal(code, {"name": thing_name(device_id, view)}, (device_id,))


def explain_staleness(verdict: Verdict, told: FreshState, view: HomeView) -> Verdict:
    """The verdict, where a condition could not be judged for an old reading saying so."""
    if not isinstance(verdict, Act | Refuse) or not told.old:
        return verdict
    old = {j.text: r for j in verdict.conditions if j.holds is None for r in j.reads if r in told.old}
    refused = verdict.refused if isinstance(verdict, Act) else verdict.refusals
    mended = tuple(_old(r, old, view) for r in refused)
    return replace(verdict, refused=mended) if isinstance(verdict, Act) else replace(verdict, refusals=mended)


def _old(refusal: Refusal, old: dict[str, Read], view: HomeView) -> Refusal:
    text = str(refusal.facts.get("condition", ""))
    if text not in old:
        return refusal
    device = view.devices[old[text].device_id]
    return Refusal("old_reading", {"condition": text, "name": device.name}, (device.id,))


def with_moments(
    conditions: Sequence[ConditionCheck], snapshot: Snapshot, view: HomeView
) -> tuple[ConditionCheck, ...]:
    """The conditions with the unit of what was read, and when it was told."""
    return tuple(_with_moment(j, snapshot, view) if j.reads else j for j in conditions)


def _with_moment(judged: ConditionCheck, snapshot: Snapshot, view: HomeView) -> ConditionCheck:
    read = judged.reads[0]
    attribute = _attribute(read, view)
    at = snapshot.origin(read.device_id, read.attribute_id).at
    return replace(judged, unit=attribute.unit if attribute else "", at=at)


def _attribute(read: Read, view: HomeView) -> Attribute | None:
    told = view.profile(read.device_id).attributes
    return next((a for a in told if a.id == read.attribute_id), None)


def agreed_to(planned: Sequence[Call], verdict: Verdict) -> bool:
    """Whether nothing is to be done but exactly what was agreed to."""
    return all(call in planned for call in named_calls(verdict))
