"""Rows of numbers brought to length 1, as the port ``Embedder`` promises them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]


def unit_rows(found: Floats) -> Floats:
    """Every row divided by its length; a row of zeros stays one."""
    lengths = np.linalg.norm(found, axis=1, keepdims=True)
    units: Floats = np.divide(found, lengths, out=np.zeros_like(found), where=lengths > 0)
    return units
