"""What the frameworks have in common: what was found as one list of items, each with where it comes from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, zip_longest
from typing import Any

from winnow.context.compress.compress import compress
from winnow.types.candidate import Candidate, Shortlist
from winnow.types.context import CompressedItem, Item

HIDDEN_FIELDS = frozenset({"text", "tokens"})
"""What a source knows of a candidate and an item says itself."""


def found_items(found: Sequence[Shortlist], limit: int) -> list[Item]:
    """At most ``limit`` items, the best of each source before the second best of any.

    Scores of two sources cannot be compared. The ``data`` of an item are ``kind``, ``found_in`` (the source),
    ``score``, and what its source tells: ``document``, ``title``, ``headings``, ``at``, ``status`` ...
    """
    ranks = zip_longest(*([(one.source, each) for each in one.candidates] for one in found))
    flat = [pair for pair in chain.from_iterable(ranks) if pair is not None]
    return [_item(source, candidate) for source, candidate in flat[:limit]]


def _item(source: str, candidate: Candidate) -> Item:
    told: Mapping[str, Any] = (
        candidate.data if isinstance(candidate.data, Mapping) else {"text": candidate.data}
    )
    about = {
        name: value for name, value in told.items() if name not in HIDDEN_FIELDS and value not in ("", None)
    }
    data = {**about, "kind": candidate.ref.kind, "found_in": source, "score": round(candidate.score, 4)}
    return Item(
        candidate.ref.id,
        str(told.get("text") or ""),
        float(told.get("importance") or 0.5),
        str(told.get("title") or ""),
        data,
    )


def smaller(texts: Iterable[tuple[str, Any]], query: str, tokens: int) -> tuple[CompressedItem, ...]:
    """What is left of the texts within so many tokens for a question; each has what came with it as ``data``.

    Texts that say nothing about the question are left out where there is no room.
    """
    items = [Item(str(number), text, data=data) for number, (text, data) in enumerate(texts)]
    return compress(items, query, tokens=tokens).kept
