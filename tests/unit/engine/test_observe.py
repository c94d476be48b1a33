"""States told to the engine count until something newer is read; what the home cannot have is an error."""

from __future__ import annotations

from dataclasses import replace

import pytest

from winnow.adapters.models.embedders import HashingEmbedder
from winnow.adapters.stores.store import memory_storage
from winnow.adapters.testing.fakes import FrozenClock
from winnow.app.explanation import explanation_text
from winnow.engine.engine import Engine
from winnow.errors import ArgumentError, NoSuchState
from winnow.ports.services import run_blocking
from winnow.types.home import Attribute, Command, Device, Home, Parameter, Profile, Room
from winnow.types.scope import Scope
from winnow.types.state import ImportedHome, Origin, Snapshot
from winnow.types.utterance import Utterance
from winnow.types.verdict import Act, Call, Query

DIM = Command("dim", "Brightness.Set", "", (Parameter("value", "number", 0, 100),))
HOME = Home(
    "h",
    "h",
    "neutral",
    rooms=(Room("r", "study"),),
    profiles=(
        Profile("dim", (DIM,), (Attribute("level", "brightness", unit="%"), Attribute("power", "switch"))),
    ),
    devices=(Device("lamp", "desk lamp", "dim", ("light",), room_id="r"),),
)
STATES = Snapshot({"lamp": {"level": 20, "fog": "thin"}}, source="neutral")
BRIGHTER, HOW_BRIGHT = "make the desk lamp brighter", "how bright is the desk lamp"


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock(100.0)


@pytest.fixture
def engine(clock: FrozenClock) -> Engine:
    return Engine(memory_storage(clock, ImportedHome(HOME, STATES)), HashingEmbedder())


def level(engine: Engine) -> object:
    return engine.sync.retrieve(HOW_BRIGHT).snapshot.value("lamp", "level")


def test_it_answers_from_states_it_was_told(engine: Engine, clock: FrozenClock) -> None:
    vocabulary = engine.sync.load_home().vocabulary
    assert engine.sync.retrieve(BRIGHTER).verdict == Act((Call("lamp", "dim", {"value": 30}),))
    clock.seconds += 1
    engine.sync.observe({"lamp": {"level": 60}})
    assert engine.sync.retrieve(BRIGHTER).verdict == Act((Call("lamp", "dim", {"value": 70}),))
    asked = engine.sync.retrieve(HOW_BRIGHT)
    assert isinstance(asked.verdict, Query)
    assert "now brightness 60" in asked.briefing.text
    assert engine.sync.load_home().vocabulary is vocabulary


def test_the_trace_says_when_and_from_where_a_value_was_read(engine: Engine, clock: FrozenClock) -> None:
    before = engine.sync.retrieve(HOW_BRIGHT)
    assert before.snapshot.origin("lamp", "level") == Origin("neutral", 100.0)
    assert "level = 20 (neutral, 1970-01-01 00:01:40 UTC)" in explanation_text(
        before, engine.sync.load_home().view
    )
    clock.seconds += 1
    engine.sync.observe({"lamp": {"level": 60}})
    assert "level = 60 (told, 1970-01-01 00:01:41 UTC)" in explanation_text(
        engine.sync.retrieve(HOW_BRIGHT), engine.sync.load_home().view
    )


def test_a_retrieval_keeps_what_was_read_of_the_devices_concerned(engine: Engine) -> None:
    assert set(engine.sync.retrieve(HOW_BRIGHT).snapshot.values) == {"lamp"}
    assert engine.sync.retrieve("thank you").snapshot.values == {}


def test_what_was_told_counts_until_a_newer_import(engine: Engine, clock: FrozenClock) -> None:
    engine.sync.observe({"lamp": {"level": 60}})
    run_blocking(engine.storage.homes.save_home(Scope(), HOME, replace(STATES, read_at=99.0)))
    assert level(engine) == 60
    clock.seconds += 1
    run_blocking(engine.storage.homes.save_home(Scope(), HOME, STATES))
    assert level(engine) == 20


def test_an_import_of_states_from_the_future_was_read_now(engine: Engine, clock: FrozenClock) -> None:
    run_blocking(engine.storage.homes.save_home(Scope(), HOME, replace(STATES, read_at=5000.0)))
    engine.sync.observe({"lamp": {"level": 60}})
    assert level(engine) == 60


@pytest.mark.parametrize("name", ["power", "fog"])
def test_an_attribute_is_one_of_the_profile_or_one_that_was_read(engine: Engine, name: str) -> None:
    engine.sync.observe({"lamp": {name: "on"}})
    assert engine.sync.retrieve(HOW_BRIGHT).snapshot.value("lamp", name) == "on"


@pytest.mark.parametrize(
    ("told", "unknown", "hint"),
    [
        ({"lam": {"level": 1}}, {"lam": ("lamp",)}, "Did you mean lamp for lam?"),
        ({"lamp": {"levle": 1}}, {"lamp.levle": ("level",)}, "Did you mean level for lamp.levle?"),
        ({"": {}}, {"": ()}, "Engine.load_home().view"),
    ],
)
def test_what_the_home_cannot_have_is_an_error_that_names_what_is_near(
    engine: Engine, told: dict, unknown: dict, hint: str
) -> None:
    with pytest.raises(NoSuchState) as caught:
        engine.sync.observe(told)
    assert (caught.value.home_id, caught.value.unknown) == ("h", unknown)
    assert hint in caught.value.hint


def test_a_device_without_its_attribute_is_told(engine: Engine) -> None:
    with pytest.raises(ArgumentError, match=r"^states must hold attributes and their values, not str"):
        engine.sync.observe({"lamp": "on"})  # type: ignore[dict-item]


def test_what_is_wrong_in_part_changes_nothing(engine: Engine) -> None:
    with pytest.raises(NoSuchState, match="nobody"):
        engine.sync.observe({"lamp": {"level": 60}, "nobody": {"level": 1}})
    assert level(engine) == 20


def test_what_is_told_of_one_tenant_s_home_is_not_known_to_another(engine: Engine) -> None:
    run_blocking(engine.storage.homes.save_home(Scope("other"), HOME, STATES))
    engine.sync.observe({"lamp": {"level": 60}}, tenant="other")
    theirs = engine.sync.retrieve(Utterance(HOW_BRIGHT, tenant="other")).snapshot.value("lamp", "level")
    assert (theirs, level(engine)) == (60, 20)
