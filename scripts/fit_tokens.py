"""Fit the weights of ``estimate_tokens`` to the exact counts of ``rs-bpe`` and print them with their error.

    python scripts/fit_tokens.py FILE...

Each file is cut into pieces of 100 to 1,500 characters; every fourth piece is held out and only measured.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt

from winnow.text.encode import compact_json
from winnow.text.tokens import count_tokens, features

PIECES_PER_FILE = 800


def pieces(path: Path, rng: random.Random) -> list[str]:
    text = path.read_text("utf-8")
    if path.suffix == ".json":  # what briefings hold is JSON without spaces
        text = compact_json(json.loads(text)) + text
    found = []
    while text and len(found) < PIECES_PER_FILE:
        size = rng.randint(100, 1500)
        found.append(text[:size])
        text = text[size:]
    return found


def errors(
    matrix: npt.NDArray[np.float64], counts: npt.NDArray[np.float64], weights: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    return np.abs(matrix @ weights - counts) / counts


def main(paths: list[str]) -> None:
    rng = random.Random(0)
    by_file = {path: pieces(Path(path), rng) for path in paths}
    texts = [text for found in by_file.values() for text in found]
    matrix = np.array([features(t) for t in texts], float)
    counts = np.array([count_tokens(t) for t in texts], float)
    held = np.arange(len(texts)) % 4 == 3
    scale = 1 / counts[~held]
    weights, *_ = np.linalg.lstsq(matrix[~held] * scale[:, None], np.ones(scale.size), rcond=None)
    print("weights", [round(float(w), 3) for w in weights])
    unseen = errors(matrix[held], counts[held], weights)
    print(
        f"held out: mean {unseen.mean():.1%}, 95th percentile {np.quantile(unseen, 0.95):.1%}, {held.sum()} pieces"
    )
    start = 0
    for path, found in by_file.items():
        part = slice(start, start + len(found))
        start += len(found)
        error = errors(matrix[part], counts[part], weights)
        print(f"{path}: mean {error.mean():.1%}, 95th percentile {np.quantile(error, 0.95):.1%}")


if __name__ == "__main__":
    main(sys.argv[1:])
