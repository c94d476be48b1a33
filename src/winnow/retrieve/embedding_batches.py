"""Many texts as requests of a size that a model takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import TypeVar

T = TypeVar("T")

BYTES_PER_TOKEN = 2.0
"""English has 4 to 5 bytes a token, Chinese 2.5 to 4, figures 2: no ordinary text has fewer."""
LEAST = 8
"""Texts that are not worth two requests."""


@dataclass(frozen=True, slots=True)
class Limits:
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


def most_tokens(text: str) -> int:
    """No fewer tokens than an ordinary text of that length has."""
    return int(len(text.encode("utf-8", "surrogatepass")) / BYTES_PER_TOKEN) + 1


def beginning(text: str, limits: Limits) -> str:
    """As much of the text as a model reads."""
    most = int(limits.text_tokens * BYTES_PER_TOKEN)
    if len(text) * 4 <= most:  # no character has more than four bytes
        return text
    return text.encode("utf-8", "surrogatepass")[:most].decode("utf-8", "ignore")


def shared(items: Sequence[T], limits: Limits, text_of: Callable[[T], str]) -> Iterator[list[T]]:
    """``batches`` that busy all requests that may be under way at one time, so that all are done sooner."""
    share = max(LEAST, ceil(len(items) / limits.concurrency))
    return batches(items, replace(limits, texts=min(limits.texts, share)), text_of)


def batches(items: Sequence[T], limits: Limits, text_of: Callable[[T], str]) -> Iterator[list[T]]:
    """The items in their order, in as few lists as keep to the limits.

    The tokens of a text are those of its ``beginning``; one text always makes a batch.
    """
    batch: list[T] = []
    tokens = 0
    for item in items:
        cost = min(most_tokens(text_of(item)), limits.text_tokens)
        if batch and (len(batch) == limits.texts or tokens + cost > limits.tokens):
            yield batch
            batch, tokens = [], 0
        batch.append(item)
        tokens += cost
    if batch:
        yield batch


def first_batch(texts: Mapping[str, str], limits: Limits, *, full: bool = True) -> list[str]:
    """The keys of as many texts as one request holds, in order; none where it would not be ``full``."""
    keys: list[str] = []
    tokens = 0
    for key, text in texts.items():
        tokens += min(most_tokens(text), limits.text_tokens)
        if keys and (len(keys) == limits.texts or tokens > limits.tokens):
            return keys
        keys.append(key)
    return keys if not full or len(keys) == limits.texts else []
