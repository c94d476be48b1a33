"""Tell what feedback says about ranking, about how room is shared, and about what is made smaller.

    winnow feedback --json > feedback.jsonl
    python -m training.knowledge.tune feedback.jsonl                      a report, and nothing else
    python -m training.knowledge.tune feedback.jsonl --to tuned.yaml      and the settings it proposes

Nothing is changed: ``tuned.yaml`` counts once a person names it (``tuned = "tuned.yaml"``, or WINNOW_TUNED).
Each turn falls into one of two halves by a hash of its id; what is learned on one half is judged on the
other, both ways. A change is proposed only where a permutation test of those judgements says that chance
alone gives one as good in less than one case of a hundred, and where at least 20 turns tell of it.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import yaml

from winnow.context.metrics import log_odds, ranking_features
from winnow.types.candidate import BEARING_LANE, Ref
from winnow.types.feedback import Account, Feedback, OfferedResult

LEAST, CHANCE, SHUFFLES = 20, 0.01, 4999
L2, STEPS = 1.0, 25
SMALL = 0.15
"""Weights nearer to 0 than this are left out: no order hangs on them."""
GOOD = {"useful": 1.0, "missing": 1.0, "not_useful": 0.0, "wrong": 0.0}
ROOMS: Mapping[str, Sequence[float]] = {
    "knowledge": (0.4, 0.5, 0.6, 0.7),
    "relevant": (0.2, 0.35, 0.5, 0.65),
    "protect": (0.6, 0.8, 1.01),
}
"""What is tried of the share of what was looked up, of ``relevant`` and of ``protect``."""
DEFAULT = {"knowledge": 0.5, "relevant": 0.35, "protect": 0.8}
FEWEST, LITTLE = 3, 500
"""What of a source is given at first: so many candidates, and more of them up to so many tokens."""
BOTH = 0.8
"""Part of a budget that history and knowledge divide."""
Floats = npt.NDArray[np.float64]
Room = Mapping[str, float]


@dataclass(frozen=True)
class Turn:
    """A turn and what was said of the things it was given: 1 good, 0 not."""

    account: Account
    said: Mapping[Ref, float]

    @property
    def half(self) -> int:
        """0 or 1, by its id."""
        return blake2b(self.account.id.encode(), digest_size=1).digest()[0] % 2

    @property
    def judged(self) -> list[tuple[OfferedResult, float]]:
        """What was offered and judged."""
        return [(one, self.said[one.ref]) for one in self.account.offered if one.ref in self.said]


@dataclass(frozen=True)
class Finding:
    """One thing that was tried: how good it was before and after on turns it was not learned from."""

    what: str
    turns: int
    before: float
    after: float
    chance: float
    """Probability that chance alone gives a gain as great."""
    proposal: Mapping[str, float] = field(default_factory=dict)

    @property
    def worth(self) -> bool:
        """Whether it is proposed."""
        return (
            self.turns >= LEAST and self.after > self.before and self.chance < CHANCE and bool(self.proposal)
        )


def turns_of(given: Sequence[Feedback]) -> list[Turn]:
    """The turns of which something is said about single things; what is said last of a thing counts."""
    accounts = {one.retrieval: one.account for one in given if one.account is not None}
    said: dict[str, dict[Ref, float]] = {id_: {} for id_ in accounts}
    for one in given:
        if one.ref is not None and one.retrieval in said:
            said[one.retrieval][one.ref] = GOOD[one.judged]
    turns = (Turn(account, said[id_]) for id_, account in accounts.items())
    return [turn for turn in turns if turn.judged]


def ranking(turns: Sequence[Turn]) -> Finding:
    """Weights of features beside the relevance; good is the mean log-likelihood of what was said."""
    names = sorted({name for turn in turns for one, _ in turn.judged for name in _figures(one)})
    halves = [[turn for turn in turns if turn.half == half] for half in (0, 1)]
    if min(map(len, halves)) < 2:
        return Finding("ranking weights", len(turns), 0.0, 0.0, 1.0)
    gains, levels = [], []
    for learned, judged in (halves, halves[::-1]):
        weights, alone = _fitted(learned, names), _fitted(learned, [])
        for turn in judged:
            old, new = _likelihood(turn, [], alone), _likelihood(turn, names, weights)
            gains.append(new - old)
            levels.append((old, new))
    before, after = np.mean(levels, axis=0)
    weights = _fitted(turns, names)
    proposal = {n: round(float(w), 3) for n, w in zip(names, weights[1:], strict=True) if abs(w) >= SMALL}
    return Finding("ranking weights", len(gains), float(before), float(after), by_chance(gains), proposal)


def room(turns: Sequence[Turn]) -> Finding:
    """How much room data has and what goes first; good is what of the good stood there less of the bad."""
    choices = [dict(zip(ROOMS, values, strict=True)) for values in itertools.product(*ROOMS.values())]
    halves = [[turn for turn in turns if turn.half == half] for half in (0, 1)]
    if min(map(len, halves)) < 2:
        return Finding("room", len(turns), 0.0, 0.0, 1.0)
    pairs = []
    for learned, judged in (halves, halves[::-1]):
        best = _best_room(learned, choices)
        pairs += [(_served(turn, DEFAULT), _served(turn, best)) for turn in judged]
    before, after = np.mean(pairs, axis=0)
    best = _best_room(turns, choices)
    proposal = {name: value for name, value in best.items() if value != DEFAULT[name]}
    chance = by_chance([new - old for old, new in pairs])
    return Finding("room", len(pairs), float(before), float(after), chance, proposal)


def by_chance(gains: Sequence[float]) -> float:
    """How often the sum of the gains is as great when the sign of each is drawn by lot."""
    known = np.array([gain for gain in gains if gain != 0.0])
    if not len(known):
        return 1.0
    lots = np.random.default_rng(0).choice((-1.0, 1.0), size=(SHUFFLES, len(known)))
    return float((1 + np.sum(lots @ known >= known.sum() - 1e-12)) / (SHUFFLES + 1))


def _figures(one: OfferedResult) -> dict[str, float]:
    return ranking_features(one.source, one.evidence)


def _matrix(turn: Turn, names: Sequence[str]) -> tuple[Floats, Floats, Floats]:
    """A row of figures for each thing that was judged (1 first), its log-odds as they were, what was said."""
    rows = [[1.0, *(_figures(one).get(name, 0.0) for name in names)] for one, _ in turn.judged]
    offsets = [log_odds(one.evidence.get(BEARING_LANE, one.score)) for one, _ in turn.judged]
    return np.array(rows), np.array(offsets), np.array([said for _, said in turn.judged])


def _fitted(turns: Sequence[Turn], names: Sequence[str]) -> Floats:
    """Weights of logistic regression on top of the relevance as it was; the first is for all alike."""
    parts = [_matrix(turn, names) for turn in turns]
    rows, offsets, said = (np.concatenate(column) for column in zip(*parts, strict=True))
    weights, ridge = np.zeros(len(names) + 1), np.diag([1e-6, *[L2] * len(names)])
    for _ in range(STEPS):  # Newton's method
        sure = 1 / (1 + np.exp(-(offsets + rows @ weights)))
        slope = rows.T @ (said - sure) - ridge @ weights
        bend = (rows * (sure * (1 - sure) + 1e-6)[:, None]).T @ rows + ridge
        weights += np.linalg.solve(bend, slope)
    return weights


def _likelihood(turn: Turn, names: Sequence[str], weights: Floats) -> float:
    rows, offsets, said = _matrix(turn, names)
    signed = (offsets + rows @ weights) * (2 * said - 1)
    return float(-np.mean(np.logaddexp(0.0, -signed)))


def _best_room(turns: Sequence[Turn], choices: Sequence[Room]) -> Room:
    """What serves best; of what serves alike, that which is nearest to the default."""

    def figure(choice: Room) -> tuple[float, int]:
        served = float(np.mean([_served(turn, choice) for turn in turns]))
        return round(served, 6), sum(choice[name] == DEFAULT[name] for name in DEFAULT)

    return max(choices, key=figure)


def _served(turn: Turn, choice: Room) -> float:
    """Mean part of the good things that would stand in the messages, less that of the bad ones."""
    parts = _parts(turn.account, choice)
    good, bad = (
        [parts.get(one.ref, 0.0) for one, said in turn.judged if said == kind] for kind in (1.0, 0.0)
    )
    return (float(np.mean(good)) if good else 0.0) - (float(np.mean(bad)) if bad else 0.0)


def _parts(account: Account, choice: Room) -> dict[Ref, float]:
    """What part of each thing would be given: first what is protected, whole; the rest made smaller alike."""
    given = [one for one in account.offered if _at_first(one, account, choice["relevant"])]
    left = account.total * choice["knowledge"]
    parts: dict[Ref, float] = {}
    for one in (one for one in given if one.evidence.get("importance", 0.5) >= choice["protect"]):
        parts[one.ref] = 1.0 if one.tokens <= left else 0.0
        left -= one.tokens * parts[one.ref]
    rest = [one for one in given if one.ref not in parts]
    rate = min(1.0, left / max(1, sum(one.tokens for one in rest)))
    return parts | {one.ref: rate for one in rest}


def _at_first(one: OfferedResult, account: Account, relevant: float) -> bool:
    theirs = [other for other in account.offered if other.source == one.source]
    best, n = max(other.score for other in theirs), theirs.index(one)
    little = n < FEWEST or sum(other.tokens for other in theirs[: n + 1]) <= LITTLE
    return little and one.score >= relevant * best


def proposed(findings: Sequence[Finding], in_force: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The settings of what is worth it, on top of those in force; empty: nothing is."""
    settings: dict[str, Any] = {}
    for finding in findings:
        if finding.worth and finding.what == "room":
            settings |= {n: v for n, v in finding.proposal.items() if n != "knowledge"}
            if (share := finding.proposal.get("knowledge")) is not None:
                shares = {"history": round(BOTH - share, 2), "knowledge": share}
                settings["shares"] = shares | {"system": 0.15, "reserve": 0.05}
        elif finding.worth:
            before = dict((in_force or {}).get("ranking", {}))
            names = sorted({*before, *finding.proposal})
            weights = {n: round(before.get(n, 0.0) + finding.proposal.get(n, 0.0), 3) for n in names}
            settings["ranking"] = weights
    return settings and {**(in_force or {}), **settings}


def report(given: Sequence[Feedback], turns: Sequence[Turn], findings: Sequence[Finding]) -> str:
    """What was found, in Markdown."""
    kinds = ", ".join(f"{sum(one.judged == kind for one in given)} {kind}" for kind in GOOD)
    lines = [
        f"{len(given)} pieces of feedback ({kinds}); {len(turns)} turns tell about single things.",
        "",
        "| what | turns | before | after | by chance | |",
        "| --- | ---: | ---: | ---: | ---: | --- |",
    ]
    for one in findings:
        told = "worth a change" if one.worth else _why_not(one)
        figures = f"{one.before:.4f} | {one.after:.4f} | {one.chance:.4f}"
        lines.append(f"| {one.what} | {one.turns} | {figures} | {told} |")
    if not any(one.worth for one in findings):
        lines += ["", "No change is worth it."]
    lines += [
        "",
        "ranking weights: mean log-likelihood of what was said. room: what of the good stood in the",
    ]
    lines += [
        "messages less what of the bad; that a longer share of data leaves the dialogue less is not in it."
    ]
    return "\n".join(lines)


def _why_not(one: Finding) -> str:
    if one.turns < LEAST:
        return f"too few: {LEAST} are needed"
    return "not better" if one.after <= one.before else "chance may do as much"


def read(path: str) -> list[Feedback]:
    """Feedback, one object a line; ``-``: standard input."""
    text = sys.stdin.read() if path == "-" else Path(path).read_text("utf-8")
    return [Feedback.of(json.loads(line)) for line in text.splitlines() if line.strip()]


def tuned(given: Sequence[Feedback], in_force: Mapping[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
    """The report, and the settings it proposes."""
    turns = turns_of(given)
    tries: tuple[Callable[[Sequence[Turn]], Finding], ...] = (ranking, room)
    findings = [replace(find(turns)) for find in tries]
    return report(given, turns, findings), proposed(findings, in_force)


def main() -> None:
    """The entry point."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else "")
    parser.add_argument("feedback", help="what winnow feedback --json printed")
    parser.add_argument("--to", type=Path, help="file to write the proposed settings to")
    parser.add_argument("--in-force", type=Path, help="tuned settings that were in force meanwhile")
    asked = parser.parse_args()
    in_force = yaml.safe_load(asked.in_force.read_text("utf-8")) if asked.in_force else None
    told, settings = tuned(read(asked.feedback), in_force)
    sys.stdout.write(told + "\n")
    if settings and asked.to:
        head = "".join(f"# {line}".rstrip() + "\n" for line in told.splitlines())
        asked.to.write_text(head + "\n" + yaml.safe_dump(settings, sort_keys=True), "utf-8")
        sys.stdout.write(f"\nWritten to {asked.to}. It counts once it is named: WINNOW_TUNED={asked.to}\n")


if __name__ == "__main__":
    main()
