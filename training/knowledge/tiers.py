"""Questions with private tiers that hold their answers, half of them, or lack them; made of public data sets.

Of each question with known passages there are tiers by twos, one that holds them and one that lacks them:

``whole``   of the collection only the passages that answer are absent; in the other one, as many others
``half``    of the other documents, half are absent as well
``few``     thirty other documents are all there is

What is absent from the private tier is the public one. Conversations (as standalone questions) and questions
with many relevant documents, ``FURTHER``, have the whole collection only: they teach what is relevant, not
whether there is enough. Which documents are drawn hangs on hashes of ids: nothing is random.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import md5
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from benchmarks import places

from winnow.language.term_weights import term_weight
from winnow.ports.stores import Segment
from winnow.retrieve.bm25 import PostingCounts, count_terms
from winnow.retrieve.documents.features import reach_scores
from winnow.retrieve.documents.index import PassageIndex, segment_of
from winnow.retrieve.documents.postings import WORD_MARK, passage_terms
from winnow.retrieve.sufficiency import Page
from winnow.types.document import Document, Passage

Kind = Literal["whole", "half", "few"]
KINDS: tuple[Kind, ...] = ("whole", "half", "few")
NAMES = ("cmrc.zh", "xquad.en", "xquad.zh", "howtocook.zh")
FURTHER = ("cast.en", "cranfield.en")
FEW = 30
MOST = 10
"""Passages a private tier answers with."""


@dataclass(frozen=True, slots=True)
class Case:
    """A question to a tier, and what the tier answers with."""

    id: str
    question: str
    kind: Kind
    holds: bool
    """Whether the answer is in the tier; if not, the public one is needed."""
    weights: Mapping[str, float]
    pages: tuple[Page, ...]
    """Best first."""
    gold: tuple[bool, ...]
    """Of each page, whether it answers."""
    reach: float = 0.0
    """What the best of the private tier reaches by scores of both tiers together, less that of the public."""

    @property
    def first_half(self) -> bool:
        """Translations of one question fall into the same half."""
        return bool(drawn(self.id.partition("-")[2]) % 2)


def drawn(text: str) -> int:
    """A number told by the text alone."""
    return int(md5(text.encode(), usedforsecurity=False).hexdigest()[:12], 16)


@dataclass(frozen=True)
class Corpus:
    """The documents of a file and its questions."""

    name: str
    documents: Sequence[Mapping[str, Any]]
    questions: Sequence[Mapping[str, Any]]

    @cached_property
    def pages(self) -> tuple[Page, ...]:
        """What is read of each document."""
        return tuple(Page(one["text"], (one.get("title") or "").replace("_", " ")) for one in self.documents)

    @cached_property
    def index(self) -> PassageIndex:
        """All documents, each one passage."""
        found = [
            Passage(str(row), Document(str(row), page.title), page.text)
            for row, page in enumerate(self.pages)
        ]
        return PassageIndex.of([Segment("all", segment_of(found))])

    @cached_property
    def holders(self) -> Mapping[str, npt.NDArray[np.int32]]:
        """Term -> rows that hold it."""
        counts: PostingCounts = count_terms(
            [passage_terms(f"{page.title}\n{page.text}") for page in self.pages]
        )
        order = np.argsort(counts.term_numbers, kind="stable")
        rows = counts.rows[order]
        ends = np.cumsum(np.bincount(counts.term_numbers, minlength=len(counts.terms)))
        return {term: rows[ends[n - 1] if n else 0 : ends[n]] for term, n in counts.terms.items()}

    @cached_property
    def places(self) -> dict[str, int]:
        """Id of a document -> its row."""
        return {one["id"]: row for row, one in enumerate(self.documents)}

    def cases(self, kinds: Collection[Kind] = KINDS) -> Iterator[Case]:
        """Two of each kind for each question; of the further collections one."""
        for question in self.questions:
            gold = {self.places[id_] for id_ in question["relevant_ids"] if id_ in self.places}
            if self.name in FURTHER:
                yield self._case(question, gold, "whole", set(), holds=True)
                continue
            for kind in kinds:
                absent = self._absent(question["id"], gold, kind)
                others = self._others(question["id"], gold | absent, len(gold))
                yield self._case(question, gold, kind, absent | others, holds=True)
                yield self._case(question, gold, kind, absent | gold, holds=False)

    def _absent(self, id_: str, gold: set[int], kind: Kind) -> set[int]:
        rows = range(len(self.documents))
        if kind == "whole":
            return set()
        if kind == "half":
            return {row for row in rows if drawn(f"{id_} {row}") % 2} - gold
        order = sorted(set(rows) - gold, key=lambda row: drawn(f"{id_} {row}"))
        return set(order[FEW:])

    def _others(self, id_: str, taken: set[int], number: int) -> set[int]:
        rows = sorted(set(range(len(self.documents))) - taken, key=lambda row: drawn(f"{row} {id_}"))
        return set(rows[:number])

    def _case(
        self, question: Mapping[str, Any], gold: set[int], kind: Kind, absent: set[int], *, holds: bool
    ) -> Case:
        there = np.ones(len(self.documents), np.bool_)
        there[list(absent)] = False
        text = question.get("rewrite") or question["query"]
        weights = self._weights(text, there)
        scores = self.index.scores(weights)
        private = np.where(there, scores, 0)
        order = [int(row) for row in np.argsort(-private, kind="stable")[:MOST] if private[row] > 0]
        told = {term: weight for term, weight in weights.items() if not term.startswith(WORD_MARK)}
        best = reach_scores(self.index, told)
        return Case(
            question["id"],
            text,
            kind,
            holds,
            told,
            tuple(self.pages[row] for row in order),
            tuple(row in gold for row in order),
            float(best[there].max() - best[~there].max(initial=0.0)),
        )

    def _weights(self, question: str, there: npt.NDArray[np.bool_]) -> dict[str, float]:
        """How much each term tells among the documents that are there."""
        size, none = int(there.sum()), np.zeros(0, np.int32)
        weights = {}
        for term in dict.fromkeys(passage_terms(question)):
            number = int(there[self.holders.get(term, none)].sum())
            weights[term] = term_weight(term) * float(np.log(1 + (size - number + 0.5) / (number + 0.5)))
        return weights


def collections(folder: Path) -> Iterator[Corpus]:
    """Those of the files that are there."""
    for name in (*NAMES, *FURTHER):
        documents = folder / "docs" / f"{name}.docs.jsonl"
        questions = folder / "dev" / "knowledge" / f"{name}.queries.jsonl"
        if documents.is_file() and questions.is_file():
            yield Corpus(name, places.rows(documents), places.rows(questions))
