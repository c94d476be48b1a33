"""How near a word is to a field where a question belongs there: ``SHARE`` of ``intent/domain.py``.

    python -m training.fit_domain FOLDER

FOLDER holds ``dev/knowledge/NAME.queries.jsonl`` (id, query). Questions about dishes belong to the taxonomy
``cooking``, those about anything else do not. Told for each half of the questions by the hash of their ids:
the share that turns away one in a hundred of the first on that half, and what it does on the other half.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt

from winnow.app.wiring.engine import open_builtin_embedder
from winnow.understand.intent.features import SHARE, nearness, words_of
from winnow.understand.intent.taxonomy import taxonomy

INSIDE, OUTSIDE = ("howtocook.zh",), ("cmrc.zh", "xquad.en")
Floats = npt.NDArray[np.float64]


def read(folder: Path, name: str) -> Floats:
    """A row a question: its nearness as a share of what means the like, and its half."""
    table, field = open_builtin_embedder(), taxonomy("cooking")
    rows = []
    for line in (folder / "dev" / "knowledge" / f"{name}.queries.jsonl").read_text("utf-8").splitlines():
        asked = json.loads(line)
        words = words_of(asked["query"])
        near = nearness(words, field, table) / (table.alike or 1.0) if words else 1.0
        rows.append((near, int(hashlib.sha256(asked["id"].encode()).hexdigest(), 16) % 2))
    return np.array(rows, np.float64)


def main() -> None:
    """Report what each half asks for, and what the share in force does."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    inside = np.concatenate([read(folder, name) for name in INSIDE])
    outside = {name: read(folder, name) for name in OUTSIDE}
    for half in (0, 1):
        share = float(np.percentile(inside[inside[:, 1] == half, 0], 1))
        others = {name: found[found[:, 1] != half, 0] for name, found in outside.items()}
        _tell(f"half {half}: {share:.2f}", share, inside[inside[:, 1] != half, 0], others)
    everything = {name: found[:, 0] for name, found in outside.items()}
    _tell(f"in force: {SHARE}", SHARE, inside[:, 0], everything)


def _tell(what: str, share: float, inside: Floats, outside: dict[str, Floats]) -> None:
    away = ", ".join(f"{name} {100 * (found < share).mean():.1f}" for name, found in outside.items())
    sys.stdout.write(f"{what}: kept {100 * (inside >= share).mean():.1f}, turned away {away}\n")


if __name__ == "__main__":
    main()
