"""Whose temperature a temperature is: not that of food unless it was named, and never that of light."""

from __future__ import annotations

from collections.abc import Iterator

from winnow.decide.everything import DEGREES
from winnow.decide.outcome import Deed
from winnow.decide.plan_checks.plan import Flaw, Plan, Step
from winnow.decide.situation import Situation
from winnow.language.lexicon import clusters, type_words
from winnow.language.normalise import is_han, normalise
from winnow.types.catalog import Device
from winnow.types.query import PLACE_KINDS, Token
from winnow.types.verdict import Refusal
from winnow.types.view import HomeView

COLOUR = "ColorTemperature"
"""The family of the temperature of light."""


def food_keeps_its_temperature(plan: Plan, situation: Situation) -> Iterator[Flaw]:
    """No temperature is set on a refrigerator, freezer or wine cooler that was not named."""
    for step in plan:
        struck = tuple(d for d in step.outcome.deeds if _sets_food(d, step, situation.view))
        if struck:
            device = situation.view.devices[struck[0].call.device_id]
            ids = tuple(d.call.device_id for d in struck)
            yield Flaw(Refusal("cools_food", {"name": device.name}, ids), struck)


def degrees_are_no_colour(plan: Plan, situation: Situation) -> Iterator[Flaw]:
    """What was said in degrees is set on nothing whose temperature is that of its light."""
    for step in plan:
        value = step.query.value
        if value is None or value.unit not in DEGREES:
            continue
        struck = tuple(d for d in step.outcome.deeds if d.command and d.command.trait.startswith(COLOUR))
        if struck:
            ids = tuple(d.call.device_id for d in struck)
            yield Flaw(Refusal("no_ability", {"name": situation.view.devices[ids[0]].name}, ids), struck)


def _sets_food(deed: Deed, step: Step, view: HomeView) -> bool:
    device = view.devices.get(deed.call.device_id)
    if device is None or deed.command is None or "Temperature" not in _family(deed.command.trait):
        return False
    whole = view.devices.get(device.part_of or "", device)
    if not (_cools_food(device) or _cools_food(whole)):
        return False
    return not any(_names(token, device, whole) for token in step.query.target.tokens)


def _family(trait: str) -> str:
    """``Temperature``, ``TemperatureLevel``; that of a colour is none."""
    family = trait.partition(".")[0]
    return "" if family == COLOUR else family


def _cools_food(device: Device) -> bool:
    """By its kind, or by a word of its name: an import may know it as no more than a thermostat."""
    if not _kinds().isdisjoint(device.kinds):
        return True
    return any(_tells_of_food(name) for name in (device.name, *device.aliases))


def _tells_of_food(name: str) -> bool:
    text = normalise(name)
    return any(
        word in text if is_han(word[0]) else f" {word} " in f" {text} "
        for word in clusters()["cooling_food"]["words"]
    )


def _names(token: Token, device: Device, whole: Device) -> bool:
    """Whether a word means this thing: its name, a part of that, or the kind of it."""
    if token.kind in PLACE_KINDS or token.kind == "group":
        return False
    if token.kind == "type":
        named, kinds = token.data.get("named"), type_words()[str(token.data["is"])].kinds
        refs = named if isinstance(named, tuple) else ()
        return not _kinds().isdisjoint(kinds) or not {device.id, whole.id}.isdisjoint(refs)
    return not {device.id, whole.id}.isdisjoint(token.refs) or normalise(token.text) in normalise(device.name)


def _kinds() -> frozenset[str]:
    return frozenset(clusters()["cooling_food"]["kinds"])
