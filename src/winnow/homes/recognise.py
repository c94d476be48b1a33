"""Whose export it is, by what its documents hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from winnow.errors import Phrase
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
_NAMED = 3
"""Files that are named when nothing was found in them."""
_SEVERAL = "Give each home alone: its own folder, ZIP or file."


def recognise(bundle: Bundle) -> Vendor:
    """Whose it is. Raises HomeImportError when it is nobody's, or of several."""
    name = bundle.name or "input"
    vendors = {vendor for document in bundle.documents if (vendor := _vendor(document))}
    if len(vendors) > 1:
        formats = Phrase("holds homes of several formats: {formats}", formats=sorted(vendors))
        raise refused(name, formats, _SEVERAL)
    if not vendors:
        raise refused(name, _nothing_known(bundle), GIVE)
    return vendors.pop()


def _vendor(document: Document) -> Vendor | None:
    """Whose document it is; None when nothing in it tells."""
    return next((vendor for vendor, is_of in _IS_OF.items() if is_of(document)), None)


def _nothing_known(bundle: Bundle) -> Phrase:
    """What was read in vain, the first few by name."""
    read = [document.name for document in bundle.documents]
    if len(read) <= _NAMED:
        return Phrase("holds no home: nothing in {files} is of a known format", files=read)
    facts = {"files": read[:_NAMED], "more": len(read) - _NAMED}
    return Phrase("holds no home: nothing in {files} and {more} more is of a known format", **facts)
