"""Hostile and broken sentences end in no traceback, and noise is not acted upon."""

from __future__ import annotations

from random import Random

import pytest
from tests import homes
from tests.hostile import BROKEN, NOISE, idle, main, run

from winnow.types.verdict import Act

pytestmark = pytest.mark.slow

SMALL = ("home40", "cottage")
TOLERATED = 1
"""Acts upon noise in 500 sentences; the goal is none in 50,000 (``make hostile``)."""


def test_nothing_raises_and_noise_is_not_acted_upon() -> None:
    report = run(500, seed=7, homes=SMALL)
    assert not report.raised
    assert len(report.acted) <= TOLERATED, report.acted
    assert {kind for kind, _ in report.outcomes} == {*NOISE, *BROKEN}
    assert report.outcomes.total() == 500
    ms, size, kind = report.longest  # it is told with its length
    assert 0 < ms <= report.slowest[0]
    assert size > 0
    assert kind in {*NOISE, *BROKEN}


@pytest.mark.parametrize("kind", sorted({**NOISE, **BROKEN}))
def test_the_same_seed_says_the_same(kind: str) -> None:
    make = {**NOISE, **BROKEN}[kind]
    assert [make(Random(3), ("lamp",)) for _ in range(3)] == [make(Random(3), ("lamp",)) for _ in range(3)]


@pytest.mark.parametrize("word", ["turn on", "打开", "只剩下", "off", "good morning", "brighter"])
def test_words_of_acts_are_not_idle(word: str) -> None:
    assert word not in idle()


def test_an_act_upon_noise_fails_the_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(NOISE, "salad", lambda rng, names: "turn on the hall light")  # type: ignore[arg-type]
    monkeypatch.setattr("sys.argv", ["hostile", "--count", "30", "--home", "cottage"])
    assert main() == 1
    assert "FAILED salad in cottage: 'turn on the hall light' -> Act" in capsys.readouterr().err


def test_a_long_stutter_is_answered() -> None:
    assert homes.engine("home40").sync.retrieve("put the kettle " + "o e " * 400).id


def test_another_one_of_nothing_is_answered() -> None:
    assert homes.engine("home40").sync.retrieve("it, the other vacuums").id


def test_a_name_that_holds_a_verb_is_no_order() -> None:
    assert not isinstance(homes.engine("apartment-zh").sync.retrieve("洗碗机 运行状态").verdict, Act)
