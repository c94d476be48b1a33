"""Whether a question belongs to what an assistant is for, by the words its taxonomy lists as ``about``."""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

from winnow.language.content import content_terms
from winnow.language.ngrams import runs
from winnow.language.normalise import normalise
from winnow.language.segment import cut
from winnow.ports import Embedder
from winnow.types.intent import Both, Taxonomy

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

LONGEST = 400
"""Characters of a question that are read."""
NEAREST = 2
"""Words of the domain that a word is held against: those nearest to it."""
SHARE = 0.5
"""Of the cosine from which two names mean the like, what a word of the domain reaches at least.

Set by ``training/fit_domain.py``: each half of 219 questions about dishes asks for 0.55, which keeps 98.2 of
the other half's 100; 0.5 keeps all, and turns away 73 (zh) and 84 (en) of 100 about anything else."""


def strange(text: str, taxonomy: Taxonomy, table: Embedder | None) -> bool:
    """Whether no content word of a question is near to what the taxonomy is about.

    False where the taxonomy says nothing of that, where ``table`` cannot tell, and without content words.
    """
    if table is None or table.alike is None or not taxonomy.about:
        return False
    words = words_of(text)
    return bool(words) and nearness(words, taxonomy, table) < SHARE * table.alike


def nearness(words: list[str], taxonomy: Taxonomy, table: Embedder) -> float:
    """Of the word that is nearest to the domain, its mean cosine to the nearest words of it."""
    domain: Floats = _domain(cast("Hashable", table), taxonomy.about)
    cosines: Floats = table.embed(words) @ domain.T
    cosines.sort(axis=1)
    return float(cosines[:, -NEAREST:].mean(axis=1).max())


def words_of(text: str) -> list[str]:
    """The words of a text that say what it is about, each once."""
    latin, han = runs(normalise(text, LONGEST))
    words = dict.fromkeys((*latin, *(word for run in han for word in cut(run))))
    return [word for word in words if content_terms(word)]


@lru_cache(maxsize=8)
def _domain(table: Any, about: Both) -> Floats:
    """The vectors of what a taxonomy is about, a row each."""
    found: Floats = table.embed([*about.zh, *about.en])
    return found
