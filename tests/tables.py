"""Small tables for the static embedder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from training.embedder.train import write


def write_table(
    folder: Path, pieces: Sequence[str], rows: Sequence[Sequence[float]] | None = None, buckets: int = 4
) -> Path:
    """A table of these pieces and as many rows for unknown words as ``buckets`` says.

    Random rows of 8 numbers unless they are given.
    """
    made = (
        np.random.default_rng(1).normal(size=(len(pieces) + buckets, 8)) if rows is None else np.array(rows)
    )
    write(folder, list(pieces), made.astype(np.float32), buckets)
    return folder
