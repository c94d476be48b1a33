"""Whose export it is, by what its documents hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from winnow.homes.bundle import GIVE, Bundle, Document, refused
from winnow.homes.home_assistant.documents import is_home_assistant
from winnow.homes.neutral import is_neutral
from winnow.homes.smartthings.documents import is_smartthings

Vendor = Literal["smartthings", "homeassistant", "neutral"]
_IS_OF: Mapping[Vendor, Callable[[Document], bool]] = {
    # The neutral format comes first: taken alone, its rooms look like Home Assistant's areas.
    "neutral": is_neutral,
    "smartthings": is_smartthings,
    "homeassistant": is_home_assistant,
}
_SEVERAL = "Give each home alone: its own folder, ZIP or file."


def recognise(bundle: Bundle) -> Vendor:
    """Whose it is. Raises HomeImportError when it is nobody's, or of several."""
    name = bundle.name or "input"
    vendors = {vendor for document in bundle.documents if (vendor := _vendor(document))}
    if len(vendors) > 1:
        raise refused(name, f"holds homes of several formats: {', '.join(sorted(vendors))}", _SEVERAL)
    if not vendors:
        raise refused(name, _nothing_known(bundle), GIVE)
    return vendors.pop()


def _vendor(document: Document) -> Vendor | None:
    """Whose document it is; None when nothing in it tells."""
    return next((vendor for vendor, is_of in _IS_OF.items() if is_of(document)), None)


def _nothing_known(bundle: Bundle) -> str:
    """What was read in vain, the first few by name."""
    read = [document.name for document in bundle.documents]
    more = f" and {len(read) - 3} more" if len(read) > 3 else ""
    return f"holds no home: nothing in {', '.join(read[:3])}{more} is of a known format"
