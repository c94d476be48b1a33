"""What an entity can tell, what that measures, and where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from winnow.homes.evidence import kinds_by_name
from winnow.homes.fields import scalar
from winnow.homes.home_assistant.entity import Entity
from winnow.homes.home_assistant.naming import device_name
from winnow.homes.home_assistant.services import AttributesOf
from winnow.homes.traits import home_assistant_state, table
from winnow.homes.where import where_by_kinds, where_by_words
from winnow.types.catalog import Attribute, Command, Where


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What else tells where an entity measures: kinds of what it is a part of, names that say no more."""

    kinds: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    """Names of rooms and floors: ``Water Street`` is no water."""


def attributes_of(
    entity: Entity, commands: Sequence[Command], around: Surroundings, degrees: str = ""
) -> tuple[Attribute, ...]:
    """What the entity can tell: its state, the attributes it has, and those its commands imply."""
    names: Mapping[str, Any] = table("services")
    units = names["units"] | dict.fromkeys(("temperature", "current_temperature"), degrees)
    own = {name for name in entity.attributes if name in names["attributes"]}
    implied = {names["implied"][c.key] for c in commands if c.key in names["implied"]}
    told = (_attribute(entity, name, units.get(name, ""), around) for name in sorted(own | implied))
    return (_state(entity, around), *told)


def _attribute(entity: Entity, name: str, unit: str, around: Surroundings) -> Attribute:
    quantities: Mapping[str, str] = table("services")["attributes"]
    quantity = quantities.get(f"{entity.domain}.{name}") or quantities[name]
    where = _where(entity, name, quantity, around)
    return Attribute(name, quantity, text=name.replace("_", " "), unit=unit, where=where)


def _state(entity: Entity, around: Surroundings) -> Attribute:
    """What the entity's own state tells."""
    quantity = home_assistant_state(entity.domain, entity.device_class)
    return Attribute(
        id="state",
        quantity=quantity,
        text=entity.device_class.replace("_", " "),
        unit=str(entity.attributes.get("unit_of_measurement") or ""),
        where=_where(entity, "state", quantity, around),
    )


def _where(entity: Entity, attribute: str, quantity: str, around: Surroundings) -> Where:
    """Where it measures: as its names say, else as things of its domain do, else as what it belongs to."""
    if quantity == "setpoint" or (entity.domain == "number" and entity.device_class == "temperature"):
        return "setpoint"
    if quantity not in table("where")["measured"]:
        return ""
    told = where_by_words(_texts(entity, around), entity.own_name)
    usual: Where = table("services")["where"].get(f"{entity.domain}.{attribute}", "")
    if usual:
        return "water" if told == "water" else usual
    if told or quantity != "temperature":
        return told
    # A thermometer that does not say: what only its maker wants to know is within the machine.
    if entity.category == "diagnostic":
        return "appliance"
    of_device, _ = kinds_by_name([device_name(entity.device)])
    return where_by_kinds((*around.kinds, *of_device))


def _texts(entity: Entity, around: Surroundings) -> tuple[str, ...]:
    """What may say where it measures, without the names of rooms."""
    key = entity.entry.text("translation_key").replace("_", " ")
    full = entity.name
    for place in around.places:
        full = full.replace(place, " ")
    return (entity.own_name, entity.entry.text("original_name"), key, full)


def states_of(entity: Entity) -> dict[str, Any]:
    """Attribute id -> raw value, of all attributes that can be read."""
    return values_of(entity.state, entity.attributes)


def values_of(state: str, attributes: Mapping[str, object]) -> dict[str, Any]:
    """The same of a state as it was told, whatever entity it is of."""
    known: AttributesOf = table("services")["attributes"]
    told = {n: scalar(v) for n, v in attributes.items() if n in known and v is not None and v != ""}
    return {"state": state} | told
