"""How names sound."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.language.pinyin import sound_key, sound_similarity, syllables

HAN = st.text(alphabet="客厅书房主卧台灯风扇空调窗帘加湿器净化扫地机门锁阳", max_size=6)


def test_each_character_is_one_syllable_and_latin_runs_stay_whole() -> None:
    assert syllables("打开客厅的tv2，灯") == ("da", "kai", "ke", "ting", "de", "tv2", "deng")


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("空调", "kong tiao"),
        ("音乐", "yin yue"),
        ("重启", "chong qi"),
        ("长廊", "chang lang"),
        ("还开着", "hai kai zhe"),
        ("都关掉", "dou guan diao"),
        ("色调", "se diao"),
    ],
)
def test_characters_with_several_readings_are_read_as_at_home(word: str, expected: str) -> None:
    assert " ".join(syllables(word)) == expected


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("zhu", "zu"),
        ("chu", "cu"),
        ("shi", "si"),
        ("deng", "den"),
        ("lan", "nan"),
        ("ren", "len"),
        ("hui", "fei"),
        ("huang", "fang"),
        ("hu", "fu"),
    ],
)
def test_syllables_that_accents_mix_up_share_a_key(a: str, b: str) -> None:
    assert sound_key(a) == sound_key(b)


def test_syllables_nobody_mixes_up_keep_apart() -> None:
    assert len({sound_key(s) for s in ("deng", "kai", "guan", "ting", "wo", "shu", "tai", "diao")}) == 8


@pytest.mark.parametrize(
    ("a", "b", "low", "high"),
    [
        ("书房灯", "疏放灯", 1.0, 1.0),
        ("主卧", "煮我", 1.0, 1.0),
        ("飞利浦", "灰利浦", 0.96, 0.97),
        ("客厅灯", "客厅的灯", 0.7, 0.8),
        ("台灯", "窗帘", 0.0, 0.3),
        ("客厅", "客厅落地灯", 0.0, 0.0),
        ("", "灯", 0.0, 0.0),
        ("灯", "台灯", 0.0, 0.0),
    ],
)
def test_names_are_as_alike_as_they_sound(a: str, b: str, low: float, high: float) -> None:
    assert low - 1e-9 <= sound_similarity(a, b) <= high + 1e-9


@given(HAN, HAN)
def test_similarity_is_symmetric_and_within_bounds(a: str, b: str) -> None:
    assert sound_similarity(a, b) == pytest.approx(sound_similarity(b, a))
    assert 0 <= sound_similarity(a, b) <= 1


@given(HAN.filter(bool))
def test_a_name_sounds_like_itself(name: str) -> None:
    assert sound_similarity(name, name) == 1
