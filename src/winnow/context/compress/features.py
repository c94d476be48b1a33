"""Features of a piece of text that tell whether it answers the question, and their fitted weights."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from winnow.context.compress.terms import (
    TermCounts,
    TextTerms,
    WordEmbedder,
    meaning_features,
    text_terms,
)
from winnow.context.compress.units import Units
from winnow.language.content_words import content_terms
from winnow.language.tables import table
from winnow.language.term_weights import inverse_frequency, saturation, term_weight
from winnow.types.utterance import LanguageCode

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


Floats = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.intp]
UNIT_B = 0.5
"""How much a long piece is discounted, 0 to 1: pieces of a text differ more in length than names do."""
MAX_NEIGHBOUR_DISTANCE = 4
"""Pieces to either side whose words count as nearness."""
FEATURES = (
    "words", "sentence", "rare", "rare_sentence", "first", "item", "near",
    "cue", "cue_sentence", "cue_near", "place", "like", "soft",
)  # fmt: skip
"""What speaks for a piece:

* ``words``, ``sentence``: BM25 of the piece and of its sentence, by how rare words are in these items
* ``rare``, ``rare_sentence``: the same, by how rare they are in all that was searched
* ``first``: it is of the best item; ``item``: how much of the question its item covers
* ``near``: how much the pieces beside it cover
* ``cue``: it may hold what is asked for; ``cue_sentence``, ``cue_near``: that times what is covered
there
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
    terms = text_terms([unit.text for unit in units.all])
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
        **_cue_features(shape, query, asked),
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


def _cue_features(shape: _UnitShape, query: str, asked: _QuestionTerms) -> dict[str, Floats]:
    """What the question asks for: whether a unit may hold it, and is about the same or beside what is."""
    wanted, low, items = question_cue(query), query.lower(), shape.units.items_of
    shown = np.array([wanted.likelihood(unit.text, low) for unit in shape.units.all], np.float32)
    sentence = shape.spread(_coverage(shape.sum_by_sentence(asked.times), asked.here))
    beside, same = asked.times.copy(), (items[1:] == items[:-1])[:, None]
    beside[1:] += asked.times[:-1] * same
    beside[:-1] += asked.times[1:] * same
    return {"cue": shown, "cue_sentence": shown * sentence, "cue_near": shown * _coverage(beside, asked.here)}


# Reasons -> what a piece promises, by fitted weights.


FeatureWeights = Mapping[str, float]
RARITY_FEATURES = frozenset({"rare", "rare_sentence"})
"""What needs to know how rare words are in all that was searched."""
MEANING_FEATURES = frozenset({"like", "soft"})
"""What needs to know the meaning of words."""


def weights_name(rare: bool, meant: bool) -> str:
    """The name of the weights for what is known beside the texts."""
    return "_".join(name for name, there in (("words", True), ("rare", rare), ("meaning", meant)) if there)


def features_of(name: str) -> tuple[str, ...]:
    """The reasons that count under a name of ``weights_name``."""
    absent = (RARITY_FEATURES if "rare" not in name else set()) | (
        MEANING_FEATURES if "meaning" not in name else set()
    )
    return tuple(reason for reason in FEATURES if reason not in absent)


def weights_for(language: LanguageCode, name: str) -> FeatureWeights:
    """The weights in force for texts of a language."""
    found = cast(
        "dict[str, dict[str, FeatureWeights]]", table("winnow.context", "data/compression_weights.yaml")
    )
    return found[language][name]


def unit_scores(reasons: Floats, by: FeatureWeights) -> Floats:
    """The sum of the weighed reasons of each unit: shape ``(units,)``."""
    column: Floats = np.array([by.get(name, 0.0) for name in FEATURES], np.float32)
    found: Floats = reasons @ column
    return found


@cache
def weights_names() -> tuple[str, ...]:
    """All names of ``weights_name``."""
    return tuple(weights_name(rare, meant) for rare in (False, True) for meant in (False, True))
