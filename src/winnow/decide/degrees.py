"""Degrees as said, in the unit of what is set or read."""

from __future__ import annotations


def degrees(number: float, said: str, unit: str) -> float:
    """``number`` in ``unit`` (``°C``, ``F`` ...); as it is where ``said`` names no other scale than that."""
    if said == "celsius" and unit.upper().endswith("F"):
        return number * 1.8 + 32
    if said == "fahrenheit" and unit.upper().endswith("C"):
        return (number - 32) / 1.8
    return number
