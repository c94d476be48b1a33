"""Fit the network that rewrites Chinese follow-ups on development conversations, measured on those held out.

    python training/fit_rewrite_zh.py CASES              five folds: fit on four, measure on the fifth
    python training/fit_rewrite_zh.py CASES --write      fit on all and put the weights in force

The weights are ``rewrite/zh/weights.npz``. CASES is a ``.jsonl`` file with ``id``, ``history``, ``query`` and
``rewrite`` in every line. From each conversation come a follow-up (its query must become its rewrite), a
complete question (the rewrite as a query, left alone) and, as changes of topic, the opening words and the
rewrite of another conversation of the same fold (left alone). Some histories get turns of another
conversation put in front. Conversations are told apart by a checksum of their id, so all that is made of one
is in one fold. Nothing is drawn without a seed.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt

from winnow.types.utterance import Turn
from winnow.understand.rewrite.zh.ranker import PAIR, Encoded, Ranker, encode, pad_weights, pairs
from winnow.understand.rewrite.zh.topics import ChineseScene, apply_edit, scene_of

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "src" / "winnow" / "understand" / "rewrite" / "zh" / "weights.npz"
FOLDS, HIDDEN, EPOCHS, BATCH = 5, 32, 5, 32
RATE, L2, DROPPED = 3e-3, 3e-4, 0.3
RARE = 50
"""A feature seen in fewer conversations is left out."""
WEIGHTS = {"follow-up": 1.0, "long": 0.5, "complete": 0.5, "switch": 0.7, "opening": 1.0}
"""What an example of each kind counts for."""
Floats = npt.NDArray[np.float32]
Weights = dict[str, Floats]


@dataclass(frozen=True, slots=True)
class Example:
    """A query, what it should become, and the fold it belongs to."""

    kind: str
    fold: int
    history: tuple[Turn, ...]
    query: str
    gold: str


@dataclass(slots=True)
class Row:
    """An example with its candidates: which of them give the gold text, and whether leaving it alone does."""

    example: Example
    encoded: Encoded
    pair: npt.NDArray[np.bool_]
    right: npt.NDArray[np.bool_]
    complete: bool
    stretches: list[npt.NDArray[np.intp]] = field(default_factory=list)
    slots: list[npt.NDArray[np.intp]] = field(default_factory=list)


def units(text: str) -> str:
    """``text`` without spaces and marks, in one case: what two rewrites are compared by."""
    return "".join(re.findall(r"[^\s\W_]", unicodedata.normalize("NFKC", text).lower()))


def examples(path: Path, seed: int = 0) -> Iterator[Example]:
    """All examples of a file of conversations."""
    cases = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    folds: dict[int, list[dict[str, Any]]] = {n: [] for n in range(FOLDS)}
    for case in cases:
        case["turns"] = tuple(Turn(h["role"], h["content"]) for h in case["history"])
        folds[crc32(case["id"].encode()) % FOLDS].append(case)
    chance = random.Random(seed)
    for fold, rows in folds.items():
        for case in rows:
            yield from _on_topic(case, rows, fold, chance)
            yield from _off_topic(case, rows, fold, chance)


def _on_topic(
    case: Mapping[str, Any], rows: Sequence[Mapping[str, Any]], fold: int, chance: random.Random
) -> Iterator[Example]:
    history, query, gold = _turns(case), case["query"], case["rewrite"]
    yield Example("follow-up", fold, history, query, gold)
    yield Example("complete", fold, history, gold, gold)
    if chance.random() < 0.2:
        before = _turns(*chance.sample(rows, chance.randint(1, 4)))
        yield Example("long", fold, before + history, query, gold)


def _off_topic(
    case: Mapping[str, Any], rows: Sequence[Mapping[str, Any]], fold: int, chance: random.Random
) -> Iterator[Example]:
    if chance.random() < 0.3:
        yield Example("switch", fold, _turns(chance.choice(rows)), case["rewrite"], case["rewrite"])
    if chance.random() < 0.4 and len(opening := _opening(chance.choice(rows))) > 3:
        yield Example("opening", fold, _turns(case), opening, opening)


def _opening(case: Mapping[str, Any]) -> str:
    return _turns(case)[0].content


def _turns(*cases: Mapping[str, Any]) -> tuple[Turn, ...]:
    return tuple(turn for case in cases for turn in case["turns"])


def row(example: Example) -> Row:
    """The candidates of an example."""
    scene = scene_of(example.query, example.history)
    encoded = encode(scene)
    gold = units(example.gold)
    texts = [units(s.text) for s in encoded.stretches]
    right = np.array([[text == rest for rest in _missing(encoded, scene, gold)] for text in texts], np.bool_)
    shape = (len(texts), len(encoded.places))
    found = pairs(encoded.stretches, encoded.places, scene) if texts else np.zeros((*shape, len(PAIR)))
    return Row(example, encoded, found.astype(np.bool_), right.reshape(shape), units(example.query) == gold)


def _missing(encoded: Encoded, scene: ChineseScene, gold: str) -> list[str | None]:
    """For every slot, the text that would have to stand there to give the gold text."""
    found: list[str | None] = []
    for slot in encoded.places:
        before = units("".join(w.text for w in scene.query[: slot.first]))
        after = slot.glue + units("".join(w.text for w in scene.query[slot.last :]))
        fits = gold.startswith(before) and gold.endswith(after) and len(gold) > len(before) + len(after)
        found.append(gold[len(before) : len(gold) - len(after)] if fits else None)
    return found


def names(features: Iterable[Sequence[Sequence[str]]]) -> dict[str, int]:
    """Column of every feature that is not rare."""
    counts = Counter(name for found in features for name in {n for one in found for n in one})
    return {name: i for i, name in enumerate(sorted(n for n, c in counts.items() if c >= RARE))}


def _columns(features: Sequence[Sequence[str]], known: Mapping[str, int]) -> list[npt.NDArray[np.intp]]:
    return [np.array(sorted({known[n] for n in found if n in known}), np.intp) for found in features]


def _hot(found: Sequence[npt.NDArray[np.intp]], width: int) -> Floats:
    hot = np.zeros((len(found), width), np.float32)
    for i, columns in enumerate(found):
        hot[i, columns] = 1
    return hot


def start(stretch: int, slot: int, seed: int) -> Weights:
    """Weights before fitting; the last column of each goes straight to the score."""
    chance = np.random.default_rng(seed)
    first = {
        part: chance.normal(0, 0.1, (n, HIDDEN + 1))
        for part, n in (("stretch", stretch), ("slot", slot), ("pair", len(PAIR)))
    }
    for part in first.values():
        part[:, -1] = 0
    found = {**first, "bias": np.zeros(HIDDEN), "out": chance.normal(0, 0.3, HIDDEN)}
    return {part: value.astype(np.float32) for part, value in found.items()}


class Adam:
    """Steps down the slopes of weights, each scaled by what its slopes were before."""

    def __init__(self, weights: Weights) -> None:
        self.weights, self.steps = weights, 0
        self.first, self.second = ({k: np.zeros_like(v) for k, v in weights.items()} for _ in range(2))

    def step(self, slopes: Weights, rate: float) -> None:
        """One step with L2."""
        self.steps += 1
        for k, slope in slopes.items():
            full = slope + L2 * self.weights[k]
            self.first[k] = 0.9 * self.first[k] + 0.1 * full
            self.second[k] = 0.999 * self.second[k] + 0.001 * full * full
            mean, square = self.first[k] / (1 - 0.9**self.steps), self.second[k] / (1 - 0.999**self.steps)
            self.weights[k] -= (rate * (mean / (np.sqrt(square) + 1e-8))).astype(np.float32)


def fit(rows: Sequence[Row], stretch: int, slot: int, seed: int = 0) -> Weights:
    """Adam on the log chance of the right candidates, its step shrinking to nothing."""
    adam, chance = Adam(start(stretch, slot, seed)), np.random.default_rng(seed)
    total = EPOCHS * -(-len(rows) // BATCH)
    for epoch in range(EPOCHS):
        loss = 0.0
        for batch in _batches(rows, chance):
            kept = (chance.random(HIDDEN) > DROPPED).astype(np.float32) / (1 - DROPPED)
            lost, slopes = gradient(batch, adam.weights, kept)
            adam.step(slopes, RATE * (1 - adam.steps / total))
            loss += lost
        _say(f"  epoch {epoch + 1}: loss {loss / len(rows):.4f}")
    return adam.weights


def _batches(rows: Sequence[Row], chance: np.random.Generator) -> Iterator[list[Row]]:
    order = chance.permutation(len(rows))
    for at in range(0, len(rows), BATCH):
        yield [rows[i] for i in order[at : at + BATCH]]


def gradient(rows: Sequence[Row], weights: Weights, kept: Floats) -> tuple[float, Weights]:
    """Loss of a batch and its slope; ``kept`` scales each hidden unit, 0 where it is dropped."""
    stretches = Sums.of([r.stretches for r in rows], weights["stretch"])
    slots = Sums.of([r.slots for r in rows], weights["slot"])
    net = Net(weights, kept, {part: np.zeros_like(weights[part]) for part in ("pair", "bias", "out")})
    loss = sum(map(net.learned, rows, stretches.parts(), slots.parts()))
    slopes = {**net.slopes, "stretch": stretches.of_weights, "slot": slots.of_weights}
    return loss, {part: slope / len(rows) for part, slope in slopes.items()}


@dataclass(frozen=True, slots=True)
class Sums:
    """The summed weights of the features of spans or slots, and the slope of the loss in each sum."""

    hot: Floats
    """1 for each feature, shape (spans or slots, features)."""
    value: Floats
    slope: Floats
    sizes: Sequence[int]
    """How many of them each row has."""

    @classmethod
    def of(cls, rows: Sequence[Sequence[npt.NDArray[np.intp]]], weights: Floats) -> Sums:
        """Sums whose slope is still 0."""
        hot = _hot([columns for found in rows for columns in found], len(weights))
        value = hot @ weights
        return cls(hot, value, np.zeros_like(value), [len(found) for found in rows])

    def parts(self) -> Iterator[Sums]:
        """Those of each row; what is added to their slope is added to the whole."""
        start = 0
        for size in self.sizes:
            part = slice(start, start + size)
            yield Sums(self.hot[part], self.value[part], self.slope[part], [size])
            start += size

    @property
    def of_weights(self) -> Floats:
        """The slope in the weights."""
        return self.hot.T @ self.slope


@dataclass(frozen=True, slots=True)
class Net:
    """The weights behind the sums, and the slope of the loss in them."""

    weights: Weights
    kept: Floats
    slopes: Weights

    def learned(self, r: Row, stretches: Sums, slots: Sums) -> float:
        """Loss of one row; its slope is added to those of its sums and of the weights."""
        found, out = r.pair.astype(np.float32), self.weights["out"] * self.kept
        every = self._every(found, stretches, slots)
        before = every[:, :-1] + self.weights["bias"]
        hidden = np.maximum(before, 0)
        loss, slope = _missed(r, hidden @ out + every[:, -1])
        self.slopes["out"] += (slope @ hidden) * self.kept
        full = np.concatenate([slope[:, None] * out * (before > 0), slope[:, None]], axis=1)
        self._spread(full, found, stretches, slots)
        return loss

    def _every(self, found: Floats, stretches: Sums, slots: Sums) -> Floats:
        """What goes into the hidden layer: leaving the query alone first, then all edits."""
        edits = stretches.value[:, None] + slots.value[None, 1:] + found @ self.weights["pair"]
        return np.concatenate([slots.value[:1], edits.reshape(-1, HIDDEN + 1)])

    def _spread(self, full: Floats, found: Floats, stretches: Sums, slots: Sums) -> None:
        """Adds the slope in what goes into the hidden layer to what it was summed from."""
        edits = full[1:].reshape(*found.shape[:2], HIDDEN + 1)
        self.slopes["bias"] += full[:, :-1].sum(0)
        self.slopes["pair"] += np.tensordot(found, edits, ((0, 1), (0, 1)))
        stretches.slope[:] += edits.sum(1)
        slots.slope[0] += full[0]
        slots.slope[1:] += edits.sum(0)


def _missed(r: Row, scores: Floats) -> tuple[float, Floats]:
    """Loss of the scores of leaving a row alone and of all its edits, and its slope in them."""
    worth = WEIGHTS[r.example.kind]
    shares = np.exp(scores - scores.max())
    shares /= shares.sum()
    right = shares * np.concatenate([[r.complete], r.right.ravel()])
    total = right.sum() + 1e-12
    return float(-np.log(total) * worth), ((shares - right / total) * worth).astype(np.float32)


def judged(rows: Sequence[Row], model: Ranker) -> list[tuple[str, float, bool]]:
    """Kind, chance of completeness and whether the best edit is right, of every row."""
    found = []
    for r in rows:
        scene = scene_of(r.example.query, r.example.history)
        best = model.best(scene)
        text = apply_edit(scene, best.stretch, best.slot)[0] if best.stretch and best.slot else ""
        found.append((r.example.kind, best.complete, units(text) == units(r.example.gold)))
    return found


def table(found: Sequence[tuple[str, float, bool]]) -> str:
    """Share of right answers of each kind, by the chance from which on a query is left alone."""
    kinds = list(WEIGHTS)
    lines = ["left alone from  " + "  ".join(f"{k:>10}" for k in kinds)]
    for limit in (0.3, 0.4, 0.5, 0.6, 0.7):
        shares = [_share(found, kind, limit) for kind in kinds]
        lines.append(f"{limit:>15}  " + "  ".join(f"{share:>10.3f}" for share in shares))
    return "\n".join(lines)


def _share(found: Sequence[tuple[str, float, bool]], kind: str, limit: float) -> float:
    """Share of right answers of one kind, with queries left alone from ``limit`` on."""
    ours = [(chance >= limit, edit) for k, chance, edit in found if k == kind]
    if kind in ("complete", "switch", "opening"):
        return float(np.mean([alone for alone, _ in ours]))
    return float(np.mean([edit and not alone for alone, edit in ours]))


def fitted(rows: Sequence[Row]) -> Ranker:
    """A network fitted on ``rows``."""
    stretch, slot = names(r.encoded.stretch_features for r in rows), names(r.encoded.slots for r in rows)
    useful = [r for r in rows if r.complete or r.right.any()]
    for r in useful:
        r.stretches, r.slots = _columns(r.encoded.stretch_features, stretch), _columns(r.encoded.slots, slot)
    weights = fit(useful, len(stretch), len(slot))
    weights |= {part: pad_weights(weights[part]) for part in ("stretch", "slot")}
    return Ranker(stretch, slot, weights)


def write(model: Ranker, target: Path, source: str) -> None:
    """Put a network in force."""
    weights = {**model.weights, "stretch": model.weights["stretch"][:-1], "slot": model.weights["slot"][:-1]}
    stored = {part: value.astype(np.float16) for part, value in weights.items()}
    np.savez_compressed(
        target,
        stretch_names=np.array(list(model.stretch_names)),
        slot_names=np.array(list(model.slot_names)),
        fitted_on=np.array(source),
        **stored,
    )
    _say(f"{target}: {target.stat().st_size / 1000:.0f} kB")


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def main(argv: Sequence[str] | None = None) -> int:
    """Fit and measure, or fit and write."""
    options = _options(argv)
    rows = [row(example) for example in examples(options.cases)]
    _say(f"{len(rows)} examples")
    if options.write:
        write(fitted(rows), options.out, f"{options.cases.name}, {len(rows)} examples")
    else:
        _say(table(cross_validated(rows, options.folds, options.keep)))
    return 0


def cross_validated(rows: Sequence[Row], folds: int, keep: Path | None) -> list[tuple[str, float, bool]]:
    """What networks say of the rows of folds that they never saw; ``keep`` is where the networks go."""
    found: list[tuple[str, float, bool]] = []
    for fold in range(folds):
        model = fitted([r for r in rows if r.example.fold != fold])
        found += judged([r for r in rows if r.example.fold == fold], model)
        if keep:
            write(model, keep / f"{fold}.npz", f"all but fold {fold}")
    return found


def _options(argv: Sequence[str] | None) -> argparse.Namespace:
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("cases", type=Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--out", type=Path, default=TARGET, help="file of the weights")
    parser.add_argument("--folds", type=int, default=FOLDS, help="how many of the five folds are measured")
    parser.add_argument("--keep", type=Path, help="folder for the network of each fold")
    return parser.parse_args(argv)


if __name__ == "__main__":
    raise SystemExit(main())
