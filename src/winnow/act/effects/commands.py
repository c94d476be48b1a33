"""Which commands of a profile a call means (several may share a native id), and which may be sent twice."""

from __future__ import annotations

from winnow.act.effects.thing import effects
from winnow.types.home import Command, Profile
from winnow.types.verdict import Call


def command_of(call: Call, profile: Profile) -> Command | None:
    """Of the commands that share a native id, the one whose arguments these are."""
    same = (c for c in profile.commands if c.id == call.command_id)
    return min(same, key=lambda c: _misfit(c, call), default=None)


def commands_of(call: Call, profile: Profile) -> tuple[Command, ...]:
    """The commands that a call gives at once: the one that its arguments fit, else all that want any of them.

    ``light.turn_on`` with a brightness and a colour is two.
    """
    one = command_of(call, profile)
    if one is None:
        return ()
    if _misfit(one, call):
        # The commands of that id whose arguments are all among the call's
        same = (c for c in profile.commands if c.id == call.command_id and _goal_attributes(c))
        several = tuple(c for c in same if _goal_attributes(c) <= call.arguments.keys() and _fits(c, call))
    else:
        several = ()
    return several if len(several) > 1 else (one,)


def _goal_attributes(command: Command) -> set[str]:
    return {p.name for p in command.parameters if p.required} | set(command.fixed)


def _fits(command: Command, call: Call) -> bool:
    """Whether what always goes with the command goes with the call."""
    return all(call.arguments.get(name, value) == value for name, value in command.fixed.items())


def _misfit(command: Command, call: Call) -> int:
    """How many arguments are missing, too many, or another's."""
    given = set(call.arguments)
    optional = {p.name for p in command.parameters if p.name in given}
    others = sum(call.arguments.get(name, value) != value for name, value in command.fixed.items())
    return len(given ^ (_goal_attributes(command) | optional)) + others


# A call is idempotent where the table of effects says so.


def repeatable(call: Call, profile: Profile) -> bool:
    """Whether sending it twice does the same as sending it once; no for what no table knows."""
    command = command_of(call, profile)
    if command is None or not command.trait or "step" in call.arguments:
        return False
    return not {command.trait, command.trait.partition(".")[2]} & set(effects()["once"])
