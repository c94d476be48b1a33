"""What may be meant: devices by their names, kinds and places; commands by what was asked."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.unit.retrieve.home.small import HOME, STATES, index, reading, said, shortlists

from winnow.adapters.models.embedders import HashingEmbedder
from winnow.decide.decide import decide
from winnow.retrieve.home.commands import command_weights
from winnow.retrieve.home.enrich import command_document, refine_kinds, types_in
from winnow.retrieve.home.explain import HomePosition
from winnow.retrieve.home.index import build_index
from winnow.retrieve.home.search import home_shortlist, search_home
from winnow.types.candidate import HomeShortlist
from winnow.types.home import Command, Device, Home
from winnow.types.query import Condition, Mention
from winnow.types.utterance import Utterance
from winnow.types.verdict import Refuse
from winnow.understand.reading import understand
from winnow.understand.words.vocabulary import build_vocabulary


def only(text: str, room: str | None = None) -> HomeShortlist:
    (one,) = shortlists(text, room)
    return one


def whole(found: HomeShortlist) -> set[str]:
    """Devices that every word of the mention fits."""
    return {c.device_id for c in found.candidates if not any(e.lane == "missing" for e in c.evidence)}


@pytest.mark.parametrize(
    ("text", "best"),
    [
        ("打开雪人", "snow"),
        ("打开鱼缸", "aquarium"),
        ("关掉书房的台灯", "lamp-study"),
        ("门锁锁上", "bolt"),
        ("客厅空调打开", "snow"),
        ("turn on Frosty", "snow"),
        ("turn off the desk lamp in the living room", "lamp-living"),
        ("close the curtain", "shade"),
        ("pause the jukebox", "jukebox"),
    ],
)
def test_the_device_that_fits_every_word_comes_first(text: str, best: str) -> None:
    assert only(text).device_ids[0] == best


def test_a_name_in_two_rooms_brings_both() -> None:
    assert whole(only("打开台灯")) == {"lamp-living", "lamp-study"}


def test_a_room_in_the_sentence_leaves_one() -> None:
    assert whole(only("打开书房的台灯")) == {"lamp-study"}


def test_the_speakers_room_is_evidence() -> None:
    first = only("打开台灯", "study").candidates[0]
    assert first.device_id == "lamp-study"
    assert "area" in {e.lane for e in first.evidence}


def test_a_kind_brings_every_member_named_or_not() -> None:
    assert {"lamp-living", "lamp-study", "ceiling"} <= whole(only("关掉所有的灯"))


def test_a_plug_with_a_lamps_name_is_a_lamp() -> None:
    assert "moon" in whole(only("关掉所有的灯"))


def test_a_plug_without_one_is_not() -> None:
    assert "aquarium" not in whole(only("关掉所有的灯"))


def test_a_set_keeps_every_member() -> None:
    lamps = tuple(Device(f"x{n:03}", f"壁灯{n}", "lamp", ("light",), room_id="living") for n in range(60))
    wide = build_index(replace(HOME, devices=(*HOME.devices, *lamps)), HashingEmbedder())
    (found,) = search_home(reading("关掉所有的灯"), wide, said("关掉所有的灯"))
    assert {d.id for d in lamps} <= set(found.device_ids)


@pytest.mark.parametrize(
    "text", ["除了书房的台灯，把灯都关了", "turn off all the lights except the desk lamp in the study"]
)
def test_what_is_excepted_is_dropped_before_the_search(text: str) -> None:
    found = only(text)
    assert "lamp-study" not in found.device_ids
    assert ("lamp-study", "exclude") in {(d.id, d.stage) for d in found.dropped}


def test_a_floor_brings_its_rooms() -> None:
    assert whole(only("关掉二楼的灯")) == {"lamp-study", "ceiling", "moon"}


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("台灯调到35%", "level"),
        ("雪人调到26度", "setpoint"),
        ("雪人风速调到高", "speed"),
        ("窗帘拉到一半", "position"),
    ],
)
def test_the_command_that_fits_the_value_comes_first(text: str, command: str) -> None:
    assert only(text).candidates[0].command_key.partition("#")[0] == command


@pytest.mark.parametrize(("lane", "text", "key"), [
    ("trait", "台灯调到35%", "level#Brightness.Set"),
    ("text", "台灯亮度调到35%", "level#Brightness.Set"),
    ("lexical", "台灯亮度调到35%", "level#Brightness.Set"),
    ("vector", "台灯亮度调到35%", "level#Brightness.Set"),
])  # fmt: skip
def test_the_weights_of_the_lanes_order_commands(
    lane: str, text: str, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def score() -> float:
        return next(c.score for c in only(text).candidates if c.command_key == key)

    before, table = score(), {**command_weights(), lane: command_weights()[lane] + 1}
    monkeypatch.setattr("winnow.retrieve.home.commands.command_weights", lambda: table)
    assert score() > before


def test_housekeeping_is_never_offered() -> None:
    assert all(
        "reset" not in c.command_key
        for text in ("打开雪人", "重置滤网", "雪人重置滤网")
        for s in shortlists(text)
        for c in s.candidates
    )


def test_every_candidate_has_evidence_in_range() -> None:
    candidates = [c for text in ("打开台灯", "关掉所有的灯", "雪人调到26度") for c in only(text).candidates]
    assert candidates
    assert all(0 <= e.score <= 1 for c in candidates for e in c.evidence)


def test_candidates_come_best_first() -> None:
    scores = [c.score for c in only("打开台灯", "study").candidates]
    assert scores == sorted(scores, reverse=True)


def test_a_scene_is_its_own_candidate() -> None:
    assert only("启动晚餐时光").candidates[0].device_id == "s1"


def test_a_sensor_is_found_by_its_kind() -> None:
    assert "meter" in only("书房几度").device_ids


def test_an_unknown_word_leaves_nobody_whole() -> None:
    assert whole(only("打开滑翔机")) == set()


@pytest.mark.parametrize(
    ("name", "final"),
    [("床头灯", "light"), ("落地扇2", "fan_model"), ("desk lamp", "lamp"), ("壁炉开关", "switch")],
)
def test_the_end_of_a_name_says_what_a_thing_is(name: str, final: str) -> None:
    assert final in types_in(name)[1]


def test_a_name_without_a_kind_says_nothing() -> None:
    assert types_in("雪人") == (frozenset(), frozenset())


def test_refining_adds_kinds_and_takes_none_away() -> None:
    before, after = HOME.devices, refine_kinds(HOME).devices
    assert all(set(old.kinds) <= set(new.kinds) for old, new in zip(before, after, strict=True))
    assert "light" in next(d.kinds for d in after if d.id == "moon")


def test_refining_leaves_sensors_alone() -> None:
    odd = Device("s", "台灯温度计", "meter", ("temperature_sensor", "sensor"))
    assert refine_kinds(replace(HOME, devices=(odd,))).devices == (odd,)


def test_a_command_document_holds_its_text_and_no_id() -> None:
    document = command_document(Command("main-x17-setY", "Temperature.Set", "设置温度 / set temperature"))
    assert "设置温度" in document
    assert "x17" not in document


def test_one_profile_is_indexed_once_whatever_the_number_of_devices() -> None:
    lamps = tuple(Device(f"x{n}", f"灯{n}", "lamp", ("light",)) for n in range(100))
    small, large = (build_index(replace(HOME, devices=d), HashingEmbedder()) for d in (lamps[:1], lamps))
    assert small.commands.documents == large.commands.documents


def test_a_home_without_devices_can_be_indexed() -> None:
    empty = Home("h", "h", "neutral")
    heard = understand(said("打开台灯"), build_vocabulary(empty))
    assert search_home(heard, build_index(empty, HashingEmbedder()), said("打开台灯"))[0].candidates == ()


def test_vectors_have_one_row_a_document() -> None:
    built = index().commands
    assert built.vectors.scores(np.zeros(HashingEmbedder().dimension, np.float32)).shape == (
        len(built.documents),
    )


def test_the_same_query_gives_the_same_shortlist() -> None:
    assert only("打开台灯") == only("打开台灯")


def test_what_is_taken_back_in_of_an_exception_is_no_longer_left_out() -> None:
    words = reading("关掉除了台灯以外的所有灯").queries[0]
    again = Mention(words.exclusions[0].tokens + reading("书房").queries[0].target.tokens)
    both = replace(words, things=replace(words.things, plus=(again,)))
    assert {d.id for d in home_shortlist(words, HomePosition(index())).dropped if d.stage == "exclude"} == {
        "lamp-living",
        "lamp-study",
    }
    left_out = {d.id for d in home_shortlist(both, HomePosition(index())).dropped if d.stage == "exclude"}
    assert left_out == {"lamp-living"}


def test_a_set_narrowed_by_what_nobody_judges_is_left_alone() -> None:
    said_ = reading("关掉所有的灯")
    narrowed = replace(said_.queries[0].things, where=(Condition("开着的"),))
    query = replace(said_.queries[0], things=narrowed)
    made = replace(said_, queries=(query,))
    verdict = decide(made, search_home(made, index(), Utterance("")), index().view, STATES, Utterance(""))
    assert isinstance(verdict, Refuse)
    assert [(r.code, r.facts["condition"]) for r in verdict.refusals] == [("unknown_condition", "开着的")]
