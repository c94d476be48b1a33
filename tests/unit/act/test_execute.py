"""Calls carried out: in their order, few at a time, again where that is safe, until time is up."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest
from tests.faulty import HOME, IDS, RULES, VIEW, WHERE, Fault, Faulty, Told, acted, run

from winnow.act.execute import ExecutionContext, carried_out
from winnow.errors import StoreError
from winnow.types.home import Device, HomeView
from winnow.types.receipt import Outcome
from winnow.types.state import Snapshot
from winnow.types.verdict import Call

ON, OFF, TOGGLE, LOUDER = (Call("a", name) for name in ("on", "off", "toggle", "louder"))
DIM = Call("a", "dim", {"level": 80})


def came(call: Call, *faults: Fault) -> tuple[Outcome, Faulty]:
    home = Faulty(faults)
    (outcome,) = run(acted(home, [call], Told()))
    return outcome, home


def test_done_is_what_the_home_shows() -> None:
    outcome, _ = came(ON)
    assert (outcome.status, outcome.before, outcome.changed) == ("done", {"power": "off"}, {"power": "on"})


def test_what_is_taken_and_never_shown_is_unknown() -> None:
    outcome, home = came(ON, "lies")
    assert (outcome.status, outcome.code, len(home.asked)) == ("unknown", "not_seen", 1)


def test_what_certainly_failed_and_may_pass_is_tried_again_whatever_it_is() -> None:
    outcome, home = came(TOGGLE, "busy", "busy")
    assert (outcome.status, outcome.tries, len(home.done)) == ("done", 3, 1)


def test_nothing_is_tried_more_often_than_the_rules_say() -> None:
    outcome, home = came(ON, *["busy"] * 20)
    assert (outcome.status, outcome.tries) == ("failed", RULES.tries)
    assert len(home.asked) == RULES.tries


def test_what_certainly_failed_for_good_is_not_tried_again() -> None:
    outcome, home = came(ON, "refuses")
    assert (outcome.status, outcome.code, len(home.asked)) == ("failed", "device_offline", 1)


@pytest.mark.parametrize("fault", ["loses", "breaks", "mute"])
def test_a_set_that_nobody_knows_of_is_sent_again(fault: Fault) -> None:
    outcome, home = came(DIM, fault)
    assert (outcome.status, len(home.asked)) == ("done", 2)


@pytest.mark.parametrize(("fault", "why"), [("breaks", "The line is dead."), ("mute", "0")])
def test_what_broke_on_the_way_is_told(fault: Fault, why: str) -> None:
    outcome, _ = came(LOUDER, fault)
    assert (outcome.status, outcome.code) == ("unknown", "link_failed")
    assert outcome.facts == {"name": "Lamp a", "why": why}


@pytest.mark.parametrize("fault", ["loses", "breaks", "mute"])
def test_a_step_that_nobody_knows_of_is_not(fault: Fault) -> None:
    outcome, home = came(LOUDER, fault)
    assert (outcome.status, len(home.asked)) == ("unknown", 1)


@pytest.mark.parametrize("call", [TOGGLE, DIM, LOUDER])
@pytest.mark.parametrize("fault", ["late", "breaks after"])
def test_what_was_done_without_an_answer_is_seen_and_not_sent_again(call: Call, fault: Fault) -> None:
    outcome, home = came(call, fault)
    assert (outcome.status, len(home.asked)) == ("done", 1)


def test_what_one_try_may_have_done_did_not_certainly_fail() -> None:
    outcome, _ = came(DIM, "loses", "refuses")
    assert (outcome.status, outcome.code) == ("unknown", "device_offline")


def test_what_follows_a_failure_on_one_device_is_skipped_and_others_go_on() -> None:
    home = Faulty(["refuses"])
    first, second, other = run(acted(home, [ON, DIM, Call("b", "on")], Told()))
    assert (first.status, second.status, second.code) == ("failed", "skipped", "after_failure")
    assert other.status == "done"


def test_what_is_left_when_time_is_up_is_skipped() -> None:
    rules = replace(RULES, act_seconds=3, at_once=1)
    outcomes = run(acted(Faulty(["late"]), [Call(i, "on") for i in IDS], Told(), rules))
    assert [(o.status, o.code, dict(o.facts)) for o in outcomes[1:]] == [
        ("skipped", "out_of_time", {"name": f"Lamp {i}"}) for i in IDS[1:]
    ]


def test_a_pause_that_is_asked_for_is_kept_and_never_goes_beyond_the_end() -> None:
    rules = replace(RULES, act_seconds=0.4)
    home = Faulty(["busy"])
    (outcome,) = run(acted(home, [ON], Told(), rules))
    assert (outcome.status, outcome.retry_after, len(home.asked)) == ("failed", 0.5, 1)


def test_many_devices_share_their_looks() -> None:
    many = replace(HOME, devices=tuple(Device(f"d{n}", f"D{n}", "lamp") for n in range(40)))
    home = Faulty()
    home.values = {d.id: {"power": "off"} for d in many.devices}
    hands = ExecutionContext(WHERE, HomeView.of(many), home, RULES, Told())
    calls = [Call(d.id, "on") for d in many.devices]

    async def all_on() -> tuple[Outcome, ...]:
        return await carried_out(calls, await home.look(WHERE), hands)

    assert {o.status for o in run(all_on())} == {"done"}
    assert home.most == RULES.at_once
    assert len(home.looks) <= 1 + 2 * 40 / RULES.at_once


def test_a_scene_stands_alone_and_tells_what_it_moved() -> None:
    home = Faulty()
    outcomes = run(acted(home, [ON, Call("b", "on"), Call("night", "run"), Call("c", "on")], Told()))
    assert outcomes[2].moved == {"a": {"power": "off"}, "b": {"power": "off"}}
    assert [c.device_id for c in home.done][2:] == ["night", "c"]
    assert [o.status for o in outcomes] == ["done"] * 4


def test_whoever_is_cancelled_tells_what_came_so_far() -> None:
    told, home = Told(), Faulty(["late"])

    async def cancelled() -> None:
        task = asyncio.create_task(acted(home, [ON, DIM, Call("b", "on")], told))
        await asyncio.sleep(1.5)
        task.cancel()
        await asyncio.wait({task})
        assert task.cancelled()

    run(cancelled())
    assert [(o.call, o.status, o.code) for o in told.outcomes] == [
        (Call("b", "on"), "done", ""),
        (ON, "unknown", "interrupted"),
        (DIM, "skipped", "interrupted"),
    ]
    assert [dict(o.facts) for o in told.outcomes[1:]] == [{"name": "Lamp a"}] * 2


def test_nothing_more_is_done_once_it_cannot_be_put_on_record() -> None:
    async def full(outcomes: Sequence[Outcome]) -> None:
        raise StoreError("The disk is full.")

    home = Faulty()
    hands = ExecutionContext(WHERE, VIEW, home, RULES, full)
    first, second = run(carried_out([ON, DIM], Snapshot(home.values), hands))
    assert (first.status, second.status, second.code) == ("done", "skipped", "not_on_record")
    assert home.done == [ON]
