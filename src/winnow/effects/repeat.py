"""Whether a call may safely be sent twice."""

from __future__ import annotations

from winnow.effects.commands import command_of
from winnow.effects.thing import effects
from winnow.types.catalog import Profile
from winnow.types.verdict import Call


def repeatable(call: Call, profile: Profile) -> bool:
    """Whether sending it twice does the same as sending it once; no for what no table knows."""
    command = command_of(call, profile)
    if command is None or not command.trait or "step" in call.arguments:
        return False
    return not {command.trait, command.trait.partition(".")[2]} & set(effects()["once"])
