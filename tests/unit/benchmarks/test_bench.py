"""``make bench``: what is registered, how figures are compared, and that one failure stops nothing."""

from __future__ import annotations

import json
import re
from importlib.util import find_spec
from io import StringIO
from pathlib import Path

import pytest
from benchmarks import bench, pages, places
from rich.console import Console

KNOWN = pages.registry()["evaluations"]
HERE = {"cpu": "a", "cores": 2, "load": 0.0}
APART = {"runs", "first_contact"}
"""Results that no evaluation writes: what others were measured on, and first runs, kept for good."""


def test_every_result_has_an_evaluation_and_every_evaluation_a_result() -> None:
    stored = {path.stem for path in places.RESULTS.glob("*.json")} - APART
    assert stored == set(KNOWN)
    assert set(places.result("runs")) == set(KNOWN)


def test_every_evaluation_can_be_run_and_says_what_it_measures() -> None:
    sets = pages.registry()["sets"]
    for name, one in KNOWN.items():
        assert one["en"], name
        assert one["zh"], name
        assert ("run" in one) != ("own" in one), name
        assert "run" not in one or find_spec(one["run"].split()[0]), name
        assert {*one.get("sets", ()), *one.get("also", ())} <= set(sets), name


def within(path: str, stored: object, now: object, times: re.Pattern[str] = bench.BY_CLOCK) -> bool:
    return bench.compared(path, stored, now, 0.05, times).within


def test_a_figure_may_differ_by_the_tolerance_and_a_time_by_the_spread() -> None:
    order = "speed/homes/home=home150/orders"
    assert within("devices/files/butler.zh/all/exact", 97.9, 97.9)
    assert not within("devices/files/butler.zh/all/exact", 97.9, 97.8)
    assert within(f"{order}/total_p50", 1.0, 1.9)
    assert not within(f"{order}/total_p50", 1.0, 2.1)
    assert not within("speed/homes/home=home150/tokens/winnow_p50", 70, 71)
    assert not within(f"{order}/R@1", 98.3, 97.5)
    assert not within("facts/en", "macro F1 88.9", "macro F1 88.8")


def test_times_are_judged_on_the_same_processor_and_those_of_the_clock_where_nothing_else_runs() -> None:
    order, idle, busy = "speed/homes/home=home150/orders", {**HERE, "load": 0.1}, {**HERE, "load": 3.0}
    alone, shared = bench.judged_times(idle, idle), bench.judged_times(idle, busy)
    other = bench.judged_times({**idle, "cpu": "b"}, idle)
    assert [within(f"{order}/total_p50", 1.0, 9.0, times) for times in (alone, shared, other)] == [
        False,
        True,
        True,
    ]
    assert [within(f"{order}/cpu_p50", 1.0, 9.0, times) for times in (alone, shared, other)] == [
        False,
        False,
        True,
    ]


def test_rows_of_a_list_are_told_by_their_names() -> None:
    data = {"homes": [{"home": "flat", "n": 1}, {"n": 2}], "winnow": "0.1.0", "none": None}
    assert list(bench.leaves("x", data)) == [
        ("x/homes/length", 2),
        ("x/homes/home=flat/home", "flat"),
        ("x/homes/home=flat/n", 1),
        ("x/homes/1/n", 2),
    ]


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, folder in (("ROOT", "."), ("RESULTS", "results"), ("MEASURED", "measured")):
        monkeypatch.setattr(places, name, tmp_path / folder)
    monkeypatch.setenv("WINNOW_BENCH", str(tmp_path))
    places.keep("good", {"n": 1}, places.RESULTS)
    module = "import json, pathlib, sys\npathlib.Path('measured', sys.argv[1]).write_text(sys.argv[2])\n"
    (tmp_path / "measures.py").write_text(module)
    (tmp_path / "breaks.py").write_text("import sys\nsys.exit('it broke')\n")
    return tmp_path


def chosen(**evaluations: object) -> dict[str, object]:
    return {"sets": {}, "goals": [], "evaluations": evaluations}


def run(argv: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    return bench.main(argv), capsys.readouterr().out


def test_one_that_fails_stops_no_other_and_the_exit_status_is_1(
    folders: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    good = {"run": f"measures good.json '{json.dumps({'n': 1})}'"}
    monkeypatch.setattr(pages, "registry", lambda: chosen(bad={"run": "breaks"}, good=good))
    status, told = run([], capsys)
    assert status == 1
    assert "failed: exit status 1, it broke" in told
    assert "within (1 figures)" in told
    assert run(["--only", "good"], capsys)[0] == 0


def test_a_figure_outside_its_spread_is_told_and_stored_only_where_that_is_wanted(
    folders: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    good = {"run": f"measures good.json '{json.dumps({'n': 2})}'"}
    monkeypatch.setattr(pages, "registry", lambda: chosen(good=good))
    monkeypatch.setattr(pages, "write", lambda: None)
    status, told = run([], capsys)
    assert status == 1
    assert "good/n" in told
    assert places.result("good") == {"n": 1}
    assert run(["--keep"], capsys)[0] == 0
    assert places.result("good") == {"n": 2}
    assert {"date", "commit", "python", "cpu", "cores", "platform", "load", "seconds"} <= set(
        places.result("runs")["good"]
    )


def test_what_was_measured_without_a_public_set_is_not_stored(
    folders: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sets = pages.registry()["sets"]
    good = {"run": f"measures good.json '{json.dumps({'n': 2})}'", "also": ["LoCoMo"]}
    monkeypatch.setattr(pages, "registry", lambda: {**chosen(good=good), "sets": sets})
    monkeypatch.setattr(pages, "write", lambda: None)
    told = run(["--keep"], capsys)[1]
    assert "good is not stored: LoCoMo (https://github.com/dial481/locomo" in told
    assert places.result("good") == {"n": 1}


def test_what_differs_from_run_to_run_is_not_judged(folders: Path) -> None:
    one = {"run": f"measures good.json '{json.dumps({'n': 2})}'"}
    assert bench.evaluated("good", one, HERE).outside
    assert not bench.evaluated("good", {**one, "varies": "/n$"}, HERE).outside


def test_without_a_public_set_it_is_skipped_and_says_where_that_is_had(folders: Path) -> None:
    found = bench.evaluated("good", {"run": "breaks", "sets": ["LoCoMo"]}, HERE)
    assert (found.failed, found.figures) == (False, ())
    assert "https://github.com/dial481/locomo, licence: CC BY-NC 4.0" in found.trouble


def test_one_with_a_command_of_its_own_is_not_run(folders: Path) -> None:
    assert "run `make soak` first" in bench.evaluated("good", {"own": "make soak"}, HERE).trouble
    places.keep("good", {"n": 1})
    assert bench.evaluated("good", {"own": "make soak"}, HERE).verdict == "within (1 figures)"


def test_a_name_that_is_none_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    status, told = run(["--only", "devises"], capsys)
    assert status == 2
    assert "No evaluation is called devises" in told


def test_the_report_names_what_lies_outside(folders: Path) -> None:
    figure = bench.compared("devices/n", 1, 3, 0.05, bench.BY_CLOCK)
    out = StringIO()
    bench.report([bench.Outcome("devices", 1, figures=(figure,))], Console(file=out, width=120))
    assert "devices/n" in out.getvalue()
    assert "1 outside their spread" in out.getvalue()
    assert "| devices/n | 1 | 3 | +2 | no |" in (places.MEASURED / "figures.md").read_text("utf-8")
