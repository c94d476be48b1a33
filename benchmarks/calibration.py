"""Whether the probabilities that decide something are so, and whether their thresholds fit what they cost.

    python -m benchmarks.calibration

Of each: what was said, in ten bins, beside the share that was so; the expected calibration error (mean
distance of the two, weighted by how many are in a bin), the Brier score; the threshold in force, the ratio of
costs it is right for, and that which is stated where it was chosen. A threshold ``t`` is right where acting
in vain costs ``(1 - t) / t`` times what is lost by not acting. ``cheapest`` is the threshold that would have
cost least on these same questions at the stated ratio, and ``dearer`` by how many per cent the one in force
cost more. Nothing is judged by weights that saw it: other halves, other folds, other files, other persons
(but for two features of ``one_matter``, the shares of the relations, which are those in force).

``WINNOW_BENCH`` holds what ``benchmarks.sufficiency`` reads, and ``dev/need_retrieval/*.jsonl`` of public
dialogues (CLINC150, CrossWOZ, DSTC10, KdConv, LCCC); what is absent is left out.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from training import fit_bearing, fit_intent, fit_opening, fit_topic
from training.knowledge import fit_facts
from training.knowledge.fit_sufficiency import HOLDS, looked
from training.knowledge.tiers import NAMES, collections

from benchmarks import absent, facts, places, sufficiency
from winnow.adapters.models.embedders import StaticEmbedder
from winnow.language.linear import probability
from winnow.language.tables import table
from winnow.retrieve.bearing import bearing_weights
from winnow.retrieve.facts.merge import MIN_SAME_MATTER
from winnow.types.document import COSTS, KnowledgeSettings, threshold
from winnow.understand.intent.classify import intent_of
from winnow.understand.turn import WEIGHED_AGAIN

LIMITS = KnowledgeSettings()
BINS = 10
Said = Sequence[tuple[float, bool, float]]
"""What was said, whether it was so, and what the question counts."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A probability, where it decides, and what a wrong yes costs where a wrong no costs 1 (0: unknown)."""

    said: Callable[[], Said]
    threshold: float
    costs: float = 0.0


def private(beside: bool) -> Said:
    """The answer is among what is private; as many tiers hold it as is taken for granted."""
    found = [one for one in tiers() if one.corpus in NAMES and not (beside and one.kind == "whole")]
    counts = {True: HOLDS, False: 1 - HOLDS}
    return [(one.beside if beside else one.confidence, one.holds, counts[one.holds]) for one in found]


def relevant() -> Said:
    """A passage answers the question."""
    return [
        (score, gold, 1.0) for one in tiers() for score, gold in zip(one.relevance, one.gold, strict=True)
    ]


def tiers() -> list[sufficiency.Outcome]:
    if not _TIERS:
        corpora = collections(places.further())
        rows = [one for each in corpora for one in looked(each.name, each.cases())]
        _TIERS.extend(sufficiency.outcomes(rows) if rows else ())
    return _TIERS


def bears(model: str) -> Said:
    """The best that a source found bears on the question; of persons and a writer the weights never saw."""
    by, best = bearing_weights(model), dict[tuple[str, ...], tuple[float, bool, float]]()
    for one in found():
        if one.model == model:
            key = one.writer, one.source, one.question
            likely, right, _ = best.get(key, (0.0, False, 1.0))
            best[key] = max(likely, probability(one.figures, by[one.language])), right or one.right, 1.0
    return list(best.values())


def anything() -> Said:
    """Anything of all that was found bears on the question."""
    models = (*fit_bearing.MODELS, "anything")
    asked = fit_bearing.asked(found(), {name: bearing_weights(name) for name in models})
    by = bearing_weights("anything")["all"]
    return [(probability(one.figures, by), one.right, 1.0) for one in asked if one.count == 1]


def found() -> list[fit_bearing.Found]:
    if not _FOUND:
        persons = [fit_bearing.person_rows(absent.JUDGED, language) for language in absent.LANGUAGES]
        _FOUND.extend(one for rows in (*persons, fit_bearing.writer_rows()) for one in rows)
    return [one for one in _FOUND if one.person == absent.JUDGED]


def one_matter() -> Said:
    """Two statements of a person are about one matter: the later one outdates or repeats the earlier."""
    rows = [row for path in sorted(facts.DATA.glob("pairs*.jsonl")) for row in facts.read(path)]
    told = list[tuple[float, bool, float]]()
    for fold in range(fit_facts.FOLDS):
        out = fit_facts.folds(rows) == fold
        by = fit_facts.matter_fitted(
            fit_facts.neighbours([r for r, o in zip(rows, out, strict=True) if not o])
        )
        unseen = fit_facts.neighbours([r for r, o in zip(rows, out, strict=True) if o])
        told += [(probability(features, by), right, 1.0) for features, right in unseen]
    return told


def needs_lookup() -> Said:
    """A turn that no rule settles needs something looked up; each file by weights of the others."""
    paths = sorted((places.further() / "dev" / "need_retrieval").glob("*.jsonl"))
    rows = [row for path in paths for row in fit_intent.rows(path)]
    told = list[tuple[float, bool, float]]()
    for path in paths:
        weights = fit_intent.fitted([row for row in rows if row.file != path.stem]).weights
        own = [row for row in rows if row.file == path.stem and not row.rule]
        told += [(fit_intent.chance(row, weights), row.needs, 1 / len(own)) for row in own]
    return told


def opening_needs_lookup() -> Said:
    """The first turn of a talk needs something looked up; turns of the writer the weights never saw."""
    opens = [t for t in fit_opening.writer("second") if not t.history]
    turns = [t for t in opens if intent_of(t.text).reason in WEIGHED_AGAIN]
    figures = fit_opening.seen(turns, fit_opening.examples(), StaticEmbedder())
    by = fit_opening.in_force()
    return [(probability(one, by), turn.needs, 1.0) for one, turn in zip(figures, turns, strict=True)]


def new_topic() -> Said:
    """A dialogue turned to another topic; each half of the topics by weights of the other."""
    told = list[tuple[float, bool, float]]()
    by = StaticEmbedder()
    halves = [fit_topic.seen(half, 2, 300, by) for half in (0, 1)]
    for own, other in (halves, halves[::-1]):
        said = 1 / (1 + np.exp(-other.rows @ fit_topic.fitted(own)))
        told += [(float(p), bool(right), 1.0) for p, right in zip(said, other.right, strict=True)]
    return told


_TIERS: list[sufficiency.Outcome] = []
_FOUND: list[fit_bearing.Found] = []
DECISIONS: Mapping[str, Decision] = {
    "the answer is private": Decision(
        lambda: private(False), LIMITS.enough_confidence, COSTS["private_suffices"]
    ),
    "the answer is private, public index": Decision(
        lambda: private(True), LIMITS.enough_confidence, COSTS["private_suffices"]
    ),
    "a passage answers": Decision(relevant, LIMITS.private_least),
    "a message bears": Decision(lambda: bears("messages"), LIMITS.nothing_below, COSTS["source_bears"]),
    "a fact bears": Decision(lambda: bears("facts"), LIMITS.nothing_below, COSTS["source_bears"]),
    "a document bears": Decision(lambda: bears("documents"), LIMITS.nothing_below, COSTS["source_bears"]),
    "anything bears": Decision(anything, LIMITS.nothing_at_all_below, COSTS["anything_bears"]),
    "two statements are of one matter": Decision(one_matter, MIN_SAME_MATTER),
    "a turn needs a look-up": Decision(needs_lookup, threshold("turn_needs"), COSTS["turn_needs"]),
    "an opening needs a look-up": Decision(
        opening_needs_lookup, threshold("opening_needs"), COSTS["opening_needs"]
    ),
    "the topic is new": Decision(
        new_topic, float(table("winnow.context", "data/topic.yaml")["meaning"]["least"])
    ),
}
"""What is decided -> by what. Orders within other talk, and the choice of sentences, are decided by rules and
by rank: no probability of theirs is held against a threshold."""


def judged(told: Said, decision: Decision) -> dict[str, Any]:
    """All figures of one probability."""
    said, right, count = (np.array(column, float) for column in zip(*told, strict=True))
    share = count / count.sum()
    bins = np.minimum((said * BINS).astype(int), BINS - 1)
    curve = [
        [
            float(np.average(said[bins == at], weights=share[bins == at])),
            float(np.average(right[bins == at], weights=share[bins == at])),
            float(share[bins == at].sum()),
            int((bins == at).sum()),
        ]
        for at in range(BINS)
        if (bins == at).any()
    ]
    figures: dict[str, Any] = {
        "n": len(said),
        "said": round(100 * float(said @ share), 1),
        "so": round(100 * float(right @ share), 1),
        "ece": round(100 * sum(part * abs(mean - so) for mean, so, part, _ in curve), 1),
        "brier": round(float((said - right) ** 2 @ share), 3),
        "threshold": decision.threshold,
        "right for": round(decision.threshold / (1 - decision.threshold), 3),
        "curve": [[round(mean, 3), round(so, 3), size] for mean, so, _, size in curve],
    }
    if decision.costs:
        figures |= {"stated": round(decision.costs, 3)} | _cost(said, right, share, decision)
    return figures


def _cost(said: Any, right: Any, share: Any, decision: Decision) -> dict[str, float]:
    def cost(least: float) -> float:
        yes = said >= least
        return float(share @ (decision.costs * (yes * (1 - right)) + ~yes * right))

    steps = [round(0.01 * n, 2) for n in range(1, 100)]
    best = min(steps, key=lambda least: (cost(least), abs(least - decision.threshold)))
    return {
        "cheapest": best,
        "dearer": round(100 * (cost(decision.threshold) / max(cost(best), 1e-9) - 1), 1),
    }


def all_figures(names: Sequence[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Of every decision whose data is there."""
    for name in names:
        if told := DECISIONS[name].said():
            yield name, judged(told, DECISIONS[name])
        else:
            print(f"{name}: left out, its data is not in {places.further()}")


def main() -> None:
    """Measure, print and keep."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", nargs="+", choices=list(DECISIONS), default=list(DECISIONS))
    kept = places.measured("calibration")
    for name, figures in all_figures(parser.parse_args().only):
        kept[name] = figures
        places.keep("calibration", kept)
        print(name, {key: value for key, value in figures.items() if key != "curve"}, flush=True)
        print("    " + " ".join(f"{said:.2f}:{so:.2f}({size})" for said, so, size in figures["curve"]))


if __name__ == "__main__":
    main()
