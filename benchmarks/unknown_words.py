"""How well a command is found by a word that is not in the lexicon.

    python -m benchmarks.unknown_words

30 % of the lexicon's words are taken away at random, five times. Each verb and property taken away is looked
up among all distinct commands of the example homes, by the lanes of ``home/commands.py`` and their weights
in force. It is found when a command that it means is among the first ten (recall@10) or the first; a tie with
one that it does not mean is lost. The documents of the commands lose the words too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from unittest.mock import patch
from zlib import crc32

import numpy as np
import numpy.typing as npt

from benchmarks import places
from winnow.adapters.models.embedders import HashingEmbedder, StaticEmbedder
from winnow.language import lexicon
from winnow.language.lexicon import LexiconRow
from winnow.language.normalize import normalise
from winnow.ports.services import Embedder
from winnow.retrieve.bm25 import LexicalIndex, VectorIndex
from winnow.retrieve.home import enrich
from winnow.retrieve.home.commands import command_weights
from winnow.types.home import Command

SEEDS, TAKEN = range(5), 30
SECTIONS = {"verb": "actions", "property": "properties"}
"""Sections of words -> the part of ``actions.yaml`` that says what they mean."""
Floats = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]


def taken(word: str, seed: int) -> bool:
    """Whether the lexicon has to do without this word: the same answer in every process."""
    return crc32(f"{seed} {normalise(word)}".encode()) % 100 < TAKEN


def without(rows: Callable[[str], Iterable[LexiconRow]], seed: int) -> Callable[[str], Iterable[LexiconRow]]:
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
    homes = [places.example_home(p.name).home for p in sorted(places.HOMES.iterdir()) if p.is_dir()]
    return list(
        {
            (c.trait, c.text): c for home in homes for profile in home.profiles for c in profile.commands
        }.values()
    )


@dataclass(frozen=True, slots=True)
class Sought:
    """What the lanes say of each command for each word taken away; every array is (words, commands)."""

    words: tuple[str, ...]
    right: Flags
    lexical: Floats
    vector: Floats

    def places(self, table: Mapping[str, float]) -> npt.NDArray[np.intp]:
        """How many wrong commands are no worse than the best right one, for each word.

        The lanes weigh what ``table`` says.
        """
        scores = table["lexical"] * self.lexical + table["vector"] * self.vector
        best = np.where(self.right, scores, -np.inf).max(axis=1, keepdims=True)
        ahead: npt.NDArray[np.intp] = ((scores >= best) & ~self.right).sum(axis=1)
        return ahead

    def only(self, kept: Callable[[str], bool]) -> Sought:
        """The same of the words that are kept."""
        rows = [row for row, word in enumerate(self.words) if kept(word)]
        return Sought(
            tuple(self.words[row] for row in rows), self.right[rows], self.lexical[rows], self.vector[rows]
        )

    @classmethod
    def together(cls, choices: Sequence[Sought]) -> Sought:
        """Several choices of words as one."""
        right, lexical, vector = (
            np.concatenate([getattr(c, name) for c in choices]) for name in ("right", "lexical", "vector")
        )
        return cls(tuple(word for c in choices for word in c.words), right, lexical, vector)


def sought(seed: int, commands: Sequence[Command], embedder: Embedder) -> Sought:
    """Every word of one choice that some command is meant by, looked up among the commands."""
    traits = np.array([command.trait for command in commands])
    words = {word: found for word, found in meant(seed).items() if np.isin(traits, list(found)).any()}
    documents = documents_without(seed, commands)
    lexical = LexicalIndex.build(documents)
    said = [lexical.scores(word) for word in words]
    vectors = VectorIndex(embedder.embed(documents), embedder.name, embedder.version)
    near = [np.maximum(vectors.scores(vector), 0) for vector in embedder.embed(list(words))]
    right = np.array([np.isin(traits, list(found)) for found in words.values()])
    return Sought(
        tuple(words), right, np.array([s / max(float(s.max()), 1e-9) for s in said]), np.array(near)
    )


def documents_without(seed: int, commands: Sequence[Command]) -> list[str]:
    """The documents of the commands, written with what is left of the lexicon."""
    with patch.object(lexicon, "_rows", without(lexicon._rows, seed)):
        lexicon._by_section.cache_clear()
        enrich._verbs_of.cache_clear()
        documents = [enrich.command_document(command) for command in commands]
    lexicon._by_section.cache_clear()
    enrich._verbs_of.cache_clear()
    return documents


def measure(
    seed: int, commands: Sequence[Command], embedder: Embedder, table: Mapping[str, float] | None = None
) -> tuple[int, float, float]:
    """(words, recall@1, recall@10 in percent) for one choice of words.

    ``table`` is what the lanes weigh, else the weights in force.
    """
    places = sought(seed, commands, embedder).places(table or command_weights())
    first, tenth = (round(100 * float((places < k).mean()), 1) for k in (1, 10))
    return len(places), first, tenth


def main() -> None:
    """No vectors and both embedders, each seed and the mean, by the weights in force."""
    commands, table = offered(), command_weights()
    print(f"{len(commands)} commands\n{'embedder':14s}{'seed':>6s}{'words':>7s}{'R@1':>7s}{'R@10':>7s}")
    hashing, static = HashingEmbedder(), StaticEmbedder()
    for name, embedder, lanes in (
        ("none", hashing, {**table, "vector": 0.0}),
        (hashing.name, hashing, table),
        (static.name, static, table),
    ):
        found = [measure(seed, commands, embedder, lanes) for seed in SEEDS]
        for seed, (count, first, tenth) in zip(SEEDS, found, strict=True):
            print(f"{name:14s}{seed:6d}{count:7d}{first:7.1f}{tenth:7.1f}")
        print(
            f"{name:14s}{'mean':>6s}{'':7s}"
            + "".join(f"{np.mean([row[n] for row in found]):7.1f}" for n in (1, 2))
        )


if __name__ == "__main__":
    main()
