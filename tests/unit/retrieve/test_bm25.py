"""BM25 with impacts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.retrieve.bm25 import LexicalIndex, lexical_terms

DOCUMENTS = [
    "客厅落地灯 打开",
    "客厅吊灯 关闭",
    "主卧空调 设置温度",
    "书房 desk lights on",
    "阳台窗帘 打开",
    "",
]


@pytest.fixture(scope="module")
def index() -> LexicalIndex:
    return LexicalIndex.build(DOCUMENTS)


@pytest.mark.parametrize(
    ("query", "best"),
    [
        ("把客厅的落地灯打开", 0),
        ("空调温度", 2),
        ("switch the desk light", 3),
        ("窗帘", 4),
        ("關閉客廳吊燈", 1),
    ],
)
def test_the_document_with_the_words_wins(index: LexicalIndex, query: str, best: int) -> None:
    assert int(index.scores(query).argmax()) == best


def test_no_common_word_scores_nothing(index: LexicalIndex) -> None:
    assert not index.scores("zebra").any()
    assert not index.scores("").any()


def test_a_pair_of_characters_counts_more_than_the_characters_apart(index: LexicalIndex) -> None:
    assert index.scores("空调")[2] > index.scores("空，调")[2]


def test_the_gains_of_the_terms_add_up_to_the_score(index: LexicalIndex) -> None:
    query = "打开客厅落地灯 lights"
    gains = {term: index.postings.scores([term]) for term in set(lexical_terms(query))}
    assert sum(gains.values()) == pytest.approx(index.scores(query), abs=1e-5)
    assert gains["落地"][0] == max(gain[0] for gain in gains.values())


def test_a_document_without_the_word_gains_nothing_by_it() -> None:
    many = LexicalIndex.build([f"door {n}" for n in range(20)] + ["window"])
    assert np.flatnonzero(many.scores("window")).tolist() == [20]


def test_no_documents_give_no_scores() -> None:
    assert LexicalIndex.build([]).scores("灯").shape == (0,)


def test_length_is_discounted_only_as_far_as_b_says() -> None:
    documents = ["台灯", "台灯 以及 许多 别的 话 说得 很长", "窗帘", "空调"]
    flat, steep = (LexicalIndex.build(documents, b=b).scores("台灯") for b in (0.0, 1.0))
    assert flat[0] == pytest.approx(flat[1])
    assert steep[0] > steep[1]


def test_k1_says_how_fast_repeating_stops_helping() -> None:
    documents = ["灯光 灯光 灯光", "灯光", "窗帘", "空调"]
    slow, fast = (LexicalIndex.build(documents, k1=k1, b=0).scores("灯光") for k1 in (5.0, 0.1))
    assert slow[0] / slow[1] > fast[0] / fast[1]


@given(
    st.lists(st.text(alphabet="客厅灯书房空调 ab", max_size=8), max_size=12),
    st.text(alphabet="客厅灯书房空调 ab", max_size=8),
)
def test_scores_are_never_negative_and_one_per_document(documents: list[str], query: str) -> None:
    scores = LexicalIndex.build(documents).scores(query)
    assert scores.shape == (len(documents),)
    assert scores.dtype == np.float32
    assert (scores >= 0).all()
