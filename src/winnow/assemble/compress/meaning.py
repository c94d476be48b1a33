"""What lies near the question in meaning, by the vectors of single words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, cast

import numpy as np
import numpy.typing as npt

from winnow.assemble.compress.terms import Terms
from winnow.assemble.compress.units import Units
from winnow.language.content import content_terms
from winnow.language.ngrams import stem

Floats = npt.NDArray[np.float32]
ALIKE, COUNTS = 0.35, 0.6
"""From which cosine on a word stands for another, and how much of it such a word is worth."""


class Meaning(Protocol):
    """Knows the meaning of words."""

    def words(self, words: Sequence[str]) -> Floats:
        """A row of length 1 for each stem, Chinese character or pair of them; zeros where it is not known."""


def meaning_of(embedder: object) -> Meaning | None:
    """What an embedder knows of words; None where it knows whole texts only."""
    return cast("Meaning", embedder) if hasattr(embedder, "words") else None


@dataclass(frozen=True, slots=True)
class Read:
    """What was read: the terms of each unit, and how often each sentence holds them."""

    terms: Terms
    held: Floats
    units: Units


def likeness(
    meaning: Meaning | None, query: str, read: Read, asked: tuple[Sequence[str], Floats, Floats]
) -> dict[str, Floats]:
    """``like`` and ``soft`` of each unit; zeros where nobody knows the meaning of words."""
    terms = read.terms
    nothing = np.zeros(terms.size, np.float32)
    if meaning is None or not terms.known:
        return {"like": nothing, "soft": nothing}
    rows = meaning.words(_stems(terms.known, terms.forms))
    forms: dict[str, str] = {}
    question = meaning.words(_stems(content_terms(query, forms), forms)).sum(0)
    return {"like": _like(rows, question, read), "soft": _soft(rows, terms, asked)}


def _stems(terms: Iterable[str], forms: Mapping[str, str]) -> list[str]:
    """Terms as the table of words writes them: whole English words without their ending."""
    return [stem(forms.get(term, term)) if term.isascii() else term for term in terms]


def _like(rows: Floats, question: Floats, read: Read) -> Floats:
    """The cosine of the question and each unit's sentence."""
    if not read.held.size:
        return np.zeros(read.terms.size, np.float32)
    sums = read.held @ rows
    lengths = np.linalg.norm(sums, axis=1) * float(np.linalg.norm(question))
    cosines = np.divide(sums @ question, lengths, out=np.zeros(len(sums), np.float32), where=lengths > 0)
    found: Floats = cosines[read.units.sentences_of]
    return found


def _soft(rows: Floats, terms: Terms, asked: tuple[Sequence[str], Floats, Floats]) -> Floats:
    """The share of the question's words that is there, or something like them."""
    names, times, weights = asked
    if not names:
        return np.zeros(terms.size, np.float32)
    telling = np.array([len(term) > 1 or term.isascii() for term in terms.known], np.bool_)
    cosines = rows @ rows[[terms.known[name] for name in names]].T * telling[:, None]
    best = terms.best(cosines)
    there = np.where(times > 0, 1.0, np.where(best > ALIKE, COUNTS * best, 0.0))
    found: Floats = (there @ weights / (float(weights.sum()) or 1.0)).astype(np.float32)
    return found
