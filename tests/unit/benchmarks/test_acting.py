"""Orders are carried out on simulated homes, and what is found there is counted as it is."""

from __future__ import annotations

from typing import Any

import pytest
from benchmarks import acting, places
from benchmarks.evaluation.devices import DevicePredictor

from winnow.adapters.testing.fakes import run_at_once
from winnow.types.home import Attribute, Command, Device, Home, HomeView, Parameter, Profile
from winnow.types.receipt import Outcome, Receipt
from winnow.types.state import Snapshot
from winnow.types.verdict import Call

DIM = Command("light.turn_on", "Brightness.Set", "", (Parameter("brightness_pct", "number", 0, 100),))
LAMP = Profile("p", (DIM,), (Attribute("state", "switch"), Attribute("brightness", "brightness")))
HOME = Home("h", "h", "homeassistant", profiles=(LAMP,), devices=(Device("light.a", "a", "p"),))
CALL = Call("light.a", "light.turn_on", {"brightness_pct": 40})
ROW = {
    "id": "r",
    "expect": {
        "decision": "act",
        "calls": [{"device": "light.a", "commands": ["light.turn_on"], "args": {"brightness": 102}}],
    },
}


def done(outcome: Outcome, after: dict[str, Any], executed: tuple[Call, ...]) -> acting.Done:
    before = Snapshot({"light.a": {"state": "off"}})
    receipt = Receipt("x", 0.0, outcomes=(outcome,))
    return acting.Done(
        ROW, HomeView.of(HOME), (CALL,), receipt, before, Snapshot({"light.a": after}), executed
    )


@pytest.mark.parametrize(
    ("after", "equal"),
    [({"state": "on", "brightness": 102}, 1), ({"state": "on", "brightness": 200}, 0), ({"state": "off"}, 0)],
)
def test_a_state_is_right_where_it_is_as_the_expected_call_makes_it(
    after: dict[str, Any], equal: int
) -> None:
    figures = acting.Figures()
    acting.count_state(done(Outcome(CALL, "done"), after, (CALL,)), figures)
    assert (figures.counts["equal"], figures.wrong) == (equal, [] if equal else ["r"])


@pytest.mark.parametrize(
    ("outcome", "executed", "counted"),
    [
        (Outcome(CALL, "done"), (CALL,), {}),
        (Outcome(CALL, "done"), (), {"false done": 1, "not done": 1, "unnamed": 1}),
        (Outcome(CALL, "failed", "device_offline"), (), {"not done": 1, "named": 1}),
        (Outcome(CALL, "sent"), (), {"not done": 1, "untold": 1}),
        (Outcome(CALL, "done"), (CALL, CALL), {"set again": 1}),
    ],
)
def test_what_is_told_is_compared_with_what_was_done(
    outcome: Outcome, executed: tuple[Call, ...], counted: dict[str, int]
) -> None:
    figures = acting.Figures()
    acting.count_faults(done(outcome, {}, executed), figures)
    found = {name: n for name, n in figures.counts.items() if n and name not in ("rows", "calls")}
    assert found == counted


def test_the_committed_rows_are_carried_out() -> None:
    cases = acting.rows_of(places.DATA / "smartthings.zh.jsonl", 8)
    states, faulty = run_at_once(
        acting.file_figures(cases, DevicePredictor(places.HOMES), 0.5, [1], lambda: None)
    )
    assert states.counts["acted"] >= 5
    assert states.wrong == []
    assert faulty.counts["calls"] >= 5
    assert {faulty.counts[wrong] for wrong in ("twice", "false done", "unnamed")} == {0}
