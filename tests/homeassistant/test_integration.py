"""Winnow inside a real Home Assistant: spoken to over its REST API, and given to agents."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.homeassistant.conftest import ABSENT, ALONE
from tests.homeassistant.integrated import WithWinnow
from tests.homeassistant.server import HASS

LAMP, LOCK = "light.bed_light", "lock.front_door"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WithWinnow]:
    if not (ALONE and HASS.exists()):
        pytest.skip(ABSENT)
    server = WithWinnow(tmp_path_factory.mktemp("integrated"))
    server.start()
    server.expose(LAMP, LOCK)
    server.add_winnow()
    yield server
    server.stop()


def test_a_light_that_is_spoken_of_is_switched_and_told(home: WithWinnow) -> None:
    home.call("light", "turn_off", entity_id=LAMP)
    said = home.say("turn on the bed light")
    assert home.state(LAMP) == "on"
    assert said["response"]["response_type"] == "action_done"
    assert said["response"]["data"]["success"] == [{"name": "Bed Light", "type": "entity", "id": LAMP}]
    assert home.speech(said) == "Done: Bed Light."


def test_what_is_dangerous_waits_for_a_yes_in_the_same_talk(home: WithWinnow) -> None:
    home.call("lock", "lock", entity_id=LOCK)
    asked = home.say("unlock the front door")
    assert asked["continue_conversation"]
    assert home.state(LOCK) == "locked"
    home.say("yes")  # in a talk of its own
    assert home.state(LOCK) == "locked"
    home.say("yes", conversation_id=asked["conversation_id"])
    assert home.state(LOCK) in ("unlocking", "unlocked")
