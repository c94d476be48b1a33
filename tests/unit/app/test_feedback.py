"""``winnow feedback`` and ``winnow metrics``, and the figures of a turn in ``winnow explain``."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from winnow.app.metrics import figure_lines, total_lines
from winnow.app.metrics import turn_prometheus as prometheus
from winnow.context.metrics import measure_context
from winnow.types.candidate import Candidate, Ref, Shortlist
from winnow.types.context import Context
from winnow.types.feedback import Feedback, Total

TALK = {"role": "user", "content": "The spare key of the cellar hangs behind the clock.", "id": "m1"}
ASKED = "where did I say the spare key of the cellar hangs?"


@pytest.fixture
def talked(winnow: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """The program, for a person who said something before, with turns counted."""
    file = tmp_path / "talk.jsonl"
    file.write_text(json.dumps(TALK), "utf-8")
    winnow("messages", "import", str(file), "--user", "ida")
    monkeypatch.setenv("WINNOW_METRICS", "true")
    return winnow


def test_feedback_on_the_last_turn_is_kept_listed_and_forgotten(talked: Callable[..., Any]) -> None:
    assert talked("ask", ASKED, "--user", "ida").code == 0
    given = talked("feedback", "give", "useful", "--ref", "message:m1", "--note", "yes", "--user", "ida")
    assert given.code == 0
    listed = talked("feedback", "--user", "ida").out
    assert re.search(r"ida: useful message:m1 \(.+cellar.+\) yes", listed)
    one = Feedback.of(json.loads(talked("feedback", "--json").out))
    assert one.id in given.out
    assert (one.judged, one.ref) == ("useful", Ref("message", "m1"))
    assert TALK["content"] not in str(one.data())
    assert talked("feedback", "forget", "--all", "--user", "ida").code == 0
    assert "useful" not in talked("feedback", "--user", "ida").out.replace("give useful", "")
    assert talked("feedback", "give", "useful", "--user", "ida").code == 2


def test_what_is_to_be_forgotten_must_be_said(winnow: Callable[..., Any]) -> None:
    assert winnow("feedback", "forget", "--user", "ida").code == 2


def test_what_was_counted_is_shown_and_forgotten(talked: Callable[..., Any]) -> None:
    talked("ask", ASKED, "--user", "ida")
    shown = talked("metrics")
    assert "1 turns were counted" in shown.out
    assert "coverage" in shown.out
    assert json.loads(talked("metrics", "--json").out)["metrics"]["turns"] == {"count": 1, "sum": 1.0}
    assert "winnow_turn_turns_sum 1\n" in talked("metrics", "--prometheus").out
    talked("metrics", "--forget")
    assert "No turn was counted" in talked("metrics").out


def test_where_turns_are_not_counted_the_switch_is_named(winnow: Callable[..., Any]) -> None:
    assert "WINNOW_METRICS" in winnow("metrics").out


def test_explain_tells_the_figures_of_a_turn_and_judges_an_answer(talked: Callable[..., Any]) -> None:
    answer = "The spare key hangs behind the clock. It weighs 40 grams."
    shown = talked("explain", ASKED, "--user", "ida", "--answer", answer).out
    assert re.search(r"metrics .*\n .*tokens are data .*relevance .*coverage .*support 0\.50", shown)
    assert "not there: 40" in shown
    data = json.loads(talked("explain", ASKED, "--user", "ida", "--answer", answer, "--json").out)
    assert data["trace"]["metrics"]["support"] == 0.5


def test_a_turn_without_data_has_no_figures() -> None:
    assert list(figure_lines(measure_context("hello", [], Context()))) == []


def test_concepts_that_are_not_covered_are_named() -> None:
    text = "The lease ends in May."
    shown = Shortlist("knowledge", (Candidate(Ref("passage", "p1"), (), 0.9, {"text": text}),))
    figures = measure_context(
        "lease of the garage", [shown], Context(({"role": "user", "content": text},), 9)
    )
    assert "(not covered: garage)" in next(figure_lines(figures))


def test_totals_are_written_as_prometheus_reads_them() -> None:
    text = prometheus({"coverage": Total(2, 1.5), "ms recall": Total(2, 8.25), 'ms "odd"': Total(1, 1.0)})
    assert 'winnow_turn_ms_sum{of="recall"} 8.25\n' in text
    assert "winnow_turn_coverage_count 2\n" in text
    shape = re.compile(r'# TYPE \w+ summary|\w+(\{of="([^"\\]|\\.)*"\})? [0-9.e+]+')
    assert [line for line in text.splitlines() if not shape.fullmatch(line)] == []
    assert text.count("# TYPE winnow_turn_ms summary\n") == 1  # a second one stops whoever reads it


def test_totals_in_both_languages_have_the_mean() -> None:
    totals = {"coverage": Total(4, 3.0), "turns": Total(4, 4.0)}
    for language in ("en", "zh"):
        first, second = total_lines(totals, language)  # type: ignore[arg-type]
        assert "4" in first
        assert second.split() == ["coverage", "0.75", "(4)"]
