"""How well later statements are told apart, contradictions found, and what a person says kept.

    python -m benchmarks.facts [--pairs FILE]

Our own pairs lie in ``benchmarks/data/facts``. Those of public collections are no part of this repository:
``update_zh.zh`` (MemDaily, nuster1128/MemSim) and ``halumem_pref.en`` (MemTensor/HaluMem) are read from
``dev/update`` of ``WINNOW_BENCH``; what is absent is left out. ``--pairs``: judge the pairs of
another file with the weights in force.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from training.knowledge.fit_facts import folds, held_out, labels, macro_f1, measured, persons

from benchmarks import places
from benchmarks.evaluation.text_tasks import UpdateCase, update_predictor
from winnow.app.wiring.engine import open_builtin_embedder
from winnow.retrieve.facts.extract import parse_fact
from winnow.retrieve.facts.judge import RELATIONS, judge_relation
from winnow.retrieve.facts.merge import merge_fact
from winnow.retrieve.facts.novelty import judge_contradiction

DATA = places.DATA / "facts"
START = datetime(2026, 1, 1)  # noqa: DTZ001 - a wall clock has no zone
TABLE = open_builtin_embedder()
Rows = Sequence[Mapping[str, Any]]


def read(path: Path) -> Rows:
    """The lines of a file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def judged_pairs(rows: Rows) -> tuple[float, float]:
    """Macro F1 of pairs by the weights in force, 0 to 100, and the median milliseconds of one."""
    told, took = [], []
    for row in rows:
        began = time.perf_counter()
        told.append(judge_relation(parse_fact(row["old"]), parse_fact(row["new"]), TABLE).relation)
        took.append((time.perf_counter() - began) * 1000)
    found = np.array([RELATIONS.index(one) for one in told])
    return macro_f1(labels(rows), found), median(took)


def cross_fitted() -> Iterator[str]:
    """Our own pairs, judged by weights that never saw them."""
    files = {path.name: read(path) for path in sorted(DATA.glob("pairs*.jsonl"))}
    rows = [row for some in files.values() for row in some]
    found, right = measured(rows), labels(rows)
    where = np.array([at for at, some in enumerate(files.values()) for _ in some])
    for way, fold in (("five folds", folds(rows)), ("fitted on the other files", where)):
        told = held_out(found, right, fold)
        for at, name in enumerate(files):
            here = where == at
            yield f"{name}, {way}: macro F1 {macro_f1(right[here], told[here]):.1f} (n={here.sum()})"


def contradictions(path: Path) -> str:
    """How often something is said of a file's pairs, and how often it is right."""
    rows = read(path)
    facts = [(parse_fact(row["a"]), parse_fact(row["b"])) for row in rows]
    spoken = [judge_contradiction(a, b, TABLE).relation == "contradiction" for a, b in facts]
    right = sum(row["label"] == "contradiction" for row, said in zip(rows, spoken, strict=True) if said)
    there = sum(row["label"] == "contradiction" for row in rows)
    return f"{path.name}: speaks of {sum(spoken)} of {len(rows)} pairs, right {right}, contradictions {there}"


def kept(rows: Rows, language: str) -> str:
    """Persons who told some twenty earlier statements each, and then say the later ones.

    The pairs are those the weights were fitted on.
    """
    told: Counter[str] = Counter()
    for person in persons([row for row in rows if row["lang"] == language]):
        known = [parse_fact(row["old"], START, f"s{at}") for at, row in enumerate(person)]
        for row, old in zip(person, known, strict=True):
            after = merge_fact(known, parse_fact(row["new"], START + timedelta(days=30)), TABLE)
            gone = {fact.id for fact in after if fact.status == "superseded"}
            right = {
                one.id
                for other, one in zip(person, known, strict=True)
                if other["new"] == row["new"] and other["label"] == "update"
            }
            told[row["label"]] += 1
            told["marked"] += old.id in gone & right
            told["folded"] += row["label"] == "duplicate" and not after
            told["wrong"] += len(gone - right)
    return (
        f"{language}: {told['marked']} of {told['update']} news mark what they outdate, {told['folded']} of"
        f" {told['duplicate']} repetitions fold, {told['wrong']} facts are wrongly marked"
    )


def public(folder: Path) -> Iterator[str]:
    """The collections of other people."""
    paths = {
        name: folder / "dev" / "update" / f"{name}.jsonl" for name in ("update_zh.zh", "halumem_pref.en")
    }
    predict = update_predictor()
    for name, path in paths.items():
        if not path.is_file():
            yield f"{name}: left out, {path} is not there (MemDaily of nuster1128/MemSim; MemTensor/HaluMem)"
            continue
        rows = read(path)
        told = [predict(case_of(row))["label"] for row in rows]
        yield f"{name}: macro F1 {f1_of(told, [row['label'] for row in rows]):.1f} (n={len(rows)})"


def case_of(row: Mapping[str, Any]) -> UpdateCase:
    """A line of such a collection."""
    if "old" in row:
        return UpdateCase(row["id"], row["old"], row["new"])
    before = "\n".join(" ".join(map(str, one.values())) for one in row["before"])
    return UpdateCase(row["id"], before, row["description"], event=True)


def f1_of(told: Sequence[str], right: Sequence[str]) -> float:
    """Macro F1 over the labels there are, 0 to 100."""
    found = []
    for label in sorted(set(right)):
        hits = sum(a == b == label for a, b in zip(told, right, strict=True))
        found.append(200 * hits / ((told.count(label) + right.count(label)) or 1))
    return float(np.mean(found))


def main() -> None:
    """Print all figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=Path)
    given = parser.parse_args()
    if given.pairs:
        rows = read(given.pairs)
        for language in sorted({row["lang"] for row in rows}):
            some = [row for row in rows if row["lang"] == language]
            tell(f"{language}: macro F1 {judged_pairs(some)[0]:.1f} (n={len(some)})")
        tell("all: macro F1 {:.1f}, {:.2f} ms a pair (median)".format(*judged_pairs(rows)))
        return
    lines = []
    for line in figures(places.further()):
        lines.append(line)
        tell(line)
    told = (line.split(": ", 1) for line in lines if "left out" not in line)
    places.keep("facts", dict(told))


def figures(folder: Path) -> Iterator[str]:
    """All of them, one after the other."""
    yield from cross_fitted()
    yield from public(folder)
    for path in sorted(DATA.glob("contradictions*.jsonl")):
        yield contradictions(path)
    rows = [row for path in sorted(DATA.glob("pairs*.jsonl")) for row in read(path)]
    for language in ("en", "zh"):
        yield kept(rows, language)


def tell(line: str) -> None:
    """One line of the report."""
    sys.stdout.write(line + "\n")


if __name__ == "__main__":
    main()
