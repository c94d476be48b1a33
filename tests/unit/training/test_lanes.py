"""How the weights of the lanes that order commands are fitted."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import yaml
from benchmarks.unknown_words import Sought
from training import fit_lanes
from training.fit_lanes import LANES, Row, Rows, held_out, joined, rows, searched
from training.fit_scores import arguments, files_of

from winnow.adapters.platforms import bundle as examples
from winnow.retrieve.home.commands import command_weights

COTTAGE = examples.EXAMPLES_FOLDER
EVEN = dict(zip(LANES, (1.0, 0.5, 0.5, 0.5), strict=True))
NO_WORDS = Sought((), np.zeros((0, 2), bool), np.zeros((0, 2), np.float32), np.zeros((0, 2), np.float32))
SPELT = Sought(
    ("dim",),
    np.array([[False, True]]),
    np.array([[1.0, 0.0]], np.float32),
    np.array([[0.0, 0.9]], np.float32),
)


def lanes(**said: float) -> list[float]:
    return [said.get(lane, 0.0) for lane in LANES]


def row(right: int, *commands: list[float], name: str = "a") -> Row:
    return Row(name, np.array(commands), np.arange(len(commands)) == right)


def case(name: str, text: str, *calls: tuple[str, str]) -> str:
    wanted = [{"device": device, "commands": [command], "args": {}} for device, command in calls]
    return json.dumps(
        {
            "id": name,
            "home": "cottage",
            "lang": "en",
            "utterance": text,
            "expect": {"decision": "act", "calls": wanted},
        }
    )


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    path = tmp_path / "own.jsonl"
    kettle, printer, toaster = (
        (f"switch.{name}", "switch.turn_off") for name in ("kettle", "printer", "toaster")
    )
    rows = (
        case("one", "Turn off the kettle", kettle),
        case("two", "Turn off the kettle and the printer", kettle, printer),
        case("gone", "Turn off the toaster", toaster),
        case("other", "Turn on the kettle", ("switch.kettle", "switch.explode")),
    )
    path.write_text("\n".join(rows), "utf-8")
    return path


def test_a_row_is_one_instruction_whose_command_its_profile_has(cases: Path) -> None:
    (found,) = rows([((cases,), COTTAGE), ((cases,), COTTAGE)])
    assert found.id == "one"
    assert found.right.sum() == 1
    assert joined([found], NO_WORDS).first(command_weights()) == 1.0


def test_a_command_that_a_profile_does_not_have_never_comes_first() -> None:
    long = row(0, lanes(trait=1.0), lanes(), lanes(), name="long")
    assert joined([row(1, lanes(trait=-1.0), lanes()), long], NO_WORDS).first(EVEN) == 1.0


@pytest.mark.parametrize("lane", ["text", "lexical", "vector"])
def test_every_lane_decides_what_comes_first(lane: str) -> None:
    found = joined([row(1, lanes(trait=0.3), lanes(**{lane: 0.2}))], NO_WORDS)
    assert (found.first({**EVEN, lane: 0.1}), found.first({**EVEN, lane: 2.0})) == (0.0, 1.0)


def test_what_is_as_good_as_the_best_stays_as_near_as_it_can(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fit_lanes, "GRID", dict.fromkeys(LANES[1:], (0.3, 0.4, 0.5, 0.6)))
    found = joined([row(1, lanes(text=0.3), lanes(vector=0.4))], SPELT)
    fitted = searched(found, {**EVEN, "lexical": 0.5})
    assert found.shares(fitted) == (1.0, 1.0, 1.0)
    assert (fitted["trait"], fitted["text"]) == (1.0, 0.5)
    assert round(abs(fitted["lexical"] - 0.5) + abs(fitted["vector"] - 0.5), 6) == 0.1
    assert searched(found, fitted) == fitted


def test_about_every_fifth_word_or_case_is_only_measured() -> None:
    names = [f"word {n}" for n in range(2000)]
    assert 350 < sum(map(held_out, names)) < 450
    every = Sought(tuple(names), *(np.zeros((2000, 1)) for _ in range(3)))
    held, taught = every.only(held_out), every.only(lambda name: not held_out(name))
    assert (set(held.words) | set(taught.words), set(held.words) & set(taught.words)) == (set(names), set())
    assert len(held.lexical) == len(held.words)


def test_words_of_several_choices_are_measured_together() -> None:
    assert Rows(np.zeros((1, 1, 4)), np.ones((1, 1), bool), Sought.together([SPELT, SPELT])).found(EVEN) == (
        0.0,
        1.0,
    )


@pytest.mark.slow
def test_the_fitted_weights_are_written_and_nothing_else_changes(
    cases: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "weights.yaml"
    target.write_text(fit_lanes.TARGET.read_text("utf-8"), "utf-8")
    monkeypatch.setattr(fit_lanes, "TARGET", target)
    monkeypatch.setattr(fit_lanes, "SEEDS", range(100, 101))
    monkeypatch.setattr(fit_lanes, "GRID", {"text": (0.3,), "lexical": (0.2,), "vector": (0.4,)})
    monkeypatch.setattr(fit_lanes, "held_out", lambda name: name == "one" or len(name) == 2)
    more = cases.with_name("more.jsonl")
    more.write_text(case("more", "Turn on the kettle", ("switch.kettle", "switch.turn_on")), "utf-8")
    asked = ["--cases", str(cases), "--homes", str(COTTAGE), "--cases", str(more), "--homes", str(COTTAGE)]
    before = target.read_text("utf-8")
    fit_lanes.main(asked)
    assert target.read_text("utf-8") == before
    fit_lanes.main([*asked, "--write"])
    once = target.read_text("utf-8")
    assert yaml.safe_load(once) == {"trait": 1.0, "text": 0.3, "lexical": 0.2, "vector": 0.4}
    assert "on more, own" in once.splitlines()[0]
    kept = [
        [line for line in text.splitlines() if line.startswith("# ") or "trait" in line]
        for text in (before, once)
    ]
    assert kept[0] == kept[1]
    fit_lanes.main([*asked, "--write"])
    assert target.read_text("utf-8") == once


def test_without_cases_the_committed_ones_are_fitted_on() -> None:
    ((paths, homes),) = files_of(arguments([], "About."))
    assert {p.name for p in paths} == {"butler.zh.jsonl", "smartthings.zh.jsonl"}
    assert homes == COTTAGE
