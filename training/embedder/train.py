"""Train the table of the static embedder and write it where the package keeps it.

    make train-embedder PAIRS=pairs_permissive.tgz
    python -m training.embedder.train PAIRS [--to FOLDER] [--epochs N] [--no-teacher] [--threads N] [--cache
    FILE.npz]

PAIRS is an archive of ``pairs.<file>.tsv``, two texts that mean the same on each line;
``training/embedder/sources.py`` names every source
and where it is public. No text that meaning is measured with is learned from. Random numbers start from a
fixed seed.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from hashlib import sha256
from itertools import chain
from pathlib import Path

import numpy as np
import numpy.typing as npt
from training.embedder import corpus as corpora
from training.embedder import teacher as teachers
from training.embedder.groups import Group, read_groups
from training.embedder.learn import Table, Teacher, batches, learn, start_rows
from training.embedder.sources import evaluation_texts, read_pairs

from winnow.models.static import FILES, FOLDER

SEED = 20
DIMENSION = 128
EPOCHS = 4
HELD_OUT = 300
"""Pairs of a file that are kept from learning, to watch it: at most this many and a tenth."""
TEACHER = 1.0
START = time.perf_counter()
Floats = npt.NDArray[np.float32]


def say(what: str) -> None:
    """One line with the seconds since the start."""
    print(f"{time.perf_counter() - START:7.1f} s  {what}", flush=True)


def main() -> None:
    """Train and write."""
    options = _options()
    rng = np.random.default_rng(SEED)
    measured = evaluation_texts()
    pairs, groups = read_pairs(options.pairs, measured), read_groups(measured)
    everything = chain(
        (text for found in pairs.values() for pair in found for text in pair),
        (t for group in groups for t in group.texts),
    )
    texts = list(dict.fromkeys(everything))
    vocabulary, counts = corpora.choose(texts)
    number = {piece: n for n, piece in enumerate(vocabulary)}
    corpus = corpora.build(pairs, [group.texts for group in groups], number, texts, rng)
    say(
        f"{sum(map(len, pairs.values()))} pairs, {len(groups)} groups, {len(texts)} texts, {len(vocabulary)} pieces"
    )
    seen = np.array(counts + [max(1, int(np.median(counts)))] * corpora.BUCKETS)
    table = Table(start_rows(seen, DIMENSION, rng))
    teacher = None if options.no_teacher else _taught(table, pairs, groups, texts, number, options)
    say("the teacher has spoken" if teacher else "no teacher")
    kept, taught = _split(corpus, rng)
    schedule = batches(taught, corpus.groups, options.epochs, rng)
    losses = []
    for step, loss in enumerate(learn(table, corpus, schedule, teacher), 1):
        losses.append(loss)
        if step % 200 == 0:
            say(f"step {step} of {len(schedule)}: loss {np.mean(losses[-200:]):.3f}")
    for file, found in kept.items():
        say(f"held out of {file}: {_found(table, corpus, found):.1f} % of {len(found)} found")
    write(options.to, vocabulary, table.rows, corpora.BUCKETS)
    say(f"written to {options.to}")


def _options() -> argparse.Namespace:
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("pairs", type=Path)
    options.add_argument("--to", type=Path, default=FOLDER)
    options.add_argument("--epochs", type=int, default=EPOCHS)
    options.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    options.add_argument("--cache", type=Path)
    options.add_argument("--no-teacher", action="store_true")
    return options.parse_args()


def _taught(
    table: Table,
    pairs: dict[str, list[tuple[str, str]]],
    groups: list[Group],
    texts: list[str],
    number: dict[str, int],
    options: argparse.Namespace,
) -> Teacher:
    """The teacher of the English texts; the rows of words begin where it puts them."""
    sentences = teachers.sentences(pairs, groups)
    words = teachers.spellings(texts, number)
    vectors = teachers.vectors([*sentences, *words.values()], DIMENSION, options.threads, options.cache)
    rows = np.array([number[piece] for piece in words])
    table.rows[rows] = vectors[len(sentences) :] * np.linalg.norm(table.rows[rows], axis=1, keepdims=True)
    place = {text: n for n, text in enumerate([*sentences, *words.values()])}
    centres, of = teachers.centres(groups, place, vectors)
    return Teacher(
        np.concatenate([vectors, centres]),
        np.array([place.get(text, of.get(text, -1)) for text in texts]),
        TEACHER,
    )


def _split(
    corpus: corpora.Corpus, rng: np.random.Generator
) -> tuple[dict[str, corpora.Ints], dict[str, corpora.Ints]]:
    kept, taught = {}, {}
    for file, found in corpus.pairs.items():
        order = rng.permutation(len(found))
        cut = min(HELD_OUT, len(found) // 10)
        kept[file], taught[file] = found[order[:cut]], found[order[cut:]]
    return kept, taught


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
    card, words, table, scales = (folder / name for name in FILES)
    most = np.abs(rows).max(axis=1) + 1e-12
    small = np.rint(rows / most[:, None] * 127).astype(np.int8)
    words.write_text("\n".join(vocabulary), "utf-8")
    np.save(table, small)
    np.save(scales, (most / 127 / most.max()).astype(np.float32))
    version = sha256(table.read_bytes() + words.read_bytes() + scales.read_bytes()).hexdigest()[:12]
    card.write_text(
        json.dumps({"version": version, "dimension": rows.shape[1], "buckets": buckets}) + "\n", "utf-8"
    )


if __name__ == "__main__":
    main()
