"""Fit what each reason for a passage and for a sentence counts for, by the language of the question.

    python -m training.knowledge.fit_passages                  cross-fitted figures, file by file
    python -m training.knowledge.fit_passages --data FOLDER    of questions in another folder
    python -m training.knowledge.fit_passages --write          put weights of all questions in force

``passage`` and ``sentence`` of ``src/winnow/retrieve/documents/weights.yaml`` come from here; ``--write``
replaces those only. A softmax over the passages that the first look finds: those that answer should have the
greatest sums. Every file counts the same; no weight is below zero, and all are kept small by ``L2``. The
figures are of two halves of the questions (by a hash of their ids), each judged by weights of the other.
Where the files come from stands in ``benchmarks/knowledge.py``.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import md5
from pathlib import Path

import numpy as np
import numpy.typing as npt
from benchmarks import knowledge, places
from training.listwise import Rows, descended

from winnow.adapters.models.embedders import StaticEmbedder
from winnow.ports.services import Embedder
from winnow.retrieve.documents.features import (
    Features,
    cosines,
    find_passages,
    passage_features,
    read_passages,
    sentence_features,
)
from winnow.retrieve.documents.index import MEANING
from winnow.retrieve.documents.rank import apply_feedback, order_by_feedback, with_meaning
from winnow.retrieve.documents.source import MAX_READ_PASSAGES
from winnow.types.candidate import Search

ROOT = Path(__file__).resolve().parents[2]
TARGET = ROOT / "src" / "winnow" / "retrieve" / "documents" / "weights.yaml"
FILES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "en": (("xquad.en",) * 2, ("cranfield.en",) * 2, ("cast.en",) * 2, ("xquad.en", "xquad.zh")),
    "zh": (("xquad.zh",) * 2, ("cmrc.zh",) * 2, ("howtocook.zh",) * 2, ("xquad.zh", "xquad.en")),
}
"""Language of the questions -> files of questions and of documents."""
MOST = {"cmrc.zh": 150}
"""Questions of a file, at most: those whose hash comes first. CMRC's passages take the longest to read."""
OTHERWISE = 300
L2, STEPS, RATE = 0.002, 300, 0.15
DEPTHS = (1, 5, 10)
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Judged:
    """Passages or sentences of one question: their reasons, and which of them answer."""

    question: str
    reasons: Features
    right: npt.NDArray[np.bool_]
    wanted: int
    """How many there are that answer, found or not."""

    @property
    def half(self) -> int:
        """0 or 1."""
        return mark(self.question)[0] % 2


def mark(id_: str) -> bytes:
    """What questions are ordered and halved by."""
    return md5(id_.encode()).digest()  # noqa: S324 - a share, no secret


def picked(name: str, questions: Sequence[knowledge.Row]) -> list[knowledge.Row]:
    """The questions of a file that are looked up."""
    return sorted(questions, key=lambda row: mark(row["id"]))[: MOST.get(name, OTHERWISE)]


def judged(name: str, task: knowledge.Task, table: Embedder) -> tuple[list[Judged], list[Judged]]:
    """The passages that the first look finds for each question, and their sentences."""
    passages, sentences = [], []
    index, by = task.index(), task.passages
    for row in picked(name, task.questions):
        found = apply_feedback(
            find_passages(Search(knowledge.asked(row)), index, MAX_READ_PASSAGES, table),
            index,
            by,
            MAX_READ_PASSAGES,
        )
        if found.ids:
            one = read_passages(found, by)
            texts = [passage.text for passage in one.passages]
            near = np.maximum(cosines(found.question.text, texts, table), 0)
            gold = frozenset(row["relevant_ids"])
            right = np.array([passage.id in gold for passage in one.passages])
            reasons = {**passage_features(one), MEANING: near}
            passages.append(Judged(row["id"], reasons, right, len(gold)))
            said = [span.text for span in one.sentences.sentences]
            told = {**sentence_features(one), MEANING: cosines(found.question.text, said, table)}
            holds = knowledge.answering(row, said) & right[one.sentences.passage]
            sentences.append(Judged(row["id"], told, holds, 1))
    return passages, sentences


def fitted(files: Sequence[Sequence[Judged]]) -> dict[str, float]:
    """The weights for the questions of these files, each file as important as another."""
    names = list(next(one.reasons for found in files for one in found))
    below = [_rows(found, names) for found in files if any(one.right.any() for one in found)]
    by = descended(below, np.ones(len(names)), np.zeros(len(names)), L2, RATE, STEPS)
    return {name: round(float(weight), 1) for name, weight in zip(names, by, strict=True)}


def _rows(found: Sequence[Judged], names: Sequence[str]) -> Rows:
    told = [one for one in found if one.right.any()]
    lengths = np.array([len(one.right) for one in told])
    values = [np.stack([one.reasons[name] for name in names], 1) for one in told]
    share = [one.right / one.right.sum() for one in told]
    starts = np.cumsum(lengths) - lengths
    return Rows(np.concatenate(values).astype(np.float64), np.concatenate(share), starts, lengths)


def recalls(one: Judged, by: Mapping[str, float]) -> list[float]:
    """The share of what answers among the first 1, 5 and 10 passages."""
    order = np.argsort(-order_by_feedback(with_meaning(one.reasons, by), one.reasons), kind="stable")
    return [float(one.right[order[:depth]].sum()) / one.wanted for depth in DEPTHS]


def hit(one: Judged, by: Mapping[str, float]) -> list[float]:
    """Whether a sentence among the first five answers."""
    order = np.argsort(-with_meaning(one.reasons, by, most=len(one.right)), kind="stable")
    return [float(one.right[order[:5]].any())]


Measure = Callable[[Judged, Mapping[str, float]], list[float]]


def crossed(files: Mapping[str, Sequence[Judged]], measure: Measure) -> dict[str, list[float]]:
    """The mean figures of each file, every question by weights of the other half.

    Questions about passages in the other language are measured and teach nothing: what they need most is
    meaning, and that would cost those within a language.
    """
    own = own_language(files)
    by = {half: fitted([[one for one in found if one.half == half] for found in own]) for half in (0, 1)}
    return {
        name: [
            round(100 * float(x), 1) for x in np.mean([measure(one, by[1 - one.half]) for one in found], 0)
        ]
        for name, found in files.items()
    }


def own_language(files: Mapping[str, Sequence[Judged]]) -> list[Sequence[Judged]]:
    """Those of questions about passages in their own language."""
    return [found for name, found in files.items() if len(set(name.split(" -> "))) == 1]


def main() -> None:
    """Fit, print, and write if wanted."""
    say = sys.stdout.write
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, default=places.further())
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    table, new = StaticEmbedder(), dict[str, dict[str, dict[str, float]]]()
    for language, files in FILES.items():
        tasks = {f"{asked} -> {told}": knowledge.task(options.data, asked, told) for asked, told in files}
        found = {n: judged(n.partition(" -> ")[0], one, table) for n, one in tasks.items() if one is not None}
        if len(found) < len(files):
            raise SystemExit(
                "files are absent; the head of benchmarks/knowledge.py says where they come from"
            )
        passages = {name: both[0] for name, both in found.items()}
        # An answer in one language stands in no sentence of the other.
        alike = {n: both[1] for n, both in found.items() if len(set(n.split(" -> "))) == 1}
        sentences = {n: told for n, told in alike.items() if any(one.right.any() for one in told)}
        for kind, told, measure in (("passage", passages, recalls), ("sentence", sentences, hit)):
            for name, figures in crossed(told, measure).items():
                say(f"{kind:9s} {name:28s} {figures}\n")
            new.setdefault(kind, {})[language] = fitted(own_language(told))
            say(f"{kind:9s} {language} {new[kind][language]}\n")
    if options.write:
        TARGET.write_text(written(TARGET.read_text("utf-8"), new), "utf-8")


def written(text: str, new: Mapping[str, Mapping[str, Mapping[str, float]]]) -> str:
    """The file with these weights in the place of those it has; what counts for nothing is left out."""
    for kind, by_language in new.items():
        rows = "".join(f"  {language}: {_row(by)}\n" for language, by in by_language.items())
        text = re.sub(rf"^{kind}:\n(?:  .*\n)*", f"{kind}:\n{rows}", text, flags=re.MULTILINE)
    return text


def _row(by: Mapping[str, float]) -> str:
    return "{" + ", ".join(f"{name}: {weight}" for name, weight in by.items() if weight) + "}"


if __name__ == "__main__":
    main()
