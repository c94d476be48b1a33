"""Compresses items to their most telling parts within a token budget, and reports what was cut."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from winnow.context.compress.features import (
    FeatureWeights,
    UnitFeatures,
    WordEmbedder,
    find_repeats,
    unit_features,
    unit_scores,
    weights_for,
    weights_name,
)
from winnow.context.compress.selection import (
    CompressionDraft,
    Count,
    UnitRun,
    add_headings,
    begin_unit,
    complete_sentences,
    fill_draft,
    new_draft,
    rank_units,
    unit_runs,
)
from winnow.context.compress.units import JSON_OPENS, UnitGrain, Units, split_units
from winnow.context.compress.wording import brief_text, single_names
from winnow.errors import ArgumentError
from winnow.language.linear import shares
from winnow.language.registry import language_of
from winnow.language.tokens import count_tokens
from winnow.types.candidate import Dropped
from winnow.types.context import Compressed, CompressedItem, Item, Level
from winnow.types.utterance import LanguageCode

# What was kept and what was cut, as the caller is told.


def level_of(rate: float) -> Level:
    """The level for the share that must go, 0..1 (seed 004: 0.3, 0.6, 0.8)."""
    if rate <= 0:
        return "none"
    return "light" if rate < 0.3 else "medium" if rate < 0.6 else "heavy" if rate < 0.8 else "extreme"


def uncompressed(items: Sequence[Item], count: Count) -> Compressed:
    """All items as they are."""
    kept = tuple(CompressedItem(item, item.text, count(item.text)) for item in items)
    return Compressed(kept, "none", 1.0, 1.0, count("\n".join(item.text for item in items)))


def compression_report(found: CompressionDraft, total: int) -> Compressed:
    """What a draft keeps of ``total`` tokens."""
    own, kept = dict(unit_runs(found.units, found.kept_texts)), {}
    for at, text in _texts_of_single_names(found).items():
        method = found.methods.get(at) or _item_method(found, at, own.get(at, []))
        kept[at] = CompressedItem(found.units.items[at], text, found.count(text), method)
    tokens = found.count("\n".join(one.text for one in kept.values()))
    asked, reached = min(1.0, max(0, found.budget) / max(1, total)), tokens / max(1, total)
    level = level_of(1 - (asked if asked < 1 else reached))
    support = min(1.0, float(found.shares[found.order].sum())) if found.order else 0.0
    return Compressed(
        tuple(kept.values()), level, asked, reached, tokens, tuple(_dropped_items(found, kept)), support
    )


def _texts_of_single_names(found: CompressionDraft) -> dict[int, str]:
    """Number of an item -> what is kept of it, a thing of two names under one where that costs no more."""
    texts = found.texts
    pairs = zip(texts.items(), single_names(list(texts.values())), strict=True)
    return {at: _cheaper(text, said, found.count) for (at, said), text in pairs}


def _item_method(found: CompressionDraft, at: int, own: Sequence[UnitRun]) -> str:
    """How an item was made smaller, as its pieces tell."""
    item, cut = found.units.items[at], found.units.texts[at].strip()
    if len(own) == 1 and own[0].text.strip() == item.text.strip():
        return "whole"
    if not all(run.begins and run.ends for run in own):
        return "clauses"
    if item.text[:1] in JSON_OPENS or not all(run.first.prose for run in own):
        return "structure"
    return "wording" if len(own) == 1 and own[0].text.strip() == cut else "sentences"


def _dropped_items(found: CompressionDraft, kept: Mapping[int, CompressedItem]) -> Iterator[Dropped]:
    for at, item in enumerate(found.units.items):
        firsts = [found.units.all[start] for start in found.units.starts]
        others = [firsts[other].item for one, other in found.repeats.items() if firsts[one].item == at]
        for other in dict.fromkeys(others):
            said = found.units.items[other].id
            yield Dropped(item.id, "repeats", f"{others.count(other)} sentences said by {said}")
        if at not in kept:
            yield Dropped(item.id, "room", "nothing of it fits beside what answers better")
        elif kept[at].method != "whole":
            of = found.count(item.text)
            yield Dropped(item.id, kept[at].method, f"{kept[at].tokens} of {of} tokens kept")


Floats = npt.NDArray[np.float32]
NO_WEIGHTS: Mapping[str, float] = {}
FEW_TOKENS = 40
"""Tokens that are too few for a sentence and its neighbours: below, English is cut into phrases."""
LIGHT_SHARE = 0.75
"""What stays of an important item that is only lightly compressed."""
SQUEEZED_SHARE = 0.5
"""What an important item has of the room that is left, where that is too little for it."""
CONTEXT_SHARE = 0.15
"""The share of the room that headings and titles may have."""
WHOLE_SHARE = 0.5
"""Up to which share that must go important items stay whole (seed 004, section 3.3)."""
IMPORTANCE_WEIGHT = 4.0
"""What importance adds to the score of a piece, from 0 to 1. Not fitted: no questions tell."""


@dataclass(frozen=True, slots=True)
class CompressionGoal:
    """What is compressed for, and how much of it is to stay."""

    query: str
    tokens: int
    keep: float | None = None
    """The share of the support that is to stay, 0..1; None: as much as fits."""
    protect: float = 0.8
    """From which importance on an item is compressed lightly at most."""


def compress(  # noqa: PLR0913 - what counts and what knows words is handed in beside the question
    items: Sequence[Item],
    query: str,
    tokens: int,
    *,
    keep: float | None = None,
    protect: float = 0.8,
    weights: Mapping[str, float] = NO_WEIGHTS,
    count: Count = count_tokens,
    meaning: WordEmbedder | None = None,
) -> Compressed:
    """The parts of the items that answer the query, at most ``tokens`` of them as ``count`` counts.

    Items come best first. ``keep`` (0..1) asks for so much of the support and no more than that takes;
    ``weights`` tells how rare the question's terms are in all that was searched, ``meaning`` which words are
    alike: both make it better. Items from the importance ``protect`` on stay whole, or nearly, if they fit.
    """
    if wrong := [item for item in items if not hasattr(item, "text")]:
        raise ArgumentError("items", "must be winnow.Item(id, text)", wrong[0])
    count = cache(count)  # the same texts are weighed again and again, and forgotten with this call
    total = count("\n".join(item.text for item in items))
    wish = CompressionGoal(query, tokens, keep, protect)
    if total <= tokens and keep is None:
        return uncompressed(items, count)
    found = new_draft(cut_items(items, grain_for(tokens), count, protect), count, min(tokens, total))
    if not found.units.all or tokens <= 0:
        return compression_report(found, total)
    by = weights_for(main_language(items), weights_name(bool(weights), meaning is not None))
    choose_units(found, unit_features(found.units, query, weights, meaning), by, wish)
    return compression_report(found, total)


def cut_items(items: Sequence[Item], grain: UnitGrain, count: Count, protect: float = 0.8) -> Units:
    """What the items are made of, each in fewer words where that is shorter and it is not important."""
    brief = [item.text if item.importance >= protect else brief_text(item.text) for item in items]
    return split_units(items, grain, [_cheaper(b, i.text, count) for i, b in zip(items, brief, strict=True)])


def _cheaper(text: str, whole: str, count: Count) -> str:
    """The text where it costs no more than the whole one."""
    return text if text == whole or count(text) <= count(whole) else whole


def grain_for(tokens: int) -> UnitGrain:
    """What texts are cut into to keep so many tokens of them."""
    return "clause" if tokens >= FEW_TOKENS else "phrase"


def main_language(items: Sequence[Item]) -> LanguageCode:
    """The language most of the items are in."""
    return language_of(" ".join(item.text[:400] for item in items))


def choose_units(
    found: CompressionDraft, seen: UnitFeatures, by: FeatureWeights, wish: CompressionGoal
) -> None:
    """Keep what answers the wish best."""
    order = _distinct_units(found, seen, by)
    _keep_important(found, order, wish)
    if wish.keep is not None:
        # The first pieces that hold so much of the support together
        held = np.cumsum([found.shares[number] for number in order])
        order = order[: int(np.searchsorted(held, min(wish.keep, float(held[-1])))) + 1]
    # Whether there are titles or headings to stand over what is kept
    pieces = found.units
    if any(item.title for item in pieces.items) or any(unit.under is not None for unit in pieces.all):
        context = int(CONTEXT_SHARE * found.tokens_left)
        fill_draft(found, order, found.tokens_left - context)
        add_headings(found, context)
    fill_draft(found, order)
    found.give_back()  # only a counter that finds more in two pieces together than in each makes it necessary
    if wish.keep is None:
        complete_sentences(found)
        begin_unit(found, order)


def _distinct_units(found: CompressionDraft, seen: UnitFeatures, by: FeatureWeights) -> list[int]:
    """The units, best first, without those that say again what another one says."""
    pieces, sums = found.units, unit_scores(seen.features, by)
    found.shares = shares(sums).astype(np.float32, copy=False)
    found.repeats = find_repeats(pieces, seen.sentence_terms)
    importance = np.array([item.importance for item in pieces.items], np.float32)[pieces.items_of]
    order = rank_units(sums + IMPORTANCE_WEIGHT * importance, found.costs)
    headings = {unit.under for unit in pieces.all}
    return [number for number in order if number not in headings and not found.is_repeat(number)]


def _keep_important(found: CompressionDraft, order: Sequence[int], wish: CompressionGoal) -> None:
    """Keep important items whole, or most of them, the most important first, as far as they fit.

    One that does not fit has half of the room that is left: what is least important goes first.
    """
    lightly = wish.tokens < (1 - WHOLE_SHARE) * found.cost(range(len(found.costs)))
    important = [at for at, item in enumerate(found.units.items) if item.importance >= wish.protect]
    for at in sorted(important, key=lambda at: -found.units.items[at].importance):
        own = found.with_heads([number for number in order if found.units.items_of[number] == at])
        if lightly or not found.take_if_it_fits(own):
            most, left = int(LIGHT_SHARE * found.cost(own)), found.tokens_left
            fill_draft(found, own, most if most <= left else int(SQUEEZED_SHARE * left))
