"""Pairs as numbers: a vocabulary chosen by frequency, and the rows of the table that every text adds up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from training.embedder.sources import Pair

from winnow.adapters.models.embedders import subword_buckets, text_pieces

Ints = npt.NDArray[np.int64]
QUOTAS = {
    "word": 30_000,
    "word pair": 6_000,
    "character": 4_500,
    "character pair": 25_000,
    "character triple": 2_000,
}
"""How many pieces of each kind the table knows at most."""
BUCKETS = 4_096
"""Rows for the pieces of unknown words."""
LEAST = 2
"""Texts a piece must occur in."""
LONGEST = 64
"""Pieces of a text that are learned from."""
DROPPED = 0.1
"""Share of known words that are learned from as if they were unknown."""


def kind_of(piece: str) -> str:
    """Under which quota of ``QUOTAS`` a piece other than a word falls."""
    if " " in piece:
        return "word pair"
    return ("character", "character pair", "character triple")[len(piece) - 1]


def choose(texts: Iterable[str]) -> tuple[list[str], list[int]]:
    """The vocabulary, each kind by falling frequency, and in how many texts each piece occurs."""
    counts = _counted(texts)
    chosen: list[tuple[str, int]] = []
    for kind, most in QUOTAS.items():
        best = sorted(counts[kind].items(), key=lambda row: (-row[1], row[0]))[:most]
        chosen += [(piece, n) for piece, n in best if n >= LEAST]
    return [piece for piece, _ in chosen], [n for _, n in chosen]


def _counted(texts: Iterable[str]) -> dict[str, Counter[str]]:
    """Kind -> in how many texts each piece occurs."""
    counts: dict[str, Counter[str]] = {kind: Counter() for kind in QUOTAS}
    for text in texts:
        words, others = text_pieces(text)
        counts["word"].update(set(words))
        for piece in set(others):
            counts[kind_of(piece)][piece] += 1
    return counts


@dataclass(frozen=True, slots=True)
class Corpus:
    """Texts by number; ``flat[starts[i]:starts[i + 1]]`` are the rows of text ``i``."""

    texts: list[str]
    flat: Ints
    starts: Ints
    pairs: dict[str, Ints]
    """File -> pairs of text numbers, shape (n, 2), only texts of which something is known."""
    groups: list[Ints]
    """The text numbers of each group, two or more, likewise."""

    def gather(self, numbers: Ints) -> tuple[Ints, Ints]:
        """(rows of these texts one after the other, where each text begins)."""
        sizes = self.starts[numbers + 1] - self.starts[numbers]
        begins = np.cumsum(sizes) - sizes
        return self.flat[np.arange(sizes.sum()) + np.repeat(self.starts[numbers] - begins, sizes)], begins


def build(
    pairs: Mapping[str, Sequence[Pair]],
    groups: Sequence[Sequence[str]],
    vocabulary: Mapping[str, int],
    texts: list[str],
    rng: np.random.Generator,
) -> Corpus:
    """The corpus of all pairs and groups. ``texts`` holds every text of them once."""
    number = {text: n for n, text in enumerate(texts)}
    rows = [_rows(text, vocabulary, rng) for text in texts]
    sizes = np.array([len(found) for found in rows])
    known = {file: _numbered(found, number, sizes) for file, found in pairs.items()}
    flat = np.array([row for found in rows for row in found], np.int64)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    return Corpus(texts, flat, starts, known, _alike(groups, number, sizes))


def _alike(groups: Sequence[Sequence[str]], number: Mapping[str, int], sizes: Ints) -> list[Ints]:
    """The groups by number, of each only the texts that have rows."""
    known = ([number[text] for text in group if sizes[number[text]]] for group in groups)
    return [np.array(group, np.int64) for group in known if len(group) > 1]


def _numbered(pairs: Sequence[Pair], number: Mapping[str, int], sizes: Ints) -> Ints:
    """The pairs by number, only those of texts that have rows."""
    found = np.array([(number[a], number[b]) for a, b in pairs])
    known: Ints = found[(sizes[found] > 0).all(axis=1)]
    return known


def _rows(text: str, vocabulary: Mapping[str, int], rng: np.random.Generator) -> list[int]:
    words, others = text_pieces(text)
    found = {vocabulary[piece] for piece in others if piece in vocabulary}
    for word in words:
        if word in vocabulary and rng.random() >= DROPPED:
            found.add(vocabulary[word])
        else:
            found.update(len(vocabulary) + bucket for bucket in subword_buckets(word, BUCKETS))
    rows = sorted(found)
    return rows if len(rows) <= LONGEST else sorted(rng.choice(rows, LONGEST, replace=False).tolist())
