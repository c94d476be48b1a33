"""The sentences of found passages that answer a question best."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from winnow.language.sentences import Span
from winnow.ports import Embedder
from winnow.recall.passages.first import First
from winnow.recall.passages.rank import weighed
from winnow.recall.passages.reasons import Floats, Read, cosines, read, reasons_of_sentences
from winnow.recall.passages.tuned import MEANING, tuning
from winnow.types.document import Passage

MEANT = 40
"""Sentences, the best by words, whose meaning is compared too."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a passage, and what speaks for it."""

    passage: str
    """Id of the passage."""
    span: Span
    score: float


def best_sentences(
    found: First,
    passages: Mapping[str, Passage],
    limit: int,
    table: Embedder | None = None,
) -> tuple[Sentence, ...]:
    """The sentences of these passages that answer best, best first, at most ``limit`` and ``MEANT``."""
    if not any(id_ in passages for id_ in found.ids):
        return ()
    one = read(found, passages)
    by = tuning().sentence[found.question.language]
    scores = weighed(reasons_of_sentences(one), by)
    rows = np.argsort(-scores, kind="stable")[:MEANT]
    if table is not None:
        scores[rows] += np.float32(by[MEANING]) * _meaning(one, rows.tolist(), table)
        rows = rows[np.argsort(-scores[rows], kind="stable")]
    return tuple(_sentence(one, row, float(scores[row])) for row in rows[:limit].tolist())


def _meaning(one: Read, rows: list[int], table: Embedder) -> Floats:
    return cosines(one.found.question.text, [one.said.sentences[row].text for row in rows], table)


def _sentence(one: Read, row: int, score: float) -> Sentence:
    return Sentence(one.passages[int(one.said.passage[row])].id, one.said.sentences[row], score)
