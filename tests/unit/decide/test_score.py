"""What speaks for a device, word by word and feature by feature."""

from __future__ import annotations

import pytest
from tests.unit.decide.rows import query, token

from winnow.decide.score import ScoredDevice, score_devices
from winnow.types.candidate import DeviceCandidate, Evidence, HomeShortlist
from winnow.types.home import Command, Device, Home, HomeView, Profile
from winnow.types.query import QueryIR, Token
from winnow.types.state import Snapshot
from winnow.types.utterance import Usage

ON, CHILD = Command("on", "Switch.On"), Command("child", "Switch.On", "打开童锁 / child lock on")
HOME = HomeView.of(
    Home(
        "h",
        "h",
        "neutral",
        profiles=(Profile("p", (ON, CHILD)),),
        devices=(
            Device("a", "Front door lock", "p", ("lock",)),
            Device("b", "Front door", "p", ("lock",)),
            Device("fan", "Fan", "p", ("fan",)),
            Device("lamp", "Lamp", "p", ("light",)),
        ),
    )
)


def rows(asked: QueryIR, *found: DeviceCandidate, habits: Usage | None = None) -> list[ScoredDevice]:
    return score_devices(asked, HomeShortlist(candidates=found), HOME, Snapshot(), habits)


def missing(*words: str) -> Evidence:
    return Evidence("missing", 0.0, "\t".join(words))


def described(device: str, command: Command, *words: str) -> DeviceCandidate:
    """A device that lacks ``words``, found by the text of a command."""
    return DeviceCandidate.of(
        device,
        command.key,
        1.0,
        (missing(*words), Evidence("coverage", 0.5), Evidence("text", 1.0, command.text)),
    )


def test_a_word_that_a_command_explains_is_explained_and_the_mention_is_covered() -> None:
    asked = query(token("童锁", "word"), action="on", action_cluster=("Switch.On",))
    (got,) = rows(asked, described("a", CHILD, "童锁"))
    assert (got.unexplained, got.features["coverage"]) == ((), 1.0)
    assert got.fit.command == CHILD


def test_a_word_that_nothing_explains_is_left_and_counts_against_it() -> None:
    asked = query(token("滑翔机", "word"), action="on", action_cluster=("Switch.On",))
    (got,) = rows(asked, described("a", CHILD, "滑翔机", "童锁"))
    assert (got.unexplained, got.features["coverage"]) == (("滑翔机",), 0.5)


def test_a_word_that_was_only_implied_is_not_explained_by_a_command() -> None:
    asked = query(token("童锁", "word", implied=True), action="on", action_cluster=("Switch.On",))
    (got,) = rows(asked, described("a", CHILD, "童锁"))
    assert got.unexplained == ("童锁",)


def test_only_the_text_of_a_command_explains_a_word() -> None:
    asked = query(token("童锁", "word"), action="on", action_cluster=("Switch.On",))
    found = DeviceCandidate.of("a", CHILD.key, 1.0, (missing("童锁"), Evidence("vector", 1.0, CHILD.text)))
    assert rows(asked, found)[0].unexplained == ("童锁",)


@pytest.mark.parametrize(("action", "first"), [("lock", "a"), ("unlock", "a")])
def test_of_two_in_one_door_the_one_called_lock_is_locked(action: str, first: str) -> None:
    asked = query(token("front door", "name"), action=action, action_cluster=("Switch.On",))
    both = DeviceCandidate.of("a"), DeviceCandidate.of("b")
    got = rows(asked, *both, habits=Usage({"b": 1}))
    assert got[0].device.id == first


@pytest.mark.parametrize(("target", "preferred"), [((), 1.0), ((token("灯", "type"),), 0.0)])
def test_a_property_alone_prefers_its_kind(target: tuple[Token, ...], preferred: float) -> None:
    asked = query(*target, action="set", property="brightness", action_cluster=("Brightness.Set",))
    lamp, lock = rows(asked, DeviceCandidate.of("lamp"), DeviceCandidate.of("a"))
    features = {s.device.id: s.features["preferred"] for s in (lamp, lock)}
    assert features == {"lamp": preferred, "a": 0.0}


def test_a_command_further_from_the_verb_counts_less() -> None:
    near = query(action="on", action_cluster=("Switch.On",))
    far = query(action="on", action_cluster=("Mode.On", "Run.Start", "Playback.Play", "Switch.On"))
    found = DeviceCandidate.of("a")
    assert rows(near, found)[0].features["trait"] == 1.0
    assert rows(far, found)[0].features["trait"] == pytest.approx(1 - 3 / 20)


def test_equal_devices_come_by_habit_and_then_by_id() -> None:
    asked = query(action="on", action_cluster=("Switch.On",))
    both = DeviceCandidate.of("lamp"), DeviceCandidate.of("fan")
    assert [s.device.id for s in rows(asked, *both)] == ["fan", "lamp"]
    assert [s.device.id for s in rows(asked, *both, habits=Usage({"lamp": 2}))] == ["lamp", "fan"]


LAST, LIKED = Usage(last_used={"lamp": 9.0, "fan": 8.0}), Usage({"fan": 5}, preferred={"lamp": 1})


@pytest.mark.parametrize("habits", [LAST, LIKED])
def test_what_was_used_last_or_is_preferred_comes_first_of_what_is_equal(habits: Usage) -> None:
    asked = query(action="on", action_cluster=("Switch.On",))
    both = DeviceCandidate.of("lamp"), DeviceCandidate.of("fan")
    alone, weighed = rows(asked, *both), rows(asked, *both, habits=habits)
    assert [s.device.id for s in weighed] == ["lamp", "fan"]
    assert {s.device.id: s.score for s in alone} == {s.device.id: s.score for s in weighed}


def test_habits_order_nothing_dangerous() -> None:
    asked = query(action="on", action_cluster=("Switch.On",))
    hot = tuple(Device(i, "heater", "p", ("heater",), danger="heat") for i in "ab")
    view = HomeView.of(Home("h", "h", "neutral", profiles=(Profile("p", (ON,)),), devices=hot))
    found = HomeShortlist(candidates=(DeviceCandidate.of("a"), DeviceCandidate.of("b")))
    got = score_devices(asked, found, view, Snapshot(), Usage({"b": 9}))
    assert [s.device.id for s in got] == ["a", "b"]
