"""Undo the last act, where each of its steps has an inverse."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from winnow.act.effects.expected import expected_changes
from winnow.act.effects.inverse import inverse_calls, is_near
from winnow.language.naming import thing_name
from winnow.types.home import HomeView, Scalar
from winnow.types.receipt import Outcome
from winnow.types.state import Snapshot
from winnow.types.verdict import Call, Refusal


@dataclass(frozen=True, slots=True)
class UndoPlan:
    """The way back: what is to be called, and what is left as it is."""

    calls: tuple[Call, ...] = ()
    refused: tuple[Refusal, ...] = ()
    """What somebody changed meanwhile, or of which nobody knows whether it was done."""
    stuck: tuple[Refusal, ...] = ()
    """What has no inverse."""

    @property
    def all_refusals(self) -> tuple[Refusal, ...]:
        """All that is not taken back."""
        return (*self.stuck, *self.refused)


def taking_back(outcomes: Sequence[Outcome], view: HomeView, now: Snapshot) -> UndoPlan:
    """The calls that take back what was done, last first, and what cannot be taken back, with the reason."""
    way = _UndoBuilder(view, now)
    for outcome in reversed(outcomes):
        if outcome.ok:
            way.take_back(outcome)
        elif outcome.status == "unknown":
            way.leave("undo_unknown", outcome)
    return UndoPlan(tuple(way.calls), tuple(way.refused), tuple(way.stuck))


@dataclass(slots=True)
class _UndoBuilder:
    """The way back so far."""

    view: HomeView
    now: Snapshot
    calls: list[Call] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)
    stuck: list[Refusal] = field(default_factory=list)
    states: dict[str, dict[str, Scalar]] = field(default_factory=dict)
    """Device id -> what it tells once the calls so far are done."""

    def take_back(self, outcome: Outcome) -> None:
        """Find the way back from what was done."""
        device_id = outcome.call.device_id
        if device_id not in self.view.devices:
            self.stuck.append(self._outcome_refusal("cannot_undo", outcome))
            return
        states = self.states.setdefault(device_id, dict(self.now.of(device_id)))
        if not _is_left(outcome, self.view, states):
            self.leave("changed_meanwhile", outcome)
            return
        back = inverse_calls(outcome.call, self.view.profile(device_id), outcome.before, states)
        # Whether it changed nothing; what nobody knew may have been changed
        if not back and not (
            bool(outcome.before) and all(states.get(name) == value for name, value in outcome.before.items())
        ):
            self.stuck.append(self._outcome_refusal("cannot_undo", outcome))
        self.calls += back
        states |= {name: value for name, value in outcome.before.items() if value is not None}

    def leave(self, code: str, outcome: Outcome) -> None:
        """Leave it as it is, and say so."""
        self.refused.append(self._outcome_refusal(code, outcome))

    def _outcome_refusal(self, code: str, outcome: Outcome) -> Refusal:
        ref = outcome.call.device_id
        return Refusal(code, {"name": thing_name(ref, self.view)}, (ref,))


def _is_left(outcome: Outcome, view: HomeView, now: Mapping[str, Scalar]) -> bool:
    """Whether the device still is as it was left, or as it was to be."""
    wanted = expected_changes(outcome.call, view.profile(outcome.call.device_id), outcome.before)
    return all(
        is_near(now.get(name), value) or is_near(now.get(name), wanted.get(name))
        for name, value in outcome.changed.items()
    )
