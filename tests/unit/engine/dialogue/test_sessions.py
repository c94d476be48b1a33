"""A session remembers its turns and its user; without one, nothing more is read or written than before."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from winnow.adapters.stores.store import memory_storage
from winnow.adapters.testing.fakes import FrozenClock
from winnow.app.wiring import engine as wiring
from winnow.app.wiring.engine import open_engine
from winnow.engine.engine import Engine
from winnow.engine.replies import verdict_reply
from winnow.language.naming import placed_name
from winnow.ports.services import run_blocking
from winnow.types.home import Home, HomeView
from winnow.types.scope import Scope
from winnow.types.utterance import Turn, Usage, Utterance

TALK, ANNA = Scope(home="flat", session="s"), Scope(user="anna", home="flat")


@pytest.fixture
def engine(home: Home) -> Engine:
    return Engine(memory_storage(FrozenClock(7.0), home), wiring.open_embedder())


class Untouchable:
    """Stands where nothing may be asked for."""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"{name} was asked for")


def test_a_sentence_without_session_and_user_reads_and_writes_nothing(engine: Engine) -> None:
    engine.sync.load_home()
    nothing = Untouchable()
    storage = replace(engine.storage, sessions=nothing, habits=nothing, lexicon=nothing)
    engine.storage = engine.talk.storage = storage
    engine.sync.retrieve("打开台灯")
    asked = engine.sync.retrieve("打开壁灯")
    engine.sync.answer(asked.id, 0)


def test_each_turn_is_kept_with_what_was_said_and_its_devices(engine: Engine) -> None:
    engine.sync.retrieve(Utterance("打开台灯", session="s"))
    assert run_blocking(engine.storage.sessions.session(TALK)).turns == (
        Turn("user", "打开台灯", ("hall.desk",)),
        Turn("assistant", "好的：客厅的台灯。", ("hall.desk",)),
    )


def test_the_next_sentence_of_the_session_gets_the_turns_as_history(engine: Engine) -> None:
    engine.sync.retrieve(Utterance("打开台灯", session="s"))
    history = engine.sync.retrieve(Utterance("客厅的壁灯也打开", session="s")).utterance.history
    assert [t.content for t in history] == ["打开台灯", "好的：客厅的台灯。"]


def test_a_history_of_the_caller_s_own_is_left_alone(engine: Engine) -> None:
    engine.sync.retrieve(Utterance("打开台灯", session="s"))
    own = (Turn("user", "你好"), Turn("assistant", "您好"))
    assert engine.sync.retrieve(Utterance("打开台灯", session="s", history=own)).utterance.history == own


def test_the_option_chosen_by_number_is_kept_as_words(engine: Engine) -> None:
    asked = engine.sync.retrieve(Utterance("打开壁灯", session="s"))
    engine.sync.answer(asked.id, 1)
    turns = run_blocking(engine.storage.sessions.session(TALK)).turns
    assert [t.content for t in turns] == ["打开壁灯", asked.verdict.question, "书房", "好的：书房的壁灯。"]  # type: ignore[union-attr]


def test_an_open_question_is_not_in_the_history_of_a_new_request(engine: Engine) -> None:
    engine.sync.retrieve(Utterance("打开大门锁", session="s"))
    history = engine.sync.retrieve(Utterance("打开台灯", session="s")).utterance.history
    assert [t.content for t in history] == ["打开大门锁"]


def test_what_a_person_uses_comes_with_the_next_sentence(engine: Engine) -> None:
    engine.sync.used(engine.sync.retrieve(Utterance("打开台灯", user="anna")))
    assert engine.sync.retrieve(Utterance("打开台灯", user="anna")).utterance.usage == Usage(
        {"hall.desk": 1}, {"hall.desk": 7.0}
    )
    assert engine.sync.retrieve(Utterance("打开台灯", user="bert")).utterance.usage == Usage()


def test_use_may_be_reported_for_somebody_else(engine: Engine) -> None:
    engine.sync.used(engine.sync.retrieve("打开台灯"), user="bert")
    assert run_blocking(engine.storage.habits.usage(Scope(user="bert", home="flat"))).counts == {
        "hall.desk": 1
    }


def test_what_nobody_did_is_not_counted(engine: Engine) -> None:
    engine.sync.used(engine.sync.retrieve(Utterance("打开空调", user="anna")))
    assert run_blocking(engine.storage.habits.usage(ANNA)) == Usage()


def test_use_never_takes_a_candidate_away(engine: Engine) -> None:
    before = engine.sync.retrieve("打开壁灯")
    run_blocking(engine.storage.habits.use(ANNA, ["study.wall"]))
    after = engine.sync.retrieve(Utterance("打开壁灯", user="anna"))
    assert {i for s in after.shortlists for i in s.device_ids} == {
        i for s in before.shortlists for i in s.device_ids
    }


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("打开台灯", "好的：客厅的台灯。"),
        ("turn on the desk lamp", "Done: 客厅 台灯."),
        ("打开卧室所有的灯", "好的：卧室的床头灯左、卧室的床头灯右。"),
        ("大门锁锁了吗", "看了客厅的大门锁。"),
        ("打开大门锁", "确认要打开客厅的大门锁（解锁）吗？"),
    ],
)
def test_a_reply_is_one_line_that_names_the_devices(engine: Engine, said: str, line: str) -> None:
    assert verdict_reply(engine.sync.retrieve(said), engine.sync.load_home().view) == line


def test_a_reply_counts_what_it_does_not_name(home: Home) -> None:
    many = replace(
        home, devices=tuple(replace(home.devices[0], id=f"d{n}", name=f"射灯{n}") for n in range(6))
    )
    engine = open_engine(many)
    assert (
        verdict_reply(engine.sync.retrieve("打开书房所有的灯"), engine.sync.load_home().view)
        == "好的，共6个设备。"
    )


def test_a_name_that_holds_its_room_is_not_placed_twice(home: Home) -> None:
    view = HomeView.of(home)
    assert placed_name("study.door", view, "zh") == "书房门锁"
    assert placed_name("hall.door", view, "zh") == "客厅的大门锁"
    assert placed_name("nowhere", view, "en") == "nowhere"
