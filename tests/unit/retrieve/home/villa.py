"""A house of many kinds of things on four floors, and words for them."""

from __future__ import annotations

from functools import lru_cache

from tests.unit.retrieve.home.small import BOLT, COOLER, LAMP, METER, PLUG, SHADE, SPEAKER

from winnow.adapters.models.embedders import HashingEmbedder
from winnow.retrieve.home.explain import HomePosition
from winnow.retrieve.home.index import HomeIndex, build_index
from winnow.types.home import Device, Floor, Home, Room
from winnow.types.query import Mention, QueryIR, Token

FLOORS = (Floor("cellar", "Cellar", level=-1), Floor("ground", "Ground floor", level=0),
          Floor("upper", "Upper floor", level=1), Floor("attic", "Attic", level=2))  # fmt: skip
ROOMS = (
    Room("storage", "Storage", (), "cellar"),
    Room("parlour", "Parlour", (), "ground"),
    Room("garden", "Rose Garden", (), "ground"),
    Room("nursery", "Nursery", (), "upper"),
    Room("loft", "Reading Loft", (), "attic"),
)
DEVICES = (
    Device("storage-lamp", "storage lamp", "lamp", ("light",), (), "storage"),
    Device("parlour-lamp", "floor lamp", "lamp", ("light",), (), "parlour"),
    Device("parlour-lights", "chandelier", "lamp", ("light",), (), "parlour"),
    Device("parlour-curtains", "long curtains", "shade", ("curtain", "cover"), (), "parlour"),
    Device("parlour-blinds", "venetian", "shade", ("blind", "cover"), (), "parlour"),
    Device("parlour-cooler", "Frosty", "cooler", ("air_conditioner", "climate"), (), "parlour"),
    Device("parlour-oven", "oven", "cooler", ("oven",), (), "parlour"),
    Device("parlour-window", "parlour window contact", "meter", ("contact_sensor", "sensor"), (), "parlour"),
    Device("parlour-door", "parlour door contact", "meter", ("contact_sensor", "sensor"), (), "parlour"),
    Device("garden-lamp", "path lamp", "lamp", ("light",), (), "garden"),
    Device("nursery-lamp", "moon", "lamp", ("light",), (), "nursery"),
    Device("nursery-curtains", "short curtains", "shade", ("curtain", "cover"), (), "nursery"),
    Device("nursery-window", "nursery window contact", "meter", ("contact_sensor", "sensor"), (), "nursery"),
    Device("loft-lamp", "night-lights", "lamp", ("light",), (), "loft"),
    Device("loft-bolt", "hatch", "bolt", ("lock",), (), "loft"),
    Device("fan-plug", "desk fan", "plug", ("plug", "switch"), (), "loft"),
    Device("radio", "lounge radio", "speaker", ("speaker", "media_player"), ()),
)
VILLA = Home(
    "villa", "Villa", "neutral", FLOORS, ROOMS, (LAMP, PLUG, COOLER, SHADE, BOLT, METER, SPEAKER), DEVICES
)
ON, OPEN, HEAT = ("Switch.On",), ("Cover.Open",), ("Temperature.Set",)


@lru_cache(maxsize=1)
def villa() -> HomeIndex:
    return build_index(VILLA, HashingEmbedder())


def here(room: str | None = None) -> HomePosition:
    """The villa from one of its rooms."""
    return HomePosition(villa(), room)


def lamp(plural: bool = False) -> Token:
    return Token("lights", "type", 0, 6, {"is": "light", "plural": plural})


def kind(text: str, plural: bool = False) -> Token:
    """A word for a kind, by its canonical name."""
    return Token(text, "type", 0, len(text), {"is": text, "plural": plural})


def room(room_id: str) -> Token:
    """A room by its name."""
    name = villa().view.rooms[room_id].name.lower()
    return Token(name, "room", 0, len(name), {}, (room_id,))


def floor(floor_id: str) -> Token:
    return Token(floor_id, "floor", 0, len(floor_id), {}, (floor_id,))


def name(text: str, *ids: str, **data: object) -> Token:
    """A name, or a part of one."""
    return Token(text, "name", 0, len(text), data, ids)


def word(text: str, start: int = 0) -> Token:
    """A word that nothing explains."""
    return Token(text, "word", start, start + len(text))


def zone(canonical: str) -> Token:
    return Token(canonical, "zone", 0, len(canonical), {"is": canonical})


def mention(*tokens: Token) -> Mention:
    return Mention(tokens)


def asked(*tokens: Token, cluster: tuple[str, ...] = ON, action: str = "on") -> QueryIR:
    """An order to do that to what the words name."""
    return QueryIR("", action=action, action_cluster=cluster).about(*tokens)
