"""The question before what is dangerous, too much or only guessed (law 7)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from winnow.act.effects.commands import command_of
from winnow.act.effects.words import to_do
from winnow.decide.outcome import TOO_MANY, Deed, Sentence, Situation
from winnow.decide.score import CARRIERS, COOKING, THING, risk
from winnow.language.messages import Told, message
from winnow.language.naming import placed_name
from winnow.types.home import HomeView
from winnow.types.plan import Answer, Rules
from winnow.types.utterance import Language
from winnow.types.verdict import Call, Refusal

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
    # What gets hot and heats no room is asked about as an oven: a kettle, what hangs on a plug.
    is_oven = not COOKING.isdisjoint(device.kinds) or not CARRIERS.isdisjoint(device.kinds[:1])
    code = "confirm_oven" if danger == "heat" and is_oven else ASKED[danger]
    return message(code, language, name=device.name, room=room.name if room else None)


def _names(deeds: Sequence[Deed], view: HomeView, language: Language) -> list[str]:
    """The things these are done to, with their rooms; of many the first, and how many more there are."""
    ids = list(dict.fromkeys(d.call.device_id for d in deeds))
    names = [placed_name(i, view, language) for i in ids[:NAMED]]
    more = len(ids) - len(names)
    return [*names, message("more", language, count=more)] if more else names


# What is done about danger where a person set it: a yes first, done like anything else, or never done.


def ruled(sentence: Sentence, situation: Situation) -> Sentence:
    """The sentence without what is never done, which is told; of the rest it is known what wants a yes."""
    parts = []
    for part in sentence.parts:
        kept, never = kept_and_never(part.deeds, situation.limits.rules, situation.view)
        parts.append(replace(part, deeds=kept, refused=(*part.refused, *never)))
    return Sentence(tuple(parts))


def ruled_call(
    call: Call, rules: Rules, view: HomeView, said: Collection[str] = ()
) -> tuple[str, Answer | None]:
    """The danger of a call (empty: none), and what is done about it (None: it is done like anything else).

    ``said`` are the kinds that were named.
    """
    device = view.devices.get(call.device_id)
    command = command_of(call, view.profile(call.device_id)) if device else None
    danger = risk(command, device, call, said) if device and command else ""
    answer = answer_for(call.device_id, danger, rules, view)
    return (danger or THING if answer else danger), (None if answer == "allow" else answer)


def answer_for(thing_id: str, danger: str, rules: Rules, view: HomeView) -> Answer | None:
    """What is done about that danger of that device or scene; None where nothing is dangerous.

    ``never`` wins over everything else, then what is said of the thing, then what is said of the danger.
    """
    thing = view.devices.get(thing_id) or view.scenes.get(thing_id)
    names = dict.fromkeys((thing_id, thing.name if thing else thing_id))
    told = [rules.things[name] for name in names if name in rules.things]
    general = rules.dangers.get(danger, "ask") if danger else None
    if "never" in (*told, general):
        return "never"
    if told:
        return "ask" if "ask" in told else "allow"
    return general


def never_done(thing_id: str, danger: str, view: HomeView) -> Refusal:
    """Why it is not done, naming the thing and the danger."""
    thing = view.devices.get(thing_id) or view.scenes.get(thing_id)
    name = thing.name if thing else thing_id
    return Refusal("not_allowed", {"name": name, "danger": danger or THING}, (thing_id,))


def kept_and_never(
    deeds: Sequence[Deed], rules: Rules, view: HomeView
) -> tuple[tuple[Deed, ...], tuple[Refusal, ...]]:
    """The deeds that may be done, each with the danger that is asked about, and why the others never are."""
    kept, never = [], []
    for deed in deeds:
        thing = deed.call.device_id
        answer = answer_for(thing, deed.danger, rules, view)
        if answer == "never":
            never.append(never_done(thing, deed.danger, view))
        else:
            # Nothing is asked where a person allowed it.
            kept.append(replace(deed, danger=(deed.danger or THING) if answer == "ask" else ""))
    return tuple(kept), tuple(never)


# What has to be asked before calls that no sentence led to, and what of them is never done.


@dataclass(frozen=True, slots=True)
class Before:
    """The question, empty where there is none, and what is never done."""

    question: str = ""
    never: tuple[Refusal, ...] = ()


def question_before(calls: Sequence[Call], rules: Rules, view: HomeView, language: Language) -> Before:
    """What has to be asked before these are carried out in that home."""
    found = []
    for call in calls:
        device = view.devices.get(call.device_id)
        command = command_of(call, view.profile(call.device_id)) if device else None
        danger = risk(command, device, call) if device and command else ""
        found.append(Deed(call, command, danger=danger))
    deeds, never = kept_and_never(found, rules, view)
    risky = any(d.danger for d in deeds)
    return Before(confirmation(Asked(deeds), view, language) if risky else "", never)
