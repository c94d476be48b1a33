"""How devices of a simulated home fail: which of them, and in what way, follows from a seed."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Literal, get_args

Fault = Literal["offline", "slow", "refusing", "once", "silent", "lying", "late"]
"""``offline``: cannot be reached. ``slow``: answers after a long while. ``refusing``: will not.
``once``: fails the first time each thing is asked of it, then does it. ``silent``: does it, and the answer is
lost. ``lying``: says that it did it and does nothing. ``late``: takes it at once, does it a while later."""
KINDS: tuple[Fault, ...] = get_args(Fault)


@dataclass(frozen=True, slots=True)
class Faults:
    """The same devices fail in the same way for the same seed."""

    share: float = 0.0
    """Of the devices that fail, 0..1."""
    seed: int = 0
    kinds: tuple[Fault, ...] = KINDS
    """Ways to fail, each as often."""
    latency: float = 0.0
    """Seconds that every device takes to answer."""
    longest: float = 20.0
    """Seconds that slow and late devices take at most; at least a tenth of it."""

    def of(self, device_id: str) -> Fault | None:
        """How the device fails; None where it does not."""
        if self._chance(device_id, "whether") >= self.share:
            return None
        return self.kinds[int(self._chance(device_id, "how") * len(self.kinds))]

    def seconds(self, device_id: str) -> float:
        """How long a slow or late device takes."""
        return self.longest * (0.1 + 0.9 * self._chance(device_id, "long"))

    def _chance(self, device_id: str, what: str) -> float:
        """0..1, without 1: the same for the same device and seed."""
        digest = hashlib.sha256(f"{self.seed}\0{device_id}\0{what}".encode()).digest()
        return int.from_bytes(digest[:6]) / 256**6


NO_FAULTS = Faults()
