"""Searching by words and by meaning."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest
from benchmarks import meaning_index
from benchmarks.meaning_index import MeaningIndex

from winnow.adapters.models.embedders import HashingEmbedder, StaticEmbedder
from winnow.retrieve.bm25 import MAX_SIMILAR_TERMS, SIMILAR_TERM_WEIGHT

DOCUMENTS = [
    "冰箱的温度应当设在四度以下。",
    "洗衣机每月要用热水空转一次。",
    "The oven must be cleaned once a week.",
    "Water the garden in the morning.",
]


@pytest.fixture(scope="module")
def index() -> MeaningIndex:
    return MeaningIndex.build(DOCUMENTS, StaticEmbedder())


@pytest.mark.parametrize(
    ("query", "best"),
    [("refrigerator temperature", 0), ("washing machine", 1), ("多久清洁一次烤箱", 2), ("早上浇花园", 3)],
)
def test_passages_are_found_in_the_other_language(index: MeaningIndex, query: str, best: int) -> None:
    assert int(index.scores(query).argmax()) == best


def test_a_term_stands_for_others_by_less_than_itself(index: MeaningIndex) -> None:
    vector = index.embedder.embed(["washing"])[0]
    found = index.every.alike("wash", vector)
    assert found
    assert len(found) <= MAX_SIMILAR_TERMS
    assert all(0 < weight <= SIMILAR_TERM_WEIGHT for _, weight in found)
    assert "wash" not in dict(found)


def test_a_term_does_not_stand_for_itself(index: MeaningIndex) -> None:
    assert "oven" in index.every.names
    assert "oven" not in dict(index.every.alike("oven", index.embedder.embed(["oven"])[0]))


def test_no_character_stands_for_another() -> None:
    class Same(HashingEmbedder):
        def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
            return super().embed([text if text.isascii() else "灯" for text in texts])

    mixed = MeaningIndex.build(["灌 water the beds", "door"], Same())
    assert not mixed.expanded_scores("浇").any()


def test_words_in_common_count_at_least_what_they_count_alone(index: MeaningIndex) -> None:
    assert (index.expanded_scores("冰箱 oven") >= index.lexical.scores("冰箱 oven") - 1e-5).all()


def test_terms_that_are_too_far_stand_for_nothing(
    index: MeaningIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(meaning_index, "MIN_SIMILARITY", 1.1)
    assert np.allclose(
        index.expanded_scores("refrigerator 洗衣机"), index.lexical.scores("refrigerator 洗衣机")
    )


def test_without_documents_or_words_there_are_no_scores(index: MeaningIndex) -> None:
    assert MeaningIndex.build([], HashingEmbedder()).scores("灯").shape == (0,)
    assert not index.scores("").any()


def test_the_gains_of_all_terms_add_up_to_the_score(index: MeaningIndex) -> None:
    total = sum(index.lexical.postings.scores([term]) for term in ("oven", "clean", "nothing"))
    assert total == pytest.approx(index.lexical.scores("clean oven"))


def test_a_chinese_query_finds_chinese_by_its_characters_and_english_by_what_stands_for_them() -> None:
    mixed = MeaningIndex.build(
        ["阳台的花要浇水", "water the flowers on the balcony", "门锁没电了"], StaticEmbedder()
    )
    found, by_words = mixed.scores("浇花"), mixed.lexical.scores("浇花")
    assert found[0] == pytest.approx(by_words[0] / by_words.max())
    assert found[2] == pytest.approx(0)
    assert found[1] > 0.2
    assert by_words[1] == 0
