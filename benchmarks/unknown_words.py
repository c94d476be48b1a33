"""How well a command is found by a word that is not in the lexicon: 30 % of its words are taken away at random, five times.

    python -m benchmarks.unknown_words

Each verb and property taken away is looked up among all distinct commands of the example homes, by the lanes of ``recall/commands.py``. It
is found when a command that it means is among the first ten (recall@10) or the first. The documents of the commands lose the words too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any
from unittest.mock import patch
from zlib import crc32

import numpy as np

from benchmarks import places
from winnow.models.hashing import HashingEmbedder
from winnow.models.static import StaticEmbedder
from winnow.ports import Embedder
from winnow.recall import enrich
from winnow.recall.commands import LEXICAL, VECTOR
from winnow.recall.lexical import LexicalIndex
from winnow.recall.vectors import VectorIndex
from winnow.text import lexicon
from winnow.text.normalise import normalise
from winnow.types.catalog import Command

SEEDS, TAKEN = range(5), 30
SECTIONS = {"verb": "actions", "property": "properties"}
"""Sections of words -> the part of ``actions.yaml`` that says what they mean."""
Row = tuple[str, str, str, bool]


def taken(word: str, seed: int) -> bool:
    """Whether the lexicon has to do without this word: the same answer in every process."""
    return crc32(f"{seed} {normalise(word)}".encode()) % 100 < TAKEN


def without(rows: Callable[[str], Iterator[Row]], seed: int) -> Callable[[str], Iterator[Row]]:
    """The rows of the lexicon that are left."""
    return lambda language: (row for row in rows(language) if not taken(row[2], seed))


def meant(seed: int) -> dict[str, frozenset[str]]:
    """Word taken away -> the traits it means."""
    tables = lexicon.clusters()
    return {
        word: frozenset(tables[part][canonical])
        for section, part in SECTIONS.items()
        for word, canonical in lexicon.surfaces(section).items()
        if taken(word, seed) and canonical in tables[part]
    }


def offered() -> list[Command]:
    """The commands of the example homes, those of the same text once."""
    homes = [places.example_home(path.name) for path in sorted(places.HOMES.iterdir()) if path.is_dir()]
    return list({(c.trait, c.text): c for home in homes for profile in home.profiles for c in profile.commands}.values())


def ranks(words: Sequence[str], documents: Sequence[str], embedder: Embedder) -> np.ndarray[Any, Any]:
    """The rows of the documents for each word, best first, as the lanes weigh them: shape (words, documents)."""
    lexical = LexicalIndex.build(documents)
    vectors = VectorIndex(embedder.embed(documents), embedder.name, embedder.version)
    scores = []
    for word, vector in zip(words, embedder.embed(words), strict=True):
        said = lexical.scores(word)
        scores.append(LEXICAL * said / max(float(said.max()), 1e-9) + VECTOR * np.maximum(vectors.scores(vector), 0))
    return np.argsort(-np.array(scores), axis=1, kind="stable")


def measure(seed: int, commands: Sequence[Command], embedder: Embedder) -> tuple[int, float, float]:
    """(words, recall@1, recall@10 in percent) for one choice of words."""
    traits = np.array([command.trait for command in commands])
    words = {word: found for word, found in meant(seed).items() if np.isin(traits, list(found)).any()}
    with patch.object(lexicon, "_rows", without(lexicon._rows, seed)):
        lexicon.surfaces.cache_clear()
        enrich._verbs_of.cache_clear()
        documents = [enrich.command_document(command) for command in commands]
    lexicon.surfaces.cache_clear()
    enrich._verbs_of.cache_clear()
    order = ranks(list(words), documents, embedder)
    right = np.array([np.isin(traits, list(found)) for found in words.values()])
    hits = np.take_along_axis(right, order, axis=1)
    first, tenth = (round(100 * float(hits[:, :k].any(axis=1).mean()), 1) for k in (1, 10))
    return len(words), first, tenth


def main() -> None:
    """Both embedders, each seed and the mean."""
    commands = offered()
    print(f"{len(commands)} commands\n{'embedder':14s}{'seed':>6s}{'words':>7s}{'R@1':>7s}{'R@10':>7s}")
    for embedder in (HashingEmbedder(), StaticEmbedder()):
        found = [measure(seed, commands, embedder) for seed in SEEDS]
        for seed, (count, first, tenth) in zip(SEEDS, found, strict=True):
            print(f"{embedder.name:14s}{seed:6d}{count:7d}{first:7.1f}{tenth:7.1f}")
        print(f"{embedder.name:14s}{'mean':>6s}{'':7s}" + "".join(f"{np.mean([row[n] for row in found]):7.1f}" for n in (1, 2)))


if __name__ == "__main__":
    main()
