"""Whatever a home holds comes back from the store unchanged."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from winnow.adapters.stores.store import SqlStore
from winnow.ports.services import run_blocking
from winnow.ports.stores import SystemClock
from winnow.types.home import (
    Attribute,
    Choice,
    Command,
    Device,
    Floor,
    Group,
    Home,
    Parameter,
    Profile,
    Room,
    Scene,
)
from winnow.types.scope import Scope
from winnow.types.state import Snapshot

text = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
numbers = st.integers(-(2**40), 2**40) | st.floats(allow_nan=False, allow_infinity=False)
scalars = text | numbers | st.booleans() | st.none()
names = st.lists(text, max_size=3).map(tuple)


def parts(kind: type, **fields: st.SearchStrategy) -> st.SearchStrategy:
    return st.lists(st.builds(kind, id=text, **fields), max_size=4, unique_by=lambda p: p.id).map(tuple)


choices = st.builds(Choice, value=text | numbers | st.booleans(), text=text)
kinds = st.sampled_from(["number", "choice", "text", "color", "boolean", "object"])
parameters = st.builds(
    Parameter,
    name=text,
    kind=kinds,
    minimum=st.none() | numbers,
    maximum=st.none() | numbers,
    unit=text,
    choices=st.lists(choices, max_size=3).map(tuple),
    required=st.booleans(),
    scale=numbers,
)
commands = st.builds(
    Command,
    id=text,
    trait=text,
    text=text,
    parameters=st.lists(parameters, max_size=2).map(tuple),
    fixed=st.dictionaries(text, scalars, max_size=2),
)
attributes = st.builds(Attribute, id=text, quantity=text, text=text, unit=text, values=names)
homes = st.builds(
    Home,
    id=text,
    name=text,
    source=st.sampled_from(["smartthings", "homeassistant", "neutral"]),
    floors=parts(Floor, name=text, aliases=names, level=st.none() | st.integers(-5, 200)),
    rooms=parts(Room, name=text, aliases=names, floor_id=st.none() | text),
    profiles=parts(
        Profile,
        commands=st.lists(commands, max_size=3).map(tuple),
        attributes=st.lists(attributes, max_size=2).map(tuple),
    ),
    devices=parts(
        Device,
        name=text,
        profile_id=text,
        kinds=names,
        aliases=names,
        room_id=st.none() | text,
        categories=names,
        tags=names,
    ),
    scenes=parts(Scene, name=text, command_id=text, aliases=names, room_id=st.none() | text),
    groups=parts(Group, name=text, members=names, aliases=names),
)


snapshots = st.builds(
    Snapshot,
    values=st.dictionaries(text, st.dictionaries(text, scalars, max_size=3), max_size=4),
    read_at=st.floats(0.0, 1e9),
    source=text,
    offline=st.frozensets(text, max_size=2),
)


@settings(max_examples=30, deadline=None)
@given(home=homes, states=snapshots)
def test_a_home_survives_the_store(home: Home, states: Snapshot) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = SqlStore.open(Path(folder) / "winnow.db", SystemClock())
        version = run_blocking(store.storage.homes.save_home(Scope(), home, states))
        kept = run_blocking(store.storage.states.read(Scope(home=home.id)))
        assert {i: told for i, told in kept.values.items() if told} == {
            i: told for i, told in states.values.items() if told
        }
        assert kept.offline == states.offline
        if kept.values:
            assert (kept.read_at, kept.source) == (states.read_at, states.source)
        assert run_blocking(store.storage.homes.load_home(Scope(home=home.id))) == replace(
            home, version=version
        )
        store.close()
