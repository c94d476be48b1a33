"""The families of verbs and states are words the language knows."""

from __future__ import annotations

import pytest

from winnow.language import content_words as families
from winnow.language import lexicon

FAMILIES = {
    name: getattr(families, name)
    for name in (
        "SWITCHING_ON",
        "SWITCHING_OFF",
        "OPENING",
        "CLOSING",
        "STARTING",
        "STOPPING",
        "MOVING",
        "LOCKING",
    )
}


@pytest.mark.parametrize("name", FAMILIES)
def test_every_member_of_a_family_is_a_verb(name: str) -> None:
    assert FAMILIES[name] <= set(lexicon.clusters()["actions"])


def test_wider_families_hold_the_narrower_ones() -> None:
    assert families.SWITCHING_ON < families.OPENING < families.STARTING
    assert families.SWITCHING_OFF < families.CLOSING < families.STOPPING


def test_no_verb_both_starts_and_stops() -> None:
    assert not families.STARTING & families.STOPPING


def test_every_state_that_can_be_said_has_an_opposite() -> None:
    assert {wanted for _, wanted in lexicon.states().values()} == families.OPPOSITE_STATE.keys()


def test_the_opposite_of_an_opposite_is_the_state() -> None:
    assert all(families.OPPOSITE_STATE[other] == state for state, other in families.OPPOSITE_STATE.items())


def test_what_a_device_may_say_for_on_and_off_is_read_as_that() -> None:
    read = lexicon.reported_states()
    assert {read[word] for word in families.STATE_WORDS["on"]} == {"on"}
    assert {read[word] for word in families.STATE_WORDS["off"]} == {"off"}
