"""How much of two statements both say, by their words and by what comes near them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Set
from typing import TYPE_CHECKING, TypeVar

from winnow.ports import Embedder
from winnow.recall.facts.near import cosine, covered, nearest
from winnow.recall.facts.said import Said

if TYPE_CHECKING:
    from winnow.ports.vectors import Floats

T = TypeVar("T")
SAME, FAR = 0.99, 0.45
"""Cosines from which two words are one, and below which a word has none like it."""


def of_words(old: Said, new: Said, table: Embedder) -> dict[str, float]:
    """How much of what each says the other says too."""
    from_old, from_new = covered(table, old.words, new.words), covered(table, new.words, old.words)
    return {
        "near": cosine(table, old.text, new.text),
        "swapped": nearest(table, tuple(_alone(old, from_old)), tuple(_alone(new, from_new))),
        **_covered("old", from_old, 4),
        **_covered("new", from_new, 6),
        **_shared(old, new),
        **_begun(old, new),
        **_tokens(old, new),
        "old_end": _last(from_old),
        "new_end": _last(from_new),
    }


def _alone(one: Said, near: Floats) -> Iterator[str]:
    """The words that the other statement has not."""
    return (word for word, cosine_ in zip(one.words, near, strict=False) if cosine_ < SAME)


def _covered(name: str, near: Floats, many: int) -> dict[str, float]:
    """How near the words of one come to those of the other; ``far`` is 1 from so many that do not."""
    far = int((near < FAR).sum())
    return {
        f"{name}_covered": mean(near.tolist()),
        f"{name}_least": float(min(near, default=0)),
        f"{name}_far": min(1.0, far / many),
        f"{name}_any_far": float(far > 0),
    }


def _last(near: Floats) -> float:
    """How near the last word comes, which is mostly what is said of the others."""
    return float(near[-1]) if len(near) else 0.0


def _shared(old: Said, new: Said) -> dict[str, float]:
    """How many terms both have."""
    both = len(old.terms & new.terms)
    return {
        "old_shared": both / max(1, len(old.terms)),
        "new_shared": both / max(1, len(new.terms)),
        "shared": float(both > 0),
        "contained": float(within(old.terms, new.terms)),
        "contains": float(within(new.terms, old.terms)),
    }


def _tokens(old: Said, new: Said) -> dict[str, float]:
    """How many words, of Chinese characters, both have, those that say nothing among them."""
    before, after = ({t for t in one.tokens if len(t) == 1 or t.isascii()} for one in (old, new))
    both = len(before & after)
    return {
        "old_tokens": both / max(1, len(before)),
        "new_tokens": both / max(1, len(after)),
        "all_tokens": both / max(1, len(before | after)),
    }


def _begun(old: Said, new: Said) -> dict[str, float]:
    """Whether the later one speaks of what the earlier one begins with."""
    first = set(old.words[:1])
    return {
        "same_first": float(bool(first) and old.words[0] in new.words[:1]),
        "first_again": float(not first.isdisjoint(new.words)),
    }


def within(some: Set[T], others: Set[T]) -> bool:
    """Whether there are some, and all of them are among the others."""
    return bool(some) and some <= others


def mean(values: Collection[float]) -> float:
    """0 where there is none."""
    return sum(values) / len(values) if values else 0.0
