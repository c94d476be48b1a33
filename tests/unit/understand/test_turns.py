"""Orders put together of turns of phrase, and what looks like one and is none."""

from __future__ import annotations

import pytest

import winnow
from winnow import Utterance
from winnow.engine.engine import Sync
from winnow.types.verdict import Act, Confirm


@pytest.fixture(scope="module")
def cottage() -> Sync:
    return winnow.open("examples/homes/cottage").sync


def _acts(cottage: Sync, said: str) -> set[tuple[str, str]]:
    verdict = cottage.retrieve(Utterance(said)).verdict
    calls = verdict.calls if isinstance(verdict, Act) else ()
    return {(c.device_id, c.command_id.partition(".")[2]) for c in calls}


@pytest.mark.parametrize(
    ("said", "command"),
    [
        ("chuck the reading lamp on", "turn_on"),
        ("the reading lamp wants putting off", "turn_off"),
        ("see to it the reading lamp goes off", "turn_off"),
        ("be a love and stick the reading lamp on", "turn_on"),
        ("make the reading lamp shine", "turn_on"),
        ("bring the reading lamp to life", "turn_on"),
        ("off the reading lamp lah", "turn_off"),
        ("power down the reading lamp", "turn_off"),
    ],
)
def test_an_order_may_be_dressed(cottage: Sync, said: str, command: str) -> None:
    """Manner verbs, things wanted or due, what a thing is made to do, what feeds it."""
    assert _acts(cottage, said) == {("light.reading_lamp", command)}


@pytest.mark.parametrize(
    "said",
    [
        "he chucked the reading lamp on",
        "the reading lamp is running",
        "don't make the reading lamp shine",
        "did somebody stick the reading lamp on",
        "the man pops the reading lamp on each night",
        "stop the reading lamp spinning",  # a lamp does not spin
    ],
)
def test_what_is_told_asked_or_forbidden_stays_so(cottage: Sync, said: str) -> None:
    """The same words in another mood, or of another kind of thing, do nothing."""
    assert not _acts(cottage, said)


def test_a_turn_that_a_thing_cannot_do_hides_no_act_of_the_rules(cottage: Sync) -> None:
    """What plays can sound; a siren is sounded."""
    assert isinstance(cottage.retrieve("sound the siren").verdict, Confirm)
