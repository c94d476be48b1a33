"""Numbers as said, in the unit of what is set or read."""

from __future__ import annotations

OF_UNITS = {"kelvin": ("K", ""), "ampere": ("A", ""), "centimetre": ("cm", "m", "")}
"""What is said in one of these can only be set in one of those."""


def in_unit(number: float, said: str, unit: str) -> float:
    """``number`` in ``unit`` (``°C``, ``F``, ``m`` ...); as it is where ``said`` names no other than that."""
    if said == "celsius" and unit.upper().endswith("F"):
        return number * 1.8 + 32
    if said == "fahrenheit" and unit.upper().endswith("C"):
        return (number - 32) / 1.8
    return number / 100 if (said, unit) == ("centimetre", "m") else number


def comparable(said: str, unit: str) -> bool:
    """Whether a number said in one unit can be one of the other: no percent is a temperature."""
    if said in OF_UNITS:
        return unit in OF_UNITS[said]
    return said != "%" or unit not in {"C", "F", "K"}
