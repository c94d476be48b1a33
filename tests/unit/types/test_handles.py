"""What a language model calls things by: short, of one home, the same as long as the home is."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from winnow.types.home import Command, Device, Home, HomeView, Profile, Scene

IDS = st.lists(st.text(min_size=1, max_size=12), min_size=1, max_size=60, unique=True)


def view(ids: list[str], scenes: list[str] | None = None) -> HomeView:
    devices = tuple(Device(i, i, "p") for i in ids)
    return HomeView.of(
        Home("h", "h", "neutral", devices=devices, scenes=tuple(Scene(i, i, "run") for i in scenes or []))
    )


@given(IDS)
def test_each_thing_has_one_handle_and_each_handle_names_one_thing(ids: list[str]) -> None:
    home = view(ids)
    assert len(set(home.handles.values())) == len(ids)
    assert all(home.thing_id(home.handles[i]) == i for i in ids if home.handles[i] not in ids)
    assert all(home.thing_id(i) == i for i in ids)


@given(IDS, IDS)
def test_other_devices_can_only_make_a_handle_longer(ids: list[str], more: list[str]) -> None:
    alone, among = view(ids), view(list(dict.fromkeys([*ids, *more])))
    assert all(among.handles[i].startswith(alone.handles[i]) for i in ids)


def test_handles_of_a_common_home_are_three_digits_and_of_a_large_one_not_much_longer() -> None:
    few, many = (view([f"light.room_{n}" for n in range(count)]) for count in (20, 3000))
    assert sum(map(len, few.handles.values())) / 20 < 4.2
    assert sum(map(len, many.handles.values())) / 3000 < 5.5


def test_scenes_and_devices_have_letters_of_their_own() -> None:
    home = view(["one"], ["one-scene"])
    assert (home.handles["one"][0], home.handles["one-scene"][0]) == ("d", "s")
    assert home.thing_id("nothing") == ""


def test_a_command_goes_by_its_trait_where_that_is_one_command() -> None:
    on, dim = Command("turn_on", "Switch.On"), Command("turn_on", "Brightness.Set")
    left, right = Command("left-on", "Lamp.On"), Command("right-on", "Lamp.On")
    bare = Command("vendor")
    profile = Profile("p", (on, dim, left, right, bare))
    home = HomeView.of(Home("h", "h", "neutral", profiles=(profile,), devices=(Device("d", "d", "p"),)))
    words = [home.command_word("d", command) for command in profile.commands]
    assert words == ["Switch.On", "Brightness.Set", "left-on", "right-on", "vendor"]
    assert [home.command_named("d", word) for word in words] == list(profile.commands)
    assert home.command_named("d", "Lamp.On") is home.command_named("x", "Switch.On") is None
