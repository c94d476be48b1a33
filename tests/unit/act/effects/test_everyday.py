"""What everyday commands change, what shows that they did, and what takes them back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from tests import homes

from winnow.act.effects.expected import expected_changes, observed_effect
from winnow.act.effects.thing import repeatable
from winnow.act.undo import inverse_calls
from winnow.language.tables import parse_yaml
from winnow.types.home import HomeView, Profile, Scalar
from winnow.types.verdict import Call

TABLE: Mapping[str, Any] = parse_yaml(Path(__file__).with_name("everyday.yaml").read_text("utf-8"))
Row = Mapping[str, Any]
ROWS = [pytest.param(at, row, id=f"{at} {row['command']}") for at, rows in TABLE.items() for row in rows]


def told(at: str, row: Row) -> tuple[Call, Profile, dict[str, Scalar]]:
    """The call of a row, what its device can do, and all it tells before."""
    home, _, name = at.partition(" / ")
    made = homes.imported(home)
    known = {name: value for name, value in row["before"].items() if value is not None}
    device = next(
        d for d in made.home.devices if d.name == name and known.items() <= made.states.of(d.id).items()
    )
    call = Call(device.id, row["command"], row.get("with", {}))
    return call, HomeView.of(made.home).profile(device.id), dict(made.states.of(device.id))


def ways_back(back: str | Row | None) -> Iterator[tuple[str, Row]]:
    if isinstance(back, str):
        yield back, {}
    elif back is not None:
        yield from back.items()


@pytest.mark.parametrize(("at", "row"), ROWS)
def test_a_command_changes_what_the_table_says(at: str, row: Row) -> None:
    call, profile, now = told(at, row)
    assert expected_changes(call, profile, now) == row["after"]
    assert repeatable(call, profile) != row.get("once", False)


@pytest.mark.parametrize(("at", "row"), ROWS)
def test_a_look_tells_whether_it_was_done(at: str, row: Row) -> None:
    call, profile, now = told(at, row)
    assert observed_effect(call, profile, now, {**now, **row["after"]}) == row.get("seen", "yes")
    assert observed_effect(call, profile, now, now) == row.get("undone", "no")


@pytest.mark.parametrize(("at", "row"), ROWS)
def test_a_command_is_taken_back_by_what_the_table_says(at: str, row: Row) -> None:
    call, profile, now = told(at, row)
    back = inverse_calls(call, profile, row["before"], {**now, **row["after"]})
    assert [(one.command_id, one.arguments) for one in back] == list(ways_back(row["back"]))
