"""Contrastive learning in plain numpy.

Each half of a pair finds the other among its batch, and English its teacher's vector.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
from training.embedder.corpus import Corpus, Ints
from training.embedder.sources import SOURCES

Floats = npt.NDArray[np.float32]
BATCH = 1024
TEMPERATURE = 0.1
RATE, WARM = 0.01, 100
MOMENTUM, SPREAD = 0.9, 0.99
COMMON = 1e-3
"""A piece of this share of all pieces starts with half the weight of a rare one."""
LEAST_BATCH = 64
ROUNDS = 48
"""Pairs that an epoch takes from each group."""
PART = 4
"""An epoch goes through ``turns`` / PART of each source, so that the sources mix well."""


@dataclass(slots=True)
class Table:
    """What is learned, with the moments of Adam; only rows that a batch touches move."""

    rows: Floats
    first: Floats = field(init=False)
    second: Floats = field(init=False)
    steps: int = 0

    def __post_init__(self) -> None:
        self.first, self.second = np.zeros_like(self.rows), np.zeros_like(self.rows)

    def move(self, touched: Ints, gradient: Floats, rate: float) -> None:
        """One step of Adam on the touched rows."""
        self.steps += 1
        first = self.first[touched] * MOMENTUM + gradient * (1 - MOMENTUM)
        second = self.second[touched] * SPREAD + np.square(gradient) * (1 - SPREAD)
        self.first[touched], self.second[touched] = first, second
        fair = np.float32(rate * np.sqrt(1 - SPREAD**self.steps) / (1 - MOMENTUM**self.steps))
        self.rows[touched] -= fair * first / (np.sqrt(second) + np.float32(1e-8))


def start_rows(counts: Ints, dimension: int, rng: np.random.Generator) -> Floats:
    """Random directions; the length of a row is its weight, the smaller the more often the piece occurs."""
    rows = rng.normal(0, dimension**-0.5, (len(counts), dimension))
    share = counts / counts.sum()
    return np.asarray(rows * (COMMON / (COMMON + share))[:, None], np.float32)


def batches(
    taught: dict[str, Ints], groups: Sequence[Ints], epochs: int, rng: np.random.Generator
) -> list[Ints]:
    """The batches of all epochs in a random order.

    Each comes from one file, so that its texts are hard to tell apart.
    """
    found: list[Ints] = []
    for _ in range(epochs * PART):
        epoch = [
            batch
            for source in SOURCES
            for file in source.files
            for batch in _cut(taught[file], source.turns / PART, rng)
        ]
        epoch += [batch for _ in range(ROUNDS // PART) for batch in _cut(_round(groups, rng), 1.0, rng)]
        found += [epoch[n] for n in rng.permutation(len(epoch))]
    return found


def _round(groups: Sequence[Ints], rng: np.random.Generator) -> Ints:
    """Two texts of each group: no batch holds two pairs that mean the same."""
    return np.array([rng.choice(group, 2, replace=False) for group in groups], np.int64).reshape(-1, 2)


def _cut(pairs: Ints, turns: float, rng: np.random.Generator) -> Iterator[Ints]:
    size = int(len(pairs) * turns)
    order = np.concatenate([rng.permutation(len(pairs)) for _ in range(int(turns) + 1)])[:size]
    for start in range(0, max(1, size - LEAST_BATCH + 1), BATCH):
        yield pairs[order[start : start + BATCH]]


@dataclass(frozen=True, slots=True)
class Teacher:
    """Unit vectors of texts: ``row[i]`` is that of text ``i`` in ``vectors``, -1 for none.

    ``weight`` is its share in the loss.

    Chinese learns from what the teacher says of its English half.
    """

    vectors: Floats
    row: Ints
    weight: float


def learn(table: Table, corpus: Corpus, schedule: list[Ints], teacher: Teacher | None) -> Iterator[float]:
    """Go through the schedule; the loss of each step."""
    for number, batch in enumerate(schedule):
        rate = RATE * min(1.0, (number + 1) / WARM) * max(0.02, 1 - number / len(schedule))
        yield _step(table, corpus, batch, teacher, rate)


def _step(table: Table, corpus: Corpus, batch: Ints, teacher: Teacher | None, rate: float) -> float:
    halves = [_forward(table, corpus, batch[:, side]) for side in (0, 1)]
    loss, gradients = _told_apart(halves[0][0], halves[1][0], _alike(batch))
    if teacher is not None:
        rows = teacher.row[batch]
        for side in (0, 1):
            own = np.where(rows[:, side] >= 0, rows[:, side], rows[:, 1 - side])
            loss += _taught(teacher, own, halves[side][0], gradients[side])
    _backward(table, halves, gradients, rate)
    return loss


def _alike(batch: Ints) -> npt.NDArray[np.bool_]:
    """Which two pairs of a batch share a text, so that neither is a wrong answer for the other."""
    left, right = batch[:, 0], batch[:, 1]
    same: npt.NDArray[np.bool_] = (right[:, None] == right) | (left[:, None] == left)
    np.fill_diagonal(same, False)
    return same


def _told_apart(left: Floats, right: Floats, same: npt.NDArray[np.bool_]) -> tuple[float, list[Floats]]:
    """The loss of finding either half from the other, on average, and its slopes in both."""
    there, (of_left, of_right) = _contrast(left, right, same)
    back, (again_right, again_left) = _contrast(right, left, same.T)
    half = np.float32(0.5)
    return (there + back) / 2, [(of_left + again_left) * half, (of_right + again_right) * half]


def _forward(table: Table, corpus: Corpus, numbers: Ints) -> tuple[Floats, Floats, Ints, Ints]:
    flat, begins = corpus.gather(numbers)
    sums = np.add.reduceat(table.rows[flat], begins, axis=0)
    lengths = np.linalg.norm(sums, axis=1, keepdims=True) + np.float32(1e-8)
    return sums / lengths, lengths, flat, begins


def _contrast(
    asked: Floats, answers: Floats, same: npt.NDArray[np.bool_]
) -> tuple[float, tuple[Floats, Floats]]:
    """The cross-entropy of finding row i of ``answers`` from row i of ``asked``, and its slopes in both."""
    scores = asked @ answers.T / np.float32(TEMPERATURE)
    scores[same] = -1e4
    scores -= scores.max(axis=1, keepdims=True)
    chances = np.exp(scores)
    chances /= chances.sum(axis=1, keepdims=True)
    right = np.arange(len(asked))
    loss = float(-np.log(chances[right, right] + 1e-12).mean())
    chances[right, right] -= 1
    chances /= np.float32(len(asked) * TEMPERATURE)
    return loss, (chances @ answers, chances.T @ asked)


def _taught(teacher: Teacher, rows: Ints, half: Floats, gradient: Floats) -> float:
    known = np.flatnonzero(rows >= 0)
    if len(known) < LEAST_BATCH // 2:
        return 0.0
    found = rows[known]
    same = found[:, None] == found[None, :]
    np.fill_diagonal(same, False)
    loss, (slope, _) = _contrast(half[known], teacher.vectors[found], same)
    weight = teacher.weight * len(known) / len(rows)
    gradient[known] += np.float32(weight) * slope
    return weight * loss


def _backward(
    table: Table, halves: list[tuple[Floats, Floats, Ints, Ints]], gradients: list[Floats], rate: float
) -> None:
    slopes, flats = [], []
    for (unit, lengths, flat, begins), slope in zip(halves, gradients, strict=True):
        inner = (slope - unit * (slope * unit).sum(axis=1, keepdims=True)) / lengths
        slopes.append(np.repeat(inner, np.diff(np.append(begins, len(flat))), axis=0))
        flats.append(flat)
    flat = np.concatenate(flats)
    order = np.argsort(flat, kind="stable")
    touched, begins = np.unique(flat[order], return_index=True)
    table.move(touched, np.add.reduceat(np.concatenate(slopes)[order], begins, axis=0), rate)
