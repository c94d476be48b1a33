"""What a device could answer, and why: the best of a short list of reasons.

It tells the very thing asked, or the next best; its name or its unit says that it measures it; it is what was
asked for by name.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple, cast

from winnow.decide.gate import NOT_ROOM_CLIMATE
from winnow.language.lexicon import Quantity, holds_word, question_words, surfaces
from winnow.language.normalize import fold, is_han, normalise
from winnow.language.tables import table
from winnow.types.candidate import DeviceCandidate, HomeShortlist
from winnow.types.home import Attribute, Device, HomeView, Where
from winnow.types.query import (
    DEVICE_KINDS,
    PLACE_KINDS,
    Quantifier,
    QueryIR,
    Token,
    has_kind,
    of_kind,
    without_kind,
)

# What a reading is of: a room's air, the air outside, water, the inside of a machine; and what was asked.


INDOOR_AIR: frozenset[Where] = frozenset({"", "indoor"})
"""What a reading of a room is of."""
WATER_KINDS = frozenset({"water_heater", "kettle"})
OUTSIDE = "outdoor"


def measured_place(device: Device, attribute: Attribute) -> Where:
    """What the attribute is a reading of, by what is known of it, else by what its device is."""
    if attribute.where:
        return attribute.where
    if attribute.quantity == "setpoint":
        return "setpoint"
    if not NOT_ROOM_CLIMATE.isdisjoint(device.kinds):
        return "appliance" if WATER_KINDS.isdisjoint(device.kinds) else "water"
    return "outdoor" if is_called_outdoor(device) else ""


def is_called_outdoor(device: Device) -> bool:
    """Whether its name says that it is outside."""
    name = device.name.lower()
    return any(word in name for word in _word_list_of_where("outdoor"))


def place_in_question(texts: Sequence[str], mention: Sequence[Token]) -> Where | None:
    """What is asked of: the air ``outdoor``, ``water``, a room (empty); None of a thing that was named.

    ``texts`` are the words of the question or condition.
    """
    if any(t.data.get("is") == OUTSIDE for t in mention) or not _OUT.isdisjoint(texts):
        return "outdoor"
    if any(word in text for word in _word_list_of_where("water") for text in texts):
        return "water"
    return None if has_kind(mention, *DEVICE_KINDS) else ""


_OUT = frozenset({"室外", "外面", "户外", "外头", "屋外", "outside", "outdoors", "outdoor"})


def is_reading_of(asked: Where | None, device: Device, attribute: Attribute) -> bool:
    """Whether a reading of one thing tells what was asked of another: no outdoor air is that of a room."""
    told = measured_place(device, attribute)
    if asked is None:
        return told not in {"outdoor", "setpoint"}
    if asked == "outdoor":
        return told in {"outdoor", ""}
    if asked == "water":
        return told == "water"
    # A sensor outdoors is that of the place it stands in, a balcony or a garden.
    of_its_room = "sensor" in device.kinds and not device.part_of and not is_called_outdoor(device)
    return told in INDOOR_AIR or (told == "outdoor" and of_its_room)


def _word_list_of_where(name: str) -> Sequence[str]:
    return cast("Mapping[str, Sequence[str]]", table("winnow.decide", "reads.yaml"))[name]


NEXT_BEST_TIER = 10
"""Tiers between one quantity that tells what is asked and the next."""
CLASSLESS_TIER = 5
"""Tier of a sensor without a class that says what it measures: after what tells it, before the next best."""
FALLBACK_TIER = 90
"""Tier of what tells nothing of the kind, but was asked for by its whole name."""


@dataclass(frozen=True)
class StateQuestion:
    """What is asked, of which home."""

    query: QueryIR
    quantity: Quantity
    view: HomeView

    @cached_property
    def anywhere(self) -> bool:
        """Whether no thing and no place was named."""
        return not any(t.text for t in self.query.target.tokens)

    @cached_property
    def asked_of(self) -> Where | None:
        """What is asked of: a room's air, that outside, water; None of a thing that was named."""
        return place_in_question([t.text for t in self.query.tokens], self.query.target.tokens)

    @cached_property
    def asks_all(self) -> bool:
        """Whether it is asked of every device (``which devices are on``)."""
        return any(t.data.get("is") == "device" for t in self.types)

    @cached_property
    def types(self) -> tuple[Token, ...]:
        """The words that name a kind."""
        return tuple(of_kind(self.query.target.tokens, "type"))

    @cached_property
    def sentence_words(self) -> tuple[str, ...]:
        """The words of the sentence, folded."""
        return tuple(fold(t.text) for t in without_kind(self.query.tokens, "mark", "filler"))


class AttributeAnswer(NamedTuple):
    """One attribute that answers."""

    tier: int
    """0: tells the very thing asked; more: the next best."""
    attribute: Attribute


def best_answer(device: Device, question: StateQuestion, *, named: bool) -> AttributeAnswer | None:
    """The best answer the device has; ``named`` when its whole name was said."""
    attributes: Sequence[Attribute] = question.view.profile(device.id).attributes
    if question.quantity.ambient and not named:
        attributes = [a for a in attributes if is_reading_of(question.asked_of, device, a)]
    return (
        _measuring_answer(attributes, question)
        or _plain_answer(device, attributes, question, named)
        or _first_answer(attributes, question, named)
    )


def _measuring_answer(attributes: Sequence[Attribute], question: StateQuestion) -> AttributeAnswer | None:
    """What tells the quantity asked for, else the first that tells it otherwise."""
    quantity = question.quantity
    for place, names in enumerate((quantity.tells, *((name,) for name in quantity.otherwise))):
        found = [a for name in names for a in attributes if _tells(a, name)]
        if found:
            # yes or no is told without a unit, an amount with one
            suited = (a for a in found if bool(a.unit) != question.query.yes_no)
            return AttributeAnswer(place * NEXT_BEST_TIER, next(suited, found[0]))
    return None


def _tells(attribute: Attribute, name: str) -> bool:
    """Whether it is of this quantity, or of this class of the source that no table knows."""
    return attribute.quantity == name or (attribute.id == "state" and attribute.text == name)


def _plain_answer(
    device: Device, attributes: Sequence[Attribute], question: StateQuestion, named: bool
) -> AttributeAnswer | None:
    """A plain state, which tells what the name of the device says it does."""
    plain = next((a for a in attributes if a.quantity == "state" and not a.text), None)
    if plain is None:
        return None
    if "sensor" in device.kinds and _name_tells(device, plain, question.query.property):
        return AttributeAnswer(CLASSLESS_TIER, plain)
    return AttributeAnswer(0, plain) if named else None


def _first_answer(
    attributes: Sequence[Attribute], question: StateQuestion, named: bool
) -> AttributeAnswer | None:
    """What it tells first, if nothing in particular is asked; or only a state, of what was named."""
    if not attributes:
        return None
    if not question.query.property or (named and question.quantity.state):
        return AttributeAnswer(FALLBACK_TIER, attributes[0])
    return None


def _name_tells(device: Device, plain: Attribute, asked: str) -> bool:
    """A sensor without a class says in its name, or by its unit, what it measures."""
    if asked == "temperature" and plain.unit.lower() in word_list("degrees"):
        return True
    names = [normalise(n) for n in (device.name, *device.aliases)]
    return any(name_contains(name, word) for word in quantity_names(asked) for name in names)


def name_contains(name: str, word: str) -> bool:
    """Whether a name has the word in it: anywhere in Chinese, else as a whole word."""
    return holds_word(name, word) if is_han(word[0]) else f" {word} " in f" {name} "


@lru_cache(maxsize=128)
def quantity_names(asked: str) -> tuple[str, ...]:
    """What the quantity is called: its own name, and its cues that are too long to mean anything else."""
    if not asked:
        return ()
    cues = [cue for language in question_words()["cues"].values() for cue in language.get(asked, ())]
    long = [c for c in cues if len(c) > (1 if is_han(c[0]) else 2)]
    return tuple(dict.fromkeys([asked.replace("_", " "), *long]))


def word_list(name: str) -> Sequence[str]:
    """A list of words of ``decide/reads.yaml``."""
    return cast("Mapping[str, Sequence[str]]", table("winnow.decide", "reads.yaml"))[name]


# What each device of a shortlist could tell of the quantity asked for.


KIND_LANES = frozenset({"type", "type.like", "name.part", "contains", "name"})
"""Evidence that a device is of the kind said."""


@dataclass(frozen=True, slots=True)
class AnswerRow:
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
        """Whether it tells of the air outside: no answer to a question without a place."""
        return measured_place(self.device, self.attribute) == "outdoor"


def rows_of(question: StateQuestion, shortlist: HomeShortlist) -> list[AnswerRow]:
    """A row for each device that explains the whole mention and can tell.

    The whole home's where nothing was named at all.
    """
    excluded = {d.id for d in shortlist.dropped if d.stage == "exclude"}
    found = _rows(_explaining(shortlist, question.view), question, wide=question.asks_all)
    if question.quantity.ambient and question.asked_of:
        return _outdoor_or_water_rows(question, found, excluded)
    return _with_named_sensors(question, shortlist, found, excluded)


def _with_named_sensors(
    question: StateQuestion, shortlist: HomeShortlist, found: list[AnswerRow], excluded: Collection[str]
) -> list[AnswerRow]:
    """What was found, with the sensors named after it, and the whole home's where nothing was named."""
    query = question.query
    if not question.anywhere or query.references or query.antecedents:
        told = [*found, *_watching(found, question, excluded)]
        return told or _parts(shortlist, question) or _rows(_done_by(question), question)
    if found or not _of_the_home(question):
        return found
    return _rows(_all_candidates(question.view, excluded), question, wide=True)


def _outdoor_or_water_rows(
    question: StateQuestion, found: list[AnswerRow], excluded: Collection[str]
) -> list[AnswerRow]:
    """What tells of the air outside or of water, wherever it stands."""
    known = {*excluded, *(r.device.id for r in found)}
    others = _rows(_all_candidates(question.view, known), question)
    rows = [
        *found,
        *(r for r in others if measured_place(r.device, r.attribute) and _in_its_room(r, question)),
    ]
    measured = [r for r in rows if "weather" not in r.device.kinds]  # a sensor before a forecast
    rows = measured or rows
    return _parts_of_named(rows, question) or [r for r in rows if r.device.part_of is None] or rows


def _parts_of_named(rows: list[AnswerRow], question: StateQuestion) -> list[AnswerRow]:
    """The parts of what was named tell it before any other sensor does, and that before another's part."""
    whole = {ref for t in question.query.target.tokens if t.kind == "name" for ref in t.refs}
    return [r for r in rows if r.device.part_of in whole]


def _in_its_room(row: AnswerRow, question: StateQuestion) -> bool:
    rooms = (t for t in question.query.target.tokens if t.kind == "room")
    return all(_in_named_places(row.device, t, question.view) for t in rooms)


def _of_the_home(question: StateQuestion) -> bool:
    """Whether a question that names nothing may be put to the whole home; ``is it on`` may not."""
    query, quantity = question.query, question.quantity
    if not query.property:
        return False
    return not quantity.state or bool(quantity.prefer) or query.quantifier is not Quantifier.ONE


def _all_candidates(view: HomeView, excluded: Collection[str]) -> list[DeviceCandidate]:
    spoken = (d.id for d in view.devices.values() if d.reach == "spoken")
    return [DeviceCandidate.of(i) for i in spoken if i not in excluded]


def _explaining(shortlist: HomeShortlist, view: HomeView) -> list[DeviceCandidate]:
    """Each device once, as it was found first, if no word of the mention is left over by it."""
    first: dict[str, DeviceCandidate] = {}
    for candidate in shortlist.candidates:
        if candidate.device_id in view.devices:
            first.setdefault(candidate.device_id, candidate)
    return [c for c in first.values() if not any(e.lane == "missing" and e.detail for e in c.evidence)]


def _rows(
    candidates: Iterable[DeviceCandidate], question: StateQuestion, *, wide: bool = False
) -> list[AnswerRow]:
    rows: list[AnswerRow] = []
    for candidate in candidates:
        device = question.view.devices[candidate.device_id]
        exact = tuple(e.detail for e in candidate.evidence if e.lane == "name")
        named = bool(exact) and not wide
        answer = _among_all(device, question) if wide else best_answer(device, question, named=named)
        if answer is None:
            continue
        lanes = {e.lane for e in candidate.evidence}
        row = AnswerRow(
            device,
            answer.attribute,
            answer.tier,
            named=named,
            registered=named or "room.name" not in lanes,
            here="area" in lanes,
            kin="type.like" in lanes,
            fit=_fit(candidate, question),
            unsaid=_unsaid(device, question),
            exact=exact,
        )
        rows.append(row)
    return rows


def _among_all(device: Device, question: StateQuestion) -> AttributeAnswer | None:
    """The answer to what is asked of every device: of states only the very one, and people are no devices."""
    if question.query.entity_mentions and "person" in device.kinds:
        return None
    answer = best_answer(device, question, named=False)
    if answer is None or (question.quantity.state and answer.tier > 0):
        return None
    return answer


def _fit(candidate: DeviceCandidate, question: StateQuestion) -> float:
    """How well the device explains the kinds said: as well as the one it explains worst."""
    types = {t.text for t in question.types}
    found = (e.score for e in candidate.evidence if e.detail in types and e.lane in KIND_LANES)
    return min(found, default=1.0)


def _parts(shortlist: HomeShortlist, question: StateQuestion) -> list[AnswerRow]:
    """The parts of what was named that tell the very thing: the battery of a lock is a device of its own."""
    whole = {c.device_id for c in _explaining(shortlist, question.view)}
    parts = [DeviceCandidate.of(d.id) for d in question.view.devices.values() if d.part_of in whole]
    return [row for row in _rows(parts, question) if row.tier == 0]


# sensors called by the thing they watch: the contact of a window is asked about as the window


def _watching(
    found: Sequence[AnswerRow], question: StateQuestion, excluded: Collection[str]
) -> list[AnswerRow]:
    if not question.types or question.asks_all:
        return []
    known = {r.device.id for r in found}.union(excluded)
    rooms = {r.device.room_id for r in found if r.tier == 0}
    others = (question.view.devices[c.device_id] for c in _all_candidates(question.view, known))
    return [row for d in others if (row := _watcher(d, question, rooms)) is not None]


def _watcher(device: Device, question: StateQuestion, rooms: Collection[str | None]) -> AnswerRow | None:
    """The row of a sensor that the mention names as the thing it watches; ``rooms`` are told already."""
    names = [normalise(n) for n in (device.name, *device.aliases)]
    tokens = question.query.target.tokens
    if "sensor" not in device.kinds or not all(_explains(device, names, t, question.view) for t in tokens):
        return None
    if device.room_id in rooms and normalise(device.name) in surfaces("type"):
        return None  # beside the thing itself it tells the same twice
    answer = best_answer(device, question, named=False)
    if answer is None or answer.tier >= FALLBACK_TIER:
        return None
    registered = in_place(device, question.query, question.view)
    unsaid = _unsaid(device, question)
    return AnswerRow(device, answer.attribute, answer.tier, registered=registered, unsaid=unsaid)


def _explains(device: Device, names: Sequence[str], token: Token, view: HomeView) -> bool:
    if token.kind in PLACE_KINDS and _in_named_places(device, token, view):
        return True
    if token.kind in {"floor", "zone"}:
        return False  # unlike a room, these stand in no name
    if device.id in token.refs:
        return True
    said: Sequence[str] = (token.text,)
    # a Chinese name holds the word as it was said, an English one any word for the same kind
    if token.kind == "type" and (not is_han(token.text[0]) or names[0] in surfaces("type")):
        said = _words_for(str(token.data.get("is")))
    return any(name_contains(name, word) for name in names for word in said)


@lru_cache(maxsize=256)
def _words_for(kind: str) -> tuple[str, ...]:
    """Every word of the lexicon for a kind."""
    return tuple(word for word, name in surfaces("type").items() if name == kind)


def _in_named_places(device: Device, token: Token, view: HomeView) -> bool:
    room = view.room(device.id)
    if token.kind == "room":
        return device.room_id in token.refs
    if token.kind == "floor":
        return room is not None and room.floor_id in token.refs
    return token.data.get("is") in {"home", "indoor"}


def in_place(device: Device, query: QueryIR, view: HomeView) -> bool:
    """Whether the device is registered in every place the mention names."""
    return all(_in_named_places(device, t, view) for t in of_kind(query.target.tokens, *PLACE_KINDS))


def _done_by(question: StateQuestion) -> list[DeviceCandidate]:
    """What is done names what does it: ``the print`` is the printer's."""
    tokens = question.query.target.tokens
    if not tokens or question.quantity.state or not all(_stem(t) for t in tokens):
        return []
    doers = (d for d in question.view.devices.values() if _begin_with(d, [t.text for t in tokens]))
    return [DeviceCandidate.of(d.id) for d in doers]


def _stem(token: Token) -> bool:
    """Whether words may be made of it; short ones begin too many."""
    return token.kind == "word" and len(token.text) >= 4 and token.text.isascii()


def _begin_with(device: Device, stems: Sequence[str]) -> bool:
    """Whether every stem begins some word of the name."""
    parts = normalise(device.name).split()
    return all(any(part.startswith(stem) for part in parts) for stem in stems)


def bare_type(token: Token, rows: Sequence[AnswerRow], whole: bool) -> bool:
    """Whether the word means a kind.

    Not where one device bears it as its whole name, unless a set is asked for.
    """
    if token.kind != "type":
        return False
    return whole or bool(token.data.get("plural")) or not any(token.text in r.exact for r in rows)


def _unsaid(device: Device, question: StateQuestion) -> int:
    """Characters of the name that neither the sentence nor the room says."""
    room = question.view.room(device.id)
    said = [*question.sentence_words, fold(room.name)] if room else question.sentence_words
    longest_first = sorted(filter(None, said), key=len, reverse=True)
    left = []
    for name in (device.name, *device.aliases):
        rest = fold(name)
        for word in longest_first:
            singular = word[:-1] if word.endswith("s") and word not in rest else word
            rest = rest.replace(singular, "", 1)
        left.append(len(rest))
    return min(left)
