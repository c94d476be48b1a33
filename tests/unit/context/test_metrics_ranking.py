"""What feedback taught moves relevances, and says so."""

from __future__ import annotations

from datetime import datetime

import pytest

from winnow.context.metrics import tune_ranking
from winnow.types.candidate import Candidate, Evidence, Ref, Shortlist

NOW = datetime(2026, 5, 1)  # noqa: DTZ001 - a wall clock has no zone


def candidate(id_: str, score: float, **told: object) -> Candidate:
    return Candidate(Ref("passage", id_), (Evidence("words", 0.5),), score, {"text": id_, **told})


FOUND = Shortlist(
    "knowledge", (candidate("plain", 0.6), candidate("important", 0.5, importance=1.0), candidate("low", 0.2))
)


def test_nothing_learned_changes_nothing() -> None:
    assert tune_ranking([FOUND], {}, NOW) == (FOUND,)
    assert tune_ranking([FOUND], {"colour": 2.0}, NOW) == (FOUND,)


def test_a_learned_weight_moves_what_has_the_feature_and_says_by_how_much() -> None:
    (after,) = tune_ranking([FOUND], {"importance": 2.0}, NOW)
    assert [c.ref.id for c in after.candidates] == ["important", "plain", "low"]
    first = after.candidates[0]
    assert first.score == pytest.approx(0.88, abs=0.01)
    assert (first.evidence[-1].lane, first.evidence[-1].detail) == ("tuned", "+2.00")
    assert after.candidates[1] == FOUND.candidates[0]


def test_a_source_and_an_age_can_weigh() -> None:
    old = Shortlist("history", (candidate("m", 0.5, at=datetime(2020, 5, 1)),))  # noqa: DTZ001 - no zone
    new = Shortlist("knowledge", (candidate("p", 0.5),))
    first, second = tune_ranking([old, new], {"age": -3.0, "source:knowledge": 1.0}, NOW)
    assert first.candidates[0].score < 0.2
    assert second.candidates[0].score > 0.7


def test_relevances_stay_between_0_and_1() -> None:
    edge = Shortlist("knowledge", (candidate("a", 1.0), candidate("b", 0.0)))
    for weight in (90.0, -90.0):
        (after,) = tune_ranking([edge], {"words": weight}, NOW)
        assert all(0 <= c.score <= 1 for c in after.candidates)


def test_how_likely_something_bears_on_the_question_is_moved_where_it_is_known() -> None:
    known = Candidate(Ref("passage", "p"), (Evidence("bearing", 0.5),), 0.1)
    (after,) = tune_ranking([Shortlist("public", (known,))], {"source:public": -2.0}, NOW)
    (moved,) = after.candidates
    assert moved.bearing == moved.score == pytest.approx(0.12, abs=0.01)
