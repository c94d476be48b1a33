"""What people call things besides their names: it counts where the home has such a thing, not elsewhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import winnow
from winnow import Engine, Utterance
from winnow.types.home import Home, Room
from winnow.understand.words.vocabulary import Vocabulary, build_vocabulary

THINGS = {
    "en": {
        "switch.games": "PlayStation",
        "switch.fish": "Aquarium Plug",
        "switch.laundry": "Washing Machine",
        "fan.one": "Fan",
        "light.a": "Reading Lamp",
        "switch.stove": "Stove",
        "switch.oven": "Oven",
        "lock.door": "Front Door",
    },
    "zh": {
        "switch.games": "游戏机插座",
        "switch.fish": "鱼缸",
        "switch.laundry": "洗衣机",
        "fan.one": "风扇",
        "light.a": "阅读灯",
        "lock.door": "大门锁",
    },
}
STATES = {"lock": "locked"}


@pytest.fixture(scope="module")
def engines(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Engine]:
    made = {}
    for language, things in THINGS.items():
        folder = tmp_path_factory.mktemp(language)
        states = [entity(i, name) for i, name in things.items()]
        Path(folder, "states.json").write_text(json.dumps(states), "utf-8")
        made[language] = winnow.open(folder)
    return made


def entity(entity_id: str, name: str) -> dict[str, object]:
    state = STATES.get(entity_id.partition(".")[0], "on")
    return {"entity_id": entity_id, "state": state, "attributes": {"friendly_name": name}}


def outcome(engine: Engine, text: str) -> tuple[str, set[str]]:
    verdict = engine.sync.retrieve(Utterance(text)).verdict
    calls = getattr(verdict, "calls", ()) or getattr(verdict, "proposed", ()) or ()
    return type(verdict).__name__, {call.device_id for call in calls}


@pytest.mark.parametrize(
    ("language", "text", "device"),
    [
        ("en", "turn off the games console", "switch.games"),
        ("en", "switch off the xbox", "switch.games"),
        ("en", "turn off the fish tank", "switch.fish"),
        ("en", "stop the front loader", "switch.laundry"),
        ("en", "turn off the tower fan", "fan.one"),
        ("zh", "把游戏主机关了", "switch.games"),
        ("zh", "关掉水族箱", "switch.fish"),
        ("zh", "把滚筒关了", "switch.laundry"),
        ("zh", "关掉循环扇", "fan.one"),
    ],
)
def test_a_thing_is_known_by_what_people_call_it(
    engines: dict[str, Engine], language: str, text: str, device: str
) -> None:
    assert outcome(engines[language], text) == ("Act", {device})


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "turn off the dehumidifying machine"),
        ("en", "turn off the jacuzzi"),
        ("zh", "把抽湿器关了"),
        ("zh", "关掉打印机"),
    ],
)
def test_a_word_for_what_the_home_lacks_means_nothing(
    engines: dict[str, Engine], language: str, text: str
) -> None:
    assert outcome(engines[language], text) == ("Refuse", set())


def test_a_word_for_several_kinds_is_asked_about(engines: dict[str, Engine]) -> None:
    assert outcome(engines["en"], "turn off the range")[0] == "Clarify"


def test_a_dangerous_thing_by_another_word_still_wants_its_yes(engines: dict[str, Engine]) -> None:
    assert outcome(engines["en"], "unlock the street door") == ("Confirm", {"lock.door"})
    assert outcome(engines["zh"], "把入户门的锁打开")[0] in {"Confirm", "Refuse"}


@pytest.mark.parametrize(
    ("language", "text", "device"),
    [
        ("en", "turn off the thing that washes our clothes", "switch.laundry"),
        ("en", "switch off the machine that does the washing", "switch.laundry"),
        ("zh", "把洗衣服的那个关了", "switch.laundry"),
        ("zh", "养鱼的缸关了", "switch.fish"),
    ],
)
def test_a_thing_is_named_by_what_it_does(
    engines: dict[str, Engine], language: str, text: str, device: str
) -> None:
    assert outcome(engines[language], text) == ("Act", {device})


@pytest.mark.parametrize("text", ["洗衣服的时候把灯关了", "养鱼的人来了", "what washes the clothes"])
def test_what_is_done_beside_an_order_names_no_thing(engines: dict[str, Engine], text: str) -> None:
    engine = engines["en" if text.isascii() else "zh"]
    assert outcome(engine, text)[1] & {"switch.laundry", "switch.fish"} == set()


def rooms(*named: str) -> Vocabulary:
    return build_vocabulary(Home("h", "h", "neutral", rooms=tuple(Room(name, name) for name in named)))


def meant(vocabulary: Vocabulary, word: str) -> set[str]:
    return {ref for match in vocabulary.home.matches(word, 0) for ref in match.entry.refs}


def test_a_room_is_known_by_what_people_call_it() -> None:
    assert meant(rooms("Kids Room", "Storage Room"), "godown") == {"Storage Room"}
    assert meant(rooms("儿童房", "书房"), "书屋") == {"书房"}


def test_a_word_for_a_room_the_home_lacks_means_nothing() -> None:
    assert meant(rooms("Kitchen"), "godown") == set()


def test_a_word_for_several_kinds_of_room_means_those_the_home_has() -> None:
    assert meant(rooms("Terrace", "Patio"), "back deck") == {"Terrace", "Patio"}
    assert meant(rooms("Patio"), "back deck") == {"Patio"}


def test_the_name_of_a_room_comes_before_what_others_are_called() -> None:
    assert meant(rooms("Lobby", "Hallway"), "lobby") == {"Lobby"}
