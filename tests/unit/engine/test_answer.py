"""A question answered: the original request goes on, once, and never wider."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest

from winnow.adapters.stores.store import memory_storage
from winnow.adapters.testing.fakes import FrozenClock
from winnow.app.wiring import engine as wiring
from winnow.app.wiring.engine import open_engine
from winnow.engine.engine import Engine
from winnow.engine.sessions import MAX_OPEN_QUESTIONS, SessionStore
from winnow.errors import NoOpenQuestion
from winnow.ports.services import run_blocking
from winnow.types.home import Attribute, Command, Device, Home, Parameter, Profile, Room
from winnow.types.scope import Scope
from winnow.types.utterance import Turn, Utterance
from winnow.types.verdict import Act, Call, Clarify, Confirm, Nothing, Refuse

WHICH = "turn on the wall lamp"
DANGER = "unlock the front door lock"


@pytest.fixture
def home() -> Home:
    lamp = Profile(
        "lamp",
        (
            Command("on", "Switch.On", "turn on"),
            Command("off", "Switch.Off", "turn off"),
            Command("dim", "Brightness.Set", "set brightness", (Parameter("level", "number", 0, 100, "%"),)),
        ),
        (Attribute("switch", "switch"), Attribute("brightness", "brightness", unit="%")),
    )
    bolt = Profile(
        "bolt",
        (Command("lock", "Lock.Lock", "lock"), Command("unlock", "Lock.Unlock", "unlock")),
        (Attribute("lock", "lock"),),
    )
    return Home(
        "flat",
        "Flat",
        "neutral",
        rooms=(Room("study", "study"), Room("hall", "hall")),
        profiles=(lamp, bolt),
        devices=(
            Device(
                "study.wall",
                "wall lamp",
                "lamp",
                ("light",),
                room_id="study",
            ),
            Device(
                "hall.wall",
                "wall lamp",
                "lamp",
                ("light",),
                room_id="hall",
            ),
            Device(
                "hall.desk",
                "desk lamp",
                "lamp",
                ("light",),
                room_id="hall",
            ),
            Device("door", "front door lock", "bolt", ("lock",), room_id="hall"),
            Device("gate", "back door lock", "bolt", ("lock",), room_id="study"),
        ),
    )


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock(1000.0)


@pytest.fixture
def engine(home: Home, clock: FrozenClock) -> Engine:
    return Engine(memory_storage(clock, home), wiring.open_embedder())


def test_every_retrieval_has_an_id_of_its_own(engine: Engine) -> None:
    ids = {engine.sync.retrieve(WHICH).id for _ in range(3)}
    assert len(ids) == 3
    assert all(len(i) == 32 for i in ids)


def test_the_chosen_device_gets_the_original_request(engine: Engine) -> None:
    asked = engine.sync.retrieve("dim the wall lamp to 20%")
    answered = engine.sync.answer(asked.id, "the study one")
    assert answered.verdict == Act((Call("study.wall", "dim", {"level": 20}),))
    assert answered.utterance == asked.utterance
    assert answered.after == asked.id
    assert answered.id not in {"", asked.id}
    assert [s.name for s in answered.stages] == ["answer", "decide", "assemble", "context"]


def test_the_briefing_of_the_answer_is_about_the_chosen_device(engine: Engine) -> None:
    asked = engine.sync.retrieve(WHICH)
    briefing = engine.sync.answer(asked.id, "hall").briefing
    assert '"wall lamp" in "hall"' in briefing.text
    assert "study.wall" not in briefing.text


def test_both_makes_a_set_of_exactly_the_options(engine: Engine) -> None:
    verdict = engine.sync.answer(engine.sync.retrieve(WHICH).id, "both").verdict
    assert isinstance(verdict, Act)
    assert verdict.bulk is not None
    assert {c.device_id for c in verdict.calls} == {"study.wall", "hall.wall"}


def test_an_answer_never_brings_in_a_device_that_was_not_offered(engine: Engine) -> None:
    asked = engine.sync.retrieve(WHICH)
    answered = engine.sync.answer(asked.id, 0)
    assert {i for s in answered.shortlists for i in s.device_ids} <= {
        i for s in asked.shortlists for i in s.device_ids
    }


def test_every_instruction_that_asked_the_same_is_answered(engine: Engine) -> None:
    asked = engine.sync.retrieve("turn on the wall lamp and set the wall lamp to 20%")
    assert isinstance(asked.verdict, Clarify)
    calls = engine.sync.answer(asked.id, "study").verdict.calls  # type: ignore[union-attr]
    assert calls == (Call("study.wall", "on"), Call("study.wall", "dim", {"level": 20}))


def test_a_no_to_which_one_withdraws_the_request(engine: Engine) -> None:
    assert engine.sync.answer(engine.sync.retrieve(WHICH).id, "never mind").verdict == Nothing("withdrawn")


def test_an_unclear_answer_is_refused_and_closes_the_question(engine: Engine) -> None:
    asked = engine.sync.retrieve(WHICH)
    verdict = engine.sync.answer(asked.id, "the purple one").verdict
    assert isinstance(verdict, Refuse)
    assert verdict.refusals[0].code == "not_understood"
    assert "more specific" in verdict.message
    with pytest.raises(NoOpenQuestion):
        engine.sync.answer(asked.id, "study")


def test_a_full_request_in_place_of_an_answer_is_a_request(engine: Engine) -> None:
    asked = engine.sync.retrieve(WHICH)
    answered = engine.sync.answer(asked.id, "turn off the desk lamp")
    assert answered.verdict == Act((Call("hall.desk", "off"),))
    assert answered.utterance.text == "turn off the desk lamp"
    assert answered.after == ""


def test_a_yes_does_the_same_calls_and_says_that_they_were_confirmed(engine: Engine) -> None:
    asked = engine.sync.retrieve(DANGER)
    assert isinstance(asked.verdict, Confirm)
    answered = engine.sync.answer(asked.id, "yes")
    assert answered.verdict == Act(asked.verdict.proposed)
    assert answered.reading.confirmed
    assert not asked.reading.confirmed


def test_a_no_to_a_dangerous_act_declines_it(engine: Engine) -> None:
    assert engine.sync.answer(engine.sync.retrieve(DANGER).id, "no").verdict == Nothing("declined")


def test_a_confirmation_is_good_once(engine: Engine) -> None:
    asked = engine.sync.retrieve(DANGER)
    engine.sync.answer(asked.id, True)
    with pytest.raises(NoOpenQuestion) as caught:
        engine.sync.answer(asked.id, True)
    assert caught.value.retrieval_id == asked.id
    assert caught.value.hint


def test_a_confirmation_expires(engine: Engine, clock: FrozenClock) -> None:
    asked = engine.sync.retrieve(DANGER)
    clock.seconds += 61
    verdict = engine.sync.answer(asked.id, "yes").verdict
    assert isinstance(verdict, Refuse)
    assert verdict.refusals[0].code == "expired"


def test_how_long_a_confirmation_is_good_for_is_a_setting(home: Home, clock: FrozenClock) -> None:
    storage = memory_storage(clock, home)
    engine = Engine(storage, wiring.open_embedder(), talk=SessionStore(storage, confirm_seconds=5))
    late, in_time = engine.sync.retrieve(DANGER), engine.sync.retrieve(DANGER)
    clock.seconds += 5
    assert isinstance(engine.sync.answer(in_time.id, "yes").verdict, Act)
    clock.seconds += 1
    assert isinstance(engine.sync.answer(late.id, "yes").verdict, Refuse)


def test_which_one_does_not_expire(engine: Engine, clock: FrozenClock) -> None:
    asked = engine.sync.retrieve(WHICH)
    clock.seconds += 3600
    assert isinstance(engine.sync.answer(asked.id, 0).verdict, Act)


def test_choosing_a_dangerous_device_asks_for_a_yes(engine: Engine) -> None:
    asked = engine.sync.retrieve("unlock the door")
    assert isinstance(asked.verdict, Clarify)
    danger = engine.sync.answer(asked.id, "the back door")
    assert isinstance(danger.verdict, Confirm)
    assert engine.sync.answer(danger.id, "yes").verdict == Act((Call("gate", "unlock"),))


def test_a_home_imported_anew_in_between_closes_the_question(engine: Engine, home: Home) -> None:
    asked = engine.sync.retrieve(DANGER)
    run_blocking(engine.storage.homes.save_home(Scope(), replace(home, devices=home.devices[:3])))
    verdict = engine.sync.answer(asked.id, "yes").verdict
    assert isinstance(verdict, Refuse)
    assert verdict.refusals[0].code == "expired"


def test_the_same_home_imported_anew_leaves_the_question_open(engine: Engine, home: Home) -> None:
    asked = engine.sync.retrieve(DANGER)
    run_blocking(engine.storage.homes.save_home(Scope(), home))
    assert engine.sync.answer(asked.id, "yes").verdict == Act((Call("door", "unlock"),))


def test_an_unknown_id_is_an_error(engine: Engine) -> None:
    with pytest.raises(NoOpenQuestion, match="nowhere"):
        engine.sync.answer("nowhere", 0)


def test_what_asks_nothing_cannot_be_answered(engine: Engine) -> None:
    done = engine.sync.retrieve("turn on the desk lamp")
    with pytest.raises(NoOpenQuestion):
        engine.sync.answer(done.id, "yes")


def test_only_so_many_questions_wait_at_a_time(engine: Engine) -> None:
    first, second = engine.sync.retrieve(WHICH), engine.sync.retrieve(WHICH)
    for _ in range(MAX_OPEN_QUESTIONS - 1):
        engine.sync.retrieve(WHICH)
    with pytest.raises(NoOpenQuestion):
        engine.sync.answer(first.id, 0)
    assert isinstance(engine.sync.answer(second.id, 0).verdict, Act)


def test_waiting_callers_answer_too(engine: Engine) -> None:
    asked = engine.sync.retrieve(WHICH)
    assert isinstance(asyncio.run(engine.answer(asked.id, 0)).verdict, Act)


@pytest.fixture
def stored(home: Home) -> Callable[[], Engine]:
    """Engines as separate processes have them: the same store, nothing else in common."""
    run_blocking(open_engine().storage.homes.save_home(Scope(), home))
    return open_engine


def test_a_session_s_question_is_answered_in_another_process(stored: Callable[[], Engine]) -> None:
    asked = stored().sync.retrieve(Utterance(WHICH, session="s"))
    assert stored().sync.answer(asked.id, "study").verdict == Act((Call("study.wall", "on"),))
    with pytest.raises(NoOpenQuestion):
        stored().sync.answer(asked.id, "study")


def test_the_next_sentence_of_a_session_is_the_answer(stored: Callable[[], Engine]) -> None:
    asked = stored().sync.retrieve(Utterance(WHICH, session="s"))
    answered = stored().sync.retrieve(Utterance("the hall one", session="s"))
    assert answered.verdict == Act((Call("hall.wall", "on"),))
    assert answered.after == asked.id


def test_another_session_does_not_answer_the_question(stored: Callable[[], Engine]) -> None:
    stored().sync.retrieve(Utterance(DANGER, session="s"))
    assert not isinstance(stored().sync.retrieve(Utterance("yes", session="t")).verdict, Act)


def test_a_confirmation_expires_in_another_process_too(
    stored: Callable[[], Engine], monkeypatch: pytest.MonkeyPatch
) -> None:
    stored().sync.retrieve(Utterance(DANGER, session="s"))
    monkeypatch.setenv("WINNOW_CONFIRM_SECONDS", "0")
    assert isinstance(stored().sync.retrieve(Utterance("yes", session="s")).verdict, Refuse)
    assert not isinstance(stored().sync.retrieve(Utterance("yes", session="s")).verdict, Act)


def test_a_new_request_of_the_session_closes_its_question(stored: Callable[[], Engine]) -> None:
    asked = stored().sync.retrieve(Utterance(DANGER, session="s"))
    new = stored().sync.retrieve(Utterance("turn on the desk lamp", session="s"))
    assert new.verdict == Act((Call("hall.desk", "on"),))
    with pytest.raises(NoOpenQuestion):
        stored().sync.answer(asked.id, "yes")
    assert not isinstance(stored().sync.retrieve(Utterance("yes", session="s")).verdict, Act)


@pytest.mark.parametrize("asked_by_agent", [True, False])
def test_a_yes_that_an_agent_wrote_is_none(stored: Callable[[], Engine], asked_by_agent: bool) -> None:
    stored().sync.retrieve(Utterance(DANGER, session="s", by_agent=asked_by_agent))
    for _ in range(2):  # in this process, and in another that reads the question from the store
        again = stored().sync.retrieve(Utterance("yes", session="s", by_agent=True))
        assert isinstance(again.verdict, Confirm)
        assert stored().sync.act(again).outcomes == ()


def test_a_yes_to_a_history_that_an_agent_wrote_is_none(engine: Engine) -> None:
    asked = engine.sync.retrieve(DANGER)
    assert isinstance(asked.verdict, Confirm)
    history = (Turn("user", DANGER), Turn("assistant", asked.verdict.question))
    assert isinstance(engine.sync.retrieve(Utterance("yes", history=history)).verdict, Act)
    assert isinstance(engine.sync.retrieve(Utterance("yes", history=history, by_agent=True)).verdict, Confirm)


def test_an_agent_may_still_choose_an_option_in_words(engine: Engine) -> None:
    engine.sync.retrieve(Utterance(WHICH, session="s", by_agent=True))
    chosen = engine.sync.retrieve(Utterance("the hall one", session="s", by_agent=True))
    assert chosen.verdict == Act((Call("hall.wall", "on"),))
