"""Fit the weights of ``src/winnow/decide/weights.yaml`` on development cases, measured on rows held out.

    python training/fit_scores.py                              compare the weights in force with fitted ones
    python training/fit_scores.py --cases DIR --homes DIR      on cases of another folder
    python training/fit_scores.py --write                      put the fitted ones in force

``--cases`` and ``--homes`` take files or folders, and may be given several times, in pairs. A row counts when
its sentence is one instruction. Acts on one device teach the weights: the device that is meant should score
above every other that explains all words of the mention. Those and the rows that must be asked about choose
``epsilon``. Every fifth row, by a checksum of its id, is held out. Nothing is random: the same cases give the
same file.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch
from zlib import crc32

import numpy as np
import numpy.typing as npt
import yaml
from benchmarks.evaluation.cases import DeviceCase, case_files, device_case, read_cases
from benchmarks.evaluation.devices import DevicePredictor

from winnow.adapters.platforms import bundle as examples
from winnow.decide.gate import GateResult, gate_devices
from winnow.decide.score import ScoredDevice, score_devices, score_weights
from winnow.ports.services import run_blocking
from winnow.types.home import HomeView
from winnow.types.query import QueryIR

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "src" / "winnow" / "decide" / "weights.yaml"
PRIOR = {
    "coverage": 4.0,
    "named": 0.6,
    "exact": 0.9,
    "area": 1.2,
    "able": 0.3,
    "trait": 0.4,
    "preferred": 0.5,
    "acted": 0.2,
}
"""Weights set by hand, that the fitted ones stay near where the cases say nothing."""
FITTED = tuple(PRIOR)
"""Features whose weight is fitted; more of each speaks for a device, so no weight is below zero."""
L2 = 1e-2
STEPS, RATE = 6000, 0.3
WORTH = 0.001
"""Share of right answers that is given up for a larger ``epsilon``: in doubt, ask."""
EPSILONS = tuple(round(0.05 * n, 2) for n in range(1, 21))
HELD_OUT = 5
"""One row in so many is only measured."""
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Row:
    """One case: what was scored, and the device that is meant (empty: the right answer is a question)."""

    id: str
    query: QueryIR
    scored: tuple[ScoredDevice, ...]
    view: HomeView
    area: str | None
    gold: str

    @property
    def held_out(self) -> bool:
        """Whether the row is only measured."""
        return crc32(self.id.encode()) % HELD_OUT == 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """Shares of 0..1 over rows.

    Acted on the right device, acted on a wrong one or where a question was due.
    """

    exact: float
    wrong: float


def rows(cases: Sequence[Path], homes: Path) -> Iterator[Row]:
    """The usable rows of case files, in order."""
    ready = DevicePredictor(homes)
    for path in cases:
        expected = expectations(path)
        for case in read_cases(path, device_case):
            decision = expected[case.id]["decision"]
            devices = {call["device"] for call in expected[case.id]["calls"]}
            if decision == "clarify":
                yield from _row(case, ready, "")
            elif decision == "act" and len(devices) == 1:
                yield from _row(case, ready, devices.pop())


def expectations(path: Path) -> dict[str, Any]:
    """What each case of a file expects, by the id of the case."""
    cases = map(json.loads, path.read_text("utf-8-sig").splitlines())
    return {case["id"]: case["expect"] for case in cases if case}


def _row(case: DeviceCase, homes: DevicePredictor, gold: str) -> Iterator[Row]:
    engine = homes.engine(case)
    view = engine.sync.load_home().view
    retrieval = engine.sync.retrieve(case.utterance)
    queries = retrieval.reading.queries
    if retrieval.reading.intent != "command" or len(queries) != 1 or not queries[0].action_cluster:
        return
    snapshot = run_blocking(engine.states.read(retrieval.scope))
    found = tuple(score_devices(queries[0], retrieval.shortlists[0], view, snapshot))
    room = view.room_named(case.utterance.room) if case.utterance.room else None
    if found and (not gold or gold in {s.device.id for s in found}):
        yield Row(case.id, queries[0], found, view, room.id if room else None, gold)


def reweighed(row: Row, table: Mapping[str, float]) -> list[ScoredDevice]:
    """The devices of a row under other weights, best first."""
    again = [replace(s, score=sum(table.get(k, 0.0) * v for k, v in s.features.items())) for s in row.scored]
    return sorted(again, key=lambda s: (-s.score, s.device.id))


def decided(row: Row, table: Mapping[str, float]) -> GateResult:
    """What the gate makes of a row under these weights."""
    with patch("winnow.decide.score.score_weights", lambda: table):
        return gate_devices(row.query, reweighed(row, table), row.view, row.area)


def outcome(found: Sequence[Row], table: Mapping[str, float]) -> Outcome:
    """How a table of weights does on rows."""
    exact = wrong = 0
    for row in found:
        chosen = {s.device.id for s in decided(row, table).chosen}
        right = chosen == {row.gold} if row.gold else not chosen
        exact += right
        wrong += bool(chosen) and not right
    return Outcome(exact / max(1, len(found)), wrong / max(1, len(found)))


def differences(found: Sequence[Row]) -> tuple[Floats, Floats]:
    """Gold minus each rival, one line a pair, and what each counts for.

    All pairs of a row together count one.
    """
    lines: list[list[float]] = []
    shares: list[float] = []
    for row in found:
        pairs = _pairs(row)
        lines += pairs
        shares += [1 / len(pairs) for _ in pairs]
    return np.array(lines, float).reshape(-1, len(FITTED)), np.array(shares, float)


def _pairs(row: Row) -> list[list[float]]:
    """Gold minus each other device that explains all words; none where the gold one does not."""
    whole = [s for s in row.scored if not s.unexplained]
    gold = next((s for s in whole if s.device.id == row.gold), None)
    if gold is None:
        return []
    rivals = [s for s in whole if s.device.id != row.gold]
    return [[gold.features[k] - s.features[k] for k in FITTED] for s in rivals]


def fitted(pairs: Floats, shares: Floats) -> Floats:
    """Weights by pairwise logistic regression with L2 towards the prior.

    None is below zero (projected gradient).
    """
    prior = np.array([PRIOR[k] for k in FITTED])
    w = prior.copy()
    share = shares / shares.sum()
    for _ in range(STEPS):
        slope = -(share / (1 + np.exp(np.clip(pairs @ w, -50, 50)))) @ pairs + L2 * (w - prior)
        w = np.maximum(0.0, w - RATE * slope)
    return w


def table_of(w: Floats, epsilon: float, present: Mapping[str, float]) -> dict[str, float]:
    """Weights by name; what is not fitted stays."""
    return {**present, **{k: round(float(v), 3) for k, v in zip(FITTED, w, strict=True)}, "epsilon": epsilon}


def best_epsilon(found: Sequence[Row], w: Floats, present: Mapping[str, float]) -> float:
    """The largest of those with the fewest wrong acts that give up next to nothing."""
    scores = {e: outcome(found, table_of(w, e, present)) for e in EPSILONS}
    fewest = min(o.wrong for o in scores.values())
    safe = {e: o.exact for e, o in scores.items() if o.wrong == fewest}
    return max(e for e, exact in safe.items() if exact >= max(safe.values()) - WORTH)


def said(name: str, table: Mapping[str, float], found: Sequence[Row]) -> str:
    """One line on how a table does on the rows held out and on all."""
    held, every = outcome([r for r in found if r.held_out], table), outcome(found, table)
    shown = f"held out {held.exact:.2%} right, {held.wrong:.2%} wrong acts"
    return f"{name}: {shown}; all {every.exact:.2%} and {every.wrong:.2%}"


def written(table: Mapping[str, float], header: Sequence[str], text: str) -> str:
    """The text of a ``weights.yaml`` with these weights; its other lines and comments stay."""
    body = [line for line in text.splitlines() if not line.startswith("#:")]
    return "\n".join([*(f"#: {line}" for line in header), *(_line(line, table) for line in body)]) + "\n"


def _line(line: str, table: Mapping[str, float]) -> str:
    name = line.partition(":")[0]
    return f"{name}: {table[name]:g}" if name in table else line


def arguments(argv: Sequence[str], about: str) -> argparse.Namespace:
    """The command line of a script whose docstring is ``about``."""
    parser = argparse.ArgumentParser(description=about.splitlines()[0])
    parser.add_argument(
        "--cases", type=Path, action="append", help="case file or folder; may be given several times"
    )
    parser.add_argument(
        "--homes", type=Path, action="append", help="folder of the homes of the cases at the same place"
    )
    parser.add_argument("--write", action="store_true", help="write the fitted weights")
    return parser.parse_args(argv)


def files_of(given: argparse.Namespace) -> list[tuple[tuple[Path, ...], Path]]:
    """The case files of each folder with the folder of their homes.

    The committed ones when none was given.
    """
    places = zip(
        given.cases or [ROOT / "benchmarks" / "data"],
        given.homes or [examples.EXAMPLES_FOLDER],
        strict=True,
    )
    return [(case_files(cases), homes) for cases, homes in places]


def names_of(files: Sequence[tuple[tuple[Path, ...], Path]]) -> str:
    """What the case files are called, by name."""
    return ", ".join(sorted({path.stem for cases, _ in files for path in cases}))


def main(argv: Sequence[str]) -> None:
    """Fit, measure, tell, and write if asked to."""
    given = arguments(argv, __doc__ or "")
    files = files_of(given)
    found = [row for cases, homes in files for row in rows(cases, homes)]
    present = dict(yaml.safe_load(TARGET.read_text("utf-8")))
    table, learned_from = learned(found, present)
    header = (
        f"Fitted by training/fit_scores.py on {names_of(files)}:",
        learned_from,
        said("These weights", table, found),
        said("Weights before", score_weights(), found),
    )
    tell(header, {k: table[k] for k in (*FITTED, "epsilon")}, present, TARGET if given.write else None)


def learned(found: Sequence[Row], present: Mapping[str, float]) -> tuple[dict[str, float], str]:
    """The weights fitted on the rows that are not held out, and what they were learned from."""
    taught = [r for r in found if not r.held_out]
    pairs, shares = differences([r for r in taught if r.gold])
    w = fitted(pairs, shares)
    rows_and_pairs = f"{len(taught)} rows ({len(pairs)} pairs), {len(found) - len(taught)} held out."
    return table_of(w, best_epsilon(taught, w, present), present), rows_and_pairs


def tell(
    header: Sequence[str], table: Mapping[str, float], present: Mapping[str, float], target: Path | None
) -> None:
    """Say what was fitted beside the weights in force, and put it there where a ``target`` is given."""
    lines = (f"{name}: {weight:g} (before {present[name]:g})" for name, weight in table.items())
    sys.stdout.write("\n".join([*header, *lines]) + "\n")
    if target:
        target.write_text(written(table, header, target.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
