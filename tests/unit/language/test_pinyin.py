"""How names sound."""

from __future__ import annotations

import pytest

from winnow.language.pinyin import sound_key, syllables


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
