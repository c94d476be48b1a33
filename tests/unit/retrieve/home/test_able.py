"""Which devices can do what is asked, named or not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.retrieve.home.villa import HEAT, ON, OPEN, asked, here, lamp, villa

from winnow.retrieve.home.devices import DeviceMatch, inferred_matches
from winnow.retrieve.home.evidence import ablest, is_another, unnamed_devices
from winnow.types.query import QueryIR, Reference, Token, Value

WARMER = replace(asked(cluster=HEAT, action="set"), property="temperature")


def ids(found: list[DeviceMatch]) -> set[str]:
    return {m.device_id for m in found}


def test_the_devices_whose_command_is_meant_first_are_the_ablest() -> None:
    query = asked(cluster=(*OPEN, *ON))
    assert ablest(["parlour-lamp", "parlour-curtains", "parlour-blinds"], query, villa()) == [
        "parlour-blinds",
        "parlour-curtains",
    ]


def test_what_can_do_nothing_of_it_is_not_able() -> None:
    assert ablest(["parlour-lamp", "parlour-window"], asked(cluster=OPEN), villa()) == []


def test_an_act_without_a_thing_means_what_it_is_made_for() -> None:
    assert ids(unnamed_devices(WARMER, here(), ())) == {"parlour-cooler"}


def test_where_nothing_is_made_for_it_whatever_can_do_it_is_meant() -> None:
    assert ids(unnamed_devices(WARMER, here(), {"parlour-cooler"})) == {"parlour-oven"}


def test_an_act_without_a_thing_means_the_speaker_s_room() -> None:
    brighter = replace(asked(cluster=("Brightness.Set",), action="step"), property="brightness")
    assert ids(unnamed_devices(brighter, here("loft"), ())) == {"loft-lamp"}
    assert {"loft-lamp", "nursery-lamp"} <= ids(unnamed_devices(brighter, here(), ()))


def test_what_the_sentence_excludes_is_not_meant_by_the_act_alone() -> None:
    assert unnamed_devices(WARMER, here(), {"parlour-cooler", "parlour-oven"}) == []


@pytest.mark.parametrize(
    ("query", "told"),
    [
        (asked(cluster=HEAT, action="set"), False),
        (replace(asked(cluster=HEAT, action="set"), property="temperature"), True),
        (replace(asked(cluster=HEAT, action="set"), value=Value("absolute", 20.0)), True),
        (asked(cluster=HEAT, action="warm"), True),
        (asked(cluster=(), action="warm"), False),
        (asked(lamp(), cluster=HEAT, action="warm"), False),
        (replace(asked(cluster=HEAT, action="warm"), references=(Reference("it", "last"),)), False),
    ],
)
def test_a_verb_that_fits_too_much_names_no_thing(query: QueryIR, told: bool) -> None:
    assert bool(unnamed_devices(query, here(), ())) is told


def test_an_act_that_the_thing_named_before_cannot_do_is_for_another() -> None:
    assert is_another(WARMER, inferred_matches(["radio"]), villa())
    assert not is_another(WARMER, inferred_matches(["parlour-cooler"]), villa())


def test_an_act_that_points_back_is_for_no_other() -> None:
    pointing = replace(WARMER, tokens=(Token("it", "reference", 0, 2),))
    assert not is_another(pointing, inferred_matches(["radio"]), villa())


def test_what_fits_only_in_part_was_not_named_before() -> None:
    assert not is_another(WARMER, [DeviceMatch("radio", 0.5, missing=("kitchen",))], villa())
