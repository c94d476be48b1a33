"""What a Home Assistant last told of its entities, and what news change."""

from __future__ import annotations

from typing import Any

import pytest

from winnow.adapters.platforms.home_assistant.live_home import ABILITY_ATTRIBUTES, StateMirror
from winnow.adapters.testing.fakes import FrozenClock
from winnow.types.state import HomeChange, Origin, StateChange

LAMP, FAN = "light.lamp", "fan.fan"
EARLY, LATE = "2024-05-01T10:00:00+00:00", "2024-05-01T10:00:05+00:00"
AT = 1714557605.0
"""LATE, in seconds."""


def state(value: str = "on", entity: str = LAMP, at: str = EARLY, **attributes: Any) -> dict[str, Any]:
    return {"entity_id": entity, "state": value, "last_updated": at, "attributes": attributes}


def event(new: dict[str, Any] | None, entity: str = LAMP) -> dict[str, Any]:
    return {"data": {"entity_id": entity, "new_state": new}, "time_fired": LATE}


def mirror(*states: dict[str, Any]) -> StateMirror:
    made = StateMirror(FrozenClock(7.0))
    made.fill(states)
    return made


def test_states_are_told_each_with_its_moment_and_where_it_comes_from() -> None:
    made = mirror(state(brightness=128), state("unavailable", FAN))
    told = made.snapshot()
    assert (len(made), told.read_at, told.source) == (2, 7.0, "homeassistant")
    assert (told.of(LAMP), told.offline) == ({"state": "on", "brightness": 128}, {FAN})
    assert told.origin(LAMP, "brightness") == Origin("homeassistant", AT - 5)
    assert (made.snapshot([LAMP]).of(FAN), made.snapshot([FAN]).of(FAN)) == ({}, {"state": "unavailable"})
    assert made.entity_state(LAMP) == state(brightness=128)
    assert made.entity_state("light.none") is None


@pytest.mark.parametrize(
    ("news", "changes"),
    [
        (event(state("off", at=LATE)), [StateChange(LAMP, "state", "on", "off", AT)]),
        (event(state("on", at=LATE)), []),
        (event(state("off", at="2024-05-01T09:00:00+00:00")), []),  # older than what is known
        (event(state("on", at=LATE, brightness=9)), [StateChange(LAMP, "brightness", None, 9, AT)]),
        (event(state("on", at=LATE, friendly_name="Glow")), [HomeChange()]),
        (event(None), [StateChange(LAMP, "state", "on", None, None), HomeChange()]),
        (event(state("on", FAN, LATE), FAN), [StateChange(FAN, "state", None, "on", AT), HomeChange()]),
        (event(None, FAN), []),
        ({"data": {}}, []),
        ({}, []),
    ],
)
def test_news_are_what_changed_and_whether_the_entity_is_another(
    news: dict[str, Any], changes: list[Any]
) -> None:
    assert mirror(state()).apply_event(news) == changes


@pytest.mark.parametrize("name", ABILITY_ATTRIBUTES)
def test_what_tells_what_an_entity_is_changes_the_home(name: str) -> None:
    made = mirror(state(**{name: "one"}))
    assert HomeChange() not in made.apply_event(event(state(at=LATE, **{name: "one"})))
    assert HomeChange() in made.apply_event(event(state(at=LATE, **{name: "other"})))


def test_what_a_new_reading_does_not_tell_is_gone() -> None:
    made = mirror(state(), state("on", FAN))
    news = made.fill([state("off", at=LATE), {"state": "on"}])
    assert news == [
        StateChange(FAN, "state", "on", None, None),
        HomeChange(),
        StateChange(LAMP, "state", "on", "off", AT),
    ]
    assert (len(made), made.entity_state(FAN)) == (1, None)
