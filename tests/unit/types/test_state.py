"""What devices report is a value with a moment and a source; of two, the newer counts."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from winnow.types.state import Origin, Snapshot

READ = Snapshot(
    {"lamp": {"on": True, "level": 20}, "bolt": {"lock": "locked"}}, 10.0, "neutral", frozenset({"bolt"})
)


def test_what_was_not_read_is_not_known() -> None:
    assert (READ.value("lamp", "level"), READ.value("lamp", "hue"), READ.value("fan", "on")) == (
        20,
        None,
        None,
    )
    assert READ.of("fan") == {}


def test_who_is_not_known_to_be_offline_is_online() -> None:
    assert (READ.online("lamp"), READ.online("bolt"), READ.online("fan")) == (True, False, True)


def test_a_value_comes_from_where_all_come_from_unless_it_was_read_later() -> None:
    later = READ.with_changes({"lamp": {"level": 60}}, 12.0)
    assert later.origin("lamp", "level") == Origin("neutral", 12.0)
    assert later.origin("lamp", "on") == later.origin("fan", "on") == Origin("neutral", 10.0)


def test_an_update_changes_its_values_and_no_other_and_not_what_it_was_made_from() -> None:
    later = READ.with_changes({"lamp": {"level": 60}, "fan": {"on": False}}, 12.0)
    assert later.values == {
        "lamp": {"on": True, "level": 60},
        "bolt": {"lock": "locked"},
        "fan": {"on": False},
    }
    assert READ.value("lamp", "level") == 20


def test_it_can_be_narrowed_to_some_devices() -> None:
    later = READ.with_changes({"lamp": {"level": 60}}, 12.0)
    lamp, bolt = later.about(["lamp"]), later.about(["bolt", "nobody"])
    assert (lamp.values, lamp.offline) == ({"lamp": {"on": True, "level": 60}}, frozenset())
    assert lamp.origin("lamp", "level") == Origin("neutral", 12.0)
    assert (bolt.values, bolt.offline, bolt.origins) == (
        {"bolt": {"lock": "locked"}},
        frozenset({"bolt"}),
        {},
    )
    assert later.about([]).values == {}


def test_of_two_the_newer_value_counts_and_the_upper_where_they_are_as_old() -> None:
    told = (
        Snapshot(source="told")
        .with_changes({"lamp": {"on": False}}, 9.0)
        .with_changes({"lamp": {"level": 1}}, 10.0)
    )
    both = told.over(READ)
    assert both.of("lamp") == {"on": True, "level": 1}
    assert both.origin("lamp", "on") == Origin("neutral", 10.0)
    assert both.origin("lamp", "level") == Origin("told", 10.0)
    assert both.offline == READ.offline


def test_what_was_read_nobody_knows_when_gives_way() -> None:
    undated = Snapshot({"lamp": {"on": True}}, source="neutral")
    told = Snapshot(source="told").with_changes({"lamp": {"on": False}}, 0.0)
    assert told.over(undated).value("lamp", "on") is False
    assert undated.over(told).value("lamp", "on") is False


values = st.dictionaries(st.sampled_from("abc"), st.dictionaries(st.sampled_from("xyz"), st.integers()))
snapshots = st.builds(Snapshot, values, st.none() | st.integers(0, 3).map(float), st.just("s"))


@given(snapshots, snapshots)
def test_nothing_is_lost_by_laying_one_over_another(upper: Snapshot, lower: Snapshot) -> None:
    both = upper.over(lower)
    for device_id in {*upper.values, *lower.values}:
        assert set(both.of(device_id)) == {*upper.of(device_id), *lower.of(device_id)}
        for name, value in both.of(device_id).items():
            assert value in (upper.value(device_id, name), lower.value(device_id, name))


@given(snapshots)
def test_one_laid_over_itself_says_the_same(snapshot: Snapshot) -> None:
    again = snapshot.over(snapshot)
    assert (again.values, again.read_at, again.source) == (snapshot.values, snapshot.read_at, snapshot.source)
