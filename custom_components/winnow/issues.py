"""What a person should put right, as Home Assistant's repairs show it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir

from .const import DOMAIN

if TYPE_CHECKING:
    from .homes import Built

BROKEN, NOTHING, ALIKE = "not_built", "nothing_exposed", "same_name"
SHOWN = 5
"""Names told one by one."""


@callback
def withdraw(hass: HomeAssistant) -> None:
    """Report nothing any more."""
    for code in (BROKEN, NOTHING, ALIKE):
        _put(hass, code, ())


@callback
def report(hass: HomeAssistant, built: Built | None) -> None:
    """Report what is wrong with the home of everybody; None: it could not be built."""
    _put(hass, BROKEN, () if built else ("",))
    if built is None:
        return
    codes = {note.code for note in built.notes}
    _put(hass, NOTHING, ("",) if "no_devices" in codes else ())
    _put(hass, ALIKE, [note.name for note in built.notes if note.code == ALIKE])


def _put(hass: HomeAssistant, code: str, names: Sequence[str]) -> None:
    """An issue about these, or none where there are none."""
    if not names:
        ir.async_delete_issue(hass, DOMAIN, code)
        return
    more = f" (+{len(names) - SHOWN})" if len(names) > SHOWN else ""
    ir.async_create_issue(
        hass,
        DOMAIN,
        code,
        is_fixable=False,
        severity=ir.IssueSeverity.ERROR if code == BROKEN else ir.IssueSeverity.WARNING,
        translation_key=code,
        translation_placeholders={"names": ", ".join(names[:SHOWN]) + more},
    )
