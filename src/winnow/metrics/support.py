"""Whether the data of a context supports what an answer says, sentence by sentence.

Literal on purpose: numbers and names must stand there as they are, and most of what else a sentence says must
stand in one place. What is said in quite other words counts as unsupported; nothing is asked of a model.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from winnow.language.content import content_terms
from winnow.language.normalise import normalise
from winnow.language.numbers import find_numbers
from winnow.language.sentences import sentences
from winnow.metrics.concepts import unknown, weighed_share
from winnow.metrics.data import LONGEST, Piece, Sentence, squeezed
from winnow.text.tables import table
from winnow.types.metrics import Statement

_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
_NAME = re.compile(r"(?<=[a-z,;:] )[A-Z][\w'-]+|\b[A-Z]{2,}\b|《[^》]+》|「[^」]+」|“[^”]+”")
"""A capital within a sentence, capitals alone, or what stands in quotation marks."""
WINDOW = 2
"""Sentences that stand together in one place."""


@dataclass(frozen=True, slots=True)
class Place:
    """Sentences of a piece that stand together."""

    piece: Piece
    sentences: tuple[Sentence, ...]

    @property
    def terms(self) -> frozenset[str]:
        """What they and the title above them say."""
        return self.piece.title_terms.union(*(sentence.terms for sentence in self.sentences))


@dataclass(frozen=True, slots=True)
class Supported:
    """A statement and the sentences that support it; none where it is not supported."""

    statement: Statement
    sentences: tuple[Sentence, ...] = ()


def judged(
    answer: str, question: str, data: Sequence[Piece], weights: Mapping[str, float]
) -> tuple[Supported, ...]:
    """Each sentence of the answer that says anything, and whether the data supports it."""
    spans = (span.text.strip() for span in sentences(answer[:LONGEST]))
    return tuple(_judged(said, question, data, weights) for said in spans if content_terms(said))


def _judged(said: str, question: str, data: Sequence[Piece], weights: Mapping[str, float]) -> Supported:
    # What a text says beside its numbers, which are compared by value
    plain = normalise(_FIGURE.sub(" ", said), LONGEST)
    for number in reversed(find_numbers(plain)):
        plain = f"{plain[: number.start]} {plain[number.end :]}"
    terms = _telling(plain) or _telling(said)
    wanted = {term: weights.get(term, unknown(weights)) for term in terms}
    share, place = _best(wanted, data)
    added = _added(wanted, question, place)
    missing = tuple(lacking(said, question, place.piece.text if place else ""))
    supported = _of_it(wanted, question, place) and not missing and enough(share, added)
    ref = place.piece.ref if place else None
    statement = Statement(said, supported, round(share, 4), round(added, 4), ref, missing)
    return Supported(statement, place.sentences if place and supported else ())


def _telling(text: str) -> list[str]:
    """The terms of a text, without pairs of a character that tells and one that does not."""
    terms = content_terms(text)
    known = frozenset(terms)
    return [term for term in terms if term.isascii() or known.issuperset(term)]


def _of_it(wanted: Iterable[str], question: str, place: Place | None) -> bool:
    """Whether the place is of what was asked: it says some of what the statement repeats of the question."""
    repeated = frozenset(content_terms(question)).intersection(wanted)
    return place is not None and (not repeated or bool(repeated & place.piece.terms))


def _added(wanted: Mapping[str, float], question: str, place: Place | None) -> float:
    """Share that the place says of what a statement adds to the question."""
    asked = frozenset(content_terms(question))
    added = {term: weight for term, weight in wanted.items() if term not in asked}
    share = weighed_share(added, place.terms if place else ())
    return 1.0 if share is None else share


def enough(share: float, added: float) -> bool:
    """Whether so much of a statement, and of what it adds to the question, is support."""
    least = cast("dict[str, float]", table("winnow.metrics", "support.yaml"))
    return share >= least["share"] and added >= least["added"]


def _best(wanted: Mapping[str, float], data: Sequence[Piece]) -> tuple[float, Place | None]:
    """The place that says most of it, the shortest of those that say as much."""
    best: tuple[float, int] = (0.0, 0)
    found: Place | None = None
    sizes = [(piece, length) for piece in data for length in range(1, WINDOW + 1)]
    for piece, length in sizes:
        for start in range(max(1, len(piece.sentences) - length + 1)):
            place = Place(piece, piece.sentences[start : start + length])
            figure = (weighed_share(wanted, place.terms) or 0.0, -len(place.sentences))
            if figure > best:
                best, found = figure, place
    return best[0], found


def lacking(said: str, question: str, source: str) -> Iterator[str]:
    """The numbers and names of a sentence that neither the source nor the question has."""
    offered = _figures(source) | _figures(question)
    yield from (text for text, value in _numbers(said) if value not in offered)
    known = squeezed(source) + " " + squeezed(question)
    yield from (name for name in _NAME.findall(said) if squeezed(name) not in known)


def _figures(text: str) -> frozenset[float]:
    return frozenset(value for _, value in _numbers(text)) | {1.0}


def _numbers(text: str) -> Iterator[tuple[str, float]]:
    """Each number, in figures or words; what is counted by one says nothing."""
    for figure in _FIGURE.findall(text):
        yield figure, _value(figure)
    for number in find_numbers(normalise(_FIGURE.sub(" ", text), LONGEST)):
        yield number.text, number.value


def _value(figure: str) -> float:
    """``1,200`` is 1200 and ``3.5`` is 3.5; what is neither (``1.2.3``) counts by its digits."""
    plain = re.sub(r",(?=\d{3}\b)", "", figure)
    try:
        return float(plain)
    except ValueError:
        return float(re.sub(r"\D", "", plain))
