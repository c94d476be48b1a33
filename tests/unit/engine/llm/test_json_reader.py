"""One text is read once, and whatever it holds, objects come out."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.engine.llm.json_repair import MAX_JSON_DEPTH, MAX_NUMBER_DIGITS, JsonReader


def read(text: str) -> list[dict[str, Any]]:
    return [found.value for found in JsonReader(text).read_objects()]


@pytest.mark.parametrize(
    ("word", "value"),
    [
        *(("1", 1), ("-0", 0), ("+3", 3), ("１２", 12), ("9" * 50, int("9" * 50))),
        *(("1.5e3", 1500.0), (".5", 0.5), ("2.", 2.0)),
        *(("TRUE", True), ("False", False), ("undefined", None), ("NaN", None), ("Infinity", None)),
        *((text, text) for text in ("1e999", "1.2.3", "half past six", "9" * (MAX_NUMBER_DIGITS + 1))),
    ],
)
def test_bare_words_are_constants_numbers_or_text(word: str, value: object) -> None:
    (found,) = read(f'{{"a": {word}}}')
    assert found == {"a": value}
    assert type(found["a"]) is type(value)


def test_what_is_nested_too_deep_is_skipped_and_what_follows_is_read() -> None:
    deep = '{"a":' * (MAX_JSON_DEPTH + 1)
    assert read(deep + "1" + "}" * (MAX_JSON_DEPTH + 1) + ' {"b": 2}') == [{"b": 2}]
    assert len(read('{"a":' * MAX_JSON_DEPTH + "1" + "}" * MAX_JSON_DEPTH)) == MAX_JSON_DEPTH


plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=20,
)


@given(
    st.dictionaries(st.text(max_size=10), plain, min_size=1, max_size=5),
    st.booleans(),
    st.sampled_from([None, 2]),
)
def test_valid_json_is_read_as_json(value: dict[str, Any], ascii_only: bool, indent: int | None) -> None:
    assert read(json.dumps(value, ensure_ascii=ascii_only, indent=indent))[0] == value


@given(st.text(), st.text(alphabet="{}[]\"'：，:,“”\\ut/#*\n 1a<>`"))
def test_nothing_raises_and_what_is_read_can_be_written(some: str, marks: str) -> None:
    for output in (some, marks, "{" + some, '{"a": "' + marks):
        json.dumps(read(output), ensure_ascii=False).encode()
