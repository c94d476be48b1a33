"""Undo the last act, where each of its steps has an inverse."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from winnow.act.effects.expected import Changes, expected_changes, is_free
from winnow.act.effects.thing import as_number, command_of, repeatable
from winnow.language.naming import thing_name
from winnow.language.tables import table
from winnow.types.home import Attribute, Command, HomeView, Parameter, Profile, Scalar
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


# The calls that reverse a call: they set again what a device reported before.

NEAR = 1.5
"""How far off a number may be that is set in whole percents of 255."""


def inverse_calls(
    call: Call, profile: Profile, before: Mapping[str, Scalar], now: Mapping[str, Scalar]
) -> tuple[Call, ...]:
    """The calls after which a device that tells ``now`` is as ``before``, of what ``call`` changed.

    Empty where there is no way back.
    """
    command = command_of(call, profile)
    known: Changes = {name: value for name, value in before.items() if value is not None}
    if command is None or not known:
        return ()
    if not {command.trait, command.trait.partition(".")[0]}.isdisjoint(_table()["never"]):
        return ()
    states, calls = dict(now), list[Call]()
    for attribute in _in_order(known, profile):
        one = states.get(attribute.id)
        other = known[attribute.id]
        if not (one == other and isinstance(one, bool) == isinstance(other, bool)):
            back = _setting(attribute, known[attribute.id], call.device_id, profile, states)
            calls += back
            states |= _after(back, profile, states)
    return tuple(calls) if _is_back(known, states, profile) else ()


def _after(calls: Sequence[Call], profile: Profile, states: Changes) -> Changes:
    return {name: value for call in calls for name, value in expected_changes(call, profile, states).items()}


def _in_order(known: Changes, profile: Profile) -> list[Attribute]:
    """The attributes that are to be as they were, those that others depend on last."""
    told = [a for a in profile.attributes if a.id in known]
    return sorted(told, key=lambda a: a.quantity in _table()["last"])


def _is_back(known: Changes, states: Changes, profile: Profile) -> bool:
    """Whether everything is as it was; a word that goes with a number is, where the number is."""
    quantity = {a.id: a.quantity for a in profile.attributes}
    right = {name for name, value in known.items() if is_near(states.get(name), value)}
    also = {q for name in right for q in _table()["with"].get(quantity.get(name, ""), ())}
    return all(name in right or quantity.get(name) in also for name in known)


def _setting(
    attribute: Attribute, value: Scalar, device_id: str, profile: Profile, states: Changes
) -> list[Call]:
    """The call that sets the attribute to that value; nothing where no command does.

    Rather one that says to what than one that leaves it to the thing: ``turn_on`` may find another mode.
    """
    found = [
        call
        for command in profile.commands
        for arguments in _arguments(command, value)
        if command_of(call := Call(device_id, command.id, arguments), profile) is command
        and repeatable(call, profile)
        and is_near(expected_changes(call, profile, states).get(attribute.id), value)
    ]
    return sorted(found, key=lambda call: is_free(call, profile))[:1]


def _arguments(command: Command, value: Scalar) -> Iterator[dict[str, object]]:
    """What the command may be given to set that value."""
    wanted = [p for p in command.parameters if p.required]
    if not wanted:
        yield dict(command.fixed)
    elif len(wanted) == 1:
        for argument in _argument(wanted[0], value):
            yield {**command.fixed, wanted[0].name: argument}


def _argument(parameter: Parameter, value: Scalar) -> Iterator[object]:
    """The value as the parameter takes it."""
    if parameter.kind == "choice":
        yield from (c.value for c in parameter.choices if str(c.value).lower() == str(value).lower())
    elif parameter.kind != "number":
        yield value
    elif (number := as_number(value)) is not None:
        percent = round(number * 100 / 255)
        for told in (int(number) if number.is_integer() else number, percent):
            if _within(parameter, told / parameter.scale):
                yield told


def _within(parameter: Parameter, number: float) -> bool:
    low, high = parameter.minimum, parameter.maximum
    return (low is None or number >= low) and (high is None or number <= high)


def is_near(one: Scalar, other: Scalar) -> bool:
    """Whether they are one value, but for what is rounded."""
    if isinstance(one, bool | str | None) or isinstance(other, bool | str | None):
        return one == other
    return abs(one - other) <= (NEAR if abs(other) > 10 else 0.05)


def _table() -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", table("winnow.act.effects", "inverse.yaml"))
