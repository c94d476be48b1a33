"""A home: floors, rooms, devices and abilities, its lookups, overrides and learned words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from hashlib import blake2b
from typing import Literal

from winnow.errors import NoSuchRoom

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


HOUSEKEEPING = "Housekeeping"
"""Trait of commands that serve the installation and are never offered to a person."""


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
    source: str
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


# What corrections teach, and the words a home learned from them.


LessonSlot = Literal["target", "action", "remark"]
LessonSource = Literal["choice", "rephrased", "unplaced", "corrected", "confirmed"]
WordKind = Literal["alias", "verb", "type", "remark"]
WordStatus = Literal["suggested", "accepted", "rejected"]


@dataclass(frozen=True, slots=True)
class Lesson:
    """Words that were not understood by themselves, and what turned out to be meant.

    The sentence itself is not kept.
    """

    surface: str
    """The words, normalised."""
    slot: LessonSlot
    """What they stood for: a thing, an act, or nothing of the order beside which they stood."""
    device_id: str
    device_kind: str = ""
    action: str = ""
    """Canonical verb of the sentence that ended in the act."""
    source: LessonSource = "choice"
    """A question answered, a refused sentence said again in other words, an unknown word beside an act, an
    act after which another thing was named instead, or a yes to an order among words that nothing read."""
    at: float = 0.0
    """Seconds since the epoch."""
    user: str = ""
    """Who said the words; empty where nobody was named."""


@dataclass(frozen=True, slots=True)
class LexiconEntry:
    """A word of one home.

    ``target`` is a device id (alias), a canonical verb (verb) or a kind of device (type); a remark has none.
    """

    number: int
    """What ``winnow lexicon accept`` takes; stays the same once given."""
    surface: str
    kind: WordKind
    target: str
    status: WordStatus = "suggested"
    count: int = 0
    """How often the words ended there."""
    against: int = 0
    """How often the same words ended elsewhere."""
    user: str = ""
    """The one person the word is from; empty where it is from several, or from nobody who was named."""


def accepted_words(entries: Iterable[LexiconEntry]) -> set[tuple[str, WordKind, str]]:
    """What the accepted words mean: a home with other ones is understood otherwise."""
    return {(e.surface, e.kind, e.target) for e in entries if e.status == "accepted"}


# What the people of a home say its things are, whatever its platform says.


OVERRIDE_DANGERS = ("none", "heat", "unlock", "open_door", "open_valve", "alarm", "disarm")
"""What a device may be said to risk when it is switched on or opened."""


@dataclass(frozen=True, slots=True)
class Override:
    """Facts about one device, or the names of one room, that outlive every import. Empty: as imported."""

    thing_id: str
    """Of a device or a room."""
    name: str = ""
    aliases: tuple[str, ...] = ()
    """Added to those it has."""
    kinds: tuple[str, ...] = ()
    room_id: str = ""
    danger: str = ""
    """``heat``, ``unlock`` ...: switching it on wants a yes; ``none``: it does not."""
    reach: Reach | None = None


# A home with its lookups: what every stage after understanding needs to ask.


@dataclass(frozen=True, slots=True)
class HomeView:
    """One home by id. Build it once a version with ``HomeView.of``."""

    home: Home
    devices: Mapping[str, Device]
    profiles: Mapping[str, Profile]
    rooms: Mapping[str, Room]
    floors: Mapping[str, Floor]
    scenes: Mapping[str, Scene]
    handles: Mapping[str, str]
    """Id of a device or scene -> the short name that a language model calls it by: ``d417``, ``s52``."""

    @classmethod
    def of(cls, home: Home) -> HomeView:
        """The lookups of ``home``."""
        return cls(
            home,
            {d.id: d for d in home.devices},
            {p.id: p for p in home.profiles},
            {r.id: r for r in home.rooms},
            {f.id: f for f in home.floors},
            {s.id: s for s in home.scenes},
            {
                **_handles("d", [d.id for d in home.devices]),
                **_handles("s", [s.id for s in home.scenes]),
            },
        )

    def thing_id(self, handle: str) -> str:
        """The id of the device or scene that a handle or an id names; empty where it names none or several.

        A handle is the beginning of a digest of the id: it stays the same while the home does, and where two
        would be the same both are longer.
        """
        if handle in self.devices or handle in self.scenes:
            return handle
        return next((i for i, known in self.handles.items() if known == handle), "")

    def command_word(self, device_id: str, command: Command) -> str:
        """What a language model calls a command by: its trait, or its id where several have that trait."""
        same = {c.id for c in self.profile(device_id).commands if c.trait == command.trait}
        return command.trait if command.trait and len(same) == 1 else command.id

    def command_named(self, device_id: str, word: str) -> Command | None:
        """The command of a device that a word of ``command_word`` means; None where it is none."""
        if device_id not in self.devices:
            return None
        named = (c for c in self.profile(device_id).commands if self.command_word(device_id, c) == word)
        return next(named, None)

    def profile(self, device_id: str) -> Profile:
        """The profile of a device; an empty one when the source named none."""
        device = self.devices[device_id]
        return self.profiles.get(device.profile_id) or Profile(device.profile_id)

    def command(self, device_id: str, key: str) -> Command | None:
        """One command of a device by its key."""
        return next((c for c in self.profile(device_id).commands if c.key == key), None)

    def room(self, device_id: str) -> Room | None:
        """The room of a device or scene."""
        item = self.devices.get(device_id) or self.scenes.get(device_id)
        return self.rooms.get(item.room_id or "") if item else None

    def floor(self, device_id: str) -> Floor | None:
        """The floor of a device."""
        room = self.room(device_id)
        return self.floors.get(room.floor_id or "") if room else None

    def parts(self, device_id: str) -> tuple[Device, ...]:
        """The parts of a device, in the order of the catalog."""
        return tuple(d for d in self.home.devices if d.part_of == device_id)

    def room_named(self, text: str) -> Room | None:
        """The room with this id, or this name in whatever case."""
        wanted = text.casefold()
        return self.rooms.get(text) or next(
            (r for r in self.home.rooms if wanted in {n.casefold() for n in (r.name, *r.aliases)}), None
        )

    def expect_room(self, text: str) -> Room:
        """The same where somebody is said to stand there. Raises NoSuchRoom with what may be meant."""
        if found := self.room_named(text):
            return found
        called = [name for room in self.home.rooms for name in (room.name, *room.aliases)]
        near = get_close_matches(text, called) or [room.name for room in self.home.rooms]
        raise NoSuchRoom(self.home.id, text, near)


MIN_HANDLE_DIGITS = 3
"""Three digits are one token of most tokenizers."""


def _handles(letter: str, ids: Iterable[str]) -> dict[str, str]:
    """Id -> the shortest beginning of its digest, in digits, that no other id has."""
    left = {i: f"{int.from_bytes(blake2b(i.encode(), digest_size=8).digest()):020d}"[::-1] for i in ids}
    found: dict[str, str] = {}
    for length in range(MIN_HANDLE_DIGITS, 21):
        many = Counter(digest[:length] for digest in left.values())
        found |= {i: letter + digest[:length] for i, digest in left.items() if many[digest[:length]] == 1}
        left = {i: digest for i, digest in left.items() if i not in found}
    return found


def group_members(home: Home) -> dict[str, tuple[str, ...]]:
    """Group id -> the ids of the devices in it, those of the groups within it too, each once."""
    groups, known = {g.id: g for g in home.groups}, {d.id for d in home.devices}
    return {g.id: tuple(i for i in _reachable_members(g, groups) if i in known) for g in home.groups}


def _reachable_members(group: Group, groups: Mapping[str, Group]) -> dict[str, None]:
    """What is in a group and no group itself. One that holds itself is gone through once."""
    found: dict[str, None] = {}
    inside, open_groups = {group.id}, [group]
    while open_groups:
        for member in open_groups.pop(0).members:
            if member not in groups:
                found.setdefault(member)
            elif member not in inside:
                inside.add(member)
                open_groups.append(groups[member])
    return found


NO_HOME = HomeView.of(Home("", "", "neutral"))
"""The view where there is no home to look at."""
