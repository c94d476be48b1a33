"""The shortest question that tells the candidates apart, the place first (seed 000 §3.1.3)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from winnow.act.effects.danger import danger_of_command
from winnow.language.lexicon import clusters, kind_words, surfaces
from winnow.language.messages import message
from winnow.language.normalize import is_han
from winnow.types.candidate import HomeShortlist
from winnow.types.home import Device, HomeView
from winnow.types.query import QueryIR
from winnow.types.utterance import Language
from winnow.types.verdict import Clarify, Option, Refusal

MOST = 5
"""Options of one question."""
Label = Callable[[Device], str]


def question(query: QueryIR, devices: Sequence[Device], view: HomeView, language: Language) -> Clarify:
    """Two to five options by room, name, kind or floor, each one device.

    Whatever separates the candidates with the fewest words. Of more than five the likeliest are offered, and
    any of the others may be named.
    """
    by, labels = _told_apart(devices, view, language)
    what = query.entity_mentions[-1] if query.entity_mentions else query.target.text
    options = tuple(Option(label, (d.id,)) for d, label in zip(devices, labels, strict=False))
    text = message(f"which_{by}", language, what=what, options=labels)
    more = tuple(d.id for d in devices[len(options) :])
    if more:
        text = " ".join((message("more_to_choose", language, count=len(devices)), text))
    return Clarify(text, options, by, more=more)


def _told_apart(devices: Sequence[Device], view: HomeView, language: Language) -> tuple[str, list[str]]:
    """What the options differ in, and how each is called."""
    ways: dict[str, Label] = {
        "room": lambda d: _room(d, view),
        "name": lambda d: d.name,
        "floor": lambda d: floor.name if (floor := view.floor(d.id)) else "",
        "kind": lambda d: _kind(d, language),
        "one": lambda d: _in_full(d, view),
    }
    if len(devices) > MOST:  # a room of one of those shown may be that of another which is not
        ways = {"one": ways["one"]}
    shown = devices[:MOST]
    for by, label in ways.items():
        labels = [label(d) for d in shown]
        if "" not in labels and len(set(labels)) == len(labels):
            return by, labels
    return "one", _numbered([f"{_in_full(d, view)} {_kind(d, language)}".strip() for d in shown])


def _numbered(labels: Sequence[str]) -> list[str]:
    """The labels, those that are alike with a number."""
    seen: Counter[str] = Counter()
    out: list[str] = []
    for label in labels:
        seen[label] += 1
        out.append(f"{label} ({seen[label]})" if labels.count(label) > 1 else label)
    return out


def _kind(device: Device, language: Language) -> str:
    """The word for what it is."""
    words = kind_words(language)
    return next((words[kind] for kind in device.kinds if kind in words), "")


def _in_full(device: Device, view: HomeView) -> str:
    """The room and the name, which may tell the room itself."""
    room = _room(device, view)
    return device.name if not room or device.name.startswith(room) else f"{room} {device.name}"


def _room(device: Device, view: HomeView) -> str:
    room = view.room(device.id)
    return room.name if room else ""


# A refusal of what the home does not have names what comes near.


ABSENT = frozenset({"no_device", "not_understood"})
"""Refusals that say that the home has no such thing."""


def naming_near(refusal: Refusal, shortlist: HomeShortlist, view: HomeView) -> Refusal:
    """The refusal with the devices and scenes nearest in meaning.

    A lock, valve, door or alarm is named only where it is the nearest.
    """
    if refusal.code not in ABSENT:
        return refusal
    near: list[str] = []
    for number, candidate in enumerate(shortlist.near):
        thing = candidate.device_id
        commands = view.profile(thing).commands if thing in view.devices else ()
        if not number or not any(danger_of_command(c.trait) for c in commands):
            near.append(thing)
    return replace(refusal, near=tuple(near))


# The closed question what a set is to do, in a person's words, and what is said when it does not help.


UNCLEAR = "need_clarification"
SPECIFIC = "be_more_specific"
_PLAIN = """
Open Close Start Stop Pause Resume Lock Unlock Toggle Play Next Previous Dock
Switch.On Switch.Off Mode.On Mode.Off Alarm.On Alarm.Off
"""
PLAIN = frozenset(_PLAIN.split())
"""What is done alike to whatever it is done to; on and off only where the whole thing goes on and off."""
_CAPITALS = re.compile(r"(?<!^)(?=[A-Z])")


def which_action(options: Sequence[Option], language: Language) -> Clarify:
    """The closed question what to do; it is answered by the index of an option."""
    named = tuple(replace(o, label=act(o.capability, language)) for o in options)
    text = message("which_action", language, options=[o.label for o in named])
    return Clarify(text, named, "action", (UNCLEAR,))


def representatives(options: Sequence[Option], most: int) -> tuple[str, ...]:
    """Up to ``most`` devices, those of every option in turn."""
    depth = max((len(o.device_ids) for o in options), default=0)
    return tuple(o.device_ids[n] for n in range(depth) for o in options if n < len(o.device_ids))[:most]


def asked_anyway(ask: Clarify, outcome: str) -> Clarify:
    """The question to the person after a model was asked in vain.

    With the model's own wording where it gave one. The hint tells.
    """
    if outcome:
        return replace(ask, question=outcome, hints=(*ask.hints, "arbitration_asks"))
    return replace(ask, hints=(*ask.hints, "arbitration_failed"))


def act(capability: str, language: Language) -> str:
    """What a capability does in a person's word.

    Its plain verb, the setting it changes, the verb that means it, its name.
    """
    does = capability.rpartition(".")[2]
    if {does, capability} & PLAIN:
        return message(f"act_{does.lower()}", language)
    for section, canonical in _meaning(capability):
        for word, meaning in surfaces(section).items():
            if meaning == canonical and is_han(word[0]) == (language == "zh"):
                return word
    return _CAPITALS.sub(" ", capability).replace(".", "").lower()


def _meaning(capability: str) -> Iterator[tuple[str, str]]:
    """(section, word's meaning) of what the capability may be called, best first."""
    tables, family = clusters(), capability.partition(".")[0]
    properties, actions = tables["properties"].items(), tables["actions"].items()
    yield from (("property", name) for name, traits in properties if traits[0].partition(".")[0] == family)
    yield from (("verb", name) for name, traits in actions if traits[0] == capability)
    yield from (("property", name) for name, traits in properties if capability in traits)
