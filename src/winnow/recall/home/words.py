"""Words of both languages for rooms, floors and contact sensors, as data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from winnow.text.tables import table


def words() -> Mapping[str, Any]:
    """What ``words.yaml`` holds: ``outdoor``, ``levels``, ``contacts`` and ``lamps``."""
    return cast("Mapping[str, Any]", table("winnow.recall.home", "words.yaml"))
