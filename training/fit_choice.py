"""Fit ``src/winnow/context/data/choice.yaml``: which sentences of what was found hold the answer.

    python -m training.fit_choice            fit, and print what is kept with how many tokens
    python -m training.fit_choice --write    put the fitted weights in force

Questions are those of ``training/fit_bearing.py`` that have an answer. What is fitted is a softmax over all
sentences that are found for a question: those that hold a part of its answer should have the most of it.
Weights are fitted on the first person, the first writer and all persons with half a year of messages but
those of the last round; what is printed of the others they never saw. ``plain`` are those for whoever knows
no meanings of words. Nothing is random.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean
from typing import Any
from unittest.mock import patch

import numpy as np
import numpy.typing as npt
import yaml
from benchmarks import absent, assistant, persons, places
from benchmarks.assistant import plain
from training.fit_bearing import WRITERS
from training.listwise import Rows, descended

import winnow
from winnow.context import choice
from winnow.context.compress.units import Units, split_units
from winnow.context.parts import Quote
from winnow.language.tokens import count_tokens
from winnow.types.context import Item
from winnow.types.utterance import Utterance

TARGET = Path(choice.__file__).with_name("data") / "choice.yaml"
PLAIN = ("near", "cue", "place", "bearing", "rank", "titled", "alone", "recent", "own", "news", "talk")
FITTED = {"meaning": (*PLAIN, "like", "soft", "beside"), "plain": (*PLAIN, "sentence")}
"""Features that count, by what is known."""
L2, RATE, STEPS = 0.01, 0.1, 400
HEADER = """\
# What speaks for a sentence of what was found, by whether the meaning of words is known, fitted by
# training/fit_choice.py. The figures are those of choice.py and of compress.
"""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with an answer, and the sentences that were found for it."""

    whose: str
    answers: Sequence[str]
    quotes: Sequence[Quote]
    asked: choice.ChoiceQuestion
    units: Units

    @property
    def right(self) -> npt.NDArray[np.bool_]:
        """Which of the sentences hold a part of the answer."""
        return np.array([self.answered_by(unit.text) for unit in self.units.all], np.bool_)

    def answered_by(self, text: str) -> bool:
        """Whether a text holds a part of the answer."""
        return any(plain(answer) in plain(text) for answer in self.answers)

    def kept(self) -> tuple[bool, int]:
        """Whether the answer is in what is given, and its tokens."""
        given = choice.choose_sentences(self.quotes, self.asked, count_tokens)
        lines = "\n".join(self.quotes[at].with_text(text).line for at, text in given.items())
        return self.answered_by(lines), count_tokens(lines)


def all_questions() -> Iterator[Asked]:
    """Those of both persons in both languages, and of both writers."""
    for name in (absent.FITTED, absent.JUDGED):
        for language in absent.LANGUAGES:
            one = absent.person(language, name)
            with tempfile.TemporaryDirectory() as folder:
                said = [(Utterance(asked, user=absent.USER), [answer]) for asked, answer in one.asked]
                yield from recorded(absent.filled(Path(folder), one), said, name)
    with tempfile.TemporaryDirectory() as folder:
        engine = assistant.filled(Path(folder))
        for file, name in WRITERS.items():
            turns = [row for row in places.rows(assistant.DATA / file) if row["answer"]]
            said = [
                (Utterance(row["turn"], history=tuple(row["history"]), user=assistant.USER), [row["answer"]])
                for row in turns
            ]
            yield from recorded(engine, said, f"writer {name}")
    for folder in persons.all_persons():
        name = absent.JUDGED if folder.name in persons.NEWEST else absent.FITTED
        rows = [row for row in persons.questions_of(folder) if row["answer"]]
        with tempfile.TemporaryDirectory() as store:
            said = [(persons.utterance(row), [str(one) for one in row["answer"]]) for row in rows]
            yield from recorded(persons.filled(Path(store), folder), said, f"{folder.name} {name}")


def recorded(
    engine: winnow.Engine, said: Sequence[tuple[Utterance, Sequence[str]]], whose: str
) -> Iterator[Asked]:
    """What the chooser is asked for each of these turns."""
    for turn, answers in said:
        calls: list[tuple[Any, ...]] = []

        def record(*given: Any, calls: list[tuple[Any, ...]] = calls) -> dict[int, str]:
            calls.append(given)
            return {}

        with patch.object(choice, "choose_sentences", record):
            engine.sync.retrieve(turn)
        for quotes, asked, _ in calls:
            units = split_units([Item(quote.id, quote.text) for quote in quotes], "sentence")
            yield Asked(whose, answers, quotes, asked, units)


def fitted(questions: Sequence[Asked], name: str) -> dict[str, float]:
    """Weights of at least 0 by which the right sentences have most of the softmax."""
    columns, values, share, lengths = FITTED[name], [], [], []
    for one in questions:
        if (right := one.right).any():
            asked = one.asked if name == "meaning" else replace(one.asked, meaning=None)
            features = choice.sentence_features(one.units, one.quotes, asked)
            values.append(np.stack([features[column] for column in columns], 1))
            share.append(right / right.sum())
            lengths.append(len(right))
    found = np.concatenate(values).astype(np.float64)
    spread = found.std(0) + 1e-6
    starts = np.cumsum([0, *lengths[:-1]])
    rows = Rows(found / spread, np.concatenate(share), starts, np.array(lengths))
    nothing = np.zeros(len(columns))
    by = descended([rows], nothing, nothing, L2, RATE, STEPS) / spread
    return {column: round(float(weight), 3) for column, weight in zip(columns, by, strict=True)}


def print_kept(questions: Sequence[Asked]) -> None:
    """Of each writer and person, how often the answer is given and with how many tokens."""
    for whose in dict.fromkeys(one.whose for one in questions):
        kept = [one.kept() for one in questions if one.whose == whose]
        found = mean(bool(one.right.any()) for one in questions if one.whose == whose)
        share, tokens = 100 * mean(there for there, _ in kept), mean(count for _, count in kept)
        of = f"{whose}: {len(kept)} questions, found {100 * found:.1f}"
        print(f"{of}, given {share:.1f}, {tokens:.0f} tokens")


def main() -> None:
    """Fit, tell what is kept, and write where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    questions = list(all_questions())
    first = [one for one in questions if one.whose.endswith(absent.FITTED)]
    by: Mapping[str, Mapping[str, float]] = {name: fitted(first, name) for name in FITTED}
    with patch.object(choice, "choice_weights", by.__getitem__):
        print_kept(questions)
    if given.write:
        TARGET.write_text(HEADER + yaml.safe_dump(by, sort_keys=False), "utf-8")


if __name__ == "__main__":
    main()
