"""The figures of the embedder's page are those of the table that ships."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks import meaning, passages, places, unknown_words

from winnow.adapters.models.embedders import HashingEmbedder, StaticEmbedder


def test_the_kept_figures_are_those_of_the_table_in_the_package() -> None:
    version = StaticEmbedder().version
    assert places.result("meaning")["table"] == version
    assert places.result("passages")["table"] == version


def test_measuring_again_gives_the_kept_figures() -> None:
    kept = places.result("meaning")["hit@1"]["static"]
    assert meaning.figures(meaning.by_vectors(StaticEmbedder())) == pytest.approx(kept, abs=0.5)


def test_the_sets_are_as_large_as_their_page_says() -> None:
    assert [len(meaning.pairs(language)) for language in meaning.LANGUAGES] == [110, 110]
    rows = meaning.commands()
    assert len(rows) == 60
    assert all(len(row["said"][language]) == 4 for row in rows for language in meaning.LANGUAGES)


def test_a_tie_is_no_hit() -> None:
    scores = np.array([[0.9, 0.1], [0.5, 0.5], [0.2, 0.8]])
    assert meaning._share(scores, np.array([0, 1, 0])) == 33.3


def test_absent_data_are_named_and_left_out(tmp_path, capsys) -> None:
    assert passages.knowledge(tmp_path, passages.TASKS[0], StaticEmbedder()) is None
    assert passages.history(tmp_path, "locomo.en", StaticEmbedder()) is None
    assert passages._show("xquad", None) == {}
    assert "left out" in capsys.readouterr().out


def test_words_taken_from_the_lexicon_are_the_same_each_time_and_about_as_many_as_said() -> None:
    words = [f"word{n}" for n in range(2000)]
    share = sum(unknown_words.taken(word, 3) for word in words) / len(words)
    assert abs(100 * share - unknown_words.TAKEN) < 4
    assert [w for w in words if unknown_words.taken(w, 3)] != [w for w in words if unknown_words.taken(w, 4)]


@pytest.mark.slow
def test_a_command_is_found_by_more_unknown_words_with_the_table_than_without() -> None:
    commands = unknown_words.offered()
    before, after = (
        unknown_words.measure(0, commands, embedder)[2] for embedder in (HashingEmbedder(), StaticEmbedder())
    )
    assert after >= before + 5
