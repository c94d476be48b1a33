"""A home as Winnow knows it: floors, rooms, devices, and what each device can do and tell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

ParameterKind = Literal["number", "choice", "text", "color", "boolean", "object"]
Scalar = str | int | float | bool | None
Reach = Literal["spoken", "named"]
"""``spoken``: meant by kind, room, a part of its name, ``all``. ``named``: by its exact name only."""
Where = Literal["", "indoor", "outdoor", "water", "surface", "appliance", "setpoint"]
"""What a reading is of: a room's air, the air outside, water, a floor or a wall, the inside of a machine, or
what was asked for and not what is. Empty: nothing tells, so it is of the room it stands in."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One value a parameter may take, with the words that describe it."""

    value: str | int | float | bool
    text: str = ""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument of a command: its name on the wire, its shape, its limits."""

    name: str
    kind: ParameterKind
    minimum: float | None = None
    maximum: float | None = None
    unit: str = ""
    choices: tuple[Choice, ...] = ()
    required: bool = True
    scale: float = 1.0
    """Wire value = spoken value x scale (Home Assistant's volume runs from 0 to 1: scale 0.01, limits in
    spoken units)."""
    step: float | None = None
    """How far apart its values lie (a fan of four speeds: 25 percent); None when nothing tells."""


@dataclass(frozen=True, slots=True)
class Command:
    """One thing a profile can do.

    ``trait`` is ``Trait.Action`` from ``homes/traits.yaml``, or empty when no table knows the command; such a
    command stays findable by
    its text. Several commands may share one native ``id`` (``light.turn_on`` switches, dims and colours):
    ``key`` tells them apart.
    """

    id: str
    """Native id: ``main-switch-on``, ``light.turn_on``, ``turn_on``."""
    trait: str = ""
    text: str = ""
    """The source's own description, any language, parameter values excluded."""
    parameters: tuple[Parameter, ...] = ()
    fixed: Mapping[str, Scalar] = field(default_factory=dict)
    """Arguments that always go with it (``{"is_volume_muted": True}``)."""

    @property
    def key(self) -> str:
        """Unique within its profile."""
        return f"{self.id}#{self.trait}" if self.trait else self.id


@dataclass(frozen=True, slots=True)
class Attribute:
    """One thing a profile can tell.

    ``quantity`` is the canonical noun of ``homes/traits.yaml`` (``temperature``), or empty.
    """

    id: str
    quantity: str = ""
    text: str = ""
    unit: str = ""
    values: tuple[str, ...] = ()
    where: Where = ""


@dataclass(frozen=True, slots=True)
class Profile:
    """What devices of one make share. A thousand lamps of one profile are described once."""

    id: str
    commands: tuple[Command, ...] = ()
    attributes: tuple[Attribute, ...] = ()


@dataclass(frozen=True, slots=True)
class Device:
    """One device (SmartThings) or entity (Home Assistant). What it reports is no part of it: ``Snapshot``."""

    id: str
    name: str
    profile_id: str
    kinds: tuple[str, ...] = ()
    """Canonical kinds of ``homes/traits.yaml``, most specific first: ``("plug", "light")``."""
    aliases: tuple[str, ...] = ()
    room_id: str | None = None
    categories: tuple[str, ...] = ()
    """The source's own categories, as declared."""
    tags: tuple[str, ...] = ()
    part_of: str | None = None
    """Id of the device it is a part of (the indicator of a plug, a gang of a switch).

    A part is meant only when something is said that its name holds beyond those of its device and room.
    """
    reach: Reach = "spoken"
    danger: str = ""
    """The risk of switching it on, where more than its kinds tell: ``heat`` ... or ``none``."""
    reasons: tuple[str, ...] = ()
    """What kinds, reach and danger were concluded from: ``device_class outlet``, ``name 热水器``."""

    @property
    def stands_alone(self) -> bool:
        """Whether a person would count it as a thing of the home: no part, and not meant by name only."""
        return self.part_of is None and self.reach == "spoken"


@dataclass(frozen=True, slots=True)
class Room:
    """A room or area."""

    id: str
    name: str
    aliases: tuple[str, ...] = ()
    floor_id: str | None = None


@dataclass(frozen=True, slots=True)
class Floor:
    """A floor. ``level`` 1 is the ground floor of a Chinese house; None when the source does not say."""

    id: str
    name: str
    aliases: tuple[str, ...] = ()
    level: int | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """A scene or script: a name that is run as a whole."""

    id: str
    name: str
    command_id: str
    """``scene-execute``, ``scene.turn_on``, ``script.turn_on``."""
    aliases: tuple[str, ...] = ()
    room_id: str | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """A named set of devices that the source itself defines."""

    id: str
    name: str
    members: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Note:
    """Something an import has to say of one thing: it was left out, guessed, could not be used, and why."""

    code: str
    """``ignored``, ``unknown_capability``, ``guessed_kind`` ...; its text is ``note_CODE``."""
    id: str
    """Of the device, entity, room or file it is about."""
    name: str = ""
    detail: str = ""
    """The fact behind it: the capability, the reason, what is missing."""


@dataclass(frozen=True, slots=True)
class Home:
    """One imported home. Identity is the id everywhere; names are data."""

    id: str
    name: str
    source: Literal["smartthings", "homeassistant", "neutral"]
    floors: tuple[Floor, ...] = ()
    rooms: tuple[Room, ...] = ()
    profiles: tuple[Profile, ...] = ()
    devices: tuple[Device, ...] = ()
    scenes: tuple[Scene, ...] = ()
    groups: tuple[Group, ...] = ()
    notes: tuple[Note, ...] = ()
    """What its import left out, guessed or could not use."""
    version: int = 0
    """Raised by the store at each import."""
