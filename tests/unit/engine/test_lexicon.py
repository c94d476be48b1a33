"""Corrections become suggestions, and accepted words become names."""

from __future__ import annotations

from dataclasses import replace

import pytest

from winnow.adapters.stores.store import memory_storage
from winnow.adapters.testing.fakes import FrozenClock
from winnow.app.wiring import engine as wiring
from winnow.engine.engine import Engine
from winnow.engine.lexicon import LessonLog, gazetteer_entries, mark_word, suggest_words, with_learned_names
from winnow.engine.sessions import SessionStore
from winnow.errors import NoSuchWord
from winnow.language.gazetteer import GazetteerEntry
from winnow.ports.services import run_blocking
from winnow.types.home import Home, Lesson, LexiconEntry
from winnow.types.scope import Scope
from winnow.types.utterance import Utterance
from winnow.types.verdict import Act, Call, Confirm

FLAT = Scope(home="flat")
BEAR = Lesson("小熊", "target", "hall.desk", "light", "on", "rephrased")


def engine_of(home: Home, *, learn: bool = True) -> Engine:
    storage = memory_storage(FrozenClock(5.0), home)
    return Engine(
        storage,
        wiring.open_embedder(),
        talk=SessionStore(storage, learn=LessonLog(storage).record_turn if learn else None),
    )


def said(engine: Engine, *sentences: str, session: str = "s") -> tuple[Lesson, ...]:
    for sentence in sentences:
        engine.sync.retrieve(Utterance(sentence, session=session))
    return run_blocking(engine.storage.lexicon.lessons(FLAT))


def test_a_refused_name_said_again_in_other_words_is_a_lesson(home: Home) -> None:
    assert said(engine_of(home), "打开客厅的小熊", "打开客厅的台灯") == (
        replace(BEAR, action="on_open", at=5.0),
    )


def test_the_place_is_no_part_of_the_name(home: Home) -> None:
    assert [x.surface for x in said(engine_of(home), "打开客厅的咕嘟", "打开客厅的台灯")] == ["咕嘟"]


def test_nothing_is_learned_unless_it_is_switched_on(home: Home) -> None:
    assert said(engine_of(home, learn=False), "打开客厅的小熊", "打开客厅的台灯") == ()


def test_nothing_is_learned_across_sessions(home: Home) -> None:
    engine = engine_of(home)
    said(engine, "打开客厅的小熊", session="a")
    assert said(engine, "打开客厅的台灯", session="b") == ()


def test_a_sentence_between_breaks_the_lesson(home: Home) -> None:
    assert said(engine_of(home), "打开客厅的小熊", "今天天气怎么样", "打开客厅的台灯") == ()


def test_an_answered_question_is_a_lesson(home: Home) -> None:
    lessons = said(engine_of(home), "打开床头灯", "左边的")
    assert [(x.surface, x.device_id, x.source) for x in lessons] == [("床头灯", "bed.left", "choice")]


def test_a_thing_named_instead_of_what_was_done_is_a_lesson(home: Home) -> None:
    lessons = said(engine_of(home), "打开客厅的台灯", "不是，书房的壁灯")
    assert [(x.surface, x.device_id, x.source) for x in lessons] == [("台灯", "study.wall", "corrected")]


def test_a_thing_named_besides_is_none(home: Home) -> None:
    assert said(engine_of(home), "打开客厅的台灯", "书房的壁灯也打开") == ()


def test_an_answer_that_chose_several_teaches_nothing(home: Home) -> None:
    assert said(engine_of(home), "打开床头灯", "都打开") == ()


def test_words_are_suggested_once_they_were_seen_twice(home: Home) -> None:
    assert suggest_words([BEAR], (), home) == ()
    assert suggest_words([BEAR, BEAR], (), home) == (
        LexiconEntry(1, "小熊", "alias", "hall.desk", count=2, against=0),
    )


def test_words_that_mostly_meant_something_else_are_not_suggested(home: Home) -> None:
    other = replace(BEAR, device_id="hall.door", device_kind="lock")
    assert suggest_words([BEAR, BEAR, other], (), home) == ()
    assert [(e.count, e.against) for e in suggest_words([BEAR, BEAR, BEAR, other], (), home)] == [(3, 1)]


def test_words_said_of_several_devices_of_a_kind_name_the_kind(home: Home) -> None:
    other = replace(BEAR, device_id="study.wall")
    assert suggest_words([BEAR, other], (), home) == (LexiconEntry(1, "小熊", "type", "light", count=2),)


def test_an_unknown_act_is_a_verb(home: Home) -> None:
    acts = replace(BEAR, surface="整亮", slot="action")
    assert [(e.kind, e.target) for e in suggest_words([acts, acts], (), home)] == [("verb", "on")]


@pytest.mark.parametrize("surface", ["台灯", "书房", "灯", "desk lamp", "wall lamp"])
def test_what_already_means_something_is_not_suggested(home: Home, surface: str) -> None:
    known = replace(BEAR, surface=surface)
    assert suggest_words([known, known], (), home) == ()


def test_a_device_that_is_gone_is_not_suggested(home: Home) -> None:
    assert suggest_words([BEAR, BEAR], (), replace(home, devices=home.devices[:2])) == ()


def test_numbers_and_judgements_stay_while_evidence_grows(home: Home) -> None:
    cat = replace(BEAR, surface="小猫")
    first = mark_word(suggest_words([BEAR, BEAR], (), home), 1, "rejected", "flat")
    again = suggest_words([BEAR, BEAR, BEAR, cat, cat], first, home)
    assert [(e.number, e.surface, e.status, e.count) for e in again] == [
        (1, "小熊", "rejected", 3),
        (2, "小猫", "suggested", 2),
    ]
    assert suggest_words([BEAR, BEAR, BEAR, cat, cat], again, home) == again


def test_a_number_nobody_has_is_an_error(home: Home) -> None:
    with pytest.raises(NoSuchWord, match="7") as caught:
        mark_word((), 7, "accepted", "flat")
    assert (caught.value.home_id, caught.value.number) == ("flat", 7)


def test_only_accepted_aliases_become_names(home: Home) -> None:
    bear = LexiconEntry(1, "小熊", "alias", "hall.desk", "accepted")
    words = [
        bear,
        replace(bear, surface="小猫", status="rejected"),
        replace(bear, surface="整亮", kind="verb", target="on"),
    ]
    assert {d.id: d.aliases for d in with_learned_names(home, words).devices}["hall.desk"] == (
        "desk lamp",
        "小熊",
    )
    assert with_learned_names(home, words[1:]) is home


def test_accepted_verbs_and_kinds_are_entries_for_the_vocabulary() -> None:
    entry = LexiconEntry(1, "整亮", "verb", "on", "accepted")
    assert gazetteer_entries([entry, replace(entry, kind="alias"), replace(entry, status="suggested")]) == (
        GazetteerEntry("整亮", "verb", {"is": "on"}),
    )


def test_an_accepted_name_is_understood_at_once_and_a_rejected_one_no_more(home: Home) -> None:
    engine = engine_of(home)
    said(engine, "打开客厅的小熊", "打开客厅的台灯", "打开客厅的小熊", "打开客厅的台灯")
    lexicon = engine.storage.lexicon
    words = suggest_words(run_blocking(lexicon.lessons(FLAT)), (), home)
    run_blocking(lexicon.save_entries(FLAT, mark_word(words, 1, "accepted", "flat")))
    assert engine.sync.retrieve("打开小熊").verdict == Act((Call("hall.desk", "on"),))
    run_blocking(lexicon.save_entries(FLAT, mark_word(words, 1, "rejected", "flat")))
    assert not isinstance(engine.sync.retrieve("打开小熊").verdict, Act)


# A yes to an order among words that nothing read teaches that these bind nothing.

ASIDE = "丢丢把毛线球滚得到处都是"
SAID = f"{ASIDE}，打开客厅的台灯"


def test_a_yes_to_an_order_among_unread_words_teaches_the_words(home: Home) -> None:
    lessons = said(engine_of(home), SAID, "好的")
    assert [(x.surface, x.slot, x.source) for x in lessons] == [(ASIDE, "remark", "confirmed")]


def test_a_no_teaches_nothing_of_them(home: Home) -> None:
    assert said(engine_of(home), SAID, "不用") == ()


def test_a_remark_that_was_accepted_is_no_question_any_more(home: Home) -> None:
    engine = engine_of(home)
    lessons = said(engine, SAID, "好的", SAID, "好的")
    (word,) = suggest_words(lessons, (), home)
    assert (word.kind, word.target, word.count) == ("remark", "", 2)
    assert isinstance(engine.sync.retrieve(Utterance(SAID)).verdict, Confirm)
    run_blocking(
        engine.storage.lexicon.save_entries(FLAT, mark_word([word], word.number, "accepted", "flat"))
    )
    assert engine.sync.retrieve(Utterance(SAID)).verdict == Act((Call("hall.desk", "on"),))
