"""What was said in a row, however it is kept."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.adapters.stores.host.messages import content_text


@pytest.mark.parametrize(
    ("stored", "text"),
    [
        ("  the tap drips\n", "the tap drips"),
        ([{"type": "text", "text": "one"}, {"type": "text", "text": "two"}], "one\ntwo"),
        ([{"type": "input_text", "text": "asked"}, {"type": "input_image", "image_url": "x"}], "asked"),
        ([{"type": "text", "text": {"value": "nested", "annotations": []}}], "nested"),
        ([{"type": "tool_use", "name": "f", "input": {"text": "no"}}], ""),
        ([{"type": "reasoning", "text": "no"}, {"type": "text", "text": "yes"}], "yes"),
        ({"content_type": "text", "parts": ["as exported", {"asset_pointer": "picture"}]}, "as exported"),
        ({"type": "human", "data": {"content": "by a library", "type": "human"}}, "by a library"),
        ({"content": [{"type": "text", "text": "deep"}]}, "deep"),
        (
            {
                "type": "doc",
                "content": [{"type": "paragraph", "content": [{"type": "text", "text": "rich"}]}],
            },
            "rich",
        ),
        (b"bytes of UTF-8: \xe4\xbd\xa0\xe5\xa5\xbd", "bytes of UTF-8: 你好"),
        ({}, ""),
        ([], ""),
        (None, ""),
        (7, ""),
    ],
)
def test_the_text_of_a_content(stored: object, text: str) -> None:
    assert content_text(stored) == text


@pytest.mark.parametrize("stored", [{"text": "wrapped"}, [{"type": "text", "text": "wrapped"}]])
def test_json_in_a_column_of_text_is_unwrapped(stored: object) -> None:
    assert content_text(json.dumps(stored)) == "wrapped"


@pytest.mark.parametrize(
    "written",
    [
        '{"price": 3, "text": "my own JSON"}',
        "[1, 2, 3]",
        "[sic] he said",
        "{braces",
        "[]",
        "{}",
        '["a", "b"]',
        "[" * 100_000,
    ],
)
def test_what_a_person_wrote_in_brackets_stays_as_it_is(written: str) -> None:
    assert content_text(written) == written


def test_a_column_of_json_is_always_decoded() -> None:
    assert content_text('"plain"', encoded=True) == "plain"
    assert content_text('"plain"') == '"plain"'


def test_json_deeper_than_anybody_nests_is_cut_off() -> None:
    nested: object = "bottom"
    for _ in range(50):
        nested = [nested]
    assert content_text(nested) == ""


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text() | st.sampled_from(["text", "type"]), inner)
    ),
    max_leaves=8,
)


@given(PLAIN)
def test_any_json_has_a_text(stored: object) -> None:
    assert isinstance(content_text(stored), str)
    assert isinstance(content_text(json.dumps(stored), encoded=True), str)


@given(st.text())
def test_any_text_that_is_no_json_is_kept_but_for_its_ends(text: str) -> None:
    if text.strip()[:1] not in {"[", "{"}:
        assert content_text(text) == text.strip()
