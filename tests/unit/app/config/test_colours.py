"""Whether a terminal is written to in colours."""

from __future__ import annotations

import pytest

from winnow.app.config.settings import can_use_colours


@pytest.mark.parametrize(
    ("env", "coloured"),
    [
        ({}, True),
        ({"TERM": "xterm"}, True),
        ({"NO_COLOR": ""}, True),
        ({"NO_COLOR": "1"}, False),
        ({"TERM": "dumb"}, False),
        ({"NO_COLOR": "1", "TERM": "dumb"}, False),
    ],
)
def test_colours_are_left_out_where_they_are_not_wanted_or_not_known(
    env: dict[str, str], coloured: bool
) -> None:
    assert can_use_colours(env) is coloured
