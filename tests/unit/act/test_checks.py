"""Proposed calls become the calls of the offer or are refused; devices are taken in turns; time is kept."""

from __future__ import annotations

import asyncio

import pytest
from tests.faulty import HOME, VIEW

from winnow.act.checks import CheckResult, DeviceQueue, Offer, check_calls, within
from winnow.act.effects.thing import repeatable
from winnow.types.home import Choice, Command, Device, Home, HomeView, Parameter, Profile
from winnow.types.verdict import Call, Refusal

KEY = ("t", "h", "a")
SET = Profile(
    "set",
    (
        Command(
            "set",
            "Volume.Set",
            "",
            (
                Parameter("share", "number", 10, 90, scale=0.01),
                Parameter("pick", "choice", choices=(Choice("Eco"), Choice(2), Choice(True)), required=False),
                Parameter("colour", "color", required=False),
                Parameter("rgb", "color", unit="rgb", required=False),
                Parameter("made", "object", required=False),
                Parameter("sure", "boolean", required=False),
            ),
            {"muted": False},
        ),
    ),
)
DESK = HomeView.of(Home("h", "h", "neutral", profiles=(SET,), devices=(Device("d", "Desk", "set"),)))


def codes(found: CheckResult) -> list[str]:
    return [refusal.code for refusal in found.refused]


def offer(*pairs: tuple[str, str], decided: tuple[Call, ...] = ()) -> Offer:
    return Offer(decided, {device: (command,) for device, command in pairs})


def test_an_empty_proposal_is_told_as_such() -> None:
    assert codes(check_calls((), offer(), VIEW)) == ["nothing_proposed"]


def test_a_scene_is_started_as_the_home_names_its_command() -> None:
    told = check_calls((Call("night", "run", {"loud": True}),), offer(("night", "run")), VIEW)
    assert told.calls == (Call("night", "run"),)


def test_what_was_decided_stands_as_it_is() -> None:
    mine = Call("a", "dim", {"level": 400})
    assert check_calls((mine,), offer(("a", "dim"), decided=(mine,)), VIEW).calls == (mine,)
    assert codes(check_calls((mine,), offer(("a", "dim")), VIEW)) == ["out_of_range"]


def test_what_the_home_has_no_longer_is_refused_by_name() -> None:
    gone = check_calls((Call("z", "on"),), offer(("z", "on")), VIEW)
    assert gone.refused == (Refusal("no_such_device", {"name": "z"}),)
    cannot = check_calls((Call("a", "fly"),), offer(("a", "fly")), VIEW)
    assert cannot.refused == (Refusal("no_such_command", {"name": "Lamp a", "what": "fly"}, ("a",)),)


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        ({"share": 0.5}, {"share": 0.5}),
        ({"share": "0.1"}, {"share": 0.1}),
        ({"share": 0.9, "muted": False}, {"share": 0.9}),
        ({"share": 0.91}, "out_of_range"),
        ({"share": 0.09}, "out_of_range"),
        ({"share": 0.5, "muted": True}, "argument_unknown"),
        ({"muted": False}, "argument_missing"),
        ({"share": 0.5, "pick": "eco "}, {"share": 0.5, "pick": "Eco"}),
        ({"share": 0.5, "pick": 2}, {"share": 0.5, "pick": 2}),
        ({"share": 0.5, "pick": "true"}, {"share": 0.5, "pick": True}),
        ({"share": 0.5, "pick": 1}, "argument_wrong"),
        ({"share": 0.5, "pick": ["Eco"]}, "argument_wrong"),
        ({"share": 0.5, "colour": "warm white"}, {"share": 0.5, "colour": "warm white"}),
        ({"share": 0.5, "colour": "#FFaa00"}, {"share": 0.5, "colour": "#FFaa00"}),
        ({"share": 0.5, "colour": "#FFaa0"}, "argument_wrong"),
        ({"share": 0.5, "colour": 7}, "argument_wrong"),
        ({"share": 0.5, "rgb": "(255, 00, 1)"}, {"share": 0.5, "rgb": "(255,0,1)"}),
        ({"share": 0.5, "rgb": "red"}, "argument_wrong"),
        ({"share": 0.5, "made": {}}, "argument_wrong"),
        ({"share": 0.5, "sure": " FALSE "}, {"share": 0.5, "sure": False}),
    ],
)
def test_arguments_are_sent_in_the_types_and_units_of_the_wire(
    given: dict[str, object], sent: dict[str, object] | str
) -> None:
    found = check_calls((Call("d", "set", given),), offer(("d", "set")), DESK)
    assert ([dict(c.arguments) for c in found.calls] or codes(found)) == [
        {"muted": False, **sent} if isinstance(sent, dict) else sent
    ]


def test_a_number_beyond_its_limits_is_told_with_them() -> None:
    (told,) = check_calls((Call("d", "set", {"share": 2}),), offer(("d", "set")), DESK).refused
    assert told.facts == {"name": "Desk", "minimum": 0.1, "maximum": 0.9, "value": 2}
    (wrong,) = check_calls((Call("d", "set", {"share": [1]}),), offer(("d", "set")), DESK).refused
    assert wrong.facts == {"name": "Desk", "what": "share", "value": "list"}


@pytest.mark.parametrize(
    ("call", "again"),
    [
        (Call("a", "on"), True),
        (Call("a", "dim", {"level": 3}), True),
        (Call("a", "dim", {"level": 3, "step": 1}), False),
        (Call("a", "toggle"), False),
        (Call("a", "louder"), False),
        (Call("a", "fly"), False),
    ],
)
def test_only_what_does_the_same_twice_is_sent_twice(call: Call, again: bool) -> None:
    assert repeatable(call, HOME.profiles[0]) is again


def test_a_device_is_had_by_one_at_a_time_in_the_order_of_asking() -> None:
    async def all_in_turn() -> list[str]:
        queue, order = DeviceQueue(), list[str]()

        async def one(name: str, *keys: tuple[str, str, str]) -> None:
            held = await queue.acquire(keys)
            order.append(f"{name} has")
            await asyncio.sleep(0)
            order.append(f"{name} leaves")
            held.leave()

        await asyncio.gather(one("first", KEY), one("second", KEY, ("t", "h", "b")), one("third", KEY))
        return order

    assert asyncio.run(all_in_turn()) == [
        f"{name} {does}" for name in ("first", "second", "third") for does in ("has", "leaves")
    ]


@pytest.mark.parametrize("its_turn", [False, True])
def test_whoever_gives_up_waiting_lets_the_next_one_have_it(its_turn: bool) -> None:
    async def given_up() -> bool:
        queue = DeviceQueue()
        first = await queue.acquire([KEY])
        second = asyncio.create_task(queue.acquire([KEY]))
        third = asyncio.create_task(queue.acquire([KEY]))
        await asyncio.sleep(0)
        if its_turn:  # it has been woken and has not run since
            first.leave()
            await asyncio.sleep(0)
        second.cancel()
        await asyncio.wait({second})
        first.leave()
        return (await asyncio.wait_for(third, 2)).keys == {KEY} and second.cancelled()

    assert asyncio.run(given_up())


def test_one_device_can_be_let_go_before_the_others() -> None:
    async def let_go() -> set[tuple[str, str, str]]:
        queue = DeviceQueue()
        both = await queue.acquire([KEY, ("t", "h", "b")])
        both.leave("a")
        await asyncio.wait_for(queue.acquire([KEY]), 2)
        return both.keys

    assert asyncio.run(let_go()) == {("t", "h", "b")}


def test_work_that_fails_hangs_or_is_given_up_is_an_answer_too() -> None:
    async def fails() -> None:
        raise ValueError("no")

    async def gives_up() -> None:
        raise asyncio.CancelledError

    async def answers() -> str:
        return "well"

    async def all_of_them() -> list[object]:
        works = (fails(), gives_up(), answers(), asyncio.sleep(60))
        return [await within(0.05, work) for work in works]

    failed, given_up, well, hung = asyncio.run(all_of_them())
    assert (type(failed), type(given_up), well) == (ValueError, asyncio.CancelledError, "well")
    assert isinstance(hung, TimeoutError)


def test_what_is_told_of_a_long_argument_is_its_beginning() -> None:
    name, value = "n" * 80, "v" * 80
    (unknown,) = check_calls((Call("d", "set", {"share": 0.5, name: 1}),), offer(("d", "set")), DESK).refused
    assert (unknown.code, unknown.facts["what"]) == ("argument_unknown", name[:64])
    (wrong,) = check_calls((Call("d", "set", {"share": value}),), offer(("d", "set")), DESK).refused
    assert wrong.facts == {"name": "Desk", "what": "share", "value": value[:64]}
    (missing,) = check_calls((Call("d", "set", {}),), offer(("d", "set")), DESK).refused
    assert (missing.code, missing.facts, missing.device_ids) == (
        "argument_missing",
        {"name": "Desk", "what": "share"},
        ("d",),
    )
