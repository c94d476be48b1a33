"""The levels of what a command sets: a level is one of those the device has, never a share of its range."""

from __future__ import annotations

from math import ceil

from winnow.types.catalog import Parameter

MOST = 12
"""Steps of a range that people still call levels."""
HUNDRED = 100.0
SLACK = 0.01
"""How far a share may lie above its level: a third is written 33, and 33.34."""


def levels_of(parameter: Parameter) -> int:
    """How many levels it has beside off; 0 where nothing tells, or where they are too many to be levels."""
    if parameter.kind != "number" or parameter.maximum is None:
        return 0
    apart = parameter.step or (0.0 if parameter.unit else 1.0)
    many = round(parameter.maximum / apart) if apart else 0
    return many if 1 < many <= MOST else 0


def at_level(parameter: Parameter, level: int) -> float:
    """The value of a level; of a share the whole percent that does not reach into the next level."""
    return float(int(_apart(parameter) * level + SLACK))


def level_of(parameter: Parameter, value: float) -> int:
    """The level a value lies in; 0 is off."""
    return min(levels_of(parameter), max(0, ceil(value / _apart(parameter) - SLACK)))


def _apart(parameter: Parameter) -> float:
    return (parameter.maximum or HUNDRED) / levels_of(parameter)
