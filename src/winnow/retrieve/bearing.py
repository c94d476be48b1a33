"""How likely it is that what was found bears on the question: of a hundred with 0.7, seventy do.

A source ranks; what it puts first may still be about something else. A logistic function tells from what
question and text have in common, whatever was searched; ``training/fit_bearing.py`` fits it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import takewhile
from math import log1p
from operator import mul
from typing import NamedTuple, cast

from winnow.language.content_words import content_terms, is_character
from winnow.language.linear import log_odds, probability
from winnow.language.normalize import is_han, normalise
from winnow.language.registry import language_of, rows_for
from winnow.language.segment import segment_words
from winnow.language.tables import table
from winnow.ports.services import Embedder
from winnow.retrieve.facts.extract import FactStatement, fact_pattern, parse_statement, telling_words
from winnow.retrieve.facts.topic import attribute_families, cosine, stated_attributes, word_vectors
from winnow.retrieve.history.features import asking_parts
from winnow.retrieve.history.talks import without_saying
from winnow.retrieve.sufficiency import candidate_page, page_figures, weigh_question
from winnow.types.candidate import BEARING_LANE, Evidence, QuestionCoverage, Shortlist

BearingModel = str
"""Whose weights: ``messages``, ``facts``, ``documents``, or ``anything`` for all of them together."""
SAME_CHARACTER = 0.9
"""How near a Chinese word is that has the single character asked for."""
MAX_QUESTION_WORDS = 16
"""Words of a question of which somebody can tell: shares of a longer one are small whatever answers it, and
none was fitted on."""
MAX_PASSAGE_CHARS = 3000
"""Characters of a passage that are read."""
SILENT_WEIGHT = 0.3
"""What a word tells beside the most telling one, if none of its terms is a term of a search."""


class FoundText(NamedTuple):
    """What is read of one thing that was found."""

    text: str
    score: float
    """Of its source."""
    whole: str = ""
    """All of it, where ``text`` is a part."""


def bearing_features(
    question: str, found: Sequence[FoundText], weights: Mapping[str, float], words: Embedder
) -> tuple[list[dict[str, float]], dict[str, float]]:
    """What question and each text have in common, and how near any text comes to each word that is asked for.

    Nothing where the question says nothing, or too much. ``weights``: how much each term of it tells
    in what was searched, one without as the most telling. ``words``: the built-in table.
    """
    parts = _asked_things(question)
    scores = [one.score for one in found]
    most = max(scores, default=0) or 1.0
    rows: list[dict[str, float]] = []
    nearest: dict[str, float] = {}
    for at, one in enumerate(found if parts else ()):
        both = [_common(part, one, weights, words, nearest) for part in parts]
        best = max(both, key=lambda figures: figures["like"] + figures["meaning"])
        lead = one.score - max((*scores[:at], *scores[at + 1 :]), default=0)
        rows.append({**best, "score": one.score, "lead": lead / most})
    return rows, nearest


def _asked_things(question: str) -> list[str]:
    """The things that are asked; none where the question says nothing, or more than anybody can tell of."""
    parts = [part for part in asking_parts(without_saying(question)) if parse_statement(part).words]
    return parts if len(parse_statement(question).words) <= MAX_QUESTION_WORDS else []


def _common(
    asked: str, found: FoundText, weights: Mapping[str, float], words: Embedder, nearest: dict[str, float]
) -> dict[str, float]:
    """What one thing that is asked and a text have in common, each 0..1; ``nearest`` grows with each text."""
    told, near = parse_statement(found.text), _near_words(asked, found, words)
    nearest |= {word: max(cosine_, nearest.get(word, 0.0)) for word, cosine_ in near.items()}
    tells = list(_tells(near, weights))
    named = [near[word] for word in _named_words(asked) if word in near] or [max(near.values())]
    return {
        # How much of what is asked is said, or nearly so; of all of it, and of what it names
        "like": sum(map(mul, tells, near.values())) / sum(tells),
        "meaning": max(0.0, cosine(words, asked, told.text)),
        "named": sum(named) / len(named),
        "untyped": float(_lacks_answer(asked, told)),
        # Of a long text one word in common tells less
        "length": log1p(len(told.words)),
    }


def _near_words(asked: str, found: FoundText, words: Embedder) -> dict[str, float]:
    """Each word of what is asked, as a text comes near to it; 1 where the text states what it asks for."""
    wanted = _written_words(asked)
    near = _nearness(wanted, _written_words(found.whole or found.text), words)
    # Who moved somewhere lives there, however little the words have in common
    stated = stated_attributes(parse_statement(found.text), parse_statement(asked).people)
    return near | {word: 1.0 for word in near if stated and stated & attribute_families(wanted[word])}


MIN_STEM = 3
"""Letters of each part of an English word that is made of two."""


def _nearness(wanted: Mapping[str, str], said: Mapping[str, str], words: Embedder) -> dict[str, float]:
    """For each word that is asked for how near the nearest of a text comes, 1 for the same."""
    if not said:
        return dict.fromkeys(wanted, 0.0)
    both = word_vectors(words, tuple(wanted.values())) @ word_vectors(words, tuple(said.values())).T
    near = zip(wanted, both.max(1).tolist(), strict=True)
    return {word: min(1.0, max(0.0, cosine_, _shared(word, said))) for word, cosine_ in near}


def _shared(word: str, said: Mapping[str, str]) -> float:
    """1 for a word that is said, in Chinese as a part of another too; of English a walnut is a nut."""
    if word in said or not is_han(word[0]):
        return float(
            word in said
            or any(len(o) - len(word) >= MIN_STEM <= len(word) and o.endswith(word) for o in said)
        )
    if measure := fact_pattern("asks_measure", "zh").fullmatch(word):
        word = measure[1]
    if len(word) == 1:
        return SAME_CHARACTER * any(word in other for other in said)
    return float(any(word in other or (len(other) > 1 and other in word) for other in said))


@lru_cache(maxsize=16384)
def _written_words(text: str) -> Mapping[str, str]:
    """The words of a text, English ones without their endings -> as written: only that has a vector."""
    forms: dict[str, str] = {}
    content_terms(text, forms)
    return {word: forms.get(word, word) for word in telling_words(text, language_of(text))}


@lru_cache(maxsize=4096)
def _named_words(asked: str) -> frozenset[str]:
    """What is asked about: nouns in Chinese, in English what stands behind an article or an owner.

    Not what would be an answer: ``which gym``, 哪家银行.
    """
    plain, language = normalise(asked), language_of(asked)
    if language == "zh":
        some = segment_words(plain)
        asks = fact_pattern("asks_which", language)
        beside = zip(("", *(word.text for word in some)), some, strict=False)
        nouns = ((before, word.text) for before, word in beside if word.tag[0] in "nj")
        return frozenset(word for before, word in nouns if not asks.match(before) and not asks.match(word))
    found: list[str] = []
    for owner, things in fact_pattern("named", language).findall(plain):
        behind = (w for w in takewhile(content_terms, things.split()) if not w.endswith(("ed", "ing")))
        found += [term for word in (owner, *behind) for term in content_terms(word)]
    return frozenset(found)


def _lacks_answer(asked: str, told: FactStatement) -> bool:
    """Whether an amount or a name is asked for and a text has neither."""
    plain, language = normalise(asked), language_of(asked)
    wanted = {
        "asks_amount": told.numbers or told.weekdays or told.typed_values,
        "asks_name": told.names or told.people,
    }
    asked_for = [bool(has) for kind, has in wanted.items() if fact_pattern(kind, language).search(plain)]
    return bool(asked_for) and not any(asked_for)


def _tells(wanted: Iterable[str], weights: Mapping[str, float]) -> Iterator[float]:
    """How much each word tells; that of a Chinese word is the mean of its pairs of characters."""
    most = max(weights.values(), default=1.0) or 1.0
    for word in wanted:
        terms = content_terms(word)
        telling = [term for term in terms if not is_character(term)] or terms
        known = [weights.get(term, most) for term in telling]
        yield sum(known) / len(known) if known else SILENT_WEIGHT * most


def with_bearing(
    question: str,
    found: Shortlist,
    texts: Sequence[FoundText],
    model: BearingModel,
    weights: Mapping[str, float],
    words: Embedder,
) -> Shortlist:
    """The same, each candidate with its probability as evidence ``bearing``; as it was where nobody can tell.

    It is the score too, but of a document, whose score is its relevance. ``texts``: what is compared of each.
    """
    rows, nearest = bearing_features(question, texts, weights, words)
    if not rows:
        return found
    by = rows_for(bearing_weights(model), language_of(question))
    told = [probability(figures, by) for figures in rows]
    lanes = [Evidence(BEARING_LANE, round(one, 4)) for one in told]
    candidates = [
        replace(one, evidence=(*one.evidence, more), score=one.score if model == "documents" else more.score)
        for one, more in zip(found.candidates, lanes, strict=True)
    ]
    return replace(found, candidates=tuple(candidates), coverage=question_coverage(rows, told, nearest))


def question_coverage(
    rows: Sequence[Mapping[str, float]], told: Sequence[float], nearest: Mapping[str, float]
) -> QuestionCoverage:
    """What a source says of a question, by the figures of its results and the probability of each."""
    best, likely = max(zip(rows, told, strict=True), key=lambda one: one[1])
    like, named = (max(figures[name] for figures in rows) for name in ("like", "named"))
    return QuestionCoverage(nearest, like, likely, named, best["untyped"])


def passage_bearings(question: str, found: Shortlist, words: Embedder) -> Shortlist:
    """Passages, each with how likely it bears on the question by its title and its best two sentences.

    Its words may stand anywhere in it.
    """
    pages = tuple(map(candidate_page, found.candidates))
    figures = page_figures(weigh_question(question, found.weights, pages), pages)
    texts = [
        FoundText(f"{page.title}\n{one.best}", shown.score, f"{page.title}\n{page.text}"[:MAX_PASSAGE_CHARS])
        for page, one, shown in zip(pages, figures, found.candidates, strict=True)
    ]
    return with_bearing(question, found, texts, "documents", found.weights, words)


@cache
def bearing_weights(model: BearingModel) -> Mapping[str, Mapping[str, float]]:
    """Language -> weights of the figures."""
    return cast("Mapping[str, Mapping[str, float]]", table("winnow.retrieve", "bearing.yaml")[model])


def anything_bears(found: Sequence[Shortlist]) -> float | None:
    """How likely anything of all sources bears on the question; None where nobody can tell of one of them."""
    some = [one.coverage for one in found if one.candidates]
    told = [one for one in some if one]
    if not some or len(told) < len(some):
        return None
    return probability(anything_features(told), bearing_weights("anything")["all"])


def anything_features(told: Sequence[QuestionCoverage]) -> dict[str, float]:
    """What speaks for anything of several sources bearing on the question."""
    words = dict.fromkeys(word for one in told for word in one.nearest)
    nearest = [max(one.nearest.get(word, 0.0) for one in told) for word in words]
    return {
        "odds": log_odds(max(one.likely for one in told)),
        "missing": 1 - sum(nearest) / len(nearest),
        "covered": max(one.best for one in told),
        "named": max(one.named for one in told),
        "untyped": min(one.untyped for one in told),
        "words": float(len(nearest)),
    }


def best_bearing(found: Shortlist) -> float | None:
    """The greatest of its candidates; None where any of them is not known, or there is none."""
    told = [candidate.bearing for candidate in found.candidates]
    return None if not told or None in told else max(one for one in told if one is not None)
