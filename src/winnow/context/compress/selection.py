"""Selects the units kept within a token budget: the likeliest for their size, with their sentences."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from winnow.context.compress.units import Unit, Units
from winnow.context.compress.wording import whole_clause
from winnow.language.content_words import content_terms
from winnow.language.numbers.find import find_numbers
from winnow.language.registry import language_of, rows_for
from winnow.language.segment import segment_words
from winnow.language.sentences import is_han
from winnow.language.tables import table

# Joins kept pieces into readable text with gaps marked; key words where no piece fits.

GAP_MARK = "…"
KeptTexts = Mapping[int, str]
"""Number of a unit -> what is kept of it: its whole text, or the beginning of it."""
Pieces = tuple[tuple[int, str], ...]
"""Kept texts of one item, in order."""


@dataclass(frozen=True, slots=True)
class UnitRun:
    """Pieces that stood next to each other."""

    first: Unit
    text: str
    begins: bool
    """Whether it begins where its sentence does."""
    ends: bool
    """Whether it ends where a sentence does."""


def unit_runs(units: Units, taken: KeptTexts) -> Iterator[tuple[int, list[UnitRun]]]:
    """Number of an item and the runs kept of it, for each item of which something is kept, in order."""
    groups: list[list[int]] = []
    for number in sorted(taken):
        before = groups[-1][-1] if groups else number
        last = units.all[before]
        # A piece goes on where it stands right behind the one before, of which all is kept.
        if number == before + 1 and units.all[number].item == last.item and taken[before] == last.text:
            groups[-1].append(number)
        else:
            groups.append([number])
    found = (_one_run(units, taken, group) for group in groups)
    for item, own in groupby(found, key=lambda run: run.first.item):
        yield item, list(own)


def join_units(units: Units, taken: KeptTexts, known: dict[Pieces, str]) -> dict[int, str]:
    """Number of an item -> what is kept of it, in its order, with marks where something is missing.

    ``known`` learns what was joined: while more is chosen, one item changes and the others do not.
    """
    texts: dict[int, str] = {}
    for item, numbers in groupby(sorted(taken), key=lambda number: units.all[number].item):
        pieces = tuple((number, taken[number]) for number in numbers)
        if pieces not in known:
            known[pieces] = _joined_pieces(units, dict(pieces))
        texts[item] = known[pieces]
    return texts


def _joined_pieces(units: Units, taken: KeptTexts) -> str:
    """What is kept of one item."""
    ((item, found),) = unit_runs(units, taken)
    source, text = units.texts[item], ""
    for run in found:
        follows = bool(source[: run.first.start].strip())
        piece = whole_clause(run.text, run.begins, run.ends, follows)
        if not text:
            text = piece if run.begins else _beside(GAP_MARK, piece)
        elif run.begins and "\n" in source[max(0, run.first.start - 2) : run.first.start]:
            text = f"{text}\n{piece}"  # it began a line, which tells as much as a mark
        else:
            text = _beside(_beside(text, GAP_MARK), piece)
    return text if found[-1].ends else _beside(text, GAP_MARK)


def _one_run(units: Units, taken: KeptTexts, numbers: Sequence[int]) -> UnitRun:
    first, last = units.all[numbers[0]], units.all[numbers[-1]]
    whole = taken[numbers[-1]] == last.text
    begins = numbers[0] == units.starts[first.sentence]
    ends = whole and numbers[-1] + 1 == units.of_sentence(numbers[-1]).stop
    text = (
        units.texts[first.item][first.start : last.end] if whole else "".join(map(taken.__getitem__, numbers))
    )
    return UnitRun(first, text, begins, ends)


def _beside(left: str, right: str) -> str:
    """Two pieces side by side; Latin letters need a blank between."""
    tight = any("\u2e80" <= sign <= "\uffef" for sign in (left[-1:], right[:1]))
    return f"{left}{'' if tight else ' '}{right}"


# A piece of which not even the beginning fits -> the words of it that tell most.


def telling_words(text: str, fits: Callable[[str], bool]) -> str:
    """The telling words in their order, as many as fit, names and numbers before all others."""
    rules, chosen, told = _keyword_rules(), list[str](), ""
    telling = [match.group().strip() for match in rules["keywords"].finditer(text)]
    for word in dict.fromkeys((*telling, *_telling_candidates(text))):
        more = rows_for(rules["between"], language_of(text)).join(sorted([*chosen, word], key=text.find))
        if not any(word in other for other in chosen) and fits(more):
            chosen.append(word)
            told = more
    return told


def _telling_candidates(text: str) -> list[str]:
    """The words that say what it is about, without those that hold sentences together."""
    if language_of(text) == "zh":
        tags = _keyword_rules()["tags"]
        words = (word.text for word in segment_words(text) if word.tag.startswith(tags))
        return [word for word in words if len(word) > 1 and word.isalpha()]  # no piece of a number
    return [word for word in re.findall(r"[A-Za-z][\w'-]+", text) if content_terms(word)]


@cache
def _keyword_rules() -> dict[str, Any]:
    rules = cast("dict[str, Any]", table("winnow.context", "data/keywords.yaml"))
    return {**rules, "keywords": re.compile(rules["keywords"]), "tags": tuple(rules["tags"])}


# Selects the units kept within a token budget: the likeliest for their size, with their sentences.

Floats = npt.NDArray[np.float32]
Count = Callable[[str], int]
SENTENCE_SHARE = 0.4
"""A whole sentence is taken for its best piece where it costs at most this share of what is left."""
MIN_WORDS = 3
"""Words of the shortest beginning that says more than key words."""
LENGTH_EXPONENT = 0.5
"""How much a long piece is held against it: the exponent of its tokens."""


@dataclass(slots=True)
class CompressionDraft:
    """What is kept so far."""

    units: Units
    count: Count
    budget: int
    costs: Sequence[int]
    """Tokens of each unit by itself."""
    mark: int
    """Tokens of the mark of a gap."""
    kept_texts: dict[int, str] = field(default_factory=dict)
    order: list[int] = field(default_factory=list)
    """The pieces taken whole, in that order."""
    substitutes: dict[int, str] = field(default_factory=dict)
    """Number of an item -> what stands for it where no piece of it is kept: key words, its title."""
    titled_items: set[int] = field(default_factory=set)
    """Items whose title stands before what is kept of them."""
    methods: dict[int, str] = field(default_factory=dict)
    """How items were made smaller, where their pieces do not tell."""
    shares: Floats = field(default_factory=lambda: np.zeros(0, np.float32))
    """How likely each unit is to answer."""
    repeats: dict[int, int] = field(default_factory=dict)
    """Sentences that another one says as well."""
    joined: dict[Pieces, str] = field(default_factory=dict)
    """What is read where these pieces of an item are kept."""

    @property
    def texts(self) -> dict[int, str]:
        """Number of an item -> what is kept of it, in order of the items."""
        found = {**self.substitutes, **join_units(self.units, self.kept_texts, self.joined)}
        items = self.units.items
        return {
            at: f"{items[at].title}\n{found[at]}" if at in self.titled_items else found[at]
            for at in sorted(found)
        }

    def is_repeat(self, number: int) -> bool:
        """Whether the sentence of a unit says again what another one says."""
        return self.units.all[number].sentence in self.repeats

    @property
    def tokens_left(self) -> int:
        """Tokens that are still free, as counted with all that is kept written out."""
        return self.budget - self.count("\n".join(self.texts.values()))

    def take(self, numbers: Iterable[int]) -> None:
        """Keep these pieces whole, those known already as they are."""
        for number in numbers:
            if number not in self.kept_texts:
                self.kept_texts[number] = self.units.all[number].text
                self.order.append(number)

    def take_if_it_fits(self, numbers: Sequence[int], spare: int = 0) -> bool:
        """Keep all of these pieces whole, or none; ``spare`` tokens stay free."""
        before = len(self.order)
        self.take(numbers)
        if self.tokens_left >= spare:
            return True
        for number in self.order[before:]:
            del self.kept_texts[number]
        del self.order[before:]
        return False

    def give_back(self) -> None:
        """Drop what was taken last until the rest fits."""
        while self.order and self.tokens_left < 0:
            del self.kept_texts[self.order.pop()]

    def with_heads(self, numbers: Sequence[int]) -> list[int]:
        """Those of the pieces that are not kept yet, behind what they say nothing without."""
        wanted, heads = list(numbers), list(numbers)
        while heads := [head for n in heads if (head := self.units.all[n].head) is not None]:
            wanted = [*heads, *wanted]
        return [number for number in dict.fromkeys(wanted) if number not in self.kept_texts]

    def cost(self, numbers: Iterable[int]) -> int:
        """What these pieces cost, at most."""
        return sum(self.costs[number] for number in numbers)


def new_draft(units: Units, count: Count, budget: int) -> CompressionDraft:
    """Nothing yet."""
    return CompressionDraft(
        units, count, budget, [count(unit.text.strip()) for unit in units.all], count(GAP_MARK)
    )


def rank_units(scores: Floats, costs: Sequence[int]) -> list[int]:
    """Units, best first: what they promise for what they cost."""
    worth = scores - LENGTH_EXPONENT * np.log(np.maximum(np.array(costs, np.float32), 1))
    return [int(number) for number in np.argsort(-worth, kind="stable")]


def fill_draft(found: CompressionDraft, order: Sequence[int], budget: int | None = None) -> None:
    """Take the best pieces as long as some fit; ``budget``: what they may cost, where that is not all."""
    spare = 0 if budget is None else max(0, found.tokens_left - budget)
    kept = -1
    while len(found.order) > kept:  # what was kept costs less together than one by one: there is room again
        kept = len(found.order)
        left = found.tokens_left - spare
        for number in order:
            if number in found.kept_texts or found.costs[number] > left:
                continue
            # A piece and what belongs to it: its sentence, where that is cheap
            sentence = found.with_heads(found.units.of_sentence(number))
            chosen = sentence if found.cost(sentence) <= SENTENCE_SHARE * left else found.with_heads([number])
            cost = found.cost(chosen) + len(chosen) * found.mark
            if cost <= left:
                found.take(chosen)
                left -= cost
            elif found.take_if_it_fits(chosen, spare) or found.take_if_it_fits(
                found.with_heads([number]), spare
            ):
                left = found.tokens_left - spare


def complete_sentences(found: CompressionDraft) -> None:
    """Complete every sentence that was torn and has room, in the order they were taken."""
    firsts = (found.units.of_sentence(number) for number in list(found.order))
    for sentence in dict.fromkeys(firsts):
        if missing := [number for number in sentence if number not in found.kept_texts]:
            found.take_if_it_fits(missing)


def add_headings(found: CompressionDraft, most: int) -> None:
    """Keep the headings over what is kept and the titles of items, as far as ``most`` tokens go."""
    spare = max(0, found.tokens_left - most)
    for at, item in enumerate(found.units.items):
        if item.title:
            # Put the title before what is kept of an item, or in its place
            if any(found.units.all[number].item == at for number in found.kept_texts):
                found.titled_items.add(at)
            else:
                found.substitutes[at], found.methods[at] = item.title, "metadata"
            if found.tokens_left < spare:
                found.titled_items.discard(at)
                found.substitutes.pop(at, None)
                found.methods.pop(at, None)
    for number in list(found.order):
        heading = found.units.all[number].under
        if heading is not None and heading not in found.kept_texts:
            found.take_if_it_fits([heading], spare)


def begin_unit(found: CompressionDraft, order: Sequence[int]) -> None:
    """Keep the beginning of a piece, as far as it fits; never half a word.

    It is what goes on where a sentence was torn, which reads best, else the best piece that is left. Where
    not even a few words of it fit and nothing else was kept, its key words stand for it.
    """
    best = _unit_to_begin(found, order)
    if best is None or found.tokens_left <= 0:
        return
    text = found.units.all[best].text.strip()
    is_chinese = any(map(is_han, text))
    words = [w.text for w in segment_words(text)] if is_chinese else [f"{word} " for word in text.split(" ")]
    most = _fitting_words(found, best, words)
    found.kept_texts.pop(best, None)
    beginning = _before_number(text, _first_words(words, most))
    if most >= MIN_WORDS and beginning:
        found.kept_texts[best] = beginning
    elif not found.kept_texts:
        at = found.units.all[best].item
        found.substitutes.pop(at, None)
        left = found.tokens_left
        told = telling_words(found.units.all[best].text, lambda text: found.count(text) < left)
        if told:
            found.substitutes[at], found.methods[at] = told, "keywords"


def _unit_to_begin(found: CompressionDraft, order: Sequence[int]) -> int | None:
    """The piece to begin: one that goes on where a sentence was torn, else the best that stands alone."""
    free = [n for n in order if n not in found.kept_texts and found.units.all[n].cuttable]
    alone = [n for n in free if found.with_heads([n]) == [n]]
    torn = (n for n in alone if n - 1 in found.kept_texts and n - 1 in found.units.of_sentence(n))
    return next(torn, next(iter(alone), None))


def _fitting_words(found: CompressionDraft, unit: int, words: Sequence[str]) -> int:
    """How many words of a piece fit, but not all of them."""
    low, high = 0, len(words) - 1
    while low < high:
        middle = (low + high + 1) // 2
        found.kept_texts[unit] = _first_words(words, middle)
        low, high = (middle, high) if found.tokens_left >= 0 else (low, middle - 1)
    return low


def _before_number(text: str, beginning: str) -> str:
    """The beginning of a text, less a number that it ends in: what that counts would be cut off."""
    at = len(beginning)
    return beginning[: next((n.start for n in find_numbers(text) if n.start < at <= n.end), at)].rstrip()


def _first_words(words: Sequence[str], number: int) -> str:
    return "".join(words[:number]).rstrip()
