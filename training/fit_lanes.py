"""Fit the weights of ``src/winnow/retrieve/home/weights.yaml``, and say how good they are on rows held out.

    python -m training.fit_lanes                               compare the weights in force with fitted ones
    python -m training.fit_lanes --cases DIR --homes DIR       on cases of another folder
    python -m training.fit_lanes --write                       put the fitted ones in force

``--cases`` and ``--homes`` take files or folders, and may be given several times, in pairs. Three shares are
to be large together: of the cases of one instruction and one call, those whose command comes first in its
device's profile; and of the words taken from the lexicon (``benchmarks/unknown_words.py``, by other choices
than its own), those that find a command they mean first, and among the first ten. The trait is the unit; the
rest is a plain search over a grid. Every fifth row, by a checksum of the case's id or of the word, is held
out. Nothing is random: the same cases, embedder and weights in force give the same file.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt
from benchmarks.evaluation.cases import DeviceCase, device_case, read_cases
from benchmarks.evaluation.devices import DevicePredictor
from benchmarks.unknown_words import Sought, offered, sought
from training.fit_scores import HELD_OUT, ROOT, arguments, expectations, files_of, names_of, tell

from winnow.adapters.models.embedders import StaticEmbedder
from winnow.retrieve.home.commands import CommandScorer, command_weights
from winnow.types.home import Command

TARGET = ROOT / "src" / "winnow" / "retrieve" / "home" / "weights.yaml"
LANES = ("trait", "text", "lexical", "vector")
"""Order of the last axis of what the lanes say."""
TENTHS = tuple(round(n * 0.1, 2) for n in range(1, 11))
TWENTIETHS = tuple(round(n * 0.05, 2) for n in range(1, 17))
GRID = {"text": TENTHS, "lexical": TWENTIETHS, "vector": TWENTIETHS}
"""What is tried; no lane is left out."""
WORTH = 0.001
"""Difference of the mean of the shares that counts as none: then the weights change least."""
SEEDS = range(100, 120)
"""Choices of words; those of the benchmark are only ever measured."""
ABSENT = -1e9
"""Score of a command that a shorter profile does not have."""
SHARES = (
    "Shares: the right command first in its profile / first for a word the lexicon lacks / "
    "among the first ten for it."
)
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Shares = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Row:
    """One case: what the lanes say of each command of the profile, shape (commands, lanes)."""

    id: str
    said: Floats
    right: Flags
    """Which of the commands are right."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Cases (rows, commands, lanes) and words, measured together."""

    said: Floats
    right: Flags
    words: Sought

    def first(self, table: Mapping[str, float]) -> float:
        """0..1, the cases whose command comes first."""
        best = (self.said @ np.array([table[lane] for lane in LANES])).argmax(axis=1)
        return float(np.take_along_axis(self.right, best[:, None], axis=1).mean())

    def found(self, table: Mapping[str, float]) -> tuple[float, float]:
        """0..1, the words that find a command they mean first, and among the first ten."""
        places = self.words.places(table)
        return float((places < 1).mean()), float((places < 10).mean())

    def shares(self, table: Mapping[str, float]) -> Shares:
        """All three."""
        return (self.first(table), *self.found(table))


def rows(files: Sequence[tuple[tuple[Path, ...], Path]]) -> list[Row]:
    """The usable rows of case files, each case once."""
    found: dict[str, Row] = {}
    for paths, folder in files:
        homes = DevicePredictor(folder)
        for path in paths:
            expected = expectations(path)
            for case in read_cases(path, device_case):
                calls = expected[case.id]["calls"]
                if len(calls) == 1:
                    found.update((row.id, row) for row in _row(case, homes, calls[0]))
    return list(found.values())


def _row(case: DeviceCase, homes: DevicePredictor, call: Mapping[str, Any]) -> Iterator[Row]:
    engine = homes.engine(case)
    index = engine.sync.load_home().index
    device = index.view.devices.get(call["device"])
    reading = engine.sync.retrieve(case.utterance).reading
    if device is None or reading.intent != "command" or len(reading.queries) != 1:
        return
    lanes = CommandScorer(reading.queries[0], index)
    commands = lanes.index.rows[device.profile_id]
    right = np.array([c.id in call["commands"] for c, _ in commands], np.bool_)
    if right.any():
        yield Row(case.id, np.array([_said(lanes, c, n) for c, n in commands]), right)


def _said(lanes: CommandScorer, command: Command, number: int) -> list[float]:
    """What each lane says of a command."""
    scores = {e.lane: e.score for e in lanes.evidence(command, number)}
    return [scores.get(lane, 0.0) for lane in LANES]


def joined(cases: Sequence[Row], words: Sought, kept: Callable[[str], bool] = bool) -> Rows:
    """The cases and words that are kept, in arrays; what a profile does not have never comes first."""
    cases = [row for row in cases if kept(row.id)]
    longest = max(len(row.right) for row in cases)
    said, right = np.zeros((len(cases), longest, len(LANES))), np.zeros((len(cases), longest), bool)
    said[:, :, 0] = ABSENT
    for number, row in enumerate(cases):
        said[number, : len(row.right)], right[number, : len(row.right)] = row.said, row.right
    return Rows(said, right, words.only(kept))


def words() -> Sought:
    """Every word taken away, of all choices."""
    commands, embedder = offered(), StaticEmbedder()
    return Sought.together([sought(seed, commands, embedder) for seed in SEEDS])


def held_out(name: str) -> bool:
    """Whether a case or word is only measured."""
    return crc32(name.encode()) % HELD_OUT == 0


def searched(taught: Rows, present: Mapping[str, float]) -> dict[str, float]:
    """The point of the grid nearest to the weights in force among those that are as good as the best.

    No case is given up for a word.
    """
    points = [{**present, **dict(zip(GRID, values, strict=True))} for values in product(*GRID.values())]
    means = _means(points, taught, taught.first(present))
    good = [n for n, mean in enumerate(means) if mean >= max(means) - WORTH]
    return points[min(good, key=lambda n: (_far(points[n], present), -means[n]))]


def _means(points: Sequence[Mapping[str, float]], taught: Rows, least: float) -> list[float]:
    """The mean of the shares at each point; 0 where fewer cases than ``least`` have their command first."""
    pairs = {(point["lexical"], point["vector"]): point for point in points}
    found = {pair: sum(taught.found(point)) for pair, point in pairs.items()}
    firsts = [taught.first(point) for point in points]
    means = [(first + found[p["lexical"], p["vector"]]) / 3 for p, first in zip(points, firsts, strict=True)]
    return [mean if first >= least else 0.0 for mean, first in zip(means, firsts, strict=True)]


def _far(point: Mapping[str, float], present: Mapping[str, float]) -> float:
    """How far a point of the grid is from the weights in force."""
    return round(sum(abs(point[lane] - present[lane]) for lane in GRID), 6)


def told(name: str, table: Mapping[str, float], held: Rows, every: Rows) -> str:
    """One line on how a table does on the rows held out and on all."""
    figures = [" / ".join(f"{share:.2%}" for share in found.shares(table)) for found in (held, every)]
    return f"{name}: held out {figures[0]}; all {figures[1]}"


def main(argv: Sequence[str]) -> None:
    """Fit, measure, tell, and write if asked to."""
    given = arguments(argv, __doc__ or "")
    files = files_of(given)
    cases, taken = rows(files), words()
    taught = joined(cases, taken, lambda name: not held_out(name))
    held, every = joined(cases, taken, held_out), joined(cases, taken)
    present = command_weights()
    table = searched(taught, present)
    figures = told("These weights", table, held, every), told("Weights before", present, held, every)
    header = (*_taken(names_of(files), held, every), SHARES, *figures)
    tell(header, {lane: table[lane] for lane in GRID}, present, TARGET if given.write else None)


def _taken(names: str, held: Rows, every: Rows) -> tuple[str, str]:
    """What was learned from."""
    version, all_words, held_words = StaticEmbedder().version, every.words.words, held.words.words
    cases = f"{len(every.right)} cases and {len(all_words)} words"
    return (
        f"Fitted by training/fit_lanes.py with the embedder's table {version} on {names}:",
        f"{cases}, of them {len(held.right)} and {len(held_words)} held out.",
    )


if __name__ == "__main__":
    main(sys.argv[1:])
