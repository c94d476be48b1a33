"""What identifies whatever is retrieved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

RefKind = Literal["device", "command", "group", "scene", "sensor", "message", "passage", "fact"]


@dataclass(frozen=True, slots=True)
class Ref:
    """One thing of one kind. Its text may change and may occur twice; ``id`` is what it is."""

    kind: RefKind
    id: str
