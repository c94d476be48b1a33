"""Fit ``src/winnow/retrieve/bearing.yaml``: how likely what was found bears on the question.

    python -m training.fit_bearing            fit, and print how reliable the probabilities are
    python -m training.fit_bearing --write    put the fitted weights in force

Questions are those of ``benchmarks/data/absent``, of two persons in each language, those of
``benchmarks/data/persons``, and the turns of ``benchmarks/data/assistant``, by two writers; what holds a part
of the answer bears on its question, all else that a source finds does not. Weights are fitted on the first
persons and the first writer; the tables of reliability are of the others, which they never saw. Facts are too
few for weights of each language.
``anything`` judges all that was found for a question; one that is answered is fitted on again without what
answers it. Its floors are traded for writers that were left out of the fit, and for the second ones.
Nothing is random: the same questions give the same file.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import numpy.typing as npt
import yaml
from benchmarks import assistant, persons, places
from benchmarks.absent import FITTED, JUDGED, LANGUAGES, USER, filled, person
from benchmarks.assistant import plain
from training.knowledge import fit_sufficiency

import winnow
from winnow.language.linear import probability
from winnow.ports.services import run_blocking
from winnow.retrieve import bearing
from winnow.types.candidate import Search
from winnow.types.scope import Scope
from winnow.types.utterance import Utterance

TARGET = Path(bearing.__file__).with_name("bearing.yaml")
SOURCES = {"history": "messages", "facts": "facts", "knowledge": "documents", "public": "documents"}
"""Source -> whose weights."""
MODELS = tuple(dict.fromkeys(SOURCES.values()))
WRITERS = {"turns.first.jsonl": FITTED, "turns.second.jsonl": JUDGED}
ONE_FOR_ALL = frozenset({"facts"})
"""Weights that are those of every language."""
L2, L2_ANYTHING = 0.01, 0.03
REMOVED = 0.5
"""What a question counts from which that was taken away which answers it."""
TRADED = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5)
STEPS = (0.0, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0)
LIMIT = 20
HEADER = """\
# How likely what was found bears on the question, by logistic weights of each source and language, fitted by
# training/fit_bearing.py. `bias` is counted always, every other figure is one of bearing.py.
"""


@dataclass(frozen=True, slots=True)
class Found:
    """One thing that was found for a question."""

    person: str
    language: str
    writer: str
    source: str
    model: str
    question: str
    right: bool
    figures: Mapping[str, float]
    answered: bool
    """Whether anything that the person has answers the question."""
    nearest: Mapping[str, float]
    """How near what its source found comes to each word of the question."""
    beside: Mapping[str, float]
    """The same without that which answers; empty where nothing else was found."""


class Recorder:
    """Asks sources, and tells the figures of what they find."""

    def __init__(self, engine: winnow.Engine, user: str) -> None:
        self.engine, self.user, self.told = engine, user, list[list[dict[str, float]]]()
        self.read, self.given = bearing.bearing_features, tuple[Any, ...]()

    def recorded(self, *given: Any) -> tuple[list[dict[str, float]], dict[str, float]]:
        """What stands in the place of ``bearing_features``."""
        self.given = given
        rows, nearest = self.read(*given)
        self.told.append(rows)
        return rows, nearest

    def found(self, question: str, whose: tuple[str, str, str], *answers: str) -> Iterator[Found]:
        """What every source finds for a question; ``whose``: fitted on or judged, language, writer.

        ``answers``: any of these texts is a part of the answer; none where nothing answers.
        """
        for source, model in SOURCES.items():
            if source not in self.engine.sources:
                continue
            self.told.clear()
            with patch.object(bearing, "bearing_features", self.recorded):
                asked = self.engine.sources[source](Search(question), Scope(user=self.user), LIMIT)
                found = run_blocking(asked)
            if not self.told or found.coverage is None:
                continue
            texts = [plain(str(one.data)) for one in found.candidates]
            right = [any(plain(answer) in text for answer in answers) for text in texts]
            beside, nearest = self.beside(right), found.coverage.nearest
            for is_right, figures in zip(right, self.told[-1], strict=True):
                yield Found(
                    *whose, source, model, question, is_right, figures, bool(answers), nearest, beside
                )

    def beside(self, right: Sequence[bool]) -> Mapping[str, float]:
        """How near what does not answer the last question comes to its words."""
        question, texts, *others = self.given
        left = [text for text, is_right in zip(texts, right, strict=True) if not is_right]
        return self.read(question, left, *others)[1]


def person_rows(name: str, language: str) -> Iterator[Found]:
    """What is found for the questions of one person."""
    one = person(language, name)
    with tempfile.TemporaryDirectory() as folder:
        ask = Recorder(filled(Path(folder), one), USER)
        for question, *answers in [*one.asked, *((absent,) for absent in one.absent)]:
            yield from ask.found(question, (name, language, f"{name} {language}"), *answers)


def writer_rows() -> Iterator[Found]:
    """What is found for the turns of both writers, by the standalone question of each."""
    with tempfile.TemporaryDirectory() as folder:
        engine = assistant.filled(Path(folder))
        ask = Recorder(engine, assistant.USER)
        for file, name in WRITERS.items():
            for row in places.rows(assistant.DATA / file):
                # Of a question within a talk nobody judges whether anything bears on it
                if row["needs_lookup"] and not row["history"]:
                    said = Utterance(row["turn"], user=assistant.USER)
                    question = engine.sync.retrieve(said).query
                    whose = name, row["lang"], f"{file} {row['lang']}"
                    yield from ask.found(question, whose, *filter(None, [row["answer"]]))


def memory_rows() -> Iterator[Found]:
    """What is found for the questions of persons with half a year of messages."""
    for folder in persons.all_persons():
        with tempfile.TemporaryDirectory() as store:
            engine = persons.filled(Path(store), folder)
            ask = Recorder(engine, assistant.USER)
            whose = FITTED if folder.name in persons.FITTED else JUDGED, folder.name[-2:], folder.name
            for row in persons.questions_of(folder):
                if row["kind"] != "none" and not row.get("history"):
                    question = engine.sync.retrieve(persons.utterance(row)).query
                    yield from ask.found(question, whose, *map(str, row["answer"]))


Weights = Mapping[str, Mapping[str, Mapping[str, float]]]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and what all sources together say of it."""

    person: str
    writer: str
    figures: Mapping[str, float]
    right: bool
    count: float = 1.0


def asked(found: Sequence[Found], by: Weights) -> Iterator[Asked]:
    """Each question; one with an answer also as if what answers it were not there."""
    questions: dict[tuple[str, str, str], list[Found]] = defaultdict(list)
    for one in found:
        questions[one.person, one.writer, one.question].append(one)
    for (whose, writer, _), some in questions.items():
        right = any(one.right for one in some)
        rest = [one for one in some if not one.right and one.beside]
        if right or not some[0].answered:
            yield Asked(whose, writer, _anything(some, by, "nearest"), right)
        if right and rest:
            yield Asked(whose, writer, _anything(rest, by, "beside"), False, REMOVED)


def _anything(some: Sequence[Found], by: Weights, nearest: str) -> dict[str, float]:
    sources: dict[str, list[Found]] = defaultdict(list)
    for one in some:
        sources[one.source].append(one)
    told = []
    for found in sources.values():
        likely = [probability(one.figures, by[one.model][one.language]) for one in found]
        told.append(
            bearing.question_coverage([one.figures for one in found], likely, getattr(found[0], nearest))
        )
    return bearing.anything_features(told)


def fitted(rows: Sequence[Found] | Sequence[Asked], l2: float = L2) -> dict[str, float]:
    """Weights of the figures."""
    counts = [one.count if isinstance(one, Asked) else 1.0 for one in rows]
    with patch.object(fit_sufficiency, "L2", l2):
        by = fit_sufficiency.logistic([one.figures for one in rows], [one.right for one in rows], counts)
    return {name: round(weight, 3) for name, weight in by.items()}


def print_trade(found: Sequence[Found], by: Weights) -> None:
    """What each floor under all sources costs and gains, for writers left out and for those judged."""
    every = [one for one in asked(found, by) if one.person == FITTED]
    told: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    for writer in dict.fromkeys(one.writer for one in every):
        others = fitted([one for one in every if one.writer != writer], L2_ANYTHING)
        told["left out"] += _said([one for one in every if one.writer == writer], others)
    judged = [one for one in asked(found, by) if one.person == JUDGED]
    told["judged"] += _said(judged, fitted(every, L2_ANYTHING))
    for name, rows in told.items():
        said, right = (np.array(column) for column in zip(*rows, strict=True))
        for floor in TRADED:
            lost, empty = int((said[right] < floor).sum()), (said[~right] < floor).mean()
            of = f"{lost} of {right.sum()} answers are lost, {100 * empty:.0f} % of the others empty"
            print(f"{name}, nothing at all below {floor}: {of}; worth it at {1 / floor - 1:.1f} to one")
        _print_steps(said, right)


def _said(rows: Sequence[Asked], by: Mapping[str, float]) -> list[tuple[float, bool]]:
    """Probability and truth of questions as they were asked."""
    return [(probability(one.figures, by), one.right) for one in rows if one.count == 1]


def all_weights(found: Sequence[Found]) -> dict[str, dict[str, dict[str, float]]]:
    """What the file holds."""
    told: dict[str, dict[str, dict[str, float]]] = defaultdict(dict)
    for model in MODELS:
        for language in LANGUAGES:
            every = model in ONE_FOR_ALL
            told[model][language] = fitted(
                [one for one in found if one.model == model and (every or one.language == language)]
            )
    told["anything"]["all"] = fitted(list(asked(found, told)), L2_ANYTHING)
    return dict(told)


def print_reliability(found: Sequence[Found], by: Weights) -> None:
    """Of each source, what share of those with a probability bears indeed."""
    for model in MODELS:
        some = [one for one in found if one.model == model]
        said = np.array([probability(one.figures, by[model][one.language]) for one in some])
        right = np.array([one.right for one in some])
        print(f"{model}: {len(some)} found, {int(right.sum())} bear")
        _print_steps(said, right)


def _print_steps(said: npt.NDArray[np.float64], right: npt.NDArray[np.bool_]) -> None:
    for low, high in pairwise(STEPS):
        within = (said >= low) & (said < high if high < 1 else said <= high)
        if within.any():
            shares = f"{said[within].mean():.2f} said, {right[within].mean():.2f} do"
            print(f"   {low:.2f} to {high:.2f}: {int(within.sum()):4} found, {shares}")


def print_floors(found: Sequence[Found], by: Weights) -> None:
    """What a floor would leave out: questions with an answer among them, and questions without one."""
    best: dict[tuple[str, str, str], list[tuple[float, bool]]] = defaultdict(list)
    for one in found:
        key = (one.language, one.model, f"{one.source} {one.question}")
        best[key].append((probability(one.figures, by[one.model][one.language]), one.right))
    for floor in (0.005, 0.01, 0.015, 0.02, 0.03, 0.05, 0.08):
        print(f"floor {floor}:", end="")
        for language in LANGUAGES:
            for model in MODELS:
                lists = [told for key, told in best.items() if key[:2] == (language, model)]
                with_ = [max(p for p, _ in told) < floor for told in lists if any(right for _, right in told)]
                none = [max(p for p, _ in told) < floor for told in lists if not any(r for _, r in told)]
                print(f"  {language} {model} {sum(with_)}/{len(with_)} {sum(none)}/{len(none)}", end="")
        print()


def main() -> None:
    """Fit, tell how reliable it is, and write where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    persons = [(name, language) for name in (FITTED, JUDGED) for language in LANGUAGES]
    found = [one for whose in persons for one in person_rows(*whose)]
    found += [*writer_rows(), *memory_rows()]
    by = all_weights([one for one in found if one.person == FITTED])
    judged = [one for one in found if one.person == JUDGED]
    print_reliability(judged, by)
    print_floors(judged, by)
    print_trade(found, by)
    if given.write:
        TARGET.write_text(HEADER + yaml.safe_dump(by, sort_keys=False), "utf-8")


if __name__ == "__main__":
    main()
