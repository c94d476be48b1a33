"""What the briefing asks of a home beyond its lookups."""

from __future__ import annotations

from winnow.types.catalog import Command, Parameter
from winnow.types.view import HomeView


def name_of(view: HomeView, entity_id: str) -> str:
    """Name of a device or scene; the id itself when nothing has it."""
    found = view.devices.get(entity_id) or view.scenes.get(entity_id)
    return found.name if found else entity_id


def room_of(view: HomeView, entity_id: str) -> str:
    """Name of the room a device or scene is in; empty when it is in none."""
    room = view.room(entity_id)
    return room.name if room else ""


def command_of(view: HomeView, entity_id: str, key: str) -> Command | None:
    """A command of a device by its key; None for what is no device."""
    return view.command(entity_id, key) if entity_id in view.devices else None


def shape(command: Command) -> str:
    """What a command is and takes, in one short line: ``Level.Set level:0..100%``."""
    takes = (f"{p.name}{'' if p.required else '?'}:{_limits(p)}" for p in command.parameters)
    return " ".join(part for part in (command.trait, *takes) if part)


def _limits(parameter: Parameter) -> str:
    if parameter.choices:
        shown = "/".join(str(c.value) for c in parameter.choices[:6])
        return shown + "/…" * (len(parameter.choices) > 6)
    if parameter.minimum is None and parameter.maximum is None:
        return parameter.unit or parameter.kind
    low, high = (
        "" if limit is None else f"{limit * parameter.scale:g}"
        for limit in (parameter.minimum, parameter.maximum)
    )
    return f"{low}..{high}{parameter.unit if parameter.scale == 1 else ''}"
