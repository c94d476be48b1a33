"""What each device of a shortlist could tell of the quantity asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from winnow.language.lexicon import Quantity, question_words, surfaces
from winnow.language.normalise import fold, is_han, normalise
from winnow.types.catalog import Attribute, Device
from winnow.types.home_shortlist import DeviceCandidate, HomeShortlist
from winnow.types.query import QueryIR, Token
from winnow.types.view import HomeView

FALLBACK = 90
"""Tier of a sensor without a class that is asked for by its whole name."""
DEGREES = frozenset({"°c", "°f", "c", "f"})


@dataclass(frozen=True, slots=True)
class Row:
    """One device that can answer."""

    device: Device
    attribute: Attribute
    tier: int
    """0: tells the very thing asked; more: the next best."""
    named: bool = False
    """Its whole name was said."""
    registered: bool = True
    """It is registered in the place said, not only called by it."""
    here: bool = False
    """It is in the speaker's room."""
    kin: bool = False
    """Only next of kin to the kind said."""
    fit: float = 1.0
    """How well it explains the kind said, 0..1."""
    unsaid: int = 0
    """Characters of its name that nobody said."""
    exact: tuple[str, ...] = ()
    """The words that are its whole name."""
    online: bool = True
    """It can be reached."""

    @property
    def outdoor(self) -> bool:
        """Whether its name says it is outside: no answer to a question without a place."""
        name = self.device.name.lower()
        return any(word in name for word in ("outside", "outdoor", "室外", "户外", "外"))


def rows_of(query: QueryIR, quantity: Quantity, shortlist: HomeShortlist, view: HomeView) -> list[Row]:
    """A row for each device that explains the whole mention and can tell.

    The whole home's where nothing was named at all.
    """
    first: dict[str, DeviceCandidate] = {}
    for candidate in shortlist.candidates:
        if candidate.device_id in view.devices:
            first.setdefault(candidate.device_id, candidate)
    wide = any(t.kind == "type" and t.data.get("is") == "device" for t in query.target.tokens)
    found = [
        row
        for c in first.values()
        if not _lane(c, "missing") and (row := _row(c, query, quantity, view, wide=wide)) is not None
    ]
    anywhere = not any(t.text for t in query.target.tokens) and not query.references and not query.antecedents
    if not anywhere:
        return [*found, *_watching(found, query, quantity, shortlist, view)] or _stemmed(
            query, quantity, view
        )
    if found or not query.property or (quantity.state and not quantity.prefer and query.quantifier == "one"):
        return found
    excluded = {d.id for d in shortlist.dropped if d.stage == "exclude"}
    rows = (
        _row(DeviceCandidate.of(i), query, quantity, view, wide=True)
        for i in view.devices
        if i not in excluded
    )
    return [row for row in rows if row is not None]


def _watching(
    found: Sequence[Row], query: QueryIR, quantity: Quantity, shortlist: HomeShortlist, view: HomeView
) -> list[Row]:
    """Sensors called by the thing they watch: the contact of a window is asked about as the window."""
    types = [t for t in query.target.tokens if t.kind == "type"]
    if not types or any(t.data.get("is") == "device" for t in types):
        return []
    known = {r.device.id for r in found} | {d.id for d in shortlist.dropped if d.stage == "exclude"}
    rooms = {r.device.room_id for r in found if r.tier == 0}
    out: list[Row] = []
    for device in view.devices.values():
        if (
            "sensor" not in device.kinds
            or device.id in known
            or not all(_called(device, t, view) for t in query.target.tokens)
        ):
            continue
        if normalise(device.name) in surfaces("type") and device.room_id in rooms:
            continue  # a nameless sensor beside the thing itself tells the same twice
        told = _told(device, query, quantity, view, named=False)
        if told is not None and told[0] < FALLBACK:
            out.append(
                Row(
                    device,
                    told[1],
                    told[0],
                    registered=in_place(device, query, view),
                    unsaid=_unsaid(device, query, view),
                )
            )
    return out


def _called(device: Device, token: Token, view: HomeView) -> bool:
    """Whether a sensor's name or place explains the word."""
    names = [normalise(n) for n in (device.name, *device.aliases)]
    if token.kind in {"floor", "zone"} or (token.kind == "room" and device.room_id in token.refs):
        return _placed(device, token, view)
    words = [token.text]
    if token.kind == "type" and (not is_han(token.text[0]) or names[0] in surfaces("type")):
        words = [word for word, name in surfaces("type").items() if name == token.data.get("is")]
    return device.id in token.refs or any(_holds(name, word) for name in names for word in words)


def _placed(device: Device, token: Token, view: HomeView) -> bool:
    room = view.room(device.id)
    if token.kind == "room":
        return device.room_id in token.refs
    if token.kind == "floor":
        return room is not None and room.floor_id in token.refs
    return token.data.get("is") in {"home", "indoor"}


def _stemmed(query: QueryIR, quantity: Quantity, view: HomeView) -> list[Row]:
    """What is done names what does it: ``the print`` is the printer's."""
    words = [t.text for t in query.target.tokens]
    if (
        not words
        or quantity.state
        or any(t.kind != "word" or len(t.text) < 4 or not t.text.isascii() for t in query.target.tokens)
    ):
        return []
    meant = [
        d
        for d in view.devices.values()
        if all(any(n.startswith(w) for n in normalise(d.name).split()) for w in words)
    ]
    rows = (_row(DeviceCandidate.of(d.id), query, quantity, view, wide=False) for d in meant)
    return [row for row in rows if row is not None]


def in_place(device: Device, query: QueryIR, view: HomeView) -> bool:
    """Whether the device is registered in every place the mention names."""
    return all(_placed(device, t, view) for t in query.target.tokens if t.kind in {"room", "floor", "zone"})


def bare_type(token: Token, rows: Sequence[Row], whole: bool) -> bool:
    """Whether the word means a kind.

    Not where one device bears it as its whole name, unless a set is asked for.
    """
    return token.kind == "type" and (
        whole or bool(token.data.get("plural")) or not any(token.text in r.exact for r in rows)
    )


def _row(
    candidate: DeviceCandidate, query: QueryIR, quantity: Quantity, view: HomeView, *, wide: bool
) -> Row | None:
    device = view.devices[candidate.device_id]
    if wide and query.entity_mentions and "person" in device.kinds:
        return None
    exact = tuple(e.detail for e in candidate.evidence if e.lane == "name")
    named = bool(exact) and not wide
    told = _told(device, query, quantity, view, named=named)
    if told is None or (wide and quantity.state and told[0] > 0):
        return None
    types = {t.text for t in query.target.tokens if t.kind == "type"}
    fits = [
        e.score
        for e in candidate.evidence
        if e.detail in types and e.lane in {"type", "type.like", "name.part", "contains", "name"}
    ]
    lanes = {e.lane for e in candidate.evidence}
    return Row(
        device, told[1], told[0], named, "room.name" not in lanes or named, "area" in lanes, "type.like" in lanes, min(fits, default=1.0),
        _unsaid(device, query, view), exact,
    )  # fmt: skip


def _lane(candidate: DeviceCandidate, lane: str) -> str:
    return next((e.detail for e in candidate.evidence if e.lane == lane), "")


def _told(
    device: Device, query: QueryIR, quantity: Quantity, view: HomeView, *, named: bool
) -> tuple[int, Attribute] | None:
    """(tier, attribute) of the best answer the device has."""
    attributes = view.profile(device.id).attributes
    for tier, names in enumerate((quantity.tells, *((name,) for name in quantity.otherwise))):
        found = [
            a
            for name in names
            for a in attributes
            if a.quantity == name or (a.id == "state" and a.text == name)
        ]
        if found:
            fitting = [a for a in found if bool(a.unit) != query.yes_no]
            return (0 if tier == 0 else tier * 10, (fitting or found)[0])
    plain = next((a for a in attributes if a.quantity == "state" and not a.text), None)
    if plain is not None and "sensor" in device.kinds and _says_it(device, plain, query.property):
        return 5, plain
    if plain is not None and named:
        return 0, plain
    if attributes and (not query.property or (named and quantity.state)):
        return FALLBACK, attributes[0]
    return None


def _says_it(device: Device, plain: Attribute, asked: str) -> bool:
    """A sensor without a class says in its name, or by its unit, what it measures."""
    if asked == "temperature" and plain.unit.lower() in DEGREES:
        return True
    names = [normalise(n) for n in (device.name, *device.aliases)]
    return any(_holds(name, word) for word in _words(asked) for name in names)


def _holds(name: str, word: str) -> bool:
    return word in name if is_han(word[0]) else f" {word} " in f" {name} "


@lru_cache(maxsize=128)
def _words(asked: str) -> tuple[str, ...]:
    """What the quantity is called: its own name and its cues of more than one character."""
    cues = question_words()["cues"]
    said = [
        w
        for language in cues.values()
        for w in language.get(asked, ())
        if len(w) > 2 or (is_han(w[0]) and len(w) > 1)
    ]
    return tuple(dict.fromkeys([asked.replace("_", " "), *said])) if asked else ()


def _unsaid(device: Device, query: QueryIR, view: HomeView) -> int:
    """Characters of the name that neither the sentence nor the room says."""
    room = view.room(device.id)
    said = [fold(t.text) for t in query.tokens if t.kind not in {"mark", "filler"}] + (
        [fold(room.name)] if room else []
    )
    return min(_left(fold(name), said) for name in (device.name, *device.aliases))


def _left(name: str, said: Sequence[str]) -> int:
    for word in sorted(filter(None, said), key=len, reverse=True):
        if word in name:
            name = name.replace(word, "", 1)
        elif word.endswith("s") and word[:-1] in name:
            name = name.replace(word[:-1], "", 1)
    return len(name)
