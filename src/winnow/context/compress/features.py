"""Features of a piece of text that tell whether it answers the question, and their fitted weights."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain, count, groupby, pairwise
from typing import Any, Protocol, cast

import numpy as np
import numpy.typing as npt

from winnow.context.compress.units import Units
from winnow.language.content_words import content_terms, terms_in
from winnow.language.gazetteer import stem
from winnow.language.normalize import normalise
from winnow.language.registry import rows_for
from winnow.language.scope_words import limits
from winnow.language.tables import table
from winnow.language.term_weights import inverse_frequency, saturation, term_weight
from winnow.types.utterance import LanguageCode

# Sentences that say again what another one says.

Floats = npt.NDArray[np.float32]
Bools = npt.NDArray[np.bool_]
MIN_OVERLAP = 0.95
"""The share of a sentence's terms that another one must hold to say it all."""
MIN_TERMS = 3
"""Terms of the shortest sentence that can be said to repeat another."""
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*|[〇一二三四五六七八九十百千万亿]+")


def find_repeats(units: Units, held: Floats) -> dict[int, int]:
    """Number of a sentence -> that of the one that says it all.

    That is the longer one; of two alike that of the more important item, then the first. ``held``: how often
    each sentence holds each term.

    Two that differ in a number, or of which one denies, excepts or limits more, are not the same.
    """
    if not held.size:
        return {}
    alike = _held_by_others(np.minimum(held, 1))
    found: dict[int, int] = {}
    for one, other in np.argwhere(alike).tolist():
        last = not alike[other, one] or _sentence_rank(units, other) < _sentence_rank(units, one)
        if last and one not in found and other not in found and _says_the_same(units, one, other):
            found[one] = other
    return found


def _held_by_others(holding: Floats) -> Bools:
    """Whether nearly all terms of a sentence (row) are held by another one (column)."""
    sizes = holding.sum(1)
    # Hardly any is: one with more terms that no other sentence holds than it may lack repeats none
    own = np.einsum("st,t->s", holding, (holding.sum(0) == 1).astype(np.float32))
    alike: Bools = np.zeros((len(sizes), len(sizes)), np.bool_)
    for row in np.flatnonzero((sizes >= MIN_TERMS) & (own <= (1 - MIN_OVERLAP) * sizes + 0.01)).tolist():
        alike[row] = holding[:, holding[row] > 0].sum(1) / sizes[row] >= MIN_OVERLAP
    np.fill_diagonal(alike, False)
    return alike


def _says_the_same(units: Units, one: int, other: int) -> bool:
    """Whether what a sentence says is said by the other, as far as numbers and words like ``not`` tell."""
    texts = [_sentence_text(units, one), _sentence_text(units, other)]
    mine, theirs = (set(_NUMBER.findall(text)) for text in texts)
    limited = [[kind for kind, _ in limits(text)] for text in texts]
    prose = all(units.all[units.starts[number]].prose for number in (one, other))
    return prose and mine <= theirs and limited[0] == limited[1]


def _sentence_rank(units: Units, sentence: int) -> tuple[float, int]:
    """The lower, the rather it stays."""
    return -units.items[units.items_of[units.starts[sentence]]].importance, sentence


def _sentence_text(units: Units, sentence: int) -> str:
    return "".join(units.all[n].text for n in units.of_sentence(int(units.starts[sentence])))


Numbers = npt.NDArray[np.intp]
_BETWEEN = "\u23ce"
"""A sign that no text needs and normalising leaves alone: all texts are normalised in one go."""
MAX_TABLE_SIZE = 20_000_000
"""Numbers of the largest table that is made: a text of about 200,000 characters needs as many."""


@dataclass(frozen=True, slots=True)
class TextTerms:
    """The terms of many texts, each occurrence a row of ``term_rows`` and ``text_rows``."""

    numbers: dict[str, int]
    """Terms have numbers, in order of their first occurrence."""
    forms: dict[str, str]
    """The first word that each English term was made of."""
    term_rows: Numbers
    text_rows: Numbers
    size: int
    """Texts."""

    @property
    def lengths(self) -> Numbers:
        """Terms of each text."""
        return np.bincount(self.text_rows, minlength=self.size)

    def times(self, asked: Sequence[str]) -> Floats:
        """How often each text holds each of these terms: shape ``(size, len(asked))``."""
        column = np.full(len(self.numbers) + 1, len(asked), np.intp)
        column[[self.numbers.get(term, -1) for term in asked]] = np.arange(len(asked))
        column[-1] = width = len(asked)  # where terms that no text holds were written
        counts = np.bincount(
            self.text_rows * (width + 1) + column[self.term_rows], minlength=self.size * (width + 1)
        )
        return counts.reshape(self.size, width + 1)[:, :-1].astype(np.float32)

    def best(self, rows: Floats) -> Floats:
        """Of what every term has, the greatest of each text's terms: shape ``(size, columns)``."""
        found = np.zeros((rows.shape[1], self.size), np.float32)
        starts = np.flatnonzero(np.diff(self.text_rows, prepend=-1))
        if len(starts):  # a row for each column: long rows are gone through faster than many short ones
            columns = np.ascontiguousarray(rows.T)[:, self.term_rows]
            found[:, self.text_rows[starts]] = np.maximum.reduceat(columns, starts, axis=1)
        return np.ascontiguousarray(found.T)

    def holding(self, groups: Numbers, number: int) -> Floats:
        """How often each group of texts holds each term: shape ``(number, terms)``.

        No terms where that would be too large a table: then nobody looks for repetitions or likeness.
        """
        width = len(self.numbers) if number * len(self.numbers) <= MAX_TABLE_SIZE else 0
        if not width:
            return np.zeros((number, 0), np.float32)
        counts = np.bincount(groups[self.text_rows] * width + self.term_rows, minlength=number * width)
        return counts.reshape(number, width).astype(np.float32)


def text_terms(units: Units) -> TextTerms:
    """The content terms of each unit."""
    held, forms = list[list[str]](), dict[str, str]()
    for _, own in groupby(units.all, key=lambda unit: unit.item):
        read, learned = _read_terms(tuple(unit.text for unit in own))
        held += read
        forms = {**learned, **forms}
    known = dict.fromkeys(chain.from_iterable(held))  # in order; numbering while reading takes twice as long
    numbers = dict(zip(known, count(), strict=False))
    rows = np.repeat(np.arange(len(held)), list(map(len, held)))
    flat = np.fromiter(map(numbers.__getitem__, chain.from_iterable(held)), np.intp, len(rows))
    return TextTerms(numbers, forms, flat, rows, len(held))


@lru_cache(maxsize=256)  # a passage is asked about in many turns; 40 kB each
def _read_terms(texts: tuple[str, ...]) -> tuple[list[list[str]], dict[str, str]]:
    """The terms of each of the texts of one item, and the first word that each English term was made of."""
    forms: dict[str, str] = {}
    together = _BETWEEN.join(text.replace(_BETWEEN, " ") for text in texts)
    found = normalise(together, 2 * len(together)).split(_BETWEEN)
    return [terms_in(text, forms) for text in found + [""] * (len(texts) - len(found))], forms


# What lies near the question in meaning, by the vectors of single words.

MIN_COSINE, FULL_COSINE = 0.35, 0.6
"""From which cosine on a word stands for another, and how much of it such a word is worth."""


class WordEmbedder(Protocol):
    """Knows the meaning of words."""

    def words(self, words: Sequence[str]) -> Floats:
        """A row of length 1 for each stem, Chinese character or pair of them; zeros where it is not known."""


def word_embedder(embedder: object) -> WordEmbedder | None:
    """What an embedder knows of words; None where it knows whole texts only."""
    return cast("WordEmbedder", embedder) if hasattr(embedder, "words") else None


@dataclass(frozen=True, slots=True)
class TermCounts:
    """What was read: the terms of each unit, and how often each sentence holds them."""

    terms: TextTerms
    held: Floats
    units: Units


def meaning_features(
    meaning: WordEmbedder | None, query: str, read: TermCounts, asked: tuple[Sequence[str], Floats, Floats]
) -> dict[str, Floats]:
    """``like`` and ``soft`` of each unit; zeros where nobody knows the meaning of words."""
    terms = read.terms
    nothing = np.zeros(terms.size, np.float32)
    if meaning is None or not terms.numbers:
        return {"like": nothing, "soft": nothing}
    rows = meaning.words(_term_stems(terms.numbers, terms.forms))
    forms: dict[str, str] = {}
    question = meaning.words(_term_stems(content_terms(query, forms), forms)).sum(0)
    return {"like": _sentence_cosines(rows, question, read), "soft": _soft_coverage(rows, terms, asked)}


def _term_stems(terms: Iterable[str], forms: Mapping[str, str]) -> list[str]:
    """Terms as the table of words writes them: whole English words without their ending."""
    return [stem(forms.get(term, term)) if term.isascii() else term for term in terms]


def _sentence_cosines(rows: Floats, question: Floats, read: TermCounts) -> Floats:
    """The cosine of the question and each unit's sentence."""
    if not read.held.size:
        return np.zeros(read.terms.size, np.float32)
    # Added up word by word: a product with so sparse a table takes longer, and wakes the threads of BLAS
    said = rows.take(read.terms.term_rows, 0)
    ends = np.searchsorted(read.units.sentences_of[read.terms.text_rows], np.arange(len(read.held) + 1))
    sums = np.array([said[start:end].sum(0) for start, end in pairwise(ends.tolist())])
    lengths = np.linalg.norm(sums, axis=1) * float(np.linalg.norm(question))
    cosines = np.divide(sums @ question, lengths, out=np.zeros(len(sums), np.float32), where=lengths > 0)
    found: Floats = cosines[read.units.sentences_of]
    return found


def _soft_coverage(rows: Floats, terms: TextTerms, asked: tuple[Sequence[str], Floats, Floats]) -> Floats:
    """The share of the question's words that is there, or something like them."""
    names, times, weights = asked
    if not names:
        return np.zeros(terms.size, np.float32)
    # all but single Chinese characters
    long = np.fromiter(map(len, terms.numbers), np.intp, len(terms.numbers)) > 1
    telling = long | np.fromiter(map(str.isascii, terms.numbers), np.bool_, len(terms.numbers))
    # One at a time: for several BLAS copies the table and wakes its threads
    cosines = np.stack([rows @ rows[terms.numbers[name]] for name in names], axis=1) * telling[:, None]
    best = terms.best(cosines)
    there = np.where(times > 0, 1.0, np.where(best > MIN_COSINE, FULL_COSINE * best, 0.0))
    found: Floats = (there @ weights / (float(weights.sum()) or 1.0)).astype(np.float32)
    return found


# What a question asks for (a time, a number, a person ...), and which pieces of a text may hold it.


@dataclass(frozen=True, slots=True)
class QuestionCue:
    """What a question of one kind asks for."""

    kind: str
    asks: re.Pattern[str]
    shows: tuple[tuple[float, re.Pattern[str]], ...]
    """How sure a match makes, surest first."""

    def likelihood(self, text: str, query: str) -> float:
        """0..1: how sure it is that the text holds such a thing; what the question says itself is none."""
        for sure, pattern in self.shows:
            if any(match.group().lower().strip() not in query for match in pattern.finditer(text)):
                return sure
        return 0.0


def question_cue(query: str) -> QuestionCue:
    """What this question asks for; one of kind ``what`` where it does not say."""
    low = query.lower()
    return next(cue for cue in question_cues() if cue.asks.search(low))


@cache
def question_cues() -> tuple[QuestionCue, ...]:
    """All kinds of questions, the surest first."""
    rows = cast("list[dict[str, Any]]", table("winnow.context", "data/question_cues.yaml"))
    return tuple(
        QuestionCue(
            row["kind"], re.compile(row["asks"]), tuple((sure, re.compile(p)) for sure, p in row["shows"])
        )
        for row in rows
    )


UNIT_B = 0.5
"""How much a long piece is discounted, 0 to 1: pieces of a text differ more in length than names do."""
MAX_NEIGHBOUR_DISTANCE = 4
"""Pieces to either side whose words count as nearness."""
FEATURES = (
    "words", "sentence", "rare", "rare_sentence", "first", "item", "near",
    "cue", "cue_near", "place", "like", "soft",
)  # fmt: skip
"""What speaks for a piece:

* ``words``, ``sentence``: BM25 of the piece and of its sentence, by how rare words are in these items
* ``rare``, ``rare_sentence``: the same, by how rare they are in all that was searched
* ``first``: it is of the best item; ``item``: how much of the question its item covers
* ``near``: how much the pieces beside it cover
* ``cue``: it may hold what is asked for; ``cue_near``: that times what is covered there and beside it
* ``place``: how far down its item it stands
* ``like``: the meaning of its sentence; ``soft``: the question's words in it, or words like them
"""


@dataclass(frozen=True, slots=True)
class UnitFeatures:
    """The reasons for each unit, and what else was found on the way."""

    features: Floats
    """Shape ``(units, len(REASONS))``."""
    sentence_terms: Floats
    """How often each sentence holds each term that occurs: shape ``(sentences, terms)``."""


def unit_features(
    units: Units, query: str, weights: Mapping[str, float], meaning: WordEmbedder | None
) -> UnitFeatures:
    """The reasons of each unit. Without ``weights`` or ``meaning``, those that need them are zero."""
    terms = text_terms(units)
    asked, held = _question_terms(query, terms, weights), terms.holding(units.sentences_of, len(units.starts))
    shape = _UnitShape(units, terms.lengths.astype(np.float32))
    times, whole, lengths = (
        asked.times,
        shape.sum_by_sentence(asked.times),
        shape.sum_by_sentence(shape.lengths),
    )
    columns = {
        "words": _bm25(times, shape.lengths, asked.here),
        "sentence": shape.spread(_bm25(whole, lengths, asked.here)),
        "rare": _bm25(times, shape.lengths, asked.there),
        "rare_sentence": shape.spread(_bm25(whole, lengths, asked.there)),
        **_place_features(units, asked),
        "near": _neighbour_coverage(units, asked),
        **_cue_features(units, query, asked),
        **meaning_features(meaning, query, TermCounts(terms, held, units), (asked.names, times, asked.here)),
    }
    return UnitFeatures(np.stack([columns[name] for name in FEATURES], 1).astype(np.float32), held)


def _question_terms(query: str, terms: TextTerms, weights: Mapping[str, float]) -> _QuestionTerms:
    names = [term for term in dict.fromkeys(content_terms(query)) if term in terms.numbers]
    times, told = terms.times(names), np.array(list(map(term_weight, names)), np.float32)
    here = told * inverse_frequency(len(times), (times > 0).sum(0)).astype(np.float32)
    there = told * np.array([weights.get(name, 0.0) for name in names], np.float32)
    return _QuestionTerms(names, times, told, here, there)


@dataclass(frozen=True, slots=True)
class _QuestionTerms:
    """The terms of the question that occur at all."""

    names: Sequence[str]
    times: Floats
    """How often each unit holds each of them."""
    plain: Floats
    here: Floats
    """How much each tells among the units."""
    there: Floats
    """How much each tells in all that was searched; zeros where nobody knows."""


@dataclass(frozen=True, slots=True)
class _UnitShape:
    """Units and their sentences."""

    units: Units
    lengths: Floats

    def sum_by_sentence(self, rows: Floats) -> Floats:
        """What belongs to a sentence added up."""
        found: Floats = np.add.reduceat(rows, self.units.starts, axis=0)
        return found

    def spread(self, rows: Floats) -> Floats:
        """What was found for sentences given to each of their units."""
        found: Floats = rows[self.units.sentences_of]
        return found


def _place_features(units: Units, asked: _QuestionTerms) -> dict[str, Floats]:
    """Where units stand: in the best item, in one that covers much of the question, how far down."""
    long = [max(1, len(text)) for text in units.texts]
    numbers, starts = np.unique(units.items_of, return_index=True)
    covered = np.zeros(len(units.items), np.float32)
    covered[numbers] = _coverage(np.add.reduceat(asked.times, starts), asked.here)
    return {
        "first": (units.items_of == 0).astype(np.float32) * (len(units.items) > 1),
        "item": (covered / (float(covered.max(initial=0)) or 1.0))[units.items_of],
        "place": np.array([unit.start / long[unit.item] for unit in units.all], np.float32),
    }


def _bm25(times: Floats, lengths: Floats, weights: Floats) -> Floats:
    """0..about 2: BM25, in shares of what all words of the question weigh."""
    mean = max(float(lengths.mean()), 1e-6)
    gains = saturation(times, lengths[:, None], mean, b=UNIT_B) @ weights / (float(weights.sum()) or 1.0)
    return gains.astype(np.float32)


def _coverage(times: Floats, weights: Floats) -> Floats:
    """0..1: the share of the question's words that is there."""
    found: Floats = ((times > 0) @ weights) / (float(weights.sum()) or 1.0)
    return found


def _neighbour_coverage(units: Units, asked: _QuestionTerms) -> Floats:
    """What the units beside cover, the further the less; words weigh by how rare they are in their item."""
    covered = np.zeros(len(asked.times), np.float32)
    for item in np.unique(units.items_of):
        rows = units.items_of == item
        times = asked.times[rows]
        covered[rows] = _coverage(
            times, asked.plain * inverse_frequency(int(rows.sum()), (times > 0).sum(0)).astype(np.float32)
        )
    found = np.zeros_like(covered)
    for far in range(1, min(MAX_NEIGHBOUR_DISTANCE, len(covered) - 1) + 1):
        same = units.items_of[far:] == units.items_of[:-far]
        found[far:] += covered[:-far] * same / far
        found[:-far] += covered[far:] * same / far
    return found


def _cue_features(units: Units, query: str, asked: _QuestionTerms) -> dict[str, Floats]:
    """What the question asks for: whether a unit may hold it, and stands beside what is about the same."""
    wanted, low, items = question_cue(query), query.lower(), units.items_of
    shown = np.array([wanted.likelihood(unit.text, low) for unit in units.all], np.float32)
    beside, same = asked.times.copy(), (items[1:] == items[:-1])[:, None]
    beside[1:] += asked.times[:-1] * same
    beside[:-1] += asked.times[1:] * same
    return {"cue": shown, "cue_near": shown * _coverage(beside, asked.here)}


# Reasons -> what a piece promises, by fitted weights.

FeatureWeights = Mapping[str, float]


def weights_name(rare: bool, meant: bool) -> str:
    """The name of the weights for what is known beside the texts."""
    return "_".join(name for name, there in (("words", True), ("rare", rare), ("meaning", meant)) if there)


def weights_for(language: LanguageCode, name: str) -> FeatureWeights:
    """The weights in force for texts of a language."""
    found = cast(
        "dict[str, dict[str, FeatureWeights]]", table("winnow.context", "data/compression_weights.yaml")
    )
    return rows_for(found, language)[name]


def unit_scores(reasons: Floats, by: FeatureWeights) -> Floats:
    """The sum of the weighed reasons of each unit: shape ``(units,)``."""
    column: Floats = np.array([by.get(name, 0.0) for name in FEATURES], np.float32)
    found: Floats = reasons @ column
    return found
