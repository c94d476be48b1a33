"""Tables that all languages share, and what the folder of each adds to them."""

from __future__ import annotations

from typing import Any

import pytest

from winnow.language.registry import _merged


@pytest.mark.parametrize(
    ("shared", "own", "both"),
    [
        ({"a": [1]}, {"b": [2]}, {"a": [1], "b": [2]}),
        ({"a": [1], "c": [3]}, {"a": [2]}, {"a": [1, 2], "c": [3]}),
        ({"a": {"x": [1]}}, {"a": {"y": [2]}}, {"a": {"x": [1], "y": [2]}}),
        ({"a": {"x": [1]}}, {"a": {"x": [2]}}, {"a": {"x": [1, 2]}}),
        ({"a": "one"}, {"a": "two"}, {"a": "two"}),
        ([1, 2], [2, 3], [1, 2, 2, 3]),
        ("one", "two", "two"),
        ({}, {"a": 1}, {"a": 1}),
        ({"a": 1}, {}, {"a": 1}),
    ],
)
def test_own_rows_come_behind_shared_ones_and_own_values_in_their_place(
    shared: Any, own: Any, both: Any
) -> None:
    assert _merged(shared, own) == both
