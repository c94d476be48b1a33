"""Orders of one sentence that undo each other: none of them is carried out."""

from __future__ import annotations

from collections.abc import Sequence

from winnow.decide.outcome import Deed
from winnow.language.families import ACTS_AGAINST


def contradicts(deeds: Sequence[Deed]) -> bool:
    """Whether a device is told a thing and its opposite, or gets two values for one setting in one breath.

    Two values in two breaths are one step after the other: ``调到20，再调到50``.
    """
    return _two_values(deeds) or _opposed(deeds)


def _two_values(deeds: Sequence[Deed]) -> bool:
    settings: dict[tuple[str, str, str, str], object] = {}
    for deed in deeds:
        for name, value in deed.call.arguments.items():
            setting = (deed.call.device_id, deed.call.command_id, name, deed.words)
            if settings.setdefault(setting, value) != value:
                return True
    return False


def _opposed(deeds: Sequence[Deed]) -> bool:
    done: dict[str, set[str]] = {}
    for deed in deeds:
        done.setdefault(deed.call.device_id, set()).add(_act(deed.call.command_id))
    return any(one in acts and other in acts for acts in done.values() for one, other in ACTS_AGAINST)


def _act(command_id: str) -> str:
    """The bare act of a command id: ``on`` of ``light.turn_on`` and of ``main-switch-on``."""
    name = command_id.replace("turn_", "").replace("_cover", "").replace("_valve", "")
    return name.replace("-", ".").split(".")[-1]
