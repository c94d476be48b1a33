"""One engine may serve several tenants; none of them meets what belongs to another."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from winnow.adapters.stores.store import memory_storage
from winnow.adapters.testing.fakes import FrozenClock
from winnow.app.config.settings import Settings, load_settings
from winnow.app.wiring import engine as wiring
from winnow.engine.engine import Engine
from winnow.engine.home_cache import MAX_HOMES
from winnow.engine.lexicon import LessonLog
from winnow.engine.sessions import SessionStore
from winnow.errors import ConfigError, HomeNotFound, NoOpenQuestion
from winnow.ports.services import run_blocking
from winnow.types.home import Home
from winnow.types.scope import Scope
from winnow.types.utterance import Usage, Utterance
from winnow.types.verdict import Act, Call, Refuse

SAID = "turn on the desk lamp"


@pytest.fixture
def home(two_lights: Home) -> Home:
    return two_lights


@pytest.fixture
def engine(home: Home) -> Engine:
    """Anna's home, and Bert's of the same id in which the lamp has another name."""
    storage = memory_storage(FrozenClock(), home, tenant="anna")
    lamp = replace(home.devices[0], name="reading lamp")
    run_blocking(storage.homes.save_home(Scope("bert"), replace(home, devices=(lamp, *home.devices[1:]))))
    return Engine(
        storage, wiring.open_embedder(), talk=SessionStore(storage, learn=LessonLog(storage).record_turn)
    )


def test_each_tenant_is_answered_from_its_own_home(engine: Engine) -> None:
    anna, bert = (engine.sync.retrieve(Utterance(SAID, tenant=tenant)).verdict for tenant in ("anna", "bert"))
    assert anna == Act((Call("study.lamp", "turn_on"),))
    assert isinstance(bert, Refuse)
    assert engine.sync.retrieve(Utterance("turn on the reading lamp", tenant="bert")).verdict == anna


def test_who_names_no_tenant_speaks_to_the_engine_s_own(engine: Engine) -> None:
    assert engine.sync.retrieve(SAID).home_id == ""
    engine.policy = replace(engine.policy, tenant="anna")
    found = engine.sync.retrieve(SAID)
    assert isinstance(found.verdict, Act)
    assert found.scope == Scope("anna", home="flat")


def test_sessions_and_use_of_one_tenant_are_unknown_to_another(engine: Engine) -> None:
    for tenant in ("anna", "bert"):
        said = Utterance(SAID, user="ida", session="s", tenant=tenant)
        assert engine.sync.retrieve(said).utterance.history == ()
    engine.sync.used(engine.sync.retrieve(Utterance(SAID, user="ida", tenant="anna")))
    assert engine.sync.retrieve(Utterance(SAID, user="ida", tenant="anna")).utterance.usage.counts
    assert engine.sync.retrieve(Utterance(SAID, user="ida", tenant="bert")).utterance.usage == Usage()


@pytest.mark.parametrize("session", ["", "s"])
def test_a_question_is_answered_by_its_own_tenant_alone(home: Home, session: str) -> None:
    twins = replace(home, devices=tuple(replace(d, name="desk lamp") for d in home.devices))
    storage = memory_storage(FrozenClock(), twins, tenant="anna")
    run_blocking(storage.homes.save_home(Scope("bert"), twins))
    engine = Engine(storage, wiring.open_embedder())
    asked = engine.sync.retrieve(Utterance(SAID, session=session, tenant="anna"))
    for stranger in ("", "bert"):
        with pytest.raises(NoOpenQuestion):
            engine.sync.answer(asked.id, 0, tenant=stranger)
    assert engine.sync.answer(asked.id, 0, tenant="anna").utterance.tenant == "anna"


def test_a_lesson_needs_both_sentences_from_one_tenant(engine: Engine) -> None:
    engine.sync.retrieve(Utterance("turn on the glimmer", session="s", tenant="bert"))
    engine.sync.retrieve(Utterance(SAID, session="s", tenant="anna"))
    assert [
        run_blocking(engine.storage.lexicon.lessons(Scope(t, home="flat"))) for t in ("anna", "bert")
    ] == [
        (),
        (),
    ]


def test_states_told_for_one_tenant_do_not_change_another_s_home(engine: Engine) -> None:
    engine.sync.observe({"study.lamp": {"state": "seen"}}, tenant="anna")
    told = [run_blocking(engine.states.read(Scope(t, home="flat"))) for t in ("anna", "bert")]
    assert [states.value("study.lamp", "state") for states in told] == ["seen", None]


def test_the_tenant_is_a_setting(home: Home, tmp_path: Path) -> None:
    anna, bert = (Settings(tmp_path, tenant=tenant) for tenant in ("anna", "bert"))
    run_blocking(wiring.open_store(anna).storage.homes.save_home(anna.scope, home))
    assert isinstance(wiring.open_engine(settings=anna).sync.retrieve(SAID).verdict, Act)
    assert isinstance(wiring.open_engine(anna.store_location, settings=anna).sync.retrieve(SAID).verdict, Act)
    assert wiring.find_home(anna).id == "flat"
    for settings in (bert, Settings(tmp_path)):
        assert wiring.open_engine(settings=settings).sync.retrieve(SAID).home_id == ""
        with pytest.raises(HomeNotFound):
            wiring.find_home(settings)
    assert isinstance(wiring.open_engine(home, settings=bert).sync.retrieve(SAID).verdict, Act)


def test_the_tenant_comes_from_the_environment_or_the_file_and_is_never_empty(tmp_path: Path) -> None:
    env = {"WINNOW_HOME": str(tmp_path)}
    assert load_settings(env).tenant == "default"
    assert load_settings({**env, "WINNOW_TENANT": "anna"}).scope == Scope("anna")
    (tmp_path / "config.toml").write_text('tenant = ""', "utf-8")
    with pytest.raises(ConfigError, match="tenant"):
        load_settings(env)


def test_of_many_homes_the_one_not_spoken_to_for_longest_is_opened_anew(home: Home) -> None:
    homes = [replace(home, id=f"home{n}") for n in range(MAX_HOMES)]
    engine = Engine(memory_storage(FrozenClock(), *homes, replace(home, id="last")), wiring.open_embedder())
    first, second, *_ = [engine.sync.load_home(each.id) for each in homes]
    assert engine.sync.load_home("home0") is first
    engine.sync.load_home("last")
    assert engine.sync.load_home("home0") is first
    assert engine.sync.load_home("home1") is not second
    assert engine.sync.retrieve(Utterance(SAID, home="home1")).verdict == Act(
        (Call("study.lamp", "turn_on"),)
    )
    assert len(engine.homes._homes) == MAX_HOMES
