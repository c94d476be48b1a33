"""Which sentences of what was found are given at first: no more than it likely takes to hold the answer.

One chooser for messages, facts and documents: a softmax over the sentences of all of them, by weights that
``training/fit_choice.py`` fits. What is left out waits until somebody asks for more.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import cast

import numpy as np
import numpy.typing as npt

from winnow.context.compress.compress import IMPORTANCE_WEIGHT
from winnow.context.compress.features import FEATURES, WordEmbedder, unit_features
from winnow.context.compress.selection import join_units
from winnow.context.compress.units import Units, split_units
from winnow.context.parts import Quote
from winnow.language.content_words import content_terms
from winnow.language.linear import log_odds, shares, weighted_rows
from winnow.language.tables import table
from winnow.language.term_weights import inverse_frequency
from winnow.types.context import Item

Floats = npt.NDArray[np.float32]
ENOUGH_MASS = 0.98
"""How likely it has to be that what is given holds the answer, if anything of what was found does."""
MAX_FIRST_TOKENS = 560
"""Tokens that are given before anybody asks for more, unless one sentence alone has more."""
FEW_TOKENS = 60
"""Tokens that are not worth choosing among."""
QUOTE_FEATURES = ("bearing", "rank", "titled", "alone", "recent", "own", "news")
_HEADING_MARK = re.compile(r"^#{1,6}\s+")


@dataclass(frozen=True, slots=True)
class ChoiceQuestion:
    """What is asked, and what tells of its words."""

    query: str
    weights: Mapping[str, float]
    """How much each term of it tells in all that was searched."""
    meaning: WordEmbedder | None = None
    context: Mapping[str, float] = field(default_factory=dict)
    """What the talk turns on beside, and what each term counts for."""


def choose_sentences(
    quotes: Sequence[Quote], asked: ChoiceQuestion, count: Callable[[str], int]
) -> dict[int, str]:
    """Place of a quote -> what of it is given, for those of which anything is; ``count`` counts tokens."""
    units = split_units([Item(quote.id, quote.text) for quote in quotes], "sentence")
    if not units.all:
        return {}
    choice = _Choice(units, quotes, sentence_scores(units, quotes, asked), count)
    choice.fill()
    return {
        at: quotes[at].text if choice.is_whole(at) else text
        for at, text in join_units(units, {n: units.all[n].text for n in choice.kept}, {}).items()
    }


def sentence_scores(units: Units, quotes: Sequence[Quote], asked: ChoiceQuestion) -> Floats:
    """How much speaks for each unit; what is important is rather given."""
    features = sentence_features(units, quotes, asked)
    scores = weighted_rows(features, choice_weights("plain" if asked.meaning is None else "meaning"))
    importance = np.array([quote.importance - 0.5 for quote in quotes], np.float32)
    return scores + np.float32(IMPORTANCE_WEIGHT) * importance[units.items_of]


def sentence_features(units: Units, quotes: Sequence[Quote], asked: ChoiceQuestion) -> dict[str, Floats]:
    """What speaks for each unit: its own words and what it stands in.

    Beside those of ``compress``: ``beside``, the likeness of the sentences next to it; ``bearing``, the
    log-odds of what it stands in (where nobody can tell, those of the best); ``rank`` in its source;
    ``titled``, what of the question the title says; ``alone``, that it is all that is said there; ``recent``,
    the place of a message among those found, 1 for the newest; ``own``, that the person said it; ``news``,
    that it replaced, surely or likely, another of them; ``talk``, what of the talk it is about.
    """
    own = unit_features(units, asked.query, asked.weights, asked.meaning).features
    known = {name: own[:, at] for at, name in enumerate(FEATURES)}
    columns = np.array(_quote_features(units, quotes, asked), np.float32)[:, units.items_of]
    around = dict(zip(QUOTE_FEATURES, columns, strict=True))
    return {**known, **around, "beside": _beside(known["like"], units), "talk": _talk(units, quotes, asked)}


def _quote_features(units: Units, quotes: Sequence[Quote], asked: ChoiceQuestion) -> list[list[float]]:
    """Each of ``QUOTE_FEATURES`` of every quote."""
    told = [quote.candidate.bearing for quote in quotes]
    best = max((one for one in told if one is not None), default=0.5)
    terms, replaced = dict.fromkeys(content_terms(asked.query)), {quote.newer for quote in quotes}
    return [
        [log_odds(best if one is None else one) for one in told],
        list(_shares_by_rank(quotes)),
        [_titled(quote, terms, asked.weights) for quote in quotes],
        (np.bincount(units.items_of, minlength=len(quotes)) == 1).tolist(),
        _recency(quotes),
        [quote.about.get("speaker", "assistant") != "assistant" for quote in quotes],
        [quote.id in replaced for quote in quotes],
    ]


def _shares_by_rank(quotes: Sequence[Quote]) -> Iterator[float]:
    """1 for the first of a source, a half for its second, and so on."""
    seen = Counter[str]()
    for quote in quotes:
        seen[quote.source] += 1
        yield 1 / seen[quote.source]


def _recency(quotes: Sequence[Quote]) -> list[float]:
    """The place in time of each message among those found, 1 for the newest; 0 for what is none."""
    said = [str(quote.about.get("at", "")) if "speaker" in quote.about else None for quote in quotes]
    days = sorted(day for day in said if day is not None)
    return [0.0 if day is None else bisect(days, day) / len(days) for day in said]


def _beside(like: Floats, units: Units) -> Floats:
    """The greater likeness of the two units next to each, in what it stands in."""
    found = np.zeros_like(like)
    same = units.items_of[1:] == units.items_of[:-1]
    found[1:] = like[:-1] * same
    found[:-1] = np.maximum(found[:-1], like[1:] * same)
    return found


def _talk(units: Units, quotes: Sequence[Quote], asked: ChoiceQuestion) -> Floats:
    """How much of what the talk turns on each unit's text and title hold, the rarer among them the more."""
    if not asked.context:
        return np.zeros(len(units.all), np.float32)
    held = [frozenset(content_terms(f"{quote.title}\n{quote.text}")) for quote in quotes]
    there = np.array([[term in own for term in asked.context] for own in held], np.float32)
    told = np.array(list(asked.context.values())) * inverse_frequency(len(held), there.sum(0))
    shares: Floats = (there @ told / (float(told.sum()) or 1.0)).astype(np.float32)
    return shares[units.items_of]


def _titled(quote: Quote, terms: Mapping[str, None], weights: Mapping[str, float]) -> float:
    """How much of the question stands over a text, 0..1, by how much its terms tell."""
    held = frozenset(content_terms(quote.title)) if quote.title else frozenset[str]()
    most = max(weights.values(), default=1.0)
    mass = sum(weights.get(term, most) for term in terms)
    return sum(weights.get(term, most) for term in terms if term in held) / (mass or 1.0)


@cache
def choice_weights(name: str) -> Mapping[str, float]:
    """What each feature counts for, where the meaning of words is known and where it is not (``plain``)."""
    return cast("Mapping[str, float]", table("winnow.context", "data/choice.yaml")[name])


class _Choice:
    """Sentences on their way into a message: the likeliest first, until that is enough."""

    def __init__(
        self, units: Units, quotes: Sequence[Quote], scores: Floats, count: Callable[[str], int]
    ) -> None:
        self.units, self.quotes, self.scores, self.count = units, quotes, scores, count
        self.kept, self.items, self.said = set[int](), set[int](), set[str]()
        self.places = {quote.id: at for at, quote in enumerate(quotes)}
        self.frames = [count(quote.with_text("").line) for quote in quotes]
        self.texts = [unit.text.strip() for unit in units.all]
        self.costs: dict[str, int] = {}

    def fill(self) -> None:
        """Take what it needs."""
        mass, used, held = shares(self.scores), 0, 0.0
        for number in np.argsort(-self.scores, kind="stable").tolist():
            if held >= ENOUGH_MASS and used >= FEW_TOKENS:
                break
            if self.texts[number] in self.said:  # said already: nothing is gained by saying it again
                held += float(mass[number])
                continue
            new = set(self._needed(number)) - self.kept
            items = {self.units.all[one].item for one in new} - self.items
            cost = sum(map(self._cost, new)) + sum(self.frames[at] for at in items)
            if not self.kept or used + cost <= MAX_FIRST_TOKENS:
                self.kept |= new
                self.items |= items
                self.said.update(self.texts[one] for one in new)
                used += cost
                held += sum(float(mass[one]) for one in new)

    def _needed(self, number: int) -> Iterator[int]:
        """The sentence with what it says nothing without, and what replaced it."""
        sentence = self.units.of_sentence(number)
        yield from sentence
        unit = self.units.all[number]
        head, title = unit.head, self.quotes[unit.item].title
        while head is not None:
            yield head
            head = self.units.all[head].head
        if unit.under is not None and self._heading(unit.under) not in title:
            yield unit.under
        newer = self.places.get(self.quotes[unit.item].newer)
        if newer is not None and newer not in self.items:
            rows = np.flatnonzero(self.units.items_of == newer)
            yield int(rows[self.scores[rows].argmax()])

    def _cost(self, number: int) -> int:
        """Tokens of a unit; most that do not fit are asked for again with their neighbours."""
        text = self.texts[number]
        if text not in self.costs:
            self.costs[text] = self.count(text)
        return self.costs[text]

    def _heading(self, number: int) -> str:
        return _HEADING_MARK.sub("", self.texts[number])

    def is_whole(self, at: int) -> bool:
        """Whether all of a text is given, but what its title says anyway."""
        rows = np.flatnonzero(self.units.items_of == at).tolist()
        return all(row in self.kept or self._heading(row) in self.quotes[at].title for row in rows)
