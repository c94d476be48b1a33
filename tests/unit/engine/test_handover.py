"""What is not understood is handed over: all that the words point to, first what they name."""

from __future__ import annotations

import pytest
from tests.homes import engine

from winnow import NotUnderstood, Refuse, Retrieval, Utterance


def handed(text: str, home: str = "cottage", room: str | None = None) -> Retrieval:
    return engine(home).sync.retrieve(Utterance(text, room=room))


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("zimbit the reading lamp in the sitting room", "light.reading_lamp"),
        ("zimbit the boiler", "water_heater.boiler"),
    ],
)
def test_what_is_named_stands_first_with_state_and_commands(text: str, first: str) -> None:
    found = handed(text)
    assert isinstance(found.verdict, NotUnderstood | Refuse)
    line = found.briefing.text.splitlines()[2]
    assert line.startswith(engine("cottage").sync.load_home().view.handles[first])
    assert "; now " in line
    assert "; can " in line
    assert first in found.briefing.offered


def test_every_member_of_a_set_has_its_handle() -> None:
    found = handed("zimbit all the lights in the sitting room")
    view = engine("cottage").sync.load_home().view
    room = view.room("light.reading_lamp")
    lamps = [d.id for d in view.home.devices if "light" in d.kinds and view.room(d.id) == room]
    assert lamps
    assert all(view.handles[i] in found.briefing.text for i in lamps)


def test_a_question_about_a_room_shows_what_measures_there_first() -> None:
    found = handed("what is the zimbit of the sitting room then")
    view = engine("cottage").sync.load_home().view
    assert found.attempt.mentioned_ids
    assert not view.profile(found.attempt.mentioned_ids[0]).commands


def test_a_value_points_to_what_takes_it() -> None:
    home = engine("cottage").sync.load_home()
    takes = home.index.taking("eco")
    assert "water_heater.boiler" in takes
    assert home.index.taking("no such programme") == frozenset()


def test_talk_offers_nothing() -> None:
    found = handed("I do like the reading lamp")
    assert found.briefing.offered == {}
