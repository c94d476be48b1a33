"""Texts are embedded as much as a model reads, in requests as large as it takes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.retrieve.embedding_batches import (
    EmbeddingLimits,
    balanced_batches,
    max_tokens,
    split_batches,
    truncated_text,
)

SMALL = EmbeddingLimits(texts=3, text_tokens=10, concurrency=2)


@given(st.text(st.characters(), max_size=60))
def test_any_text_is_cut_to_its_beginning(text: str) -> None:
    cut = truncated_text(text, SMALL)
    kept = cut.encode("utf-8", "surrogatepass")
    # Half a character that stands alone may become another one
    is_odd = any("\ud800" <= each <= "\udfff" for each in text)
    assert text.encode("utf-8", "surrogatepass").startswith(kept) or is_odd
    assert max_tokens(cut) <= SMALL.text_tokens + 1


@pytest.mark.parametrize("text", ["", "\ud800", "a\udfff", "灯"])
def test_a_text_of_whatever_characters_costs_something(text: str) -> None:
    assert max_tokens(text) >= 1
    assert truncated_text(text, SMALL) == text


def test_a_longer_text_costs_more_and_a_character_is_never_torn() -> None:
    assert max_tokens("灯" * 30) > max_tokens("灯" * 3)
    cut = truncated_text("灯" * 60, SMALL)
    assert set(cut) == {"灯"}
    assert 0 < len(cut) < 60


@given(st.lists(st.text(max_size=30), max_size=12))
def test_every_item_is_in_one_batch_in_its_order(items: list[str]) -> None:
    for split in (split_batches, balanced_batches):
        batches = list(split(items, SMALL, lambda text: text))
        assert [item for batch in batches for item in batch] == items
        assert all(1 <= len(batch) <= SMALL.texts for batch in batches)
