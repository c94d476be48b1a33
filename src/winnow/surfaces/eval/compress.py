"""What is left of passages at several sizes: the predictions of the task ``compress``.

A case holds a question and passages, best first: ``{id, query, passages: [{id, text}]}``. How rare words are
is told by all passages of its file, as it would be by a collection that was searched.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, log
from pathlib import Path
from time import perf_counter
from typing import Any

from winnow.assemble.compress import compress, meaning_of
from winnow.language.content import content_terms
from winnow.surfaces.cases import Row, rows
from winnow.types.compression import Compressed, Item
from winnow.wiring import open_table

RATES = (0.75, 0.5, 0.25, 0.1)
"""Shares of the passages' tokens that may stay."""
_WIDE = re.compile(r"[\u3000-\u9fff\uff00-\uffef]")


@dataclass(frozen=True, slots=True)
class PassagesCase:
    """A question and the passages it is to be answered from."""

    id: str
    query: str
    items: tuple[Item, ...]
    weights: Mapping[str, float]
    """How rare the terms of the question are in all passages of the file."""


def passages_case(row: Row) -> PassagesCase:
    """``id, query, passages``. Raises CaseError."""
    query: str = row.get("query", str, None)
    told: list[dict[str, Any]] = row.get("passages", list, [])
    items = tuple(Item(str(one.get("id", at)), str(one.get("text", ""))) for at, one in enumerate(told))
    rare = rareness(row.folder / row.file)
    return PassagesCase(row.need("id"), query, items, {term: rare(term) for term in content_terms(query)})


@dataclass(frozen=True, slots=True)
class Rareness:
    """How rare terms are in a number of passages."""

    holding: Mapping[str, int]
    size: int

    def __call__(self, term: str) -> float:
        """Inverse document frequency, as BM25 has it."""
        holding = self.holding.get(term, 0)
        return log(1 + (self.size - holding + 0.5) / (holding + 0.5))


@lru_cache(maxsize=4)
def rareness(cases: Path) -> Rareness:
    """How rare terms are in the passages of a case file, each passage counted once."""
    told = (one for row in rows(cases) for one in row.get("passages", list, []))
    texts = {str(one.get("id")): str(one.get("text", "")) for one in told}
    return Rareness(Counter(term for text in texts.values() for term in set(content_terms(text))), len(texts))


def tokens(text: str) -> int:
    """Tokens as such cases are scored: three quarters a Chinese character, a third any other, rounded up."""
    wide = len(_WIDE.findall(text))
    return ceil(wide * 0.75 + (len(text) - wide) / 3)


class Compressions:
    """Answers cases with the words of the built-in table."""

    def __init__(self) -> None:
        self.meaning = meaning_of(open_table())

    def predict(self, case: PassagesCase) -> list[dict[str, Any]]:
        """What is left at each rate, and how long that took."""
        return [self._line(case, rate) for rate in RATES]

    def _line(self, case: PassagesCase, rate: float) -> dict[str, Any]:
        start = perf_counter()
        found = self.compressed(case, rate)
        took = round((perf_counter() - start) * 1000, 3)
        kept = [{"passage_id": one.item.id, "text": one.text} for one in found.kept]
        return {"rate": rate, "text": found.text, "kept": kept, "level": found.level, "ms": took}

    def compressed(self, case: PassagesCase, rate: float) -> Compressed:
        """What is left of a case within a share of its tokens."""
        most = int(rate * sum(tokens(item.text) for item in case.items))
        return compress(
            case.items, case.query, most, weights=case.weights, count=tokens, meaning=self.meaning
        )
