"""Which documents are SmartThings'."""

from __future__ import annotations

from winnow.homes.bundle import Document

_MARKS = {"deviceId", "components", "roomId", "locationId", "sceneId", "profileId"}


def is_smartthings(document: Document) -> bool:
    """Whether it is a page of ``items``, or a list, of devices, rooms, scenes or locations."""
    data = document.data
    items = data.get("items") if isinstance(data, dict) else data
    return isinstance(items, list) and any(isinstance(item, dict) and _MARKS & item.keys() for item in items)
