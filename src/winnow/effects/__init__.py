"""What commands make of the states of a device: expected, repeated, taken back. Pure; the table is data."""

from winnow.effects.expected import Changes, command_of, expected
from winnow.effects.inverse import inverse
from winnow.effects.repeat import repeatable

__all__ = [
    "Changes",
    "command_of",
    "expected",
    "inverse",
    "repeatable",
]
