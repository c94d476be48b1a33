"""Which services a Home Assistant entity really has, and with which parameters (``services.yaml``)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from winnow.homes.fields import scalar
from winnow.homes.traits import home_assistant_kinds, home_assistant_state, limited, table
from winnow.types.catalog import Attribute, Choice, Command, Parameter

Attributes = Mapping[str, Any]
"""The attributes of one entity's state, as Home Assistant gives them."""

_WARMEST_CELSIUS = 45
"""A room or setpoint number above this can only be Fahrenheit."""


def commands_of(domain: str, attributes: Attributes, degrees: str = "") -> tuple[Command, ...]:
    """The commands the entity supports, by its flags, modes and lists.

    ``degrees`` is the home's unit: C, F or unknown.
    """
    entries: Sequence[Mapping[str, Any]] = table("services")["services"].get(domain, ())
    kinds = home_assistant_kinds(domain, str(attributes.get("device_class") or ""))
    return tuple(
        _command(entry, domain, attributes, kinds, degrees)
        for entry in entries
        if _applies(entry.get("when"), attributes)
    )


def _applies(when: Any, attributes: Attributes) -> bool:
    """Whether the condition, or one of the conditions, holds."""
    if isinstance(when, list):
        return any(_applies(one, attributes) for one in when)
    return all(_holds(test, wanted, attributes) for test, wanted in (when or {}).items())


def _holds(test: str, wanted: Any, attributes: Attributes) -> bool:
    flags = attributes.get("supported_features")
    bits = flags if isinstance(flags, int) else 0
    device_class = attributes.get("device_class")
    tests: dict[str, Callable[[], bool]] = {
        "flag": lambda: bool(bits & wanted == wanted),
        "any_flag": lambda: bool(bits & wanted),
        "modes": lambda: bool(
            set(table("services")["modes"][wanted]) & set(_listed(attributes, "supported_color_modes"))
        ),
        "list": lambda: bool(_listed(attributes, wanted)),
        "has": lambda: all(value in _listed(attributes, name) for name, value in wanted.items()),
        "class": lambda: device_class in wanted,
        "not_class": lambda: device_class not in wanted,
    }
    return tests[test]()


def _listed(attributes: Attributes, name: str) -> list[Any]:
    """The attribute's scalars when it is a list, else nothing."""
    value = attributes.get(name)
    return [x for x in value if isinstance(x, (str, int, float))] if isinstance(value, list) else []


def _command(
    entry: Mapping[str, Any], domain: str, attributes: Attributes, kinds: Sequence[str], degrees: str
) -> Command:
    shape = entry.get("parameter")
    return Command(
        id=entry["id"].replace("$domain", domain),
        trait=entry["trait"],
        text=entry["text"],
        parameters=(limited(_parameter(shape, attributes, degrees), entry["trait"], kinds),) if shape else (),
        fixed=entry.get("fixed", {}),
    )


def _parameter(shape: Mapping[str, Any], attributes: Attributes, degrees: str) -> Parameter:
    low, high = (_number(attributes.get(name)) for name in shape.get("limits", ("", "")))
    values = shape.get("choices", ())
    choices = _listed(attributes, values) if isinstance(values, str) else values
    unit = shape.get("unit", "")
    return Parameter(
        name=shape["name"],
        kind=shape["kind"],
        minimum=low if low is not None else shape.get("min"),
        maximum=high if high is not None else shape.get("max"),
        unit=degrees if unit == "temperature" else unit,
        choices=tuple(Choice(value) for value in dict.fromkeys(choices)),
        scale=shape.get("scale", 1.0),
    )


def _number(value: object) -> float | None:
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def temperature_unit(entities: Iterable[tuple[str, Attributes]]) -> str:
    """``F`` or ``C``, the home's unit by its (domain, attributes); empty when nothing tells.

    Home Assistant keeps one unit for the whole home and does not put it into thermostats: their numbers tell,
    else thermometers' units.
    """
    known = tuple(entities)
    if any(
        degrees > _WARMEST_CELSIUS for domain, a in known if domain == "climate" for degrees in _warmth(a)
    ):
        return "F"
    units = {
        _unit(a)[-1:].upper()
        for domain, a in known
        if domain == "weather" or a.get("device_class") == "temperature"
    }
    units &= {"C", "F"}
    return units.pop() if len(units) == 1 else ""


def _warmth(thermostat: Attributes) -> Iterator[float]:
    """The temperatures a thermostat names."""
    for name in ("min_temp", "current_temperature", "temperature"):
        if (degrees := _number(thermostat.get(name))) is not None:
            yield degrees


def _unit(attributes: Attributes) -> str:
    return str(attributes.get("unit_of_measurement") or attributes.get("temperature_unit") or "")


def attributes_of(
    domain: str, attributes: Attributes, commands: Sequence[Command], degrees: str = ""
) -> tuple[Attribute, ...]:
    """What the entity can tell: its state, the attributes it has, and those its commands imply."""
    names: Mapping[str, Any] = table("services")
    units = names["units"] | dict.fromkeys(("temperature", "current_temperature"), degrees)
    own = {name for name in attributes if name in names["attributes"]}
    implied = {names["implied"][c.key] for c in commands if c.key in names["implied"]}
    told = (
        Attribute(n, _quantity(domain, n), text=n.replace("_", " "), unit=units.get(n, ""))
        for n in sorted(own | implied)
    )
    return (_state(domain, attributes), *told)


def _state(domain: str, attributes: Attributes) -> Attribute:
    """What the entity's own state tells."""
    device_class = str(attributes.get("device_class") or "")
    return Attribute(
        id="state",
        quantity=home_assistant_state(domain, device_class),
        text=device_class.replace("_", " "),
        unit=str(attributes.get("unit_of_measurement") or ""),
    )


def _quantity(domain: str, name: str) -> str:
    """What an attribute tells, of this kind of entity or of any."""
    quantities: Mapping[str, str] = table("services")["attributes"]
    return quantities.get(f"{domain}.{name}") or quantities[name]


def states_of(state: str, attributes: Attributes) -> dict[str, Any]:
    """Attribute id -> raw value, of all attributes that can be read."""
    known = table("services")["attributes"]
    return {"state": state} | {
        name: scalar(value) for name, value in attributes.items() if name in known and value is not None
    }
