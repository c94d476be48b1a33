"""Words learned in a talk, judged on the command line."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


@pytest.fixture
def learned(flat: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """The command line after a talk in which the desk lamp was twice called the glimmer."""
    monkeypatch.setenv("WINNOW_LEARN", "1")
    monkeypatch.setattr("sys.stdin", io.StringIO("turn on the glimmer\nturn on the desk lamp\n" * 2))
    assert flat("chat").out.count("Refuse") == 2
    return flat


def test_nothing_is_suggested_before_anything_was_learned(flat: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "WINNOW_LEARN=1" in flat("lexicon", "suggest").out
    monkeypatch.setenv("WINNOW_LEARN", "1")
    assert flat("lexicon", "suggest").out.startswith("Nothing is suggested.")
    assert flat("lexicon", "list").out.startswith("Nothing is suggested.")


def test_a_suggestion_comes_with_its_number_and_its_evidence(learned: Run) -> None:
    assert learned("lexicon", "suggest").out == '  1  suggested  "glimmer" is study desk lamp  (2 times)\n'
    assert learned("lexicon", "suggest").out.startswith("  1  ")


def test_an_accepted_word_is_understood_and_listed(learned: Run) -> None:
    learned("lexicon", "suggest")
    assert learned("lexicon", "accept", "1").out.startswith("Accepted: ")
    assert learned("ask", "turn off the glimmer").out.startswith("Act\n  study / desk lamp  turn_off")
    assert "  1  accepted " in learned("lexicon", "list").out
    assert "Nothing is suggested" in learned("lexicon", "suggest").out


def test_a_rejected_word_is_not_suggested_again(learned: Run) -> None:
    learned("lexicon", "suggest")
    assert learned("lexicon", "reject", "1").out.startswith("Rejected: ")
    assert "Nothing is suggested" in learned("lexicon", "suggest").out
    assert learned("ask", "turn off the glimmer").out.startswith("Refuse")


def test_an_accepted_word_can_be_taken_back(learned: Run) -> None:
    learned("lexicon", "suggest")
    learned("lexicon", "accept", "1")
    learned("lexicon", "reject", "1")
    assert learned("ask", "turn off the glimmer").out.startswith("Refuse")


def test_a_number_nobody_has_is_an_error_with_a_hint(flat: Run) -> None:
    ran = flat("lexicon", "accept", "9")
    assert ran.code == 2
    assert "winnow lexicon list" in ran.err


def test_words_of_another_language_are_shown_in_the_language_asked_for(learned: Run) -> None:
    assert "“glimmer”就是study的desk lamp" in learned("--language", "zh", "lexicon", "suggest").out


def test_a_taught_word_is_understood_until_it_is_forgotten(flat: Run) -> None:
    assert flat("lexicon", "add", "glimmer", "desk lamp").out == 'Accepted: "glimmer" is study desk lamp\n'
    assert flat("lexicon", "list").out == '  1  accepted   "glimmer" is study desk lamp  (1 times)\n'
    assert flat("ask", "turn off the glimmer").out.startswith("Act\n  study / desk lamp  turn_off")
    assert flat("lexicon", "remove", "glimmer").out == 'Forgotten: "glimmer"\n'
    assert flat("ask", "turn off the glimmer").out.startswith("Refuse")
    assert "Nothing in 'flat' was taught as 'glimmer'" in flat("lexicon", "remove", "glimmer").err


@pytest.mark.parametrize(
    ("word", "thing", "why"),
    [
        ("wall lamp", "fan", "already the name of 'wall lamp'"),
        ("turn", "fan", "'turn' is a word of the language"),
        ("foo", "spaceship", "'spaceship' means none or several"),
        ("foo", "wall lamp", "'wall lamp' means none or several"),
    ],
)
def test_a_word_that_would_be_misunderstood_is_not_taught(flat: Run, word: str, thing: str, why: str) -> None:
    ran = flat("lexicon", "add", word, thing)
    assert (ran.code, ran.out) == (2, "")
    assert why in ran.err


def test_taught_words_move_to_another_home_in_a_file(flat: Run, tmp_path: Path) -> None:
    flat("lexicon", "add", "glimmer", "desk lamp")
    flat("lexicon", "add", "windy", "fan")
    file = tmp_path / "words.json"
    file.write_text(flat("lexicon", "export").out, "utf-8")
    flat("lexicon", "remove", "glimmer")
    assert flat("lexicon", "import", str(file)).out.startswith("1 words taken in.")
    assert flat("ask", "turn off the glimmer").out.startswith("Act\n  study / desk lamp  turn_off")
    elsewhere = file.read_text("utf-8").replace("desk lamp", "moon lamp").replace("study.desk_lamp", "moon")
    file.write_text(elsewhere, "utf-8")
    flat("lexicon", "remove", "glimmer")
    assert flat("lexicon", "import", str(file)).out == "0 words taken in; left out: glimmer.\n"


@pytest.mark.parametrize("text", ["{}", "[]", "no JSON", '{"format": "another/1"}', None])
def test_a_file_without_words_is_told_as_such(flat: Run, tmp_path: Path, text: str | None) -> None:
    file = tmp_path / "words.json"
    if text is not None:
        file.write_text(text, "utf-8")
    ran = flat("lexicon", "import", str(file))
    assert ran.code == 2
    assert f"{file} holds no exported words." in ran.err
