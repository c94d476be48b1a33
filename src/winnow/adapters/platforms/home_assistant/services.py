"""Commands and attributes of a Home Assistant entity, by its flags, modes and lists (``services.yaml``)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from winnow.adapters.platforms.home_assistant.entity import HomeAssistantEntity, device_name
from winnow.adapters.platforms.json_rows import as_scalar
from winnow.adapters.platforms.traits import (
    home_assistant_state,
    kinds_by_name,
    place_by_kinds,
    place_by_words,
    platform_table,
    with_plausible_limits,
)
from winnow.types.home import Attribute, Choice, Command, Parameter, Where

AttributesOf = Mapping[str, Any]
"""The attributes of one entity's state, as Home Assistant gives them."""

_MAX_CELSIUS = 45
"""A room or setpoint number above this can only be Fahrenheit."""


def entity_commands(
    domain: str, attributes: AttributesOf, kinds: Sequence[str], degrees: str = ""
) -> tuple[Command, ...]:
    """The commands the entity supports, by its flags, modes and lists.

    ``degrees`` is the home's unit: C, F or unknown.
    """
    entries: Sequence[Mapping[str, Any]] = platform_table("services")["services"].get(domain, ())
    return tuple(
        _command(entry, domain, attributes, kinds, degrees)
        for entry in entries
        if _service_applies(entry.get("when"), attributes)
    )


def _service_applies(when: Any, attributes: AttributesOf) -> bool:
    """Whether the condition, or one of the conditions, holds."""
    if isinstance(when, list):
        return any(_service_applies(one, attributes) for one in when)
    return all(_condition_holds(test, wanted, attributes) for test, wanted in (when or {}).items())


def _condition_holds(test: str, wanted: Any, attributes: AttributesOf) -> bool:
    flags = attributes.get("supported_features")
    bits = flags if isinstance(flags, int) else 0
    device_class = attributes.get("device_class")
    tests: dict[str, Callable[[], bool]] = {
        "flag": lambda: bool(bits & wanted == wanted),
        "any_flag": lambda: bool(bits & wanted),
        "modes": lambda: bool(
            set(platform_table("services")["modes"][wanted])
            & set(_scalar_list(attributes, "supported_color_modes"))
        ),
        "list": lambda: bool(_scalar_list(attributes, wanted)),
        "has": lambda: all(value in _scalar_list(attributes, name) for name, value in wanted.items()),
        "class": lambda: device_class in wanted,
        "not_class": lambda: device_class not in wanted,
    }
    return tests[test]()


def _scalar_list(attributes: AttributesOf, name: str) -> list[Any]:
    """The attribute's scalars when it is a list, else nothing."""
    value = attributes.get(name)
    return [x for x in value if isinstance(x, (str, int, float))] if isinstance(value, list) else []


def _command(
    entry: Mapping[str, Any], domain: str, attributes: AttributesOf, kinds: Sequence[str], degrees: str
) -> Command:
    shape = entry.get("parameter")
    return Command(
        id=entry["id"].replace("$domain", domain),
        trait=entry["trait"],
        text=entry["text"],
        parameters=(with_plausible_limits(_parameter(shape, attributes, degrees), entry["trait"], kinds),)
        if shape
        else (),
        fixed=entry.get("fixed", {}),
    )


def _parameter(shape: Mapping[str, Any], attributes: AttributesOf, degrees: str) -> Parameter:
    low, high = (_number(attributes.get(name)) for name in shape.get("limits", ("", "")))
    values = shape.get("choices", ())
    choices = _scalar_list(attributes, values) if isinstance(values, str) else values
    unit = shape.get("unit", "")
    return Parameter(
        name=shape["name"],
        kind=shape["kind"],
        minimum=low if low is not None else shape.get("min"),
        maximum=high if high is not None else shape.get("max"),
        unit=degrees if unit == "temperature" else unit,
        choices=tuple(Choice(value) for value in dict.fromkeys(choices)),
        scale=shape.get("scale", 1.0),
        step=_number(attributes.get(shape.get("step", ""))),
    )


def _number(value: object) -> float | None:
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def temperature_unit(entities: Iterable[tuple[str, AttributesOf]]) -> str:
    """``F`` or ``C``, the home's unit by its (domain, attributes); empty when nothing tells.

    Home Assistant keeps one unit for the whole home and does not put it into thermostats: their numbers tell,
    else thermometers' units.
    """
    known = tuple(entities)
    if any(
        degrees > _MAX_CELSIUS
        for domain, a in known
        if domain == "climate"
        for degrees in _thermostat_temperatures(a)
    ):
        return "F"
    units = {
        _temperature_unit_of(a)[-1:].upper()
        for domain, a in known
        if domain == "weather" or a.get("device_class") == "temperature"
    }
    units &= {"C", "F"}
    return units.pop() if len(units) == 1 else ""


def _thermostat_temperatures(thermostat: AttributesOf) -> Iterator[float]:
    """The temperatures a thermostat names."""
    for name in ("min_temp", "current_temperature", "temperature"):
        if (degrees := _number(thermostat.get(name))) is not None:
            yield degrees


def _temperature_unit_of(attributes: AttributesOf) -> str:
    return str(attributes.get("unit_of_measurement") or attributes.get("temperature_unit") or "")


# What an entity can tell, what that measures, and where.


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What else tells where an entity measures: kinds of what it is a part of, names that say no more."""

    kinds: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    """Names of rooms and floors: ``Water Street`` is no water."""


def entity_attributes(
    entity: HomeAssistantEntity, commands: Sequence[Command], around: Surroundings, degrees: str = ""
) -> tuple[Attribute, ...]:
    """What the entity can tell: its state, the attributes it has, and those its commands imply."""
    names: Mapping[str, Any] = platform_table("services")
    units = names["units"] | dict.fromkeys(("temperature", "current_temperature"), degrees)
    own = {name for name in entity.attributes if name in names["attributes"]}
    implied = {names["implied"][c.key] for c in commands if c.key in names["implied"]}
    told = (_attribute(entity, name, units.get(name, ""), around) for name in sorted(own | implied))
    return (_state_attribute(entity, around), *told)


def _attribute(entity: HomeAssistantEntity, name: str, unit: str, around: Surroundings) -> Attribute:
    quantities: Mapping[str, str] = platform_table("services")["attributes"]
    quantity = quantities.get(f"{entity.domain}.{name}") or quantities[name]
    where = _measuring_place(entity, name, quantity, around)
    return Attribute(name, quantity, text=name.replace("_", " "), unit=unit, where=where)


def _state_attribute(entity: HomeAssistantEntity, around: Surroundings) -> Attribute:
    """What the entity's own state tells."""
    quantity = home_assistant_state(entity.domain, entity.device_class)
    return Attribute(
        id="state",
        quantity=quantity,
        text=entity.device_class.replace("_", " "),
        unit=str(entity.attributes.get("unit_of_measurement") or ""),
        where=_measuring_place(entity, "state", quantity, around),
    )


def _measuring_place(
    entity: HomeAssistantEntity, attribute: str, quantity: str, around: Surroundings
) -> Where:
    """Where it measures: as its names say, else as things of its domain do, else as what it belongs to."""
    if quantity == "setpoint" or (entity.domain == "number" and entity.device_class == "temperature"):
        return "setpoint"
    if quantity not in platform_table("where")["measured"]:
        return ""
    told = place_by_words(_place_texts(entity, around), entity.own_name)
    usual: Where = platform_table("services")["where"].get(f"{entity.domain}.{attribute}", "")
    if usual:
        return "water" if told == "water" else usual
    if told or quantity != "temperature":
        return told
    # A thermometer that does not say: what only its maker wants to know is within the machine.
    if entity.category == "diagnostic":
        return "appliance"
    of_device, _ = kinds_by_name([device_name(entity.device)])
    return place_by_kinds((*around.kinds, *of_device))


def _place_texts(entity: HomeAssistantEntity, around: Surroundings) -> tuple[str, ...]:
    """What may say where it measures, without the names of rooms."""
    key = entity.entry.text("translation_key").replace("_", " ")
    full = entity.name
    for place in around.places:
        full = full.replace(place, " ")
    return (entity.own_name, entity.entry.text("original_name"), key, full)


def entity_states(entity: HomeAssistantEntity) -> dict[str, Any]:
    """Attribute id -> raw value, of all attributes that can be read."""
    return state_values(entity.state, entity.attributes)


def state_values(state: str, attributes: Mapping[str, object]) -> dict[str, Any]:
    """The same of a state as it was told, whatever entity it is of."""
    known: AttributesOf = platform_table("services")["attributes"]
    told = {n: as_scalar(v) for n, v in attributes.items() if n in known and v is not None and v != ""}
    return {"state": state} | told
