"""What helps an engine and never decides alone: limits, habits, taught words, a language model."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from tests.unit.retrieve.home.small import HOME, IMPORTED

from winnow.adapters.testing.fakes import ScriptedChat
from winnow.app.wiring.engine import open_engine
from winnow.errors import WinnowError
from winnow.language.gazetteer import GazetteerEntry
from winnow.ports.services import run_blocking
from winnow.types.home import LexiconEntry
from winnow.types.plan import ActionLimits
from winnow.types.scope import Scope
from winnow.types.utterance import Usage, Utterance
from winnow.types.verdict import Act, Clarify, Confirm, Verdict, named_calls
from winnow.understand.reading import understand
from winnow.understand.words.vocabulary import build_vocabulary

EVERYTHING = "所有设备调到50%"


def arbitrated(*answers: str | WinnowError, allowed: bool = True) -> tuple[Verdict, ScriptedChat]:
    chat = ScriptedChat(*answers)
    engine = open_engine(IMPORTED, chat=chat, bulk_arbitration=allowed)
    return asyncio.run(engine.retrieve(EVERYTHING)).verdict, chat


def test_a_model_may_choose_between_the_acts_of_a_set() -> None:
    verdict, chat = arbitrated('{"choice_index": 1}')
    assert isinstance(verdict, Act)
    assert verdict.bulk is not None
    assert {c.device_id for c in verdict.calls} == {"shade"}
    assert len(chat.asked) == 1


@pytest.mark.parametrize("answer", ['{"choice_index": 9}', "the second", WinnowError("down")])
def test_a_model_that_does_not_choose_leaves_the_question_to_the_person(answer: str | WinnowError) -> None:
    verdict, _ = arbitrated(answer)
    assert isinstance(verdict, Clarify)
    assert "arbitration_failed" in verdict.hints


def test_no_model_is_asked_unless_allowed() -> None:
    verdict, chat = arbitrated('{"choice_index": 1}', allowed=False)
    assert isinstance(verdict, Clarify)
    assert chat.asked == []


def test_the_limits_of_the_engine_are_those_of_its_sets() -> None:
    assert isinstance(open_engine(IMPORTED).sync.retrieve("所有的灯都关掉").verdict, Act)
    careful = open_engine(IMPORTED, limits=ActionLimits(max_targets=1))
    assert isinstance(careful.sync.retrieve("所有的灯都关掉").verdict, Confirm)


def test_habits_order_the_question_and_never_answer_it() -> None:
    lamps = tuple(
        replace(HOME.devices[0], id=f"lamp.{n}", name="壁灯", aliases=(), room_id=room.id)
        for n, room in enumerate(HOME.rooms)
    )
    engine = open_engine(replace(HOME, devices=lamps))
    favourite = lamps[-1].id
    verdict = engine.sync.retrieve(Utterance("打开壁灯", usage=Usage({favourite: 40}))).verdict
    assert isinstance(verdict, Clarify)
    assert verdict.options[0].device_ids == (favourite,)
    assert {i for o in verdict.options for i in o.device_ids} == {d.id for d in lamps}


def test_a_taught_verb_is_understood() -> None:
    taught = build_vocabulary(HOME, (GazetteerEntry("整亮堂", "verb", {"is": "on"}),))
    assert understand(Utterance("整亮堂客厅的灯"), taught).queries[0].action == "on"
    assert understand(Utterance("整亮堂客厅的灯"), build_vocabulary(HOME)).queries[0].action != "on"


def test_an_accepted_verb_reaches_the_engine() -> None:
    engine = open_engine(IMPORTED)
    said = "咕嘟上客厅的台灯"
    before = engine.sync.retrieve(said).verdict
    word = LexiconEntry(1, "咕嘟上", "verb", "on", "accepted")
    run_blocking(engine.storage.lexicon.save_entries(Scope(home=HOME.id), [word]))
    after = engine.sync.retrieve(said).verdict
    assert named_calls(before) == ()
    assert [c.command_id for c in named_calls(after)] == ["on"]


@pytest.mark.parametrize("text", ["所有电器都关掉", "turn off everything"])
def test_a_fish_tank_is_switched_off_by_its_name_only(text: str) -> None:
    engine = open_engine(IMPORTED)
    swept = engine.sync.retrieve(text).verdict
    assert isinstance(swept, Act)
    assert swept.bulk is not None
    assert "aquarium" in swept.bulk.uncovered
    assert "aquarium" not in {c.device_id for c in swept.calls}
    assert isinstance(engine.sync.retrieve("关掉鱼缸").verdict, Act)
