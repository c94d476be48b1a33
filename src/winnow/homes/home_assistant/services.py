"""Which services a Home Assistant entity really has, and with which parameters (``services.yaml``)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from winnow.homes.traits import limited, table
from winnow.types.catalog import Choice, Command, Parameter

AttributesOf = Mapping[str, Any]
"""The attributes of one entity's state, as Home Assistant gives them."""

_WARMEST_CELSIUS = 45
"""A room or setpoint number above this can only be Fahrenheit."""


def commands_of(
    domain: str, attributes: AttributesOf, kinds: Sequence[str], degrees: str = ""
) -> tuple[Command, ...]:
    """The commands the entity supports, by its flags, modes and lists.

    ``degrees`` is the home's unit: C, F or unknown.
    """
    entries: Sequence[Mapping[str, Any]] = table("services")["services"].get(domain, ())
    return tuple(
        _command(entry, domain, attributes, kinds, degrees)
        for entry in entries
        if _applies(entry.get("when"), attributes)
    )


def _applies(when: Any, attributes: AttributesOf) -> bool:
    """Whether the condition, or one of the conditions, holds."""
    if isinstance(when, list):
        return any(_applies(one, attributes) for one in when)
    return all(_holds(test, wanted, attributes) for test, wanted in (when or {}).items())


def _holds(test: str, wanted: Any, attributes: AttributesOf) -> bool:
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


def _listed(attributes: AttributesOf, name: str) -> list[Any]:
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
        parameters=(limited(_parameter(shape, attributes, degrees), entry["trait"], kinds),) if shape else (),
        fixed=entry.get("fixed", {}),
    )


def _parameter(shape: Mapping[str, Any], attributes: AttributesOf, degrees: str) -> Parameter:
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


def _warmth(thermostat: AttributesOf) -> Iterator[float]:
    """The temperatures a thermostat names."""
    for name in ("min_temp", "current_temperature", "temperature"):
        if (degrees := _number(thermostat.get(name))) is not None:
            yield degrees


def _unit(attributes: AttributesOf) -> str:
    return str(attributes.get("unit_of_measurement") or attributes.get("temperature_unit") or "")
