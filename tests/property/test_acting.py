"""Whatever goes wrong with a home, an act is told as it was."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.faulty import FAULTS, HOME, IDS, LAMP, RULES, Faulty, Told, acted, run, states
from tests.property.houses import times

from winnow.act.effects.expected import expected_changes
from winnow.act.effects.thing import repeatable
from winnow.types.receipt import Outcome
from winnow.types.verdict import Call

ONE = st.sampled_from(
    [
        *[Call(i, c) for i in IDS for c in ("on", "off", "toggle", "louder")],
        *[Call(i, "dim", {"level": n}) for i in IDS for n in (5, 80)],
        Call("night", "run"),
    ]
)
CALLS = st.lists(ONE, min_size=1, max_size=6)
SCRIPT = st.lists(st.sampled_from(FAULTS), max_size=12)


def tried(calls: list[Call], faults: list[str]) -> tuple[Faulty, tuple[Outcome, ...], Told]:
    home, told = Faulty(faults), Told()  # type: ignore[arg-type]
    return home, run(acted(home, calls, told)), told


@times(60)
@given(CALLS, SCRIPT)
def test_every_call_has_its_outcome_in_order_and_all_of_them_are_told(
    calls: list[Call], faults: list[str]
) -> None:
    _, outcomes, told = tried(calls, faults)
    assert [o.call for o in outcomes] == calls
    assert sorted(map(repr, told.outcomes)) == sorted(map(repr, outcomes))


@times(60)
@given(CALLS, SCRIPT)
def test_what_is_not_done_has_a_reason(calls: list[Call], faults: list[str]) -> None:
    _, outcomes, _ = tried(calls, faults)
    assert [o for o in outcomes if not o.ok and not o.code] == []


@times(60)
@given(CALLS, SCRIPT)
def test_what_does_more_each_time_is_done_once(calls: list[Call], faults: list[str]) -> None:
    home, _, _ = tried(calls, faults)
    once = [c for c in home.done if c.device_id == "night" or not repeatable(c, LAMP)]
    assert [c for c in once if home.done.count(c) > calls.count(c)] == []


@times(200)
@given(ONE.filter(lambda c: c.device_id != "night"), SCRIPT)
def test_done_is_what_was_done_and_failed_is_what_was_not(call: Call, faults: list[str]) -> None:
    before = dict(states(Faulty())[call.device_id])
    home, (outcome,), _ = tried([call], faults)
    wanted = expected_changes(call, LAMP, before)
    if outcome.status == "done":
        assert wanted.items() <= home.values[call.device_id].items()
    if outcome.status in ("failed", "skipped"):
        assert home.done == []
    if outcome.status == "unknown" and outcome.code == "not_seen":
        assert not wanted.items() <= home.values[call.device_id].items()


@times(60)
@given(CALLS, SCRIPT)
def test_no_more_run_at_one_time_than_may(calls: list[Call], faults: list[str]) -> None:
    home, _, _ = tried(calls, faults)
    assert home.most <= min(RULES.at_once, len(HOME.devices))
