"""What a call should change, by the table of effects, and whether a home shows that it did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from winnow.act.effects.thing import (
    DeviceStates,
    as_number,
    command_of,
    commands_of,
    effects,
    names_of,
    quantity_of,
)
from winnow.language.content_words import RESTING
from winnow.types.home import Attribute, Command, Profile, Scalar
from winnow.types.verdict import Call

Changes = dict[str, Scalar]
"""Attribute id -> new value."""


def expected_changes(call: Call, profile: Profile, states: Mapping[str, Scalar]) -> Changes:
    """Attribute id -> the value it should have after the call; empty where nothing tells."""
    return _changes(call, profile, states, ("follows",))


def consequences(call: Call, profile: Profile, states: Mapping[str, Scalar]) -> Changes:
    """The same with all that devices mostly do besides: one that is set to cool is on."""
    return _changes(call, profile, states, ("follows", "usually"))


def aims(call: Call, profile: Profile, states: Mapping[str, Scalar]) -> tuple[str | None, ...]:
    """The attributes that show the values which the call sets; None for a value that nothing shows."""
    pressed = effects()["pressed"]
    setting = (c for c in commands_of(call, profile) if c.parameters and c.trait not in pressed)
    deeds = (_CommandEffect(call, command, DeviceStates(profile, states), ()) for command in setting)
    return tuple(i for deed in deeds for i in (tuple(deed.changes()) or (None,)))


def _changes(call: Call, profile: Profile, states: Mapping[str, Scalar], after: tuple[str, ...]) -> Changes:
    changes: Changes = {}
    for command in commands_of(call, profile):
        changes |= _CommandEffect(call, command, DeviceStates(profile, states), after).changes()
    return changes


@dataclass(frozen=True, slots=True)
class _CommandEffect:
    """A command, given to a thing."""

    call: Call
    command: Command
    thing: DeviceStates
    after: tuple[str, ...]
    """Which tables tell what follows."""

    def changes(self) -> Changes:
        """What it changes; nothing for a command that no table knows."""
        pressed = effects()["pressed"].get(self.command.trait, {}).get(str(self.call.arguments.get("value")))
        if pressed:
            return replace(self, command=replace(self.command, trait=pressed, parameters=()))._plain() or {}
        plain = self._plain()
        return self._set() if plain is None else plain

    def _plain(self) -> Changes | None:
        """What a command does that takes no value; None when it sets one."""
        family, _, action = self.command.trait.partition(".")
        if (does := self._of_table("does")) is not None:
            return self._put(does)
        if self._of_table("unseen"):
            return {}
        if action == "Toggle":
            return self._toggle_changes(family)
        if (step := self._step()) is not None:
            return self._step_changes(step)
        return None

    def _of_table(self, table: str) -> Any:
        """What the table says of the command, by the most telling of its names."""
        known = effects()[table]
        return next((known[name] for name in names_of(self.command) if name in known), None)

    def _step(self) -> float | None:
        """How far it goes, if it goes a step whose length is its own."""
        family, _, action = self.command.trait.partition(".")
        step = self._of_table("steps")
        if action in {"Up", "Down"}:
            length = abs(step if step is not None else effects()["steps"].get(family, 1))
            return float(length if action == "Up" else -length)
        return None if step is None else float(step)

    def _put(self, wanted: Mapping[str, str | float]) -> Changes:
        """The quantities that the device can tell, in its own words."""
        told = {what: self.thing.about(what, self.command) for what in wanted}
        return {a.id: self.thing.spelt(wanted[what], a) for what, a in told.items() if a is not None}

    def _toggle_changes(self, family: str) -> Changes:
        """The first state that the family's commands lead to and the device is not in.

        A cover that is half open is open.
        """
        known, toggles = effects()["does"], effects()["toggles"]
        usual = [f"{family}.{way}" for way in ("On", "Off", "Open", "Close")]
        ways = toggles.get(self.command.id) or toggles.get(family) or usual
        found = (self._put(known.get(way, {})) for way in ways)
        return next((c for c in found if c and next(iter(c.items())) not in self.thing.states.items()), {})

    def _set(self) -> Changes:
        """The value, and what follows from it: a lamp that is dimmed is on."""
        value = self._value()
        if isinstance(value, Mapping):
            return self._parts(value)
        attribute = self.thing.set_by(self.command)
        action = self.command.trait.partition(".")[2]
        if action == "Step" or action.endswith("StepByPercent"):
            amount = as_number(value)
            return {} if amount is None else self._step_changes(amount)
        direct = self._direct(value, attribute)
        if not self.after or self.command.id not in effects()["awakened"]:
            changes: Changes = {}
        else:
            changes = self._put({"switch": "off" if value == 0 else "on"})
        return changes | direct | self._following(value, attribute)

    def _direct(self, value: object, attribute: Attribute | None) -> Changes:
        if attribute is None or not isinstance(value, str | int | float):
            return {}
        if isinstance(value, str):
            is_switch = isinstance(self.thing.states.get(attribute.id), bool)
            known = self.thing.spelt(value, attribute) if is_switch else value
            return {attribute.id: known}
        if isinstance(value, bool):
            return {attribute.id: value}
        # Home Assistant sets a lamp in percent and reports it up to 255
        return {
            attribute.id: self.thing.device_scalar(
                (round(value * 255 / 100) if self._of_255(attribute) else value), attribute
            )
        }

    def _of_255(self, attribute: Attribute) -> bool:
        return attribute.id == "brightness" and self.command.id.startswith("light.")

    def _parts(self, values: Mapping[str, object]) -> Changes:
        """Each member of an object where the device tells it: hue and saturation."""
        told = {name: self.thing.own(name, self.command) for name in values}
        parts = {a.id: values[name] for name, a in told.items() if a is not None}
        known: Changes = {i: v for i, v in parts.items() if isinstance(v, str | int | float)}
        return known | self._following(1 if known else None, None)

    def _following(self, value: object, attribute: Attribute | None) -> Changes:
        """What the value means for other quantities."""
        number = as_number(value)
        if number is None:
            rests = value is None or str(value).lower() in {*RESTING, *effects()["resting"]}
            number = 0.0 if rests else 1.0
        if value is None:
            return {}
        changes: Changes = {}
        for quantity, (above, zero) in self._followers().items():
            other = self.thing.about(quantity, self.command)
            if other is not None and (attribute is None or other.id != attribute.id):
                changes[other.id] = self.thing.spelt(above if number > 0 else zero, other, 0 < number < 100)
        return changes

    def _followers(self) -> Mapping[str, tuple[str, str]]:
        quantity = quantity_of(self.command)
        return {k: v for table in self.after for k, v in effects()[table].get(quantity, {}).items()}

    def _step_changes(self, amount: float) -> Changes:
        """So much more than now, within the limits; nothing from where nobody knows."""
        attribute = self.thing.set_by(self.command)
        now = as_number(self.thing.states.get(attribute.id)) if attribute else None
        if attribute is None:
            return {}
        if self._of_255(attribute):
            # How bright a lamp of Home Assistant's is: not at all, if it is off and tells nothing of it
            shone_now = as_number(self.thing.states.get(attribute.id))
            shone = 0.0 if shone_now is None and self.thing.states.get("state") == "off" else shone_now
            now, amount = shone, amount * 255 / 100
        if now is None:
            return {}
        goal = self._kept_within(now + amount, attribute)
        return {attribute.id: self.thing.device_scalar(goal, attribute)} | self._following(goal, attribute)

    def _kept_within(self, goal: float, attribute: Attribute) -> float:
        """The goal, or the limit of whatever sets the same."""
        if self._of_255(attribute):
            return max(0, min(255, round(goal)))
        for command in self.thing.profile.commands:
            if command.parameters and command.trait.partition(".")[2].startswith("Set"):
                ours = self.thing.set_by(command)
                if ours is not None and ours.id == attribute.id:
                    # The goal within the limits of a command's number, in its wire's units
                    number = command.parameters[0]
                    low = goal if number.minimum is None else max(goal, number.minimum * number.scale)
                    return round(
                        low if number.maximum is None else min(low, number.maximum * number.scale), 4
                    )
        return goal

    def _value(self) -> Any:
        """What it sets: what was said, what always goes with it, or its name's end (``Mode.Cool``)."""
        names = {p.name for p in self.command.parameters}
        said = [v for name, v in self.call.arguments.items() if name in names]
        family, _, action = self.command.trait.partition(".")
        otherwise = [action.lower()] if family == "Mode" and not names else []
        return next(iter([*said, *self.command.fixed.values(), *otherwise]), None)


# Observed effects: numbers near enough, states in whatever words a device has for them.


Shown = Literal["yes", "coming", "no", "silent"]
"""``yes``: it is as it was to be. ``coming``: on its way there. ``no``: it is otherwise. ``silent``: nothing
tells."""


def observed_effect(
    call: Call, profile: Profile, before: Mapping[str, Scalar], now: Mapping[str, Scalar]
) -> Shown:
    """What the states of a device, before a call and now, tell of it."""
    changes = expected_changes(call, profile, before)
    wanted = _reported_changes(changes, before, now)
    if not wanted:
        return "silent"
    attributes = {a.id: a for a in profile.attributes}
    free = is_free(call, profile)
    found = {
        _shows(wanted[i], before.get(i), now.get(i), attributes.get(i, Attribute(i)), free) for i in wanted
    }
    if "no" in found:
        return "no"
    # that a lamp is on does not show its colour
    hidden = any(i is None or (i not in wanted and changes.get(i)) for i in aims(call, profile, before))
    return "silent" if hidden else "coming" if "coming" in found else "yes"


def _reported_changes(changes: Changes, before: Mapping[str, Scalar], now: Mapping[str, Scalar]) -> Changes:
    """Those of the changes that the device tells anything of."""
    return {i: v for i, v in changes.items() if before.get(i) is not None or now.get(i) is not None}


def is_free(call: Call, profile: Profile) -> bool:
    """Whether how far, or to what, is left to the thing."""
    command = command_of(call, profile)
    if command is None:
        return False
    if command.trait.partition(".")[2] in {"Up", "Down", "Step"}:
        return True
    found: Mapping[str, str] = effects()["does"].get(command.id, {})
    return "awake" in found.values()


def _shows(wanted: Scalar, before: Scalar, now: Scalar, attribute: Attribute, free: bool) -> Shown:
    if wanted == now or (wanted == 0 and now is None):  # what is off tells no number
        return "yes"
    goal, is_at, was_at = as_number(wanted), as_number(now), as_number(before)
    if goal is not None and is_at is not None and not isinstance(wanted, bool):
        return _near(goal, is_at, was_at, attribute, free)
    if free:
        return "no" if now is None or str(now).lower() in {*RESTING, *effects()["resting"]} else "yes"
    return _state_word_effect(str(wanted), str(now))


def _state_word_effect(wanted: str, now: str) -> Shown:
    """Whether the word for a state says what was wanted, or that it is on its way."""
    if now.lower() == wanted.lower() or now in effects()["same"].get(wanted, ()):
        return "yes"
    return "coming" if now in effects()["coming"].get(wanted, ()) else "no"


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
