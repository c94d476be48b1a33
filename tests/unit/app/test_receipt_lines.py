"""Receipts, readings and counts as a terminal shows them, line by line."""

from __future__ import annotations

import pytest

from winnow.app.explanation import act_outcome_lines, drawing_lines
from winnow.app.metrics import cache_prometheus, space_line, total_lines
from winnow.app.verdict_text import place_of, readings_by_value, receipt_lines
from winnow.types.feedback import Total
from winnow.types.home import Attribute, Command, Device, Home, HomeView, Profile, Room
from winnow.types.receipt import Confirmation, Outcome, Receipt
from winnow.types.state import Snapshot
from winnow.types.vector import Space, Tally
from winnow.types.verdict import Call, ConditionCheck, Read, Refusal
from winnow.understand.parse_tree import ParseTree, PassedWord, RivalParse, TreeNode, TreeWord

LAMP = Profile("lamp", (Command("on", "Switch.On"),), (Attribute("warmth", "temperature", "", "C"),))
LAMPS = tuple(Device(f"d{n}", f"Lamp {n}", "lamp", room_id="r" if n else None) for n in range(5))
VIEW = HomeView.of(
    Home("h", "h", "neutral", rooms=(Room("r", "Den"),), profiles=(LAMP,), devices=LAMPS)
)  # fmt: skip
OFF, ON = {"power": "off"}, {"power": "on"}


def done(device: str = "d1", **more: object) -> Outcome:
    return Outcome(Call(device, "on"), "done", before=OFF, changed=ON, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("receipt", "lines"),
    [
        (Receipt("x7", 1.0, outcomes=(done(),)), ["act  x7 done", "done Lamp 1 on  power off -> on"]),
        (
            Receipt("x7", 1.0, outcomes=(done(tries=2, moved={"d2": ON}, code="late"),)),
            ["act  x7 done", "done Lamp 1 on  (late)  power off -> on  moved 1  tried 2 times"],
        ),
        (Receipt("", 1.0, reason="already"), ["act  - nothing (already)"]),
        (
            Receipt("", 1.0, refused=(Refusal("offline", {}, ("d1", "d2")), Refusal("expired"))),
            ["act  - refused", "not  offline Lamp 1, Lamp 2", "not  expired"],
        ),
        (
            Receipt("", 1.0, conditions=(ConditionCheck("if dark", (), holds=True, value=3, unit="lx"),)),
            ["act  - nothing", "if   if dark: True, read 3lx"],
        ),
        (
            Receipt("", 1.0, waiting=Confirmation("secret", "Open the gate?", 9.0)),
            ["act  - waiting", "asks Open the gate?"],
        ),
    ],
)
def test_a_trace_tells_every_call_try_and_change(receipt: Receipt, lines: list[str]) -> None:
    assert list(act_outcome_lines(receipt, VIEW)) == lines


def test_a_receipt_shows_what_differs_where_and_what_failed() -> None:
    failed = Outcome(Call("d2", "on"), "failed", "device_offline", {"name": "Lamp 2"})
    refused = Refusal("device_offline", {"name": "Lamp 3"}, ("d3",))
    first, *lines = receipt_lines(
        Receipt("x", 1.0, outcomes=(done(), failed), refused=(refused,)), VIEW, "en"
    )
    assert (
        first.split(":")[0]
        == next(receipt_lines(Receipt("x", 1.0, outcomes=(failed, done())), VIEW, "en")).split(":")[0]
    )
    assert lines[0] == "  Den / Lamp 1  power: off -> on"
    assert [line[:4] for line in lines[1:]] == ["  ! ", "  - "]


def test_only_what_differs_is_told_as_a_change() -> None:
    same = Outcome(Call("d1", "on"), "done", before=ON, changed=ON)
    part = Outcome(
        Call("d2", "on"), "done", before={**ON, "level": 1.5}, changed={**ON, "level": 20.0, "tone": None}
    )
    bare = Outcome(Call("d0", "on"), "sent")
    assert list(receipt_lines(Receipt("x", 1.0, outcomes=(same, part, bare)), VIEW, "en"))[1:] == [
        "  Den / Lamp 1  power: on",
        "  Den / Lamp 2  level: 1.5 -> 20",
        "  Lamp 0  on",
    ]


@pytest.mark.parametrize(("many", "lines"), [(3, 3), (4, 1)])
def test_many_things_that_changed_alike_are_one_line(many: int, lines: int) -> None:
    outcomes = tuple(done(f"d{n + 1}") for n in range(many))
    told = list(receipt_lines(Receipt("x", 1.0, outcomes=outcomes), VIEW, "en"))[1:]
    assert len(told) == lines
    assert all(f"Den / Lamp {n + 1}" in "".join(told) for n in range(many))
    assert (f"({many}): " in told[0]) is (lines == 1)


def test_what_a_scene_moved_is_told_beside_it() -> None:
    told = list(receipt_lines(Receipt("x", 1.0, outcomes=(done(moved={"d0": {"power": None}}),)), VIEW, "en"))
    assert told[1:] == ["  Den / Lamp 1  power: off -> on", "  Lamp 0  power: -> ?"]


@pytest.mark.parametrize(
    ("ago", "told"),
    [(2, "2 s ago"), (59, "59 s ago"), (60, "1 min ago"), (7300, "2 h ago"), (-5, "0 s ago"), (None, "")],
)
def test_a_condition_is_told_with_its_reading_and_how_old_that_was(ago: float | None, told: str) -> None:
    at = None if ago is None else 10_000.0 - ago
    judged = ConditionCheck("if it is cold", reads=(Read("d1", "warmth"),), holds=False, value=12.5, at=at)
    *_, line = receipt_lines(Receipt("x", 10_000.0, conditions=(judged,)), VIEW, "en")
    place, _, age = line.partition(", ")
    assert place == "    Den / Lamp 1  warmth = 12.5 °C"
    assert told in age
    assert bool(age) is bool(told)


@pytest.mark.parametrize(
    ("values", "lines"),
    [
        (
            ["on", "on", "off", "off"],
            ["  s = on (2): Lamp 0, Den / Lamp 1", "  s = off (2): Den / Lamp 2, Den / Lamp 3"],
        ),
        (["on", "on", "off"], []),
        (["on", "on", "off", "dim"], []),
        (["on"] * 5, ["  s = on (5): Lamp 0, Den / Lamp 1, Den / Lamp 2, Den / Lamp 3, Den / Lamp 4"]),
    ],
)  # fmt: skip
def test_readings_of_one_value_are_told_together_where_that_is_shorter(
    values: list[str], lines: list[str]
) -> None:
    snapshot = Snapshot({f"d{n}": {"s": value} for n, value in enumerate(values)})
    reads = [Read(f"d{n}", "s") for n in range(len(values))]
    assert readings_by_value(reads, VIEW, snapshot) == lines


def test_a_thing_is_told_with_its_room() -> None:
    assert [place_of(one, VIEW) for one in ("d0", "d1")] == ["Lamp 0", "Den / Lamp 1"]


DESK = TreeWord("desk", "name", "d1")
THE = TreeWord("the", "little", "")
HERE, THERE = (
    TreeNode("order", "merge", "the desk", (TreeNode("thing", kind, "the desk", (THE, DESK)),))
    for kind in ("merge", "pick")
)


def test_a_sentence_without_a_parse_is_drawn_as_its_stretches_and_what_stands_between() -> None:
    drawing = ParseTree("the desk", "en", stretches=(DESK, HERE), blocking=(THE,))
    first, word, node, blocking = drawing_lines(drawing)
    assert first.startswith("parse  none")
    assert word.startswith("  parses: ")
    assert "desk" in word
    assert node.endswith("  the desk")
    assert blocking.startswith("  in the way: ")


@pytest.mark.parametrize("same", [True, False])
def test_a_runner_up_is_drawn_where_it_says_something_else(same: bool) -> None:
    rival = RivalParse("order", 2.5, same, HERE, THERE)
    drawing = ParseTree("the desk", "en", "order", 1.0, HERE, rival, (PassedWord("please", "polite", 0.25),))
    lines = list(drawing_lines(drawing))
    assert lines[0].endswith("cost 1.00")
    (told,) = (line for line in lines if line.startswith("  next"))
    assert told.endswith("cost 2.50, which says the same" if same else "cost 2.50")
    differing = [line for line in lines if line.startswith(("    here ", "    there "))]
    assert len(differing) == (0 if same else 2)
    assert all("desk" in line and "the" in line for line in differing)
    assert lines[-1] == "  passed over  please (polite, 0.25)"


SPACE = Space("net", "2", 8)


@pytest.mark.parametrize(
    ("tally", "told", "untold"),
    [
        (Tally(), [], ["needed no model", "damaged", "stored", "below"]),
        (Tally(asked=99, memory=10, made=89), ["10% of 99"], ["below"]),
        (Tally(asked=100, memory=10, made=90), ["10% of 100", "before they are asked"], ["leave the memory"]),
        (Tally(asked=100, memory=10, made=90, evicted=7), ["7 had to leave the memory"], []),
        (Tally(asked=100, memory=90, made=10, evicted=7), ["90% of 100"], ["below"]),
        (Tally(asked=4, store=4, damaged=2, unkept=3), ["2 damaged ones", "3 could not be stored"], []),
    ],
)  # fmt: skip
def test_a_cache_is_told_with_advice_where_it_seldom_helps(
    tally: Tally, told: list[str], untold: list[str]
) -> None:
    line = space_line(SPACE, 5, tally)
    assert line.startswith("5 vectors of net (8 numbers)")
    assert all(part in line for part in told)
    assert not any(part in line for part in untold)


def test_caches_are_counted_for_prometheus_by_model_and_version() -> None:
    text = cache_prometheus({Space('a"b', "1", 8): Tally(asked=3), SPACE: Tally(asked=4)})
    assert 'winnow_vectors_asked_total{model="a\\"b",version="1"} 3\n' in text
    assert 'winnow_vectors_asked_total{model="net",version="2"} 4\n' in text
    assert text.count("# TYPE winnow_vectors_asked_total counter\n") == 1
    assert cache_prometheus({}) == ""


def test_turns_are_told_with_the_mean_of_each_figure() -> None:
    first, figure = total_lines({"turns": Total(4, 4.0), "tokens": Total(4, 10.0)}, "en")
    assert "4" in first
    assert figure.split() == ["tokens", "2.50", "(4)"]
    assert list(total_lines({}, "en")) == []
