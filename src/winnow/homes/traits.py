"""From vendors' words to canonical kinds, traits and quantities: ``traits.yaml`` and ``services.yaml``."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any, cast

from winnow.text import tables
from winnow.types.catalog import Parameter

HOUSEKEEPING = "Housekeeping"
"""Trait of commands that serve the installation and are never offered to a person."""

Table = Mapping[str, Any]


def table(name: str = "traits") -> Table:
    """The data of ``traits.yaml`` or ``services.yaml``, read once."""
    return cast("Table", tables.table("winnow.homes", f"{name}.yaml"))


def with_parents(kinds: Iterable[str]) -> tuple[str, ...]:
    """The kinds, then their more general kinds, each once."""
    specific = tuple(dict.fromkeys(kinds))
    parents: Mapping[str, list[str]] = table()["parents"]
    return tuple(dict.fromkeys((*specific, *(p for kind in specific for p in parents.get(kind, ())))))


def smartthings_trait(capability: str, command: str, siblings: Collection[str] = ()) -> str:
    """The trait of ``capability.command`` in a profile that has the ``siblings`` capabilities.

    Empty when no table knows it.
    """
    names: Table = table()["smartthings"]
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
    return str(known) if known else _setter(command)


def smartthings_by_value(capability: str, command: str) -> Mapping[str, str]:
    """Value -> trait of a command that does several things by its value; empty for all others."""
    names: Mapping[str, Mapping[str, str]] = table()["smartthings"]["by_value"]
    return names.get(f"{capability}-{command}") or {}


def _setter(command: str) -> str:
    """``setFilterLife`` -> ``FilterLife.Set``; empty for what is no setter."""
    subject = command[3:]
    return f"{subject}.Set" if command.startswith("set") and subject[:1].isupper() else ""


def smartthings_quantity(capability: str, attribute: str) -> str:
    """What the attribute tells; empty when no table knows it."""
    names: Mapping[str, str] = table()["smartthings"]["attributes"]
    return names.get(f"{capability}-{attribute}") or names.get(
        f"{capability.rpartition('.')[2]}-{attribute}", ""
    )


def smartthings_kinds(categories: Iterable[str], capabilities: Collection[str] = ()) -> tuple[str, ...]:
    """Kinds by declared categories; by capabilities where no category is known.

    ``("device",)`` when nothing tells.
    """
    names: Table = table()["smartthings"]
    found = [kind for category in categories for kind in names["categories"].get(category, ())]
    if not found:
        found = next(
            (
                kinds
                for capability, kinds in names["kinds_by_capability"].items()
                if capability in capabilities
            ),
            [],
        )
    return with_parents(found) or ("device",)


def neutral_trait(category: str, method: str, text: str = "") -> str:
    """The trait of a neutral home's method, by its name, else by its description.

    A setter nobody listed becomes ``Property.Set``; else empty.
    """
    names: Mapping[str, str] = table()["neutral"]["methods"]
    kinds = neutral_kinds(category)
    owners = (f"{owner}." for owner in (category, *kinds))
    known = next((names[owner + method] for owner in (*owners, "") if owner + method in names), "")
    words = method.removeprefix("set_").split("_") if method.startswith("set_") else []
    return known or _setter("set" + "".join(map(str.capitalize, words))) or _described(kinds, text)


def _described(kinds: Collection[str], text: str) -> str:
    """The trait of a command without parameters that such things have and that is described so."""
    services: Mapping[str, Iterable[Table]] = table("services")["services"]
    alike = (rows for domain, rows in services.items() if set(home_assistant_kinds(domain, "")) & set(kinds))
    said = text.strip().casefold()
    told = (row for rows in alike for row in rows if said and "parameter" not in row)
    return next((str(row["trait"]) for row in told if said in row["text"].split(" / ")), "")


def neutral_quantity(category: str, attribute: str, traits: Iterable[str] = ()) -> str:
    """What the attribute tells of a device with commands of these traits; empty when no table knows it.

    The ``temperature`` of what sets one is what was asked for, that of anything else is measured.
    """
    names: Table = table()["neutral"]
    asked = (names["asked_for"].get(trait, {}).get(attribute) for trait in traits)
    owned = (
        names["attributes"].get(f"{owner}.{attribute}") for owner in (category, *neutral_kinds(category))
    )
    known = next(filter(None, (*asked, *owned)), "")
    called_so = attribute if attribute in table()["smartthings"]["attributes"].values() else ""
    return str(known or names["attributes"].get(attribute) or called_so)


def neutral_kinds(category: str) -> tuple[str, ...]:
    """Kinds of a neutral category: a listed one, or the category itself when it is a kind.

    Else ``("device",)``.
    """
    names: Table = table()
    return with_parents(
        names["neutral"]["categories"].get(category)
        or ([category] if category in names["kinds"] else ["device"])
    )


def home_assistant_kinds(domain: str, device_class: str) -> tuple[str, ...]:
    """Kinds of an entity; ``("device",)`` for domains nobody listed."""
    names: Mapping[str, list[str]] = table("services")["kinds"]
    return tuple(names.get(f"{domain}.{device_class}") or names.get(domain) or ["device"])


def home_assistant_state(domain: str, device_class: str) -> str:
    """What the entity's own state tells; ``state`` when no table knows."""
    names: Mapping[str, str] = table("services")["state"]
    return names.get(f"{domain}.{device_class}") or names.get(domain) or "state"


def plausible(trait: str, kinds: Iterable[str], unit: str = "C") -> tuple[float, float] | None:
    """Limits for a setting whose source gives none: setpoints by kind (``unit`` C, F, or empty.

    Either), others by trait; or None.
    """
    names: Table = table()
    if trait != "Temperature.Set":
        limits = names["plausible"].get(trait)
        return (float(limits[0]), float(limits[1])) if limits else None
    by_kind = names["plausible_celsius"]
    low, high = next((by_kind[kind] for kind in kinds if kind in by_kind), by_kind["device"])
    return float(low if unit != "F" else _fahrenheit(low)), float(high if unit == "C" else _fahrenheit(high))


def _fahrenheit(celsius: float) -> float:
    return celsius * 9 / 5 + 32


WARMEST_ROOM = 28.0
"""A room heating whose declared minimum (Celsius) lies above this has a boiler's limits; its own are taken
instead."""


def limited(parameter: Parameter, trait: str, kinds: Iterable[str]) -> Parameter:
    """The parameter, with plausible limits where it has none or only a boiler's (docs/decisions/0010)."""
    if parameter.kind != "number":
        return parameter
    unit = parameter.unit.strip("°").upper()
    warmest = _fahrenheit(WARMEST_ROOM) if unit == "F" else WARMEST_ROOM
    if trait == "Temperature.Set" and "heating" in kinds and (parameter.minimum or 0) > warmest:
        return replace(parameter, minimum=plausible(trait, ["heating"], unit)[0])  # type: ignore[index]
    if parameter.minimum is not None or parameter.maximum is not None:
        return parameter
    limits = plausible(trait, kinds, unit)
    return replace(parameter, minimum=limits[0], maximum=limits[1]) if limits else parameter
