"""When a row was written, as the clock on the person's wall shows it."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.adapters.stores.host.conftest import wall

from winnow.errors import ConfigError
from winnow.language.clocks import Clocks

NOON = wall("2024-05-01T12:00")
SECONDS = datetime(2024, 5, 1, 12, tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    "stored",
    [
        NOON,
        datetime(2024, 5, 1, 12, tzinfo=UTC),
        datetime(2024, 5, 1, 20, tzinfo=timezone(timedelta(hours=8))),
        "2024-05-01 12:00:00",
        "2024-05-01T12:00:00Z",
        "2024-05-01T20:00:00+08:00",
        "2024/05/01 12:00",
        "20240501120000",
        " 2024-05-01T12:00:00.000 ",
        SECONDS,
        int(SECONDS),
        int(SECONDS) * 1000,
        int(SECONDS) * 1_000_000,
        int(SECONDS) * 1_000_000_000,
        Decimal(int(SECONDS)),
        str(int(SECONDS)),
        str(int(SECONDS) * 1000),
        f"{SECONDS:.3f}",
    ],
)
def test_one_moment_in_all_the_ways_it_is_kept(stored: object) -> None:
    assert Clocks().moment(stored) == NOON


@pytest.mark.parametrize(
    "stored",
    [None, "", "yesterday", "2024-13-45", b"x", True, float("nan"), float("inf"), 1e30, [], "9" * 30],
)
def test_what_is_no_time_is_nobodys(stored: object) -> None:
    assert Clocks().moment(stored) is None


def test_a_day_begins_at_midnight() -> None:
    assert Clocks().moment(date(2024, 5, 1)) == wall("2024-05-01")


def test_times_with_a_zone_are_turned_to_the_persons() -> None:
    clocks = Clocks("Asia/Shanghai")
    assert clocks.moment("2024-05-01T12:00:00Z") == wall("2024-05-01T20:00")
    assert clocks.moment(SECONDS) == wall("2024-05-01T20:00")


def test_times_without_one_are_taken_as_they_are_unless_their_zone_is_told() -> None:
    assert Clocks("Asia/Shanghai").moment("2024-05-01 12:00") == wall("2024-05-01T12:00")
    assert Clocks("Asia/Shanghai", "UTC").moment("2024-05-01 12:00") == wall("2024-05-01T20:00")


@pytest.mark.parametrize("setting", ["timezone", "stored_timezone"])
@pytest.mark.parametrize("zone", ["Mars/Olympus", "../etc/passwd", "\0"])
def test_a_zone_that_is_none_is_named(setting: str, zone: str) -> None:
    with pytest.raises(ConfigError) as caught:
        Clocks(*(zone if name == setting else "" for name in ("timezone", "stored_timezone")))
    assert [p.path for p in caught.value.problems] == [setting]


@given(st.integers() | st.floats() | st.text() | st.datetimes() | st.datetimes(timezones=st.timezones()))
def test_whatever_is_stored_has_a_moment_or_none(stored: object) -> None:
    for clocks in (Clocks(), Clocks("Pacific/Kiritimati", "America/Los_Angeles")):
        assert (moment := clocks.moment(stored)) is None or moment.tzinfo is None


def test_the_clock_of_this_machine_knows_summer_and_winter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    local = Clocks("local")
    assert local.moment("2024-01-15T12:00:00Z") == wall("2024-01-15T13:00")
    assert local.moment("2024-07-15T12:00:00Z") == wall("2024-07-15T14:00")
    assert local.moment("2024-07-15T12:00:00") == wall("2024-07-15T12:00")
    monkeypatch.undo()
    time.tzset()
