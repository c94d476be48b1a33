"""Whether the public tier is asked when, and only when, the private one lacks the answer; and what 0.7 means.

    python -m benchmarks.sufficiency

``WINNOW_BENCH`` holds ``dev/knowledge/<name>.queries.jsonl`` (``query``, ``relevant_ids``) with
``docs/<name>.docs.jsonl``. They come from public data sets, CMRC 2018 and XQuAD (passages of encyclopaedias
with questions), HowToCook (recipes), CAsT (conversations) and Cranfield (abstracts), and are not part of this
repository; what is absent is left out.
Tiers that hold and lack the answers are made by ``training/knowledge/tiers.py``. The figures are those of
weights that were fitted on the other half of the questions, both ways.

needed: of the tiers that lack the answer, the share that the gate calls insufficient, so that the public tier
is searched. spared: of those that hold it, the share that it calls sufficient.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean
from time import process_time
from typing import Any

import numpy as np
from training.knowledge.fit_sufficiency import HOLDS, Looked, Row, figures, fitted, looked
from training.knowledge.tiers import FURTHER, KINDS, NAMES, Case, Corpus, collections

from benchmarks import places
from winnow.language.linear import probability
from winnow.language.tokens import count_tokens
from winnow.retrieve.sufficiency import Page, judge_sufficiency, page_features, page_text
from winnow.types.candidate import Candidate, Ref, Search, Shortlist
from winnow.types.document import KnowledgeSettings

LIMITS = KnowledgeSettings()
LEAST = LIMITS.enough_confidence
BINS = 10
TIMED = 200
"""Questions of each collection whose judgement is timed."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A tier as weights of the other half judge it."""

    corpus: str
    kind: str
    holds: bool
    confidence: float
    beside: float
    """Confidence where the index of the public tier tells its reach."""
    literal: bool
    """Whether it suffices by number of results, coverage and confidence, each as in seed 004."""
    relevance: tuple[float, ...]
    gold: tuple[bool, ...]


def outcomes(cases: Sequence[Looked]) -> list[Outcome]:
    """Every case, judged by weights of the other half of the questions."""
    by = {half: fitted([one for one in cases if one.case.first_half != half]) for half in (True, False)}
    return [_outcome(one, by[one.case.first_half]) for one in cases]


def _outcome(one: Looked, by: Mapping[str, Mapping[str, Row]]) -> Outcome:
    language, case = one.question.language, one.case
    own = by["relevance"][language]
    told = figures(one, own)
    relevance = tuple(probability(row, own) for row in page_features(one.bearings))
    confidence = probability(told, by["confidence"][language])
    beside = probability({**told, "reach": case.reach}, by["beside"][language])
    literal = confidence >= LEAST and _as_the_seed(one, relevance)
    return Outcome(one.corpus, case.kind, case.holds, confidence, beside, literal, relevance, case.gold)


def _as_the_seed(one: Looked, relevance: Sequence[float]) -> bool:
    pages = zip(relevance, one.case.pages, strict=True)
    relevant = [page for score, page in pages if score >= LIMITS.private_least]
    held = frozenset[str]().union(*(page_text(page).all_terms for page in relevant))
    return len(relevant) >= LIMITS.enough_results and one.question.share(held) >= LIMITS.enough_coverage


def gate(found: Sequence[Outcome], empty: int) -> dict[str, Any]:
    """Shares in per cent; ``empty`` tiers that lack the answer found nothing at all."""
    lacking = [one for one in found if not one.holds]
    holding = [one for one in found if one.holds]
    with_reach = [one for one in found if one.kind != "whole"]
    return {
        "n": len(found) + empty,
        "needed": _share([*(one.confidence < LEAST for one in lacking), *[True] * empty]),
        "spared": _share(one.confidence >= LEAST for one in holding),
        "needed, public index": _share(one.beside < LEAST for one in with_reach if not one.holds),
        "spared, public index": _share(one.beside >= LEAST for one in with_reach if one.holds),
        "needed, seed": _share(not one.literal for one in lacking),
        "spared, seed": _share(one.literal for one in holding),
    }


def _share(which: Iterable[bool]) -> float | None:
    known = list(which)
    return round(100 * mean(known), 1) if known else None


def kept(found: Sequence[Outcome]) -> dict[str, Any]:
    """Of tiers that hold the answer: the share kept of the passages that answer, and how many are kept."""
    holding = [one for one in found if one.holds and one.kind != "few" and any(one.gold)]
    told: dict[str, Any] = {}
    for name, floor in FLOORS.items():
        left = [_answers(one, floor) for one in holding]
        shares = [sum(some) / sum(one.gold) for some, one in zip(left, holding, strict=True)]
        told[f"answers kept, {name}"] = round(100 * mean(shares), 1)
        told[f"passages kept, {name}"] = round(mean(len(some) for some in left), 1)
    return told


FLOORS = {
    "0.7": (LIMITS.private_least, 1e9),
    "0.75": (LIMITS.public_least, 1e9),
    f"0.7 or a share of {LIMITS.least_share}": (LIMITS.private_least, LIMITS.least_share),
}
"""Least relevance, and the share of the best one's from which on less is enough."""


def _answers(one: Outcome, floor: tuple[float, float]) -> list[bool]:
    """Of what is kept, whether it answers."""
    least = min(floor[0], floor[1] * max(one.relevance))
    return [gold for score, gold in zip(one.relevance, one.gold, strict=True) if score >= least]


def curve(scores: Sequence[float], right: Sequence[bool], counts: Sequence[float]) -> list[list[float]]:
    """Per bin of what was said: its mean, the share that was right, and how many there were."""
    said, true, count = np.array(scores), np.array(right, float), np.array(counts)
    bins = np.minimum((said * BINS).astype(int), BINS - 1)
    return [
        [
            round(float(np.average(said[bins == at], weights=count[bins == at])), 3),
            round(float(np.average(true[bins == at], weights=count[bins == at])), 3),
            int((bins == at).sum()),
        ]
        for at in range(BINS)
        if (bins == at).any()
    ]


def curves(found: Sequence[Outcome]) -> dict[str, list[list[float]]]:
    """Calibration of confidence, without and with the public index, and of relevance."""
    mixed = {True: HOLDS, False: 1 - HOLDS}
    tiers = [one for one in found if one.corpus in NAMES]
    reached = [one for one in tiers if one.kind != "whole"]
    pages = [pair for one in found for pair in zip(one.relevance, one.gold, strict=True)]
    return {
        "confidence": _confidence([(one.confidence, one.holds) for one in tiers], mixed),
        "confidence, public index": _confidence([(one.beside, one.holds) for one in reached], mixed),
        "relevance": curve([s for s, _ in pages], [g for _, g in pages], [1.0] * len(pages)),
    }


def _confidence(told: Sequence[tuple[float, bool]], mixed: Mapping[bool, float]) -> list[list[float]]:
    """As many tiers that hold the answer as confidence takes for granted."""
    return curve(
        [said for said, _ in told], [holds for _, holds in told], [mixed[holds] for _, holds in told]
    )


def milliseconds(cases: Sequence[Looked]) -> float:
    """Processor time of judging one question of ten passages whose terms are not remembered, the median."""
    took = []
    for one in cases[:TIMED]:
        page_text.cache_clear()
        found = tuple(_candidate(page) for page in one.case.pages)
        shortlist = Shortlist("knowledge", found, weights=one.case.weights)
        start = process_time()
        judge_sufficiency(Search(one.case.question), [shortlist])
        took.append((process_time() - start) * 1000)
    return round(float(np.median(took)), 1)


def _candidate(page: Page) -> Candidate:
    return Candidate(Ref("passage", page.text[:20]), data={"text": page.text, "title": page.title})


def tokens(corpus: Corpus) -> int:
    """Of as many passages as the public tier answers with, on average."""
    return round(LIMITS.public_most * mean(count_tokens(page.text) for page in corpus.pages[:TIMED]))


def measured(corpora: Sequence[Corpus]) -> dict[str, Any]:
    """All figures."""
    cases = {corpus.name: list(corpus.cases()) for corpus in corpora}
    seen = {name: looked(name, found) for name, found in cases.items()}
    found = outcomes([one for ones in seen.values() for one in ones])
    result: dict[str, Any] = {"curves": curves(found)}
    for corpus in corpora:
        result[corpus.name] = _of(corpus, cases[corpus.name], seen[corpus.name], found)
    return result


def _of(
    corpus: Corpus, cases: Sequence[Case], seen: Sequence[Looked], found: Sequence[Outcome]
) -> dict[str, Any]:
    own = [one for one in found if one.corpus == corpus.name]
    if corpus.name in FURTHER:
        return {"relevance": kept(own)}
    empty = {
        kind: sum(not one.pages and not one.holds for one in cases if one.kind == kind) for kind in KINDS
    }
    by_kind: dict[str, Any] = {
        kind: gate([one for one in own if one.kind == kind], empty[kind]) for kind in KINDS
    }
    return {
        "all": gate(own, sum(empty.values())),
        **by_kind,
        "relevance": kept(own),
        "ms": milliseconds(seen),
        "tokens of a public answer": tokens(corpus),
    }


def main() -> None:
    """Measure, print and keep."""
    folder = places.further()
    corpora = list(collections(folder))
    if not corpora:
        print(f"nothing to measure in {folder}; the head of this file says where the collections come from")
        return
    found = measured(corpora)
    for corpus in corpora:
        for part, told in found[corpus.name].items():
            print(f"{corpus.name:14s}{part:28s}{_line(told)}")
    for name, points in found["curves"].items():
        print(name, " ".join(f"{said:.2f}:{so:.2f}({count})" for said, so, count in points))
    places.keep("sufficiency", found)


def _line(told: Any) -> str:
    return (
        "  ".join(f"{name} {value}" for name, value in told.items()) if isinstance(told, dict) else str(told)
    )


if __name__ == "__main__":
    main()
