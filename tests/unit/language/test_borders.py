"""Words in Chinese names end where words end."""

from __future__ import annotations

import pytest

from winnow.language.lexicon import holds_word


@pytest.mark.parametrize(
    ("name", "word"),
    [("阳台灯", "台灯"), ("露台灯", "台灯"), ("卫生间窗", "间窗")],
)
def test_a_word_is_not_cut_out_of_two_others(name: str, word: str) -> None:
    assert not holds_word(name, word)


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("书房台灯", "台灯"),
        ("阳台台灯", "台灯"),
        ("电视机顶盒", "机顶盒"),
        ("主卧室灯", "卧室"),
        ("落地窗帘", "窗帘"),
        ("小熊灯", "熊灯"),
        ("客厅吸顶灯", "灯"),
    ],
)
def test_a_word_stands_where_nothing_else_is_cut(name: str, word: str) -> None:
    assert holds_word(name, word)


def test_what_is_not_there_is_not_held() -> None:
    assert not holds_word("吸顶灯", "台灯")
