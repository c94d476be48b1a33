"""The last act taken back, where each of its steps has an inverse."""

from __future__ import annotations

from winnow.types.receipt import Receipt
from winnow.types.state import Snapshot
from winnow.types.verdict import Call, Refusal
from winnow.types.view import HomeView


def taking_back(
    receipt: Receipt, view: HomeView, now: Snapshot
) -> tuple[tuple[Call, ...], tuple[Refusal, ...]]:
    """The calls that take back what was done, and what cannot be taken back, with the reason."""
    return (), tuple(Refusal("cannot_undo", {"name": o.call.device_id}) for o in receipt.outcomes if o.ok)
