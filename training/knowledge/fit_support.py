"""Fit ``src/winnow/context/data/support.yaml``: from which shares of its terms on a statement is supported.

    python -m training.knowledge.fit_support [--data FOLDER]            cross-fitted figures
    python -m training.knowledge.fit_support [--data FOLDER] --write    and put the share of all in force

FOLDER (else ``WINNOW_BENCH``) holds ``dev/compress/<name>.jsonl``: questions with ``answers``, five
``passages`` and the one that answers (``gold_passage_id``), made from CMRC 2018 and XQuAD. What the passages
support: the sentence that holds the answer, that without one of its clauses, and the question with its
answer, which is said in a person's words. What they do not: the first and the last of these with the answer
of another question (swapped, mistaken), and the sentence of another question (elsewhere). What is fitted on
one half of the questions (by a hash of the id) is judged on the other, both ways.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from winnow.context.support import judge_answer, letters_only, sent_pieces
from winnow.language.sentences import TextSpan, clauses_of, split_sentences
from winnow.types.candidate import Candidate, Ref, Shortlist

ROOT = Path(__file__).resolve().parents[2]
TARGET = ROOT / "src" / "winnow" / "context" / "data" / "support.yaml"
NAMES = ("cmrc.zh", "xquad.en")
TRUE, FALSE = ("whole", "shortened", "told"), ("swapped", "mistaken", "elsewhere")
Least = tuple[float, float]
"""Of the share of all terms, and of those that are added to the question."""
TRIED: list[Least] = [(a / 20, b / 20) for a in range(20) for b in range(4, 21)]


@dataclass(frozen=True)
class Case:
    """A statement beside passages: whether they support it, and what the rules see of it."""

    file: str
    kind: str
    half: int
    share: float
    added: float
    lacking: bool

    @property
    def true(self) -> bool:
        """Whether the passages support it."""
        return self.kind in TRUE

    def right(self, least: Least) -> bool:
        """Whether it is judged rightly."""
        return (not self.lacking and self.share >= least[0] and self.added >= least[1]) == self.true


def cases(file: str, rows: Sequence[dict[str, Any]]) -> Iterator[Case]:
    """The statements made of each question."""
    dice = random.Random(0)
    for row in rows:
        others = [dice.choice(rows) for _ in range(60)]
        found, half = _found(row), blake2b(row["id"].encode(), digest_size=1).digest()[0] % 2
        text = "\n".join(passage["text"] for passage in row["passages"])
        data = sent_pieces([found], text)
        for kind, said in _statements(row, others, letters_only(text)):
            for one in judge_answer(said.replace("\n", " "), row["query"], data, {})[:1]:
                yield Case(
                    file, kind, half, one.statement.share, one.statement.added, bool(one.statement.missing)
                )


def _found(row: dict[str, Any]) -> Shortlist:
    told = ((passage["id"], passage["text"]) for passage in row["passages"])
    return Shortlist("knowledge", tuple(Candidate(Ref("passage", i), (), 1.0, {"text": t}) for i, t in told))


def _statements(
    row: dict[str, Any], others: Sequence[dict[str, Any]], text: str
) -> Iterator[tuple[str, str]]:
    """Kind and words of each statement."""
    span, answer = _answering(row)
    if span is None:
        return
    yield "whole", span.text.strip()
    asked = row["query"].rstrip("?？ ")
    yield "told", f"{asked}, {answer}"
    if shorter := _shortened(span, answer):
        yield "shortened", shorter
    for other in others:
        instead = other["answers"][0]
        alike = any(c.isdigit() for c in instead) == any(c.isdigit() for c in answer)
        if alike and letters_only(instead) not in text and len(instead) < 3 * len(answer) + 4:
            yield "swapped", span.text.replace(answer, instead, 1).strip()
            yield "mistaken", f"{asked}, {instead}"
            break
    elsewhere = (
        _answering(other)[0] for other in others if letters_only(other["passages"][0]["text"]) not in text
    )
    if strange := next((one for one in elsewhere if one is not None), None):
        yield "elsewhere", strange.text.strip()


def _answering(row: dict[str, Any]) -> tuple[TextSpan | None, str]:
    """The sentence of the right passage that holds an answer, and that answer."""
    (gold,) = (p["text"] for p in row["passages"] if p["id"] == row["gold_passage_id"])
    pairs = (
        (span, answer) for span in split_sentences(gold) for answer in row["answers"] if answer in span.text
    )
    return next(pairs, (None, ""))


def _shortened(span: TextSpan, answer: str) -> str:
    """The sentence without its last clause that does not hold the answer; empty: it has none to spare."""
    parts = clauses_of(span)
    spare = [n for n, part in enumerate(parts) if answer not in part.text]
    if len(parts) < 2 or not spare or answer not in span.text:
        return ""
    left = "".join(part.text for n, part in enumerate(parts) if n != spare[-1]).strip()
    return left if answer in left else ""


def best(known: Sequence[Case]) -> Least:
    """The shares with which every kind of statement, on average, is judged rightly most often.

    Of those that do as well, the middle one.
    """
    kinds = [[case for case in known if case.kind == kind] for kind in (*TRUE, *FALSE)]

    def figure(least: Least) -> float:
        return round(sum(sum(c.right(least) for c in these) / len(these) for these in kinds), 4)

    top = max(map(figure, TRIED))
    alike = [least for least in TRIED if figure(least) == top]
    return alike[len(alike) // 2]


def rows_of(folder: Path, name: str) -> list[dict[str, Any]]:
    """The questions of a file with all five passages."""
    lines = (folder / "dev" / "compress" / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [row for row in map(json.loads, lines) if row["condition"] == "top5"]


def main() -> None:
    """The entry point."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("WINNOW_BENCH", "bench")))
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    if not (asked.data / "dev" / "compress").is_dir():
        sys.exit(f"skipped: there is no dev/compress below {asked.data}; CMRC 2018 and XQuAD are public")
    known = [case for name in NAMES for case in cases(name, rows_of(asked.data, name))]
    halves = [[case for case in known if case.half == half] for half in (0, 1)]
    learned = {judge: best(halves[1 - judge]) for judge in (0, 1)}
    lines = [f"fitted on one half {learned[0]}, on the other {learned[1]}, on all {best(known)}"]
    for name in NAMES:
        for kind in (*TRUE, *FALSE):
            these = [case for case in known if (case.file, case.kind) == (name, kind)]
            right = sum(case.right(learned[case.half]) for case in these)
            lines.append(f"{name} {kind}: {100 * right / len(these):.1f} % of {len(these)} judged rightly")
    sys.stdout.write("\n".join(lines) + "\n")
    if asked.write:
        told = "".join(f"#   {line}\n" for line in lines)
        share, added = best(known)
        head = "# Shares of a statement's terms, and of those new to the question, that one place must say.\n"
        by = "# By training/knowledge/fit_support.py, on halves of the questions judged on the other:\n"
        TARGET.write_text(f"{head}{by}{told}share: {share}\nadded: {added}\n", "utf-8")


if __name__ == "__main__":
    main()
