"""The shortest question between devices or between acts, and names that come near (seed 000 §3.1.3)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from winnow.act.effects.danger import danger_of_command
from winnow.decide.bulk import capability_name
from winnow.language.lexicon import clusters, kind_words, surfaces
from winnow.language.messages import message
from winnow.language.naming import placed_name
from winnow.types.candidate import HomeShortlist
from winnow.types.home import Device, HomeView
from winnow.types.query import QueryIR
from winnow.types.retrieval import Attempt
from winnow.types.utterance import LanguageCode
from winnow.types.verdict import Act, Call, Clarify, Confirm, Option, Refusal, Verdict, named_calls

# Two ways to understand one sentence that would do different things: one closed question that names both

READING_CHOICE = "reading"
"""What the options of such a question differ in."""
MAX_NAMED_THINGS = 3
"""Things named of what one reading would do."""


def with_reading_question(attempts: Sequence[Attempt], view: HomeView) -> Attempt:
    """The first attempt, with a question in the place of its verdict where another would do something else.

    Readings that come to the same calls in this home are one; one that comes to nothing is no rival.
    """
    first, *others = attempts
    if not isinstance(first.verdict, Act | Confirm):
        return first
    distinct = {_call_keys(first.verdict): first}
    for one in others:
        if isinstance(one.verdict, Act | Confirm):
            distinct.setdefault(_call_keys(one.verdict), one)
    if len(distinct) == 1:
        return first
    rivals = tuple(distinct.values())
    language = first.reading.language
    options = []
    for number, one in enumerate(rivals):
        calls = named_calls(one.verdict)
        ids = tuple(dict.fromkeys(call.device_id for call in calls))
        options.append(Option("; ".join(_act_phrases(calls, view, language)), ids, str(number)))
    text = message("which_reading", language, options=[o.label for o in options])
    return replace(first, verdict=Clarify(text, tuple(options), READING_CHOICE), rivals=rivals)


def _call_keys(verdict: Verdict) -> frozenset[tuple[str, str, str]]:
    return frozenset((c.device_id, c.command_id, repr(c.arguments)) for c in named_calls(verdict))


def _act_phrases(calls: Sequence[Call], view: HomeView, language: LanguageCode) -> list[str]:
    """What is done to what, one phrase for each act."""
    things: dict[str, list[str]] = {}
    for call in calls:
        command = None
        if call.device_id in view.devices:
            commands = view.profile(call.device_id).commands
            command = next((c for c in commands if c.id == call.command_id), None)
        deed = act_phrase(capability_name(command), language) if command else message("act_run", language)
        values = " ".join(str(v) for v in call.arguments.values())
        things.setdefault(f"{deed} {values}".strip(), []).append(placed_name(call.device_id, view, language))
    return [
        message("act_of", language, act=deed, names=names[:MAX_NAMED_THINGS])
        if len(names) <= MAX_NAMED_THINGS
        else message("act_of_many", language, act=deed, names=names[:MAX_NAMED_THINGS], count=len(names))
        for deed, names in things.items()
    ]


MAX_OPTIONS = 5
"""Options of one question."""
DeviceLabel = Callable[[Device], str]


def device_question(
    query: QueryIR, devices: Sequence[Device], view: HomeView, language: LanguageCode
) -> Clarify:
    """Two to five options by room, name, kind or floor, each one device.

    Whatever separates the candidates with the fewest words. Of more than five the likeliest are offered, and
    any of the others may be named.
    """
    by, labels = _distinguishing_labels(devices, view, language)
    what = query.entity_mentions[-1] if query.entity_mentions else query.target.text
    options = tuple(Option(label, (d.id,)) for d, label in zip(devices, labels, strict=False))
    text = message(f"which_{by}", language, what=what, options=labels)
    more = tuple(d.id for d in devices[len(options) :])
    if more:
        text = " ".join((message("more_to_choose", language, count=len(devices)), text))
    return Clarify(text, options, by, more=more)


def _distinguishing_labels(
    devices: Sequence[Device], view: HomeView, language: LanguageCode
) -> tuple[str, list[str]]:
    """What the options differ in, and how each is called."""
    ways: dict[str, DeviceLabel] = {
        "room": lambda d: _room_label(d, view),
        "name": lambda d: d.name,
        "floor": lambda d: floor.name if (floor := view.floor(d.id)) else "",
        "kind": lambda d: _kind_label(d, language),
        "one": lambda d: _full_label(d, view),
    }
    if len(devices) > MAX_OPTIONS:  # a room of one of those shown may be that of another which is not
        ways = {"one": ways["one"]}
    shown = devices[:MAX_OPTIONS]
    for by, label in ways.items():
        labels = [label(d) for d in shown]
        if "" not in labels and len(set(labels)) == len(labels):
            return by, labels
    return "one", _numbered_labels(
        [f"{_full_label(d, view)} {_kind_label(d, language)}".strip() for d in shown]
    )


def _numbered_labels(labels: Sequence[str]) -> list[str]:
    """The labels, those that are alike with a number."""
    seen: Counter[str] = Counter()
    out: list[str] = []
    for label in labels:
        seen[label] += 1
        out.append(f"{label} ({seen[label]})" if labels.count(label) > 1 else label)
    return out


def _kind_label(device: Device, language: LanguageCode) -> str:
    """The word for what it is."""
    words = kind_words(language)
    return next((words[kind] for kind in device.kinds if kind in words), "")


def _full_label(device: Device, view: HomeView) -> str:
    """The room and the name, which may tell the room itself."""
    room = _room_label(device, view)
    return device.name if not room or device.name.startswith(room) else f"{room} {device.name}"


def _room_label(device: Device, view: HomeView) -> str:
    room = view.room(device.id)
    return room.name if room else ""


# A refusal of what the home does not have names what comes near.


ABSENCE_CODES = frozenset({"no_device", "not_understood"})
"""Refusals that say that the home has no such thing."""


def with_near_matches(refusal: Refusal, shortlist: HomeShortlist, view: HomeView) -> Refusal:
    """The refusal with the devices and scenes nearest in meaning.

    A lock, valve, door or alarm is named only where it is the nearest.
    """
    if refusal.code not in ABSENCE_CODES:
        return refusal
    near: list[str] = []
    for number, candidate in enumerate(shortlist.near):
        thing = candidate.device_id
        commands = view.profile(thing).commands if thing in view.devices else ()
        if not number or not any(danger_of_command(c.trait) for c in commands):
            near.append(thing)
    return replace(refusal, near=tuple(near))


# The closed question what a set is to do, in a person's words, and what is said when it does not help.


NEED_CLARIFICATION = "need_clarification"
BE_SPECIFIC = "be_more_specific"
_PLAIN_ACTION_NAMES = """
Open Close Start Stop Pause Resume Lock Unlock Toggle Play Next Previous Dock
Switch.On Switch.Off Mode.On Mode.Off Alarm.On Alarm.Off
"""
PLAIN_ACTIONS = frozenset(_PLAIN_ACTION_NAMES.split())
"""What is done alike to whatever it is done to; on and off only where the whole thing goes on and off."""
_CAPITALS = re.compile(r"(?<!^)(?=[A-Z])")


def act_question(options: Sequence[Option], language: LanguageCode) -> Clarify:
    """The closed question what to do; it is answered by the index of an option."""
    named = tuple(replace(o, label=act_phrase(o.capability, language)) for o in options)
    text = message("which_action", language, options=[o.label for o in named])
    return Clarify(text, named, "action", (NEED_CLARIFICATION,))


def representatives(options: Sequence[Option], most: int) -> tuple[str, ...]:
    """Up to ``most`` devices, those of every option in turn."""
    depth = max((len(o.device_ids) for o in options), default=0)
    return tuple(o.device_ids[n] for n in range(depth) for o in options if n < len(o.device_ids))[:most]


def question_after_model(ask: Clarify, outcome: str) -> Clarify:
    """The question to the person after a model was asked in vain.

    With the model's own wording where it gave one. The hint tells.
    """
    if outcome:
        return replace(ask, question=outcome, hints=(*ask.hints, "arbitration_asks"))
    return replace(ask, hints=(*ask.hints, "arbitration_failed"))


def act_phrase(capability: str, language: LanguageCode) -> str:
    """What a capability does in a person's word.

    Its plain verb, the setting it changes, the verb that means it, its name.
    """
    does = capability.rpartition(".")[2]
    if {does, capability} & PLAIN_ACTIONS:
        return message(f"act_{does.lower()}", language)
    for section, canonical in _act_meanings(capability):
        for word, meaning in surfaces(section, language).items():
            if meaning == canonical:
                return word
    return _CAPITALS.sub(" ", capability).replace(".", "").lower()


def _act_meanings(capability: str) -> Iterator[tuple[str, str]]:
    """(section, word's meaning) of what the capability may be called, best first."""
    tables, family = clusters(), capability.partition(".")[0]
    properties, actions = tables["properties"].items(), tables["actions"].items()
    yield from (("property", name) for name, traits in properties if traits[0].partition(".")[0] == family)
    yield from (("verb", name) for name, traits in actions if traits[0] == capability)
    yield from (("property", name) for name, traits in properties if capability in traits)
