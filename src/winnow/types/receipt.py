"""What came of calls that were carried out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from winnow.types.catalog import Scalar
from winnow.types.verdict import Call


@dataclass(frozen=True, slots=True)
class Outcome:
    """One call and what came of it."""

    call: Call
    ok: bool
    detail: str = ""
    """Why it failed, for a person to read; empty when it did not."""
    changed: Mapping[str, Scalar] = field(default_factory=dict)
    """Attribute id -> new value of the call's device, as far as the home tells."""
