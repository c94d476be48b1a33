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
from winnow.text.estimate import features
from winnow.text.tokens import count_tokens

PIECES_PER_FILE = 800
Floats = npt.NDArray[np.float64]


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


class Measured:
    """Texts as features, with their exact counts."""

    def __init__(self, texts: list[str]) -> None:
        self.matrix: Floats = np.array([features(text) for text in texts], float)
        self.counts: Floats = np.array([count_tokens(text) for text in texts], float)

    def fitted(self) -> Floats:
        """The weights with the least relative error."""
        scale = 1 / self.counts
        weights, *_ = np.linalg.lstsq(self.matrix * scale[:, None], np.ones(scale.size), rcond=None)
        return weights

    def told(self, weights: Floats) -> str:
        """The error of these weights."""
        error = np.abs(self.matrix @ weights - self.counts) / self.counts
        return f"mean {error.mean():.1%}, 95th percentile {np.quantile(error, 0.95):.1%}, {error.size} pieces"


def main(paths: list[str]) -> None:
    rng = random.Random(0)
    by_file = {path: pieces(Path(path), rng) for path in paths}
    texts = [text for found in by_file.values() for text in found]
    weights = Measured([text for n, text in enumerate(texts) if n % 4 != 3]).fitted()
    print("weights", [round(float(w), 3) for w in weights])
    print(f"held out: {Measured(texts[3::4]).told(weights)}")
    for path, found in by_file.items():
        print(f"{path}: {Measured(found).told(weights)}")


if __name__ == "__main__":
    main(sys.argv[1:])
