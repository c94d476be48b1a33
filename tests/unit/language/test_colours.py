"""Colours: every name that platforms take, and what people call them."""

from __future__ import annotations

import pytest

from winnow.language import lexicon
from winnow.language.kinds import colours, hue_and_saturation, rgb


def test_the_names_of_css_are_all_known() -> None:
    assert len(colours()) == 148
    assert rgb("navy") == (0, 0, 128)
    assert rgb("nonsense") is None


def test_every_colour_word_is_a_colour_a_platform_takes() -> None:
    assert set(lexicon.surfaces("color").values()) <= set(colours())


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("藏青", "navy"),
        ("藏青色", "navy"),
        ("米黄", "beige"),
        ("香槟色", "bisque"),
        ("火烈鸟粉", "hotpink"),
        ("dark slate grey", "darkslategray"),
        ("bubblegum pink", "hotpink"),
        ("burgundy", "maroon"),
    ],
)
def test_an_everyday_word_is_the_nearest_name(word: str, name: str) -> None:
    assert lexicon.surfaces("color")[word] == name


def test_grey_has_no_saturation() -> None:
    assert hue_and_saturation("gray") == (0.0, 0.0)
