"""Train the table of the static embedder and write it where the package keeps it.

    make train-embedder PAIRS=pairs_permissive.tgz
    python -m training.embedder.train PAIRS [--to FOLDER] [--epochs N] [--no-teacher] [--threads N]
        [--cache FILE.npz]

PAIRS is an archive of ``pairs.<file>.tsv``, two texts that mean the same on each line;
``training/embedder/sources.yaml`` names every source and where it is public. No text that meaning is measured
with is learned from. Random numbers start from a fixed seed.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain
from pathlib import Path

import numpy as np
import numpy.typing as npt
from training.embedder import corpus as corpora
from training.embedder import teacher as teachers
from training.embedder.groups import Group, read_groups
from training.embedder.learn import Table, Teacher, batches, learn, start_rows
from training.embedder.sources import Pair, evaluation_texts, read_pairs

from winnow.adapters.models.embedders import TABLE_FILES, TABLE_FOLDER

SEED = 20
DIMENSION = 128
EPOCHS = 4
EVERY = 200
"""Steps between two words on how it goes."""
HELD_OUT = 300
"""Pairs of a file that are kept from learning, to watch it: at most this many and a tenth."""
TEACHER = 1.0
START = time.perf_counter()
Floats = npt.NDArray[np.float32]


def say(what: str) -> None:
    """One line with the seconds since the start."""
    print(f"{time.perf_counter() - START:7.1f} s  {what}", flush=True)


@dataclass(frozen=True, slots=True)
class Material:
    """What is learned from: pairs by file, groups, every text of them once, and their pieces."""

    pairs: dict[str, list[Pair]]
    groups: list[Group]
    texts: list[str]
    vocabulary: list[str]
    counts: list[int]
    """In how many texts each piece occurs."""

    @property
    def number(self) -> dict[str, int]:
        """Piece -> its row."""
        return {piece: n for n, piece in enumerate(self.vocabulary)}


def main() -> None:
    """Train and write."""
    options = _options()
    rng = np.random.default_rng(SEED)
    material = _material(options.pairs)
    corpus = _corpus(material, rng)
    table = Table(start_rows(_seen(material.counts), DIMENSION, rng))
    teacher = None if options.no_teacher else _taught(table, material, options)
    say("the teacher has spoken" if teacher else "no teacher")
    kept, taught = _split(corpus, rng)
    schedule = batches(taught, corpus.groups, options.epochs, rng)
    _watch(learn(table, corpus, schedule, teacher), len(schedule))
    for file, pairs in kept.items():
        _try(file, table, corpus, pairs)
    write(options.to, material.vocabulary, table.rows, corpora.BUCKETS)
    say(f"written to {options.to}")


def _material(archive: Path) -> Material:
    measured = evaluation_texts()
    pairs, groups = read_pairs(archive, measured), read_groups(measured)
    of_pairs = (text for found in pairs.values() for pair in found for text in pair)
    of_groups = (text for group in groups for text in group.texts)
    texts = list(dict.fromkeys(chain(of_pairs, of_groups)))
    return Material(pairs, groups, texts, *corpora.choose(texts))


def _corpus(material: Material, rng: np.random.Generator) -> corpora.Corpus:
    groups = [group.texts for group in material.groups]
    corpus = corpora.build(material.pairs, groups, material.number, material.texts, rng)
    pairs = sum(map(len, material.pairs.values()))
    say(
        f"{pairs} pairs, {len(groups)} groups, {len(material.texts)} texts, {len(material.vocabulary)} pieces"
    )
    return corpus


def _seen(counts: list[int]) -> corpora.Ints:
    """In how many texts each row occurs; those of unknown words as often as a piece of the middle."""
    return np.array(counts + [max(1, int(np.median(counts)))] * corpora.BUCKETS)


def _watch(losses: Iterator[float], steps: int) -> None:
    """Go through the steps, and say now and then how it goes."""
    recent = deque[float](maxlen=EVERY)
    for step, loss in enumerate(losses, 1):
        recent.append(loss)
        if step % EVERY == 0:
            say(f"step {step} of {steps}: loss {np.mean(recent):.3f}")


def _options() -> argparse.Namespace:
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("pairs", type=Path)
    options.add_argument("--to", type=Path, default=TABLE_FOLDER)
    options.add_argument("--epochs", type=int, default=EPOCHS)
    options.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    options.add_argument("--cache", type=Path)
    options.add_argument("--no-teacher", action="store_true")
    return options.parse_args()


def _taught(table: Table, material: Material, options: argparse.Namespace) -> Teacher:
    """The teacher of the English texts; the rows of words begin where it puts them."""
    sentences = teachers.sentences(material.pairs, material.groups)
    number = material.number
    words = teachers.spellings(material.texts, number)
    asked = [*sentences, *words.values()]
    vectors = teachers.vectors(asked, DIMENSION, options.threads, options.cache)
    _begin(table, [number[piece] for piece in words], vectors[len(sentences) :])
    place = {text: n for n, text in enumerate(asked)}
    centres, of = teachers.centres(material.groups, place, vectors)
    row = np.array([place.get(text, of.get(text, -1)) for text in material.texts])
    return Teacher(np.concatenate([vectors, centres]), row, TEACHER)


def _begin(table: Table, rows: list[int], vectors: Floats) -> None:
    """Turns rows to where the teacher puts their words; their lengths stay."""
    table.rows[rows] = vectors * np.linalg.norm(table.rows[rows], axis=1, keepdims=True)


def _split(
    corpus: corpora.Corpus, rng: np.random.Generator
) -> tuple[dict[str, corpora.Ints], dict[str, corpora.Ints]]:
    kept, taught = {}, {}
    for file, found in corpus.pairs.items():
        order = rng.permutation(len(found))
        cut = min(HELD_OUT, len(found) // 10)
        kept[file], taught[file] = found[order[:cut]], found[order[cut:]]
    return kept, taught


def _try(file: str, table: Table, corpus: corpora.Corpus, pairs: corpora.Ints) -> None:
    say(f"held out of {file}: {_found(table, corpus, pairs):.1f} % of {len(pairs)} found")


def _found(table: Table, corpus: corpora.Corpus, pairs: corpora.Ints) -> float:
    """Percent of pairs whose second half is the nearest of all second halves."""
    halves = []
    for side in (0, 1):
        flat, begins = corpus.gather(pairs[:, side])
        sums = np.add.reduceat(table.rows[flat], begins, axis=0)
        halves.append(sums / (np.linalg.norm(sums, axis=1, keepdims=True) + 1e-8))
    return 100 * float(((halves[0] @ halves[1].T).argmax(axis=1) == np.arange(len(pairs))).mean())


def write(folder: Path, vocabulary: list[str], rows: Floats, buckets: int) -> None:
    """Quantise to 8 bits a number, one scale a row, and write the files of the table."""
    folder.mkdir(parents=True, exist_ok=True)
    card, words, table, scales = (folder / name for name in TABLE_FILES)
    most = np.abs(rows).max(axis=1) + 1e-12
    words.write_text("\n".join(vocabulary), "utf-8")
    np.save(table, np.rint(rows / most[:, None] * 127).astype(np.int8))
    np.save(scales, (most / 127 / most.max()).astype(np.float32))
    about = {"version": _version(table, words, scales), "dimension": rows.shape[1], "buckets": buckets}
    card.write_text(json.dumps(about) + "\n", "utf-8")


def _version(*files: Path) -> str:
    return sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:12]


if __name__ == "__main__":
    main()
