"""Many texts as requests of a size that a model takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import TypeVar

BatchItem = TypeVar("BatchItem")

BYTES_PER_TOKEN = 2.0
"""English has 4 to 5 bytes a token, Chinese 2.5 to 4, figures 2: no ordinary text has fewer."""
MIN_BATCH_TEXTS = 8
"""Texts that are not worth two requests."""


@dataclass(frozen=True, slots=True)
class EmbeddingLimits:
    """What one request holds at most, and how many are under way at one time."""

    texts: int = 32
    tokens: int = 100_000
    """Of all texts of a request together."""
    text_tokens: int = 8_000
    """Of one text: of a longer one the beginning is embedded."""
    concurrency: int = 4
    aside: bool = True
    """Whether threads of its own embed. False where that takes less time than to wake one: whoever blocks
    then embeds in the own thread; an event loop is never held up."""


def max_tokens(text: str) -> int:
    """No fewer tokens than an ordinary text of that length has."""
    return int(len(text.encode("utf-8", "surrogatepass")) / BYTES_PER_TOKEN) + 1


def truncated_text(text: str, limits: EmbeddingLimits) -> str:
    """As much of the text as a model reads."""
    most = int(limits.text_tokens * BYTES_PER_TOKEN)
    if len(text) * 4 <= most:  # no character has more than four bytes
        return text
    return text.encode("utf-8", "surrogatepass")[:most].decode("utf-8", "ignore")


def balanced_batches(
    items: Sequence[BatchItem], limits: EmbeddingLimits, text_of: Callable[[BatchItem], str]
) -> Iterator[list[BatchItem]]:
    """As ``split_batches``, with all requests that may be under way at once busy, so that all end sooner."""
    share = max(MIN_BATCH_TEXTS, ceil(len(items) / limits.concurrency))
    return split_batches(items, replace(limits, texts=min(limits.texts, share)), text_of)


def split_batches(
    items: Sequence[BatchItem], limits: EmbeddingLimits, text_of: Callable[[BatchItem], str]
) -> Iterator[list[BatchItem]]:
    """The items in their order, in as few lists as keep to the limits.

    The tokens of a text are those of its ``truncated_text``; one text always makes a batch.
    """
    batch: list[BatchItem] = []
    tokens = 0
    for item in items:
        cost = min(max_tokens(text_of(item)), limits.text_tokens)
        if batch and (len(batch) == limits.texts or tokens + cost > limits.tokens):
            yield batch
            batch, tokens = [], 0
        batch.append(item)
        tokens += cost
    if batch:
        yield batch


def first_batch(texts: Mapping[str, str], limits: EmbeddingLimits, *, full: bool = True) -> list[str]:
    """The keys of as many texts as one request holds, in order; none where it would not be ``full``."""
    keys: list[str] = []
    tokens = 0
    for key, text in texts.items():
        tokens += min(max_tokens(text), limits.text_tokens)
        if keys and (len(keys) == limits.texts or tokens > limits.tokens):
            return keys
        keys.append(key)
    return keys if not full or len(keys) == limits.texts else []
