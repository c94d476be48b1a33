from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from winnow.adapters.stores.store import memory_storage
from winnow.app.config.settings import Settings, load_settings
from winnow.app.wiring import engine as wiring
from winnow.app.wiring.engine import open_engine
from winnow.engine.engine import Engine
from winnow.engine.policy import Policy
from winnow.errors import HomeNotFound, StoreError
from winnow.ports.services import run_blocking
from winnow.ports.stores import SystemClock
from winnow.types.home import Home
from winnow.types.scope import Scope
from winnow.types.utterance import Utterance
from winnow.types.verdict import Act, Call, Nothing

SAID = "turn on the desk lamp"


@pytest.fixture
def home(two_lights: Home) -> Home:
    return two_lights


def test_a_home_given_as_a_value_answers_at_once(home: Home) -> None:
    retrieval = open_engine(home).sync.retrieve(SAID)
    assert retrieval.verdict == Act((Call("study.lamp", "turn_on"),))
    assert retrieval.home_id == "flat"
    assert retrieval.utterance == Utterance(SAID, tenant="default")


def test_waiting_and_blocking_callers_get_the_same(home: Home) -> None:
    engine = open_engine(home)
    waited, blocked = asyncio.run(engine.retrieve(SAID)), engine.sync.retrieve(SAID)
    assert replace(waited, stages=()) == replace(blocked, stages=())


def test_every_stage_is_timed_in_order(home: Home) -> None:
    retrieval = open_engine(home).sync.retrieve(SAID)
    stages = ["understand", "recall", "decide", "intent", "assemble", "context"]
    assert [s.name for s in retrieval.stages] == stages
    assert all(s.ms > 0 for s in retrieval.stages)
    assert retrieval.ms == pytest.approx(sum(s.ms for s in retrieval.stages))


def test_there_is_one_shortlist_per_instruction(home: Home) -> None:
    retrieval = open_engine(home).sync.retrieve("turn on the desk lamp and turn off the hall light")
    assert len(retrieval.shortlists) == len(retrieval.reading.queries) == 2


def test_a_smaller_budget_gives_a_smaller_briefing(home: Home) -> None:
    full = open_engine(home).sync.retrieve(SAID).briefing
    small = open_engine(home, budget=full.tokens - 5).sync.retrieve(SAID).briefing
    assert small.tokens <= full.tokens - 5


def test_what_is_built_from_a_home_is_built_once(home: Home) -> None:
    engine = open_engine(home)
    engine.sync.retrieve(SAID)
    assert engine.sync.load_home("flat") is engine.sync.load_home("flat")


def test_a_new_version_of_the_home_is_answered_from_at_once(home: Home) -> None:
    engine = open_engine(home)
    first = engine.sync.load_home()
    renamed = replace(home, devices=(replace(home.devices[0], name="reading lamp"),))
    run_blocking(engine.storage.homes.save_home(Scope(), renamed))
    assert engine.sync.load_home() is not first
    assert engine.sync.retrieve("turn on the reading lamp").verdict == Act((Call("study.lamp", "turn_on"),))


def test_the_only_home_needs_no_name_but_one_of_several_does(home: Home) -> None:
    engine = Engine(memory_storage(SystemClock(), home, replace(home, id="attic")), wiring.open_embedder())
    with pytest.raises(HomeNotFound) as caught:
        engine.sync.retrieve(Utterance(SAID, home="shed"))
    assert caught.value.known == ("attic", "flat")
    assert engine.sync.retrieve(SAID).verdict == Nothing("knowledge")
    assert engine.sync.retrieve(Utterance(SAID, home="attic")).home_id == "attic"


def test_the_configured_home_is_meant_when_none_is_named(home: Home) -> None:
    engine = Engine(
        memory_storage(SystemClock(), home, replace(home, id="attic")),
        wiring.open_embedder(),
        policy=Policy(home="attic"),
    )
    assert engine.sync.retrieve(SAID).home_id == "attic"


def test_an_unknown_home_is_an_error(home: Home) -> None:
    with pytest.raises(HomeNotFound, match="palace"):
        open_engine(home).sync.retrieve(Utterance(SAID, home="palace"))


def test_the_configured_store_is_used_when_nothing_is_given(home: Home) -> None:
    settings = load_settings()
    run_blocking(wiring.open_store(settings).storage.homes.save_home(settings.scope, home))
    assert open_engine().sync.retrieve(SAID).home_id == "flat"


def test_a_store_can_be_given_by_its_file(home: Home, tmp_path: Path) -> None:
    run_blocking(wiring.open_store(Settings(tmp_path)).storage.homes.save_home(Scope(), home))
    assert open_engine(tmp_path / "winnow.db").sync.retrieve(SAID).home_id == "flat"


def test_a_folder_of_payloads_can_be_given(tmp_path: Path) -> None:
    lamp = {
        "id": "l",
        "name": "desk lamp",
        "category": "light",
        "commands": [{"id": "turn_on", "description": "turn on", "params": []}],
    }
    (tmp_path / "home.json").write_text(
        json.dumps({"id": "tiny", "name": "Tiny", "rooms": [], "devices": [lamp]}), "utf-8"
    )
    assert open_engine(tmp_path).sync.retrieve(SAID).verdict == Act((Call("l", "turn_on"),))


def test_a_path_that_is_nothing_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="nowhere"):
        open_engine(tmp_path / "nowhere")


def test_settings_give_the_home_and_the_budget(home: Home, tmp_path: Path) -> None:
    settings = Settings(tmp_path, home="attic", budget=77)
    homes = wiring.open_store(settings).storage.homes
    run_blocking(homes.save_home(settings.scope, home))
    run_blocking(homes.save_home(settings.scope, replace(home, id="attic")))
    engine = wiring.open_engine(settings=settings)
    assert engine.policy.budget == 77
    assert engine.sync.retrieve(SAID).home_id == "attic"
    assert wiring.find_home(settings).id == "attic"


def test_the_configured_language_is_that_of_the_replies(home: Home, tmp_path: Path) -> None:
    engine = wiring.open_engine(home, settings=Settings(tmp_path, language="zh"))
    assert engine.sync.retrieve(SAID).briefing.text.startswith("以下是住宅数据")
    assert engine.sync.retrieve(Utterance(SAID, language="en")).briefing.text.startswith("Data of the home")


def test_finding_a_home_among_several_needs_a_name(home: Home, tmp_path: Path) -> None:
    homes = wiring.open_store(Settings(tmp_path)).storage.homes
    run_blocking(homes.save_home(Scope(), home))
    assert wiring.find_home(Settings(tmp_path)).id == "flat"
    run_blocking(homes.save_home(Scope(), replace(home, id="attic")))
    with pytest.raises(HomeNotFound, match="Several"):
        wiring.find_home(Settings(tmp_path))


def test_importing_the_package_loads_nothing_heavy() -> None:
    heavy = {"numpy", "sqlalchemy", "typer", "rich", "yaml"}
    code = (
        f"import sys, winnow, winnow.app.wiring.engine; found = {heavy} & set(sys.modules); "
        "assert not found, found"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_engine_is_at_hand_from_the_package() -> None:
    import winnow

    assert winnow.Engine is Engine


def test_stages_are_told_as_they_end_and_are_those_of_the_trace() -> None:
    import winnow

    told: list[str] = []
    engine = winnow.open("example:cottage")
    found = engine.sync.retrieve("turn on the reading lamp", on_stage=lambda stage: told.append(stage.name))
    assert told == [stage.name for stage in found.stages]
    assert {"understand", "recall", "decide", "assemble"} <= set(told)
