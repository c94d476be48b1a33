"""From vendors' words to canonical kinds, traits, quantities, floors and places (``*.yaml``)."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, replace
from functools import cache, lru_cache
from typing import Any, cast

from winnow.language import tables
from winnow.language.kinds import head
from winnow.language.normalize import is_han, normalise
from winnow.types.home import HOUSEKEEPING, Attribute, Command, Floor, Parameter, Profile, Where

# Profiles for homes whose source has none: devices that can do and tell the same share one.


def shared_profile(label: str, commands: tuple[Command, ...], attributes: tuple[Attribute, ...]) -> Profile:
    """A profile whose id is ``label`` and a digest of its content, so equal content has an equal id."""
    return Profile(f"{label}:{content_digest(commands, attributes)}", commands, attributes)


def content_digest(commands: tuple[Command, ...], attributes: tuple[Attribute, ...]) -> str:
    """Twelve letters that tell this content from any other."""
    content = json.dumps(
        [[asdict(c) for c in commands], [asdict(a) for a in attributes]], ensure_ascii=False, sort_keys=True
    )
    return hashlib.blake2b(content.encode(), digest_size=6).hexdigest()


TableData = Mapping[str, Any]


def platform_table(name: str = "traits") -> TableData:
    """The data of ``traits.yaml`` or ``services.yaml``, read once."""
    return cast("TableData", tables.table("winnow.adapters.platforms", f"{name}.yaml"))


def with_parents(kinds: Iterable[str]) -> tuple[str, ...]:
    """The kinds, then their more general kinds, each once."""
    specific = tuple(dict.fromkeys(kinds))
    parents: Mapping[str, list[str]] = platform_table()["parents"]
    return tuple(dict.fromkeys((*specific, *(p for kind in specific for p in parents.get(kind, ())))))


def smartthings_trait(capability: str, command: str, siblings: Collection[str] = ()) -> str:
    """The trait of ``capability.command`` in a profile that has the ``siblings`` capabilities.

    Empty when no table knows it.
    """
    names: TableData = platform_table()["smartthings"]
    if capability in names["housekeeping"]:
        return HOUSEKEEPING
    key, plain = f"{capability}-{command}", f"{capability.rpartition('.')[2]}-{command}"
    for rule in names["context"]:
        if (
            rule["command"] == key
            and set(rule["with"]) & set(siblings)
            and not set(rule["without"]) & set(siblings)
        ):
            return str(rule["trait"])
    known = names["commands"].get(key) or names["commands"].get(plain)
    return str(known) if known else _setter_trait(command)


def smartthings_by_value(capability: str, command: str) -> Mapping[str, str]:
    """Value -> trait of a command that does several things by its value; empty for all others."""
    names: Mapping[str, Mapping[str, str]] = platform_table()["smartthings"]["by_value"]
    return names.get(f"{capability}-{command}") or {}


def _setter_trait(command: str) -> str:
    """``setFilterLife`` -> ``FilterLife.Set``; empty for what is no setter."""
    subject = command[3:]
    return f"{subject}.Set" if command.startswith("set") and subject[:1].isupper() else ""


def smartthings_quantity(capability: str, attribute: str) -> str:
    """What the attribute tells; empty when no table knows it."""
    names: Mapping[str, str] = platform_table()["smartthings"]["attributes"]
    return names.get(f"{capability}-{attribute}") or names.get(
        f"{capability.rpartition('.')[2]}-{attribute}", ""
    )


def neutral_trait(category: str, method: str, text: str = "") -> str:
    """The trait of a neutral home's method, by its name, else by its description.

    A setter nobody listed becomes ``Property.Set``; else empty.
    """
    names: Mapping[str, str] = platform_table()["neutral"]["methods"]
    kinds = neutral_kinds(category)
    owners = (f"{owner}." for owner in (category, *kinds))
    known = next((names[owner + method] for owner in (*owners, "") if owner + method in names), "")
    words = method.removeprefix("set_").split("_") if method.startswith("set_") else []
    return (
        known
        or _setter_trait("set" + "".join(map(str.capitalize, words)))
        or _trait_by_description(kinds, text)
    )


def _trait_by_description(kinds: Collection[str], text: str) -> str:
    """The trait of a command without parameters that such things have and that is described so."""
    services: Mapping[str, Iterable[TableData]] = platform_table("services")["services"]
    alike = (rows for domain, rows in services.items() if set(home_assistant_kinds(domain, "")) & set(kinds))
    said = text.strip().casefold()
    told = (row for rows in alike for row in rows if said and "parameter" not in row)
    return next((str(row["trait"]) for row in told if said in row["text"].split(" / ")), "")


def neutral_quantity(category: str, attribute: str, traits: Iterable[str] = ()) -> str:
    """What the attribute tells of a device with commands of these traits; empty when no table knows it.

    The ``temperature`` of what sets one is what was asked for, that of anything else is measured.
    """
    names: TableData = platform_table()["neutral"]
    asked = (names["asked_for"].get(trait, {}).get(attribute) for trait in traits)
    owned = (
        names["attributes"].get(f"{owner}.{attribute}") for owner in (category, *neutral_kinds(category))
    )
    known = next(filter(None, (*asked, *owned)), "")
    called_so = attribute if attribute in platform_table()["smartthings"]["attributes"].values() else ""
    return str(known or names["attributes"].get(attribute) or called_so)


def neutral_kinds(category: str) -> tuple[str, ...]:
    """Kinds of a neutral category: a listed one, or the category itself when it is a kind.

    Else ``("device",)``.
    """
    names: TableData = platform_table()
    return with_parents(
        names["neutral"]["categories"].get(category)
        or ([category] if category in names["kinds"] else ["device"])
    )


def home_assistant_kinds(domain: str, device_class: str) -> tuple[str, ...]:
    """Kinds of an entity; ``("device",)`` for domains nobody listed."""
    names: Mapping[str, list[str]] = platform_table("services")["kinds"]
    return tuple(names.get(f"{domain}.{device_class}") or names.get(domain) or ["device"])


def home_assistant_state(domain: str, device_class: str) -> str:
    """What the entity's own state tells; ``state`` when no table knows."""
    names: Mapping[str, str] = platform_table("services")["state"]
    return names.get(f"{domain}.{device_class}") or names.get(domain) or "state"


def plausible_limits(trait: str, kinds: Iterable[str], unit: str = "C") -> tuple[float, float] | None:
    """Limits for a setting whose source gives none: setpoints by kind (``unit`` C, F, or empty.

    Either), others by trait; or None.
    """
    names: TableData = platform_table()
    if trait != "Temperature.Set":
        limits = names["plausible"].get(trait)
        return (float(limits[0]), float(limits[1])) if limits else None
    by_kind = names["plausible_celsius"]
    low, high = next((by_kind[kind] for kind in kinds if kind in by_kind), by_kind["device"])
    return float(low if unit != "F" else _fahrenheit(low)), float(high if unit == "C" else _fahrenheit(high))


def _fahrenheit(celsius: float) -> float:
    return celsius * 9 / 5 + 32


MAX_ROOM_CELSIUS = 28.0
"""A room heating whose declared minimum (Celsius) lies above this has a boiler's limits; its own are taken
instead."""


def with_plausible_limits(parameter: Parameter, trait: str, kinds: Iterable[str]) -> Parameter:
    """The parameter, with plausible limits where it has none or only a boiler's (docs/decisions/0010)."""
    if parameter.kind != "number":
        return parameter
    unit = parameter.unit.strip("°").upper()
    warmest = _fahrenheit(MAX_ROOM_CELSIUS) if unit == "F" else MAX_ROOM_CELSIUS
    if trait == "Temperature.Set" and "heating" in kinds and (parameter.minimum or 0) > warmest:
        return replace(parameter, minimum=plausible_limits(trait, ["heating"], unit)[0])  # type: ignore[index]
    if parameter.minimum is not None or parameter.maximum is not None:
        return parameter
    limits = plausible_limits(trait, kinds, unit)
    return replace(parameter, minimum=limits[0], maximum=limits[1]) if limits else parameter


# What a name tells of a thing: its kind (``language.heads``).


def kinds_by_name(names: Iterable[str]) -> tuple[tuple[str, ...], str]:
    """The kinds that the first telling name tells, most specific first, and the reason: ``name kettle``.

    ``((), "")`` when no name tells. Of a carrier what hangs on it: ``("kettle",)`` for ``Kettle Plug``.
    """
    known = platform_table()["kinds"]
    for told in filter(None, map(head, names)):
        if told.what in known:
            return with_parents([told.what]), f"name {told.word}"
    return (), ""


# What people call floors.


def _usual_floor_names(level: int, language: str) -> list[str]:
    """The usual names of a level in one language, the proper one first."""
    known: Mapping[str, list[str]] = platform_table()["floors"].get(level, {})
    if language in known:
        return list(known[language])
    if language == "zh":
        return [f"{level}楼", f"{level}层"] if level > 0 else [f"地下{-level}层", f"负{-level}楼"]
    return [f"floor {level}"]


def floor_of_level(level: int, language: str) -> Floor:
    """The floor ``floor:<level>`` with its usual names in both languages, that of ``language`` first."""
    other = "en" if language == "zh" else "zh"
    name, *rest = _usual_floor_names(level, language)
    return Floor(
        id=f"floor:{level}", name=name, aliases=(*rest, *_usual_floor_names(level, other)), level=level
    )


@lru_cache(maxsize=1024)
def level_of_name(name: str) -> int | None:
    """The level a floor of this name is on: 2 for ``Second Floor``, ``二楼`` and ``二樓``.

    None when the name does not say.
    """
    said = name.strip().lower().replace("樓", "楼").replace("層", "层")
    for level in platform_table()["floors"]:
        names = [n.lower() for language in ("zh", "en") for n in _usual_floor_names(level, language)]
        if said in names or (len(said) == 1 and f"{said}楼" in names):
            return int(level)
    return None


def with_usual_names(floors: Iterable[Floor]) -> tuple[Floor, ...]:
    """The floors with the levels their names tell, and the usual other names that no other floor has."""
    levelled = [f if f.level is not None else replace(f, level=level_of_name(f.name)) for f in floors]
    taken = {name.lower() for f in levelled for name in (f.name, *f.aliases)}
    return tuple(_with_usual_aliases(f, taken) for f in levelled)


def _with_usual_aliases(floor: Floor, taken: set[str]) -> Floor:
    """The floor with the usual names of the level its own name says.

    A floor called otherwise keeps only its own names.
    """
    level = level_of_name(floor.name)
    if level is None:
        return floor
    usual = [
        name
        for language in ("zh", "en")
        for name in _usual_floor_names(level, language)
        if name.lower() not in taken
    ]
    return replace(floor, aliases=(*floor.aliases, *usual))


# Where a reading is taken, by its names and the thing it belongs to (``where.yaml``).


def place_by_words(texts: Iterable[str], own: str) -> Where:
    """What the first telling text says: ``室外温度`` outdoor, ``Water temperature`` water; else empty.

    ``own`` is the text that is about the sensor alone: only there ``floor`` means what is stood on, not a
    storey.
    """
    for text in texts:
        said = normalise(text)
        for where, pattern in _place_patterns().items():
            if pattern.search(said) and (where != "surface" or text == own):
                return where
    return ""


def place_by_kinds(kinds: Iterable[str]) -> Where:
    """Where a sensor of such a thing measures: in a refrigerator, the water of a water heater."""
    known: Mapping[str, Where] = platform_table("where")["kinds"]
    return next((known[kind] for kind in kinds if kind in known), "")


@cache
def _place_patterns() -> Mapping[Where, re.Pattern[str]]:
    words: Mapping[Where, list[str]] = platform_table("where")["words"]
    return {
        where: re.compile("|".join(re.escape(w) if is_han(w[0]) else rf"\b{re.escape(w)}\b" for w in listed))
        for where, listed in words.items()
    }
