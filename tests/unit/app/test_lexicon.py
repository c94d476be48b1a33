"""Words learned in a talk, judged on the command line."""

from __future__ import annotations

import io
from collections.abc import Callable
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
