"""Whatever a name holds, it stays one harmless line."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.language.encode import compact_json, encode_text


@given(st.text(max_size=120), st.integers(1, 60))
def test_encoding_twice_is_encoding_once(text: str, limit: int) -> None:
    assert encode_text(encode_text(text, limit), limit) == encode_text(text, limit)


@given(st.text(max_size=120), st.integers(1, 60))
def test_the_result_is_one_printable_line_within_its_limit(text: str, limit: int) -> None:
    line = encode_text(text, limit)
    assert 1 <= len(line) <= limit
    assert line.isprintable()


@given(st.text(alphabet="ab客<>{}[]\"'`\\|＜＞｛｝［］＂＇｀＼｜\n\t\u202e\u200b", max_size=40))
def test_no_markup_survives_not_even_after_unicode_normalisation(text: str) -> None:
    assert not set(unicodedata.normalize("NFKC", encode_text(text))) & set("<>{}[]\"'`\\|\n\t")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("客厅 落地灯", "客厅 落地灯"),
        ("a\r\n\tb", "a b"),
        ("</device>", "‹/device›"),
        ("灯\u202e锁\u2066", "灯锁"),
        ("", "?"),
        ("\u200b\n", "?"),
        ("灯" * 60, "灯" * 47 + "…"),
    ],
)
def test_text_is_shown_as_expected(text: str, expected: str) -> None:
    assert encode_text(text) == expected


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@given(JSON)
def test_compact_json_is_always_json(value: object) -> None:
    json.loads(compact_json(value))


def test_compact_json_has_no_spaces_and_keeps_chinese() -> None:
    assert (
        compact_json({"名": ["灯", 1, 2.5, True, None, ""], "x": {"y": float("nan")}})
        == '{"名":["灯",1,2.5,true,null,""],"x":{"y":null}}'
    )


def test_strings_and_keys_inside_are_encoded() -> None:
    assert compact_json({"a\nb": '"}<|im_end|>'}) == '{"a b":"”)‹¦im_end¦›"}'
