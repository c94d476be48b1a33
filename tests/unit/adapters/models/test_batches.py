from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from winnow.adapters.models.openai import prefixes_of
from winnow.language.tokens import count_tokens
from winnow.retrieve.embedding_batches import (
    EmbeddingLimits,
    balanced_batches,
    max_tokens,
    split_batches,
    truncated_text,
)


@given(st.lists(st.text(max_size=60), max_size=40), st.integers(1, 9), st.integers(1, 60), st.integers(1, 5))
def test_batches_hold_all_texts_in_order_and_keep_their_limits(
    texts: list[str], most: int, tokens: int, at_once: int
) -> None:
    limits = EmbeddingLimits(most, tokens, text_tokens=30, concurrency=at_once)
    found = list(split_batches(texts, limits, str))
    assert [text for batch in found for text in batch] == texts
    for batch in found:
        cost = sum(max_tokens(truncated_text(text, limits)) for text in batch)
        assert 1 <= len(batch) <= most
        assert cost <= tokens + len(batch) or len(batch) == 1


def test_few_texts_are_one_batch_unless_several_may_run_at_one_time() -> None:
    texts, limits = [str(n) for n in range(40)], EmbeddingLimits(100, concurrency=4)
    assert [len(batch) for batch in split_batches(texts, limits, str)] == [40]
    assert [len(batch) for batch in balanced_batches(texts, limits, str)] == [10, 10, 10, 10]
    assert [len(batch) for batch in balanced_batches(texts[:10], limits, str)] == [8, 2]
    assert [len(batch) for batch in balanced_batches(texts, EmbeddingLimits(7, concurrency=1), str)] == [
        7,
        7,
        7,
        7,
        7,
        5,
    ]


def test_a_text_has_no_more_tokens_than_its_length_says() -> None:
    for text in ("我把钥匙放在门口的抽屉里了", "I left the keys in the drawer by the door", "", "3.1415926"):
        assert count_tokens(text) <= max_tokens(text)


def test_of_a_long_text_the_beginning_is_embedded() -> None:
    limits = EmbeddingLimits(text_tokens=4)
    assert truncated_text("short", limits) == "short"
    assert truncated_text("abcdefghijklmn", limits) == "abcdefgh"
    assert truncated_text("门" * 9, limits) == "门门"


def test_models_want_prefixes_by_their_names() -> None:
    assert prefixes_of("intfloat/multilingual-e5-large")["passage"] == "passage: "
    assert prefixes_of("E5-base-v2")["question"] == "query: "
    assert prefixes_of("multilingual-e5-large-instruct")["passage"] == ""
    assert prefixes_of("BAAI/bge-small-zh-v1.5")["question"].startswith("为这个句子")
    assert prefixes_of("nomic-embed-text:latest") == {
        "question": "search_query: ",
        "passage": "search_document: ",
    }
    assert prefixes_of("text-embedding-3-small") == {"question": "", "passage": ""}
    assert prefixes_of("static-zh-en") == {"question": "", "passage": ""}
