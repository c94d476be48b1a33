"""Whether a home shows that a call was done: numbers near enough, states in whatever words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from winnow.effects.commands import command_of
from winnow.effects.expected import Changes, aims, expected
from winnow.effects.thing import as_number, effects
from winnow.language.families import RESTING
from winnow.types.catalog import Attribute, Profile, Scalar
from winnow.types.verdict import Call

Shown = Literal["yes", "coming", "no", "silent"]
"""``yes``: it is as it was to be. ``coming``: on its way there. ``no``: it is otherwise. ``silent``: nothing
tells."""


def shown(call: Call, profile: Profile, before: Mapping[str, Scalar], now: Mapping[str, Scalar]) -> Shown:
    """What the states of a device, before a call and now, tell of it."""
    changes = expected(call, profile, before)
    wanted = _told(changes, before, now)
    if not wanted:
        return "silent"
    attributes = {a.id: a for a in profile.attributes}
    free = _is_free(call, profile)
    found = {
        _shows(wanted[i], before.get(i), now.get(i), attributes.get(i, Attribute(i)), free) for i in wanted
    }
    if "no" in found:
        return "no"
    # that a lamp is on does not show its colour
    hidden = any(i is None or (i not in wanted and changes.get(i)) for i in aims(call, profile, before))
    return "silent" if hidden else "coming" if "coming" in found else "yes"


def _told(changes: Changes, before: Mapping[str, Scalar], now: Mapping[str, Scalar]) -> Changes:
    """Those of the changes that the device tells anything of."""
    return {i: v for i, v in changes.items() if before.get(i) is not None or now.get(i) is not None}


def _is_free(call: Call, profile: Profile) -> bool:
    """Whether how far, or to what, is left to the thing."""
    command = command_of(call, profile)
    if command is None:
        return False
    return command.trait.partition(".")[2] in {"Up", "Down", "Step"} or "awake" in _does(command.id).values()


def _does(name: str) -> Mapping[str, str]:
    found: Mapping[str, str] = effects()["does"].get(name, {})
    return found


def _shows(wanted: Scalar, before: Scalar, now: Scalar, attribute: Attribute, free: bool) -> Shown:
    if wanted == now or (wanted == 0 and now is None):  # what is off tells no number
        return "yes"
    goal, is_at, was_at = as_number(wanted), as_number(now), as_number(before)
    if goal is not None and is_at is not None and not isinstance(wanted, bool):
        return _near(goal, is_at, was_at, attribute, free)
    if free:
        return "no" if _rests(now) else "yes"
    return _worded(str(wanted), str(now))


def _worded(wanted: str, now: str) -> Shown:
    """Whether the word for a state says what was wanted, or that it is on its way."""
    if now.lower() == wanted.lower() or now in effects()["same"].get(wanted, ()):
        return "yes"
    return "coming" if now in effects()["coming"].get(wanted, ()) else "no"


def _rests(now: Scalar) -> bool:
    return now is None or str(now).lower() in {*RESTING, *effects()["resting"]}


def _near(goal: float, now: float, was: float | None, attribute: Attribute, free: bool) -> Shown:
    """Whether a number is as wanted; a thing that knows steps only takes the next one."""
    amount, share = effects()["near"].get(attribute.quantity, (0.5, 0.01))
    if attribute.unit == "0..1":
        amount = amount / 100
    if abs(now - goal) <= max(amount, abs(goal) * share):
        return "yes"
    if was is None or now == was:
        return "no"
    ahead = (now - was) * (goal - was) > 0
    rounded = 0 < now - goal < effects()["upwards"].get(attribute.quantity, 0)
    if (free and ahead) or rounded:
        return "yes"
    return "coming" if ahead and attribute.quantity in effects()["moving"] else "no"
