"""The question before what is dangerous, too much or only guessed (law 7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from winnow.decide.batches import TOO_MANY
from winnow.decide.outcome import Deed
from winnow.decide.risk import CARRIERS, COOKING, THING
from winnow.effects.words import to_do
from winnow.say.messages import Told, message
from winnow.say.telling import placed_name
from winnow.types.catalog import Device
from winnow.types.dialogue import Language
from winnow.types.verdict import Call
from winnow.types.view import HomeView

ASKED = {
    "unlock": "confirm_unlock",
    "open_door": "confirm_open_door",
    "open_valve": "confirm_open_valve",
    "alarm": "confirm_siren",
    "disarm": "confirm_disarm",
    "heat": "confirm_heater",
    THING: "confirm_thing",
}
"""Risk -> the message that names it."""
ACTS_APART: Mapping[Language, str] = {"en": "; ", "zh": "；"}
NAMED = 5
"""Things named of what is done beside the danger, or was only guessed; of more it is told how many."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What one question is about: a yes does all of ``deeds``."""

    deeds: Sequence[Deed]
    many: int = 0
    """How many devices that are too many for one order; 0 where they are not."""
    guess: str = ""
    """What a model took the words for, if it had to."""
    meant: Sequence[Deed] = ()
    """Those of which it is not sure that their thing is meant."""


def confirmation(about: Asked, view: HomeView, language: Language) -> str:
    """The question that names how many devices are too many, what was guessed, and every danger.

    What is done along with the dangers is named before them.
    """
    deeds = about.deeds
    dangers = dict.fromkeys(d.danger for d in deeds)
    asked = [*_harmless(about, view, language), *(_danger(d, deeds, view, language) for d in dangers)]
    return " ".join(filter(None, asked))


def _harmless(about: Asked, view: HomeView, language: Language) -> Iterator[str]:
    """What is asked beside the dangers: are these not too many, was it understood, is this the thing."""
    deeds, many = about.deeds, about.many
    plain = [d for d in deeds if not d.danger and d not in about.meant]
    if many:
        yield _told(TOO_MANY, deeds, view, language, many)
    if about.guess:
        yield message("confirm_guess", language, said=about.guess, names=_names(deeds, view, language))
    elif plain and not many:
        yield _told("confirm_along", plain, view, language)
    if about.meant:
        yield message("confirm_meant", language, names=_names(about.meant, view, language))


def _told(code: str, deeds: Sequence[Deed], view: HomeView, language: Language, count: int = 0) -> str:
    """What is done to how many of which kind, and of many the first by name."""
    acts = Told(_acts([d.call for d in deeds], view, language))
    names = _names(deeds, view, language) if len(deeds) > NAMED else []
    return message(code, language, count=count or None, acts=acts, names=names)


def _acts(calls: Sequence[Call], view: HomeView, language: Language, most: int = NAMED) -> str:
    """What is done to what, every act of it."""
    return ACTS_APART[language].join(to_do(calls, view, language, most))


def _danger(danger: str, deeds: Sequence[Deed], view: HomeView, language: Language) -> str:
    """The question about one danger, with the name of everything that bears it."""
    bearing = [d.call for d in deeds if danger and d.danger == danger]
    ids = list(dict.fromkeys(call.device_id for call in bearing))
    if danger == THING:
        acts = _acts(bearing, view, language, len(ids))
        return message(ASKED[danger], language, act=Told(acts))
    if len(ids) > 1:
        names = [placed_name(i, view, language) for i in ids]
        return message(ASKED[danger], language, name=names)
    return _one(danger, ids[0], view, language) if ids else ""


def _one(danger: str, device_id: str, view: HomeView, language: Language) -> str:
    """The question about the danger of one thing."""
    device, room = view.devices[device_id], view.room(device_id)
    code = "confirm_oven" if danger == "heat" and _is_no_heating(device) else ASKED[danger]
    return message(code, language, name=device.name, room=room.name if room else None)


def _is_no_heating(device: Device) -> bool:
    """Whether it gets hot and heats no room: an oven, a kettle, what hangs on a plug."""
    return not COOKING.isdisjoint(device.kinds) or not CARRIERS.isdisjoint(device.kinds[:1])


def _names(deeds: Sequence[Deed], view: HomeView, language: Language) -> list[str]:
    """The things these are done to, with their rooms; of many the first, and how many more there are."""
    ids = list(dict.fromkeys(d.call.device_id for d in deeds))
    names = [placed_name(i, view, language) for i in ids[:NAMED]]
    more = len(ids) - len(names)
    return [*names, message("more", language, count=more)] if more else names
