"""The way back from an act."""

from __future__ import annotations

from collections.abc import Mapping

from tests.faulty import VIEW

from winnow.act.undo import UndoPlan, taking_back
from winnow.types.home import Scalar
from winnow.types.receipt import Outcome
from winnow.types.state import Snapshot
from winnow.types.verdict import Call

OFF: dict[str, Scalar] = {"power": "off"}
ON: dict[str, Scalar] = {"power": "on"}


def back(now: Mapping[str, Scalar], *outcomes: Outcome) -> UndoPlan:
    return taking_back(outcomes, VIEW, Snapshot({"a": now}))


def test_what_was_not_done_is_not_taken_back() -> None:
    way = back(OFF, Outcome(Call("a", "on"), "failed"), Outcome(Call("a", "on"), "skipped"))
    assert way == UndoPlan()


def test_what_nobody_knows_of_is_left_and_told() -> None:
    way = back(ON, Outcome(Call("a", "on"), "unknown", before=OFF, changed=ON))
    assert (way.calls, [r.code for r in way.refused]) == ((), ["undo_unknown"])


def test_what_changed_nothing_needs_no_way_back() -> None:
    assert back(ON, Outcome(Call("a", "on"), "done", before=ON, changed=ON)) == UndoPlan()


def test_what_was_not_known_before_cannot_be_set_again() -> None:
    way = back(
        {"light": 80}, Outcome(Call("a", "dim"), "done", before={"light": None}, changed={"light": 80})
    )
    assert [(r.code, r.facts["name"]) for r in way.stuck] == [("cannot_undo", "Lamp a")]


def test_what_went_on_where_it_was_sent_was_changed_by_nobody_else() -> None:
    dimmed = Outcome(Call("a", "dim", {"level": 80}), "sent", before={"light": 30}, changed={"light": 55})
    way = back({"light": 80, **ON}, dimmed)
    assert [dict(c.arguments) for c in way.calls] == [{"level": 30}]


def test_steps_on_one_device_are_taken_back_last_first() -> None:
    first = Outcome(Call("a", "on"), "done", before=OFF, changed=ON)
    then = Outcome(Call("a", "dim", {"level": 80}), "done", before={"light": 30}, changed={"light": 80})
    way = back({"light": 80, **ON}, first, then)
    assert [c.command_id for c in way.calls] == ["dim", "off"]


def test_of_what_was_done_twice_only_the_last_counts_as_it_is() -> None:
    first = Outcome(Call("a", "on"), "done", before=OFF, changed=ON)
    then = Outcome(Call("a", "off"), "done", before=ON, changed=OFF)
    assert [c.command_id for c in back(OFF, first, then).calls] == ["on", "off"]
