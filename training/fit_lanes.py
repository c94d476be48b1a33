"""Fit the weights of ``src/winnow/recall/home/weights.yaml``, and say how good they are on rows held out.

    python -m training.fit_lanes                                   compare the weights in force with fitted
    ones
    python -m training.fit_lanes --cases DIR --homes DIR           on cases of another folder (files or
    folders, repeatable pairs)
    python -m training.fit_lanes --write                           put the fitted ones in force

Three shares are to be large together: of the cases of one instruction and one call, those whose command comes
first in its device's
profile; and of the words taken from the lexicon (``benchmarks/unknown_words.py``, by other choices than its
own), those that find a command
they mean first, and among the first ten. The trait is the unit; the rest is a plain search over a grid. Every
fifth row, by a checksum of
the case's id or of the word, is held out. Nothing is random: the same cases, embedder and weights in force
give the same file.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt
from benchmarks.unknown_words import Sought, offered, sought
from training.fit_scores import HELD_OUT, ROOT, arguments, files_of, names_of, written

from winnow.models.static import StaticEmbedder
from winnow.recall.home.commands import CommandLanes, misfit, weights
from winnow.surfaces.cases import DeviceCase, device_case, read_cases
from winnow.surfaces.eval.devices import Homes

TARGET = ROOT / "src" / "winnow" / "recall" / "home" / "weights.yaml"
LANES = ("trait", "text", "lexical", "vector", "misfit")
"""Order of the last axis of what the lanes say."""
TENTHS, TWENTIETHS = (
    tuple(round(n * step, 2) for n in range(1, count + 1)) for step, count in ((0.1, 10), (0.05, 16))
)
GRID = {"text": TENTHS, "lexical": TWENTIETHS, "vector": TWENTIETHS, "misfit": TENTHS}
"""What is tried; no lane is left out."""
WORTH = 0.001
"""Difference of the mean of the shares that counts as none: then the weights nearest to those in force
stand."""
SEEDS = range(100, 120)
"""Choices of words; those of the benchmark are only ever measured."""
ABSENT = -1e9
"""Score of a command that a shorter profile does not have."""
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Shares = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Row:
    """One case: what the lanes say of each command of the profile (commands, lanes), and which of them are right."""

    id: str
    said: Floats
    right: Flags


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
        homes = Homes(folder)
        for path in paths:
            calls = {
                case["id"]: case["expect"]["calls"]
                for case in map(json.loads, path.read_text("utf-8-sig").splitlines())
                if case
            }
            for case in read_cases(path, device_case):
                if len(calls[case.id]) == 1:
                    found.update((row.id, row) for row in _row(case, homes, calls[case.id][0]))
    return list(found.values())


def _row(case: DeviceCase, homes: Homes, call: Mapping[str, Any]) -> Iterator[Row]:
    engine = homes.engine(case)
    index = engine.sync.opened().index
    device = index.view.devices.get(call["device"])
    reading = engine.sync.retrieve(case.utterance).reading
    if device is None or reading.intent != "command" or len(reading.queries) != 1:
        return
    lanes = CommandLanes(reading.queries[0], index)
    commands = lanes.index.rows[device.profile_id]
    right = np.array([c.id in call["commands"] for c, _ in commands], np.bool_)
    if right.any():
        heard = [
            {e.lane: e.score for e in lanes.evidence(c, n)} | {"misfit": -1.0 * misfit(c, lanes.query)}
            for c, n in commands
        ]
        yield Row(case.id, np.array([[said.get(lane, 0.0) for lane in LANES] for said in heard]), right)


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
    pairs = {(p["lexical"], p["vector"]): p for p in points}
    found = {pair: sum(taught.found(point)) for pair, point in pairs.items()}
    firsts, least = [taught.first(p) for p in points], taught.first(present)
    means = [
        (first + found[p["lexical"], p["vector"]]) / 3 if first >= least else 0.0
        for p, first in zip(points, firsts, strict=True)
    ]
    good = [n for n, mean in enumerate(means) if mean >= max(means) - WORTH]
    return points[
        min(good, key=lambda n: (round(sum(abs(points[n][k] - present[k]) for k in GRID), 6), -means[n]))
    ]


def told(name: str, table: Mapping[str, float], held: Rows, every: Rows) -> str:
    """One line on how a table does on the rows held out and on all."""
    figures = [" / ".join(f"{share:.2%}" for share in found.shares(table)) for found in (held, every)]
    return f"{name}: held out {figures[0]}; all {figures[1]}"


def main(argv: Sequence[str]) -> None:
    """Fit, measure, tell, and write if asked to."""
    given = arguments(argv, __doc__ or "")
    files = files_of(given)
    cases, taken = rows(files), words()
    taught, held, every = (
        joined(cases, taken, kept) for kept in (lambda name: not held_out(name), held_out, bool)
    )
    present = weights()
    table = searched(taught, present)
    header = (
        f"Fitted by training/fit_lanes.py with the embedder's table {StaticEmbedder().version} on {names_of(files)}:",
        f"{len(every.right)} cases and {len(taken.words)} words, of them {len(held.right)} and {len(held.words.words)} held out.",
        "Shares: the right command first in its profile / first for a word the lexicon lacks / among the first ten for it.",
        told("These weights", table, held, every),
        told("Weights before", present, held, every),
    )
    sys.stdout.write(
        "\n".join([*header, *(f"{k}: {table[k]:g} (before {present[k]:g})" for k in GRID)]) + "\n"
    )
    if given.write:
        TARGET.write_text(written({k: table[k] for k in GRID}, header, TARGET.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
