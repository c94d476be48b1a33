"""Colours by their canonical names (``red``), as platforms want to have them told."""

from __future__ import annotations

from collections.abc import Mapping
from colorsys import rgb_to_hsv
from typing import cast

from winnow.text.tables import table


def rgb(name: str) -> tuple[int, int, int] | None:
    """Red, green and blue from 0 to 255; None for a colour that the table does not hold."""
    known = _table().get(name)
    return (known[0], known[1], known[2]) if known else None


def hue_and_saturation(name: str) -> tuple[float, float] | None:
    """Both from 0 to 100, as SmartThings counts them; None for a colour that the table does not hold."""
    parts = rgb(name)
    if parts is None:
        return None
    hue, saturation, _ = rgb_to_hsv(*(part / 255 for part in parts))
    return round(hue * 100, 2), round(saturation * 100, 2)


def colours() -> Mapping[str, list[int]]:
    """Name -> red, green and blue: the names of CSS."""
    return _table()


def _table() -> Mapping[str, list[int]]:
    return cast("Mapping[str, list[int]]", table("winnow.language", "colours.yaml"))
