"""Which thing is meant: what a plug is called, what plays, what a thing looks like."""

from __future__ import annotations

from functools import cache

import pytest
from tests.homes import embedder, engine
from tests.unit.decide.made import home

from winnow import Engine
from winnow.app.wiring.engine import open_engine
from winnow.types.retrieval import Retrieval
from winnow.types.state import ImportedHome, Snapshot
from winnow.types.utterance import Utterance
from winnow.types.verdict import Act, Clarify, Confirm, Refuse, named_calls

FLAT = home(
    ("pal", "老伙计", "plug", "客厅"),
    ("hall", "过道开关", "switch", "过道"),
    ("sony", "索尼电视", "television", "客厅"),
    ("sonos", "小爱音箱", "speaker", "书房"),
    ("fan", "大黄", "fan", "书房"),
    ("mist", "加湿器", "plug", "书房"),
    ("left", "左边床头灯", "light", "卧室"),
    ("right", "右边床头灯", "light", "卧室"),
    ("desk", "小米台灯", "light", "书房"),
    ("window", "靠窗的灯", "light", "卧室"),
    ("pump", "插座 鱼缸泵", "plug", "客厅"),
    ("gran", "大灯", "light", "阿婆房间"),
    ("dee", "Dyson Tower", "fan", "Dee's Room"),
    ("pal2", "Old Pal", "plug", "Dee's Room"),
    tags={"gran": ("mood_lighting", "氛围")},
)


@cache
def flat(*states: tuple[str, str]) -> Engine:
    """The flat while its players report these states."""
    told = Snapshot({i: {"state": state} for i, state in states})
    return open_engine(ImportedHome(FLAT, told), embedder=embedder())


def said(text: str, **states: str) -> Retrieval:
    """What comes of a sentence while players report these states."""
    return flat(*states.items()).sync.retrieve(Utterance(text))


def called(found: Retrieval) -> list[str]:
    return [c.device_id for c in named_calls(found.verdict)]


@pytest.mark.parametrize(
    ("text", "means", "lane"),
    [
        ("打开过道灯", "hall", "type.like"),
        ("打开老伙计灯", "pal", "carrier"),
        ("关掉小爱那个", "sonos", "name.part"),
        ("打开小米那个", "desk", "name.part"),
        ("关掉左边那个床头灯", "left", "contains"),
        ("打开靠窗那盏", "window", "name.part"),
        ("打开鱼缸泵", "pump", "name.part"),
        ("打开阿婆的灯", "gran", "room.word"),
        ("打开阿婆那屋的灯", "gran", "room"),
        ("打开阿婆屋里的灯", "gran", "room"),
        ("打开氛围灯", "gran", "label"),
        ("turn on dee's fan", "dee", "room.word"),
        ("turn on the fan in dee's bedroom", "dee", "room"),
        ("turn off the dyson one", "dee", "name.part"),
        ("turn on the old pal light", "pal2", "carrier"),
    ],
)
def test_a_thing_is_found_by_its_name_and_what_it_can_do(text: str, means: str, lane: str) -> None:
    found = said(text)
    assert isinstance(found.verdict, Act)
    assert called(found) == [means]
    assert lane in {e.lane for e in found.shortlists[0].candidates[0].evidence}


def test_a_plug_is_none_of_the_lights_and_a_fan_is_no_lamp() -> None:
    assert "pal" not in called(said("把所有灯都关了"))
    assert called(said("打开大黄灯")) == []


def test_a_plug_whose_name_tells_what_hangs_there_is_no_lamp() -> None:
    assert called(said("打开加湿器的灯")) == []
    assert called(said("打开加湿器灯")) == []


def test_what_may_be_a_part_of_a_plug_is_asked() -> None:
    verdict = said("打开老伙计的灯").verdict
    assert isinstance(verdict, Confirm)
    assert verdict.question == "您是说客厅的老伙计吗？"


@pytest.mark.parametrize("text", ["暂停", "下一首", "静音", "大声点", "pause", "next track", "quieter"])
def test_the_one_player_that_plays_is_meant(text: str) -> None:
    found = said(text, sonos="playing", sony="idle")
    assert isinstance(found.verdict, Act)
    assert called(found) == ["sonos"]


@pytest.mark.parametrize("states", [{}, {"sonos": "playing", "sony": "playing"}, {"sonos": "paused"}])
def test_with_none_or_two_that_play_it_is_asked(states: dict[str, str]) -> None:
    assert isinstance(said("暂停", **states).verdict, Clarify)


def test_how_loud_something_is_to_be_is_asked_though_one_plays() -> None:
    assert isinstance(said("声音大一点", sonos="playing").verdict, Clarify)


def test_that_only_one_of_other_things_is_on_tells_nothing() -> None:
    lamps = home(("a", "台灯", "light", "书房"), ("b", "台灯", "light", "客厅"))
    engine_of = open_engine(ImportedHome(lamps, Snapshot({"a": {"switch": "on"}})), embedder=embedder())
    assert isinstance(engine_of.sync.retrieve(Utterance("关掉台灯")).verdict, Clarify)


def test_what_begins_to_play_is_asked_for_though_another_plays() -> None:
    assert called(said("继续播放", sonos="playing")) == []


@pytest.mark.parametrize(
    ("text", "home_name", "means"),
    [
        ("把客厅那个白色的空调关了", "home40", "大白"),
        ("关掉厨房那个白色的灯", "home40", "厨房灯"),
        ("turn off the white lamp in the study", "cottage", "Desk Lamp"),
    ],
)
def test_what_a_thing_looks_like_is_no_value_and_is_asked(text: str, home_name: str, means: str) -> None:
    found = engine(home_name).sync.retrieve(Utterance(text))
    assert isinstance(found.verdict, Confirm)
    view = engine(home_name).sync.load_home().view
    assert [view.devices[i].name for i in called(found)] == [means]


@pytest.mark.parametrize("text", ["打开书房那个亮亮的灯", "关掉客厅红色的灯"])
def test_a_word_for_its_looks_is_never_passed_over(text: str) -> None:
    assert isinstance(engine("home40").sync.retrieve(Utterance(text)).verdict, Clarify | Refuse)
