"""How much two statements share, by their words and by the vectors of these."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence, Set
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from winnow.ports.services import Embedder
from winnow.retrieve.facts.extract import FactStatement

if TYPE_CHECKING:
    from winnow.ports.stores import Floats

# How near the words of two statements are to each other.


MAX_COMPARED_WORDS = 60
"""Words of a statement that are compared."""


@lru_cache(maxsize=32768)
def _embed_once(table: Any, text: str) -> Any:
    """The vector of a word or a text, made once; an embedder is known by which one it is."""
    return table.embed([text])[0]


def _vector(table: Any, text: str) -> Any:
    return _embed_once(table, text)


def _rows(table: Embedder, texts: tuple[str, ...]) -> Floats:
    return np.array([_vector(table, text) for text in texts], np.float32)


def cosine(table: Embedder, one: str, other: str) -> float:
    """How near two texts are as a whole."""
    return float(_vector(table, one) @ _vector(table, other))


def cosines(table: Embedder, one: str, others: Sequence[str]) -> Floats:
    """How near each of the others is to a text as a whole."""
    if not others:
        return np.zeros(0, np.float32)
    return np.asarray(_rows(table, tuple(others)) @ _vector(table, one))


def word_similarities(table: Embedder, words: tuple[str, ...], by: tuple[str, ...]) -> Floats:
    """For each word how near the nearest of the others comes, 1 for the same; empty where there is none."""
    words, by = words[:MAX_COMPARED_WORDS], by[:MAX_COMPARED_WORDS]
    if not words or not by:
        return np.zeros(len(words), np.float32)
    near = _rows(table, words) @ _rows(table, by).T
    for row, word in enumerate(words):
        if any(
            word == other or (min(len(word), len(other)) > 1 and (word in other or other in word))
            for other in by
        ):
            near[row] = 1.0
    return np.asarray(near.max(1))


def best_similarity(table: Embedder, words: tuple[str, ...], others: tuple[str, ...]) -> float:
    """How near the nearest two of them are; 0 where one side has none."""
    if not words or not others:
        return 0.0
    return float(
        (_rows(table, words[:MAX_COMPARED_WORDS]) @ _rows(table, others[:MAX_COMPARED_WORDS]).T).max()
    )


T = TypeVar("T")
SAME_WORD, UNRELATED_WORD = 0.99, 0.45
"""Cosines from which two words are one, and below which a word has none like it."""


def overlap_features(old: FactStatement, new: FactStatement, table: Embedder) -> dict[str, float]:
    """How much of what each says the other says too."""
    from_old, from_new = (
        word_similarities(table, old.words, new.words),
        word_similarities(table, new.words, old.words),
    )
    both = len(old.terms & new.terms)
    shared_term_features = {
        "old_shared": both / max(1, len(old.terms)),
        "new_shared": both / max(1, len(new.terms)),
        "shared": float(both > 0),
        "contained": float(is_within(old.terms, new.terms)),
        "contains": float(is_within(new.terms, old.terms)),
    }
    return {
        "near": cosine(table, old.text, new.text),
        "swapped": best_similarity(table, tuple(_alone(old, from_old)), tuple(_alone(new, from_new))),
        **_coverage_features("old", from_old, 4),
        **_coverage_features("new", from_new, 6),
        **shared_term_features,
        **_first_word_features(old, new),
        **_token_features(old, new),
        "old_end": _last(from_old),
        "new_end": _last(from_new),
    }


def _alone(one: FactStatement, near: Floats) -> Iterator[str]:
    """The words that the other statement has not."""
    return (word for word, cosine_ in zip(one.words, near, strict=False) if cosine_ < SAME_WORD)


def _coverage_features(name: str, near: Floats, many: int) -> dict[str, float]:
    """How near the words of one come to those of the other; ``far`` is 1 from so many that do not."""
    far = int((near < UNRELATED_WORD).sum())
    return {
        f"{name}_covered": mean_or_zero(near.tolist()),
        f"{name}_least": float(min(near, default=0)),
        f"{name}_far": min(1.0, far / many),
        f"{name}_any_far": float(far > 0),
    }


def _last(near: Floats) -> float:
    """How near the last word comes, which is mostly what is said of the others."""
    return float(near[-1]) if len(near) else 0.0


def _token_features(old: FactStatement, new: FactStatement) -> dict[str, float]:
    """How many words, of Chinese characters, both have, those that say nothing among them."""
    before, after = ({t for t in one.tokens if len(t) == 1 or t.isascii()} for one in (old, new))
    both = len(before & after)
    return {
        "old_tokens": both / max(1, len(before)),
        "new_tokens": both / max(1, len(after)),
        "all_tokens": both / max(1, len(before | after)),
    }


def _first_word_features(old: FactStatement, new: FactStatement) -> dict[str, float]:
    """Whether the later one speaks of what the earlier one begins with."""
    first = set(old.words[:1])
    return {
        "same_first": float(bool(first) and old.words[0] in new.words[:1]),
        "first_again": float(not first.isdisjoint(new.words)),
    }


def is_within(some: Set[T], others: Set[T]) -> bool:
    """Whether there are some, and all of them are among the others."""
    return bool(some) and some <= others


def mean_or_zero(values: Collection[float]) -> float:
    """0 where there is none."""
    return sum(values) / len(values) if values else 0.0
