"""Exact search by vector."""

from __future__ import annotations

import numpy as np
import pytest

from winnow.retrieve.bm25 import VectorIndex


def unit_rows(count: int, dimension: int = 16) -> np.ndarray:
    rows = np.random.default_rng(7).normal(size=(count, dimension)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_the_best_rows_come_first() -> None:
    rows = unit_rows(200)
    found = VectorIndex(rows, "test", "1").search(rows[17], 5)
    assert [row for row, _ in found] == list(np.argsort(-(rows @ rows[17]))[:5])
    assert found[0] == (17, pytest.approx(1.0, abs=1e-5))


def test_equal_scores_come_by_row() -> None:
    rows = np.repeat(unit_rows(1), 6, axis=0)
    assert [row for row, _ in VectorIndex(rows, "test", "1").search(rows[0], 3)] == [0, 1, 2]


@pytest.mark.parametrize(("k", "count"), [(0, 0), (-1, 0), (3, 3), (99, 4)])
def test_no_more_rows_than_there_are(k: int, count: int) -> None:
    assert len(VectorIndex(unit_rows(4), "test", "1").search(unit_rows(4)[0], k)) == count


@pytest.mark.parametrize("k", [0, 1, 5])
def test_many_vectors_find_what_each_finds_alone(k: int) -> None:
    rows, asked = unit_rows(200), unit_rows(3)
    index = VectorIndex(rows, "test", "1")
    for alone, together in zip(
        (index.search(one, k) for one in asked), index.search_all(asked, k), strict=True
    ):
        assert [row for row, _ in together] == [row for row, _ in alone]
        assert [score for _, score in together] == pytest.approx([score for _, score in alone], abs=1e-6)


def test_an_empty_index_finds_nothing() -> None:
    assert VectorIndex(np.zeros((0, 16), np.float32), "test", "1").search(unit_rows(1)[0], 3) == []


def test_a_vector_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="vectors of 16"):
        VectorIndex(unit_rows(4), "test", "1").scores(np.zeros(8, np.float32))
