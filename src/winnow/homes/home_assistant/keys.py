"""Equals of one device, such as the keys of a switch: which is the first, which the second."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from winnow.homes.home_assistant.entity import Entity
from winnow.homes.home_assistant.naming import device_name
from winnow.homes.traits import table
from winnow.language.numbers import find_numbers

_DIGITS = re.compile("[0-9]{1,6}")
_LATIN = re.compile("[a-z]+")


def places_of(entities: Iterable[Entity]) -> dict[str, int]:
    """Entity -> its place among its equals, from 1, where the names of all of them tell: left, middle, right.

    The order of a registry does not tell: it is that in which they were found.
    """
    equals: dict[tuple[str, str], list[Entity]] = defaultdict(list)
    for entity in entities:
        if entity.device_id and entity.own_name and not entity.category:
            equals[entity.device_id, entity.domain].append(entity)
    return {i: place for fellows in equals.values() for i, place in _places(fellows).items()}


def _places(fellows: Sequence[Entity]) -> dict[str, int]:
    told = {e.id: _said(e.own_name) for e in fellows}
    order = sorted({place for place in told.values() if place is not None})
    if len(fellows) < 2 or None in told.values() or len(order) < len(fellows):
        return {}
    return {i: order.index(place) + 1 for i, place in told.items() if place is not None}


def _said(own: str) -> int | None:
    """The place that the own name of an entity tells, in no unit; None when it tells none, or two."""
    name = own.casefold()
    numbers = {int(digits) for digits in _DIGITS.findall(name)[:2]}
    numbers = numbers or {int(n.value) for n in find_numbers(name) if float(n.value).is_integer()}
    found = numbers or _sides(name)
    return found.pop() if len(found) == 1 else None


def _sides(name: str) -> set[int]:
    """The sides a name tells, from left to right: a Latin word as a whole, a character anywhere."""
    said = {*_LATIN.findall(name), *name}
    sides: Sequence[Sequence[str]] = table("services")["sides"]
    return {at for at, words in enumerate(sides) if not said.isdisjoint(words)}


def in_order(entities: Sequence[Entity], places: Mapping[str, int]) -> list[Entity]:
    """The entities as they came, but equals in their order from where the first of them was."""
    first: dict[tuple[str, str], int] = {}
    for at, entity in enumerate(entities):
        first.setdefault(_equals(entity, places), at)
    return sorted(entities, key=lambda e: (first[_equals(e, places)], places.get(e.id, 0)))


def _equals(entity: Entity, places: Mapping[str, int]) -> tuple[str, str]:
    """What only its equals have in common with it."""
    return (entity.device_id, entity.domain) if entity.id in places else (entity.id, "")


def counted_names(entity: Entity, places: Mapping[str, int]) -> tuple[str, ...]:
    """Its aliases, and what a key is called by its number, ``Hall Switch 2``, where its name has none."""
    whole = device_name(entity.device)
    if entity.id not in places or _DIGITS.search(entity.own_name) or not whole:
        return entity.aliases
    return (*entity.aliases, f"{whole} {places[entity.id]}")
