"""Chinese words of a turn: a particle or a pronoun is one by itself, wherever it was found."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.understand.rewrite.zh.vocabulary import content_runs, cut


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("好了吗", [("好了", 0), ("吗", 2)]),
        ("快睡吧", [("快睡", 0), ("吧", 2)]),
        ("那他呢", [("那", 0), ("他", 1), ("呢", 2)]),
        ("这个吧", [("这个", 0), ("吧", 2)]),
        ("那间", [("那", 0), ("间", 1)]),
    ],
)
def test_particles_and_pronouns_stand_alone(text: str, words: list[tuple[str, int]]) -> None:
    assert [(word.text, word.start) for word in cut(text)] == words


def test_a_particle_is_told_as_one() -> None:
    assert [word.tag for word in cut("好了吗")][-1] == "y"


@given(st.text(st.sampled_from("这那他我好了吗呢吧空调灯书房,。 ab3"), max_size=20))
def test_words_put_together_are_the_text(text: str) -> None:
    words = cut(text)
    assert all(text[word.start : word.end] == word.text for word in words)
    assert "".join(word.text for word in words) == text
    runs = content_runs(words)
    assert all(0 <= start < end <= len(words) for start, end in runs)
    assert runs == sorted(set(runs))
