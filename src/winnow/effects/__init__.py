"""What commands make of the states of a device: expected, shown, repeated, taken back.

Pure; the tables are data.
"""

from winnow.effects.commands import command_of, commands_of
from winnow.effects.expected import Changes, consequences, expected
from winnow.effects.inverse import inverse
from winnow.effects.repeat import repeatable
from winnow.effects.shown import Shown, shown

__all__ = [
    "Changes",
    "Shown",
    "command_of",
    "commands_of",
    "consequences",
    "expected",
    "inverse",
    "repeatable",
    "shown",
]
