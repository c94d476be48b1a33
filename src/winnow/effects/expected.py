"""What a call changes, as far as the table of effects tells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeGuard, cast

from winnow.language.families import STATE_WORDS
from winnow.text.tables import table
from winnow.types.catalog import Attribute, Command, Profile, Scalar
from winnow.types.verdict import Call

Changes = dict[str, Scalar]
"""Attribute id -> new value."""


def expected(call: Call, profile: Profile, states: Mapping[str, Scalar]) -> Changes:
    """Attribute id -> the value it should have after the call; empty where nothing tells."""
    command = command_of(call, profile)
    return _Thing(profile, states).after(call, command) if command else {}


def command_of(call: Call, profile: Profile) -> Command | None:
    """Of the commands that share a native id, the one whose arguments these are."""
    same = (c for c in profile.commands if c.id == call.command_id)
    return min(same, key=lambda c: _misfit(c, set(call.arguments)), default=None)


def _misfit(command: Command, given: set[str]) -> int:
    """How many arguments are missing or too many."""
    wanted = {p.name for p in command.parameters if p.required or p.name in given}
    return len(given ^ (wanted | set(command.fixed)))


@dataclass(frozen=True, slots=True)
class _Thing:
    """A device as commands see it: what it can tell, and what it tells now."""

    profile: Profile
    states: Mapping[str, Scalar]

    def after(self, call: Call, command: Command) -> Changes:
        """What the call changes; nothing for a command that no table knows."""
        family, _, action = command.trait.partition(".")
        if command.trait in _effects()["does"]:
            return self._put(_effects()["does"][command.trait])
        if action == "Toggle":
            return self._toggled(family)
        step = _effects()["steps"].get(family, 1)
        if action in {"Up", "Down"}:
            return self._stepped(family, step if action == "Up" else -step)
        value = _value(call, command)
        if value is None:
            return {}
        return self._stepped(family, value) if action == "Step" else self._set(family, value, call)

    def _put(self, wanted: Mapping[str, str | float]) -> Changes:
        """The quantities that the device can tell, in its own words."""
        told = {self._attribute(quantity): state for quantity, state in wanted.items()}
        return {a.id: self._spelt(state, a) for a, state in told.items() if a is not None}

    def _spelt(self, state: str | float, attribute: Attribute) -> Scalar:
        if not isinstance(state, str):
            return state
        if isinstance(self.states.get(attribute.id), bool):
            return state in _effects()["true_when"]
        spellings = STATE_WORDS.get(state) or _effects()["spellings"][state]
        return next((word for word in spellings if word in attribute.values), spellings[0])

    def _toggled(self, family: str) -> Changes:
        """The first state that the family's commands lead to and the device is not in."""
        ways = (_effects()["does"].get(f"{family}.{way}", {}) for way in ("On", "Off", "Open", "Close"))
        changes = (self._put(way) for way in ways)
        return next((c for c in changes if not c.items() <= self.states.items()), {})

    def _stepped(self, family: str, amount: Scalar) -> Changes:
        attribute = self._attribute(_quantity(family))
        now = self.states.get(attribute.id) if attribute else None
        if attribute is None or not _is_number(now) or not _is_number(amount):
            return {}
        return {attribute.id: now + amount}

    def _set(self, family: str, value: Scalar, call: Call) -> Changes:
        """The value, and what follows from it: a lamp that is dimmed is on."""
        attribute = self._attribute(_quantity(family))
        if attribute is None:
            return {}
        if not _is_number(value):
            return {attribute.id: value}
        # Home Assistant sets a lamp in percent and reports it up to 255
        of_255 = attribute.id == "brightness" and call.command_id.startswith("light.")
        changes: Changes = {attribute.id: round(value * 255 / 100) if of_255 else value}
        if also := _effects()["follows"].get(attribute.quantity):
            changes |= self._put({also["quantity"]: also["above" if value > 0 else "zero"]})
        return changes

    def _attribute(self, quantity: str) -> Attribute | None:
        return next((a for a in self.profile.attributes if a.quantity == quantity), None)


def _value(call: Call, command: Command) -> Scalar:
    """What the command sets: what was said, what always goes with it, or its name's end (``Mode.Cool``)."""
    if "step" in call.arguments:
        return None  # a step from where nobody knows
    family, _, action = command.trait.partition(".")
    said = [v for name, v in call.arguments.items() if name not in command.fixed]
    value = next(
        iter([*said, *command.fixed.values(), *([action.lower()] if family == "Mode" else [])]), None
    )
    return value if isinstance(value, str | int | float) else None


def _quantity(family: str) -> str:
    """The quantity that a family of traits sets."""
    return str(_effects()["sets"].get(family, family.lower()))


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _effects() -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", table("winnow.effects", "effects.yaml"))
