"""Modes by what people call them, matched against the choices that a device takes."""

from __future__ import annotations

import pytest

from winnow.decide.choices import choice_by_mode
from winnow.language.kinds import group_of, wanted_for
from winnow.language.kinds import said_modes as said
from winnow.types.home import Choice, Parameter
from winnow.types.query import Value


def _of(*values: str) -> Parameter:
    return Parameter("mode", "choice", choices=tuple(Choice(value) for value in values))


@pytest.mark.parametrize(
    ("choices", "group", "meant"),
    [
        (("auto", "energy_saving"), "eco", "energy_saving"),
        (("auto", "boost"), "turbo", "boost"),
        (("auto", "night"), "sleep", "night"),
        (("sleep", "night"), "sleep", "sleep"),
        (("night", "quiet"), "sleep", None),
        (("auto", "high"), "turbo", None),
        (("low", "mid", "high"), "medium", "mid"),
    ],
)
def test_a_group_means_its_own_choice_or_the_one_that_stands_for_it(
    choices: tuple[str, ...], group: str, meant: str | None
) -> None:
    assert choice_by_mode(_of(*choices), Value("absolute", text=group)) == meant


def test_what_people_say_is_known_where_a_device_takes_it() -> None:
    assert group_of("Energy Saving") == "eco"
    assert group_of("HDMI 1") == ""
    assert {"低碳", "低碳模式", "power saver", "green mode"} <= set(said("eco"))
    assert "green" not in said("eco")
    assert "turbo" in wanted_for("boost")
