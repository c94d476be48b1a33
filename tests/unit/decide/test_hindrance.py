"""What stands against an instruction before any device is weighed."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.decide.rows import query, token, view

from winnow.decide.refusals import find_obstacle
from winnow.types.candidate import DeviceCandidate, HomeShortlist
from winnow.types.home import Home, HomeView, Scene
from winnow.types.query import Mention, QueryIR, Reference, Token

PARTY = HomeView.of(Home("h", "h", "neutral", scenes=(Scene("s1", "派对模式", "run"),)))
SCENE = HomeShortlist(candidates=(DeviceCandidate.of("s1"),))
LAMP = token("台灯", "name")
IT = Reference("它", "last")
ABLE: dict[str, Any] = {"action": "on", "action_cluster": ("Switch.On",)}


def code(
    asked: QueryIR, found: HomeShortlist | None = None, home: HomeView | None = None, area: str = ""
) -> str:
    """Code of what stands against it; empty when nothing does."""
    hindered = find_obstacle(asked, found or HomeShortlist(), home or view("a"), area or None)
    return hindered.refusal.code if hindered else ""


def test_nothing_stands_against_a_plain_order() -> None:
    assert code(query(LAMP, **ABLE)) == ""


def test_an_exception_that_the_home_lacks_stops_its_own_order_only() -> None:
    found = find_obstacle(query(LAMP, **ABLE), HomeShortlist(unplaced=("沙发",)), view("a"), None)
    assert found is not None
    assert (found.refusal.facts["words"], found.blocks_sentence) == ("沙发", False)


def test_a_word_that_nothing_explains_spoils_the_sentence() -> None:
    found = find_obstacle(query(LAMP, unplaced=("嗡嗡",), **ABLE), HomeShortlist(), view("a"), None)
    assert found is not None
    assert found.blocks_sentence


@pytest.mark.parametrize(
    ("said", "action", "stands"),
    [
        ((), "", False),
        ((token("很吵", "comment"),), "", True),
        ((token("滑翔机", "word"),), "", True),
        ((token("很吵", "comment"),), "on", False),
    ],
)
def test_a_scene_that_is_only_spoken_of_is_not_run(
    said: tuple[Token, ...], action: str, stands: bool
) -> None:
    asked = query(token("派对模式", "scene"), said=said, action=action)
    assert bool(code(asked, SCENE, PARTY)) is stands


def test_a_scene_cannot_be_run_in_part() -> None:
    asked = query(token("派对模式", "scene"), action="on").without(Mention((LAMP,)))
    assert code(asked, SCENE, PARTY) == "unplaced"


def test_it_stands_for_something_or_the_order_stops() -> None:
    found = HomeShortlist(candidates=(DeviceCandidate.of("a"),))
    assert code(query(references=(IT,), **ABLE)) == "no_reference"
    assert code(query(references=(IT,), **ABLE), found) == ""
    assert code(query(LAMP, references=(IT,), **ABLE)) == ""


def test_setting_without_a_value_asks_for_it() -> None:
    found = find_obstacle(
        query(LAMP, action="set", action_cluster=("Brightness.Set",)), HomeShortlist(), view("a"), None
    )
    assert found is not None
    assert (found.refusal.code, found.asks) == ("value_missing", "value")


def test_what_is_not_understood_is_told_in_the_words_for_the_thing_or_in_all() -> None:
    one = find_obstacle(query(LAMP), HomeShortlist(), view("a"), None)
    other = find_obstacle(QueryIR("嗡嗡嗡"), HomeShortlist(), view("a"), None)
    assert one is not None
    assert other is not None
    assert (one.refusal.facts["what"], other.refusal.facts["what"]) == ("台灯", "嗡嗡嗡")


def test_music_needs_a_player_or_a_room() -> None:
    play = {"action": "play", "action_cluster": ("Playback.Play",), "property": "media"}
    assert code(query(**play)) == "no_device"
    assert code(query(**play), area="study") == ""
    assert code(query(token("点唱机", "name"), **play)) == ""
