"""A new language is a folder and a row: ``toy`` is one, registered here only."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest
from tests.homes import over
from tests.unit.language.toy import TOY
from tests.unit.understand.grammar.homes import HOMES

from winnow import Engine
from winnow.adapters.platforms.registry import load_home_documents
from winnow.app.wiring.engine import open_engine
from winnow.engine.replies import verdict_reply
from winnow.errors import ArgumentError
from winnow.language.messages import message
from winnow.language.registry import LANGUAGES, language_of
from winnow.types.utterance import LANGUAGE_CODES, LanguageCode, Utterance
from winnow.types.verdict import Act, Call, Nothing, Query, Read, Refuse


def _forget() -> None:
    """Empty what modules keep of the languages there were."""
    for name, module in list(sys.modules.items()):
        if name.startswith("winnow."):
            for kept in vars(module).values():
                if callable(clear := getattr(kept, "cache_clear", None)):
                    clear()


@pytest.fixture(scope="module", autouse=True)
def toy() -> Iterator[None]:
    LANGUAGES["eo"] = TOY
    LANGUAGE_CODES.add("eo")
    _forget()
    yield
    del LANGUAGES["eo"]
    LANGUAGE_CODES.remove("eo")
    _forget()


SWITCH: list[dict[str, Any]] = [{"id": "turn_on"}, {"id": "turn_off"}]
LEVEL = {"name": "brightness", "type": "int", "min": 0, "max": 100, "unit": "%"}
LAMP = [*SWITCH, {"id": "set_brightness", "params": [LEVEL]}]


def light(id_: str, name: str, room: str, state: str) -> dict[str, Any]:
    kept = {"attributes": [{"id": "state"}], "state": {"state": state}}
    return {"id": id_, "name": name, "room_id": room, "category": "light", "commands": LAMP, **kept}


HOME: dict[str, Any] = {
    "id": "domo",
    "rooms": [{"id": "k", "name": "Kuirejo"}, {"id": "s", "name": "Salono"}],
    "devices": [
        light("ceiling", "Plafona lampo", "k", "on"),
        light("night", "Nokta lampo", "k", "off"),
        light("reading", "Legolampo", "s", "on"),
        {"id": "fan", "name": "Ventumilo", "room_id": "s", "category": "fan", "commands": SWITCH},
    ],
}


@pytest.fixture(scope="module")
def domo(toy: None) -> Engine:
    return over(load_home_documents({"home": HOME}, "home"))


@pytest.mark.parametrize(
    ("said", "calls"),
    [
        pytest.param("lumigu la ventumilon", {"fan": "turn_on"}, id="on"),
        pytest.param("bonvolu estingi la legolampon", {"reading": "turn_off"}, id="off, kindly"),
        pytest.param("lumigu la lampon en la salono", {"reading": "turn_on"}, id="the one of a room"),
        pytest.param(
            "estingu ĉiujn lampojn de la kuirejo",
            {"ceiling": "turn_off", "night": "turn_off"},
            id="all of a room",
        ),
        pytest.param(
            "estingu ĉiujn lampojn krom la legolampo",
            {"ceiling": "turn_off", "night": "turn_off"},
            id="all but one",
        ),
        pytest.param(
            "lumigu la ventumilon kaj estingu la legolampon",
            {"fan": "turn_on", "reading": "turn_off"},
            id="one and another",
        ),
    ],
)
def test_an_order_is_done(domo: Engine, said: str, calls: dict[str, str]) -> None:
    verdict = domo.sync.retrieve(said).verdict
    assert isinstance(verdict, Act)
    assert {call.device_id: call.command_id for call in verdict.calls} == calls


@pytest.mark.parametrize(
    ("said", "level"),
    [
        ("agordu la legolampon al dudek elcentoj", 20),
        ("agordu la brilon de la legolampo al 30 elcentoj", 30),
    ],
)
def test_a_value_is_set(domo: Engine, said: str, level: int) -> None:
    verdict = domo.sync.retrieve(said).verdict
    assert isinstance(verdict, Act)
    assert verdict.calls == (Call("reading", "set_brightness", {"brightness": level}),)


def test_what_is_forbidden_is_not_done(domo: Engine) -> None:
    found = domo.sync.retrieve("ne lumigu la ventumilon")
    assert found.verdict == Nothing("negated")
    assert verdict_reply(found, domo.sync.load_home().view) == "Nenio estas farata."


def test_a_question_is_answered(domo: Engine) -> None:
    verdict = domo.sync.retrieve("ĉu la legolampo estas lumigita?").verdict
    assert isinstance(verdict, Query)
    assert verdict.reads == (Read("reading", "state"),)


def test_what_it_has_no_word_for_is_not_done(domo: Engine) -> None:
    assert isinstance(domo.sync.retrieve("lumigu la forkon").verdict, Refuse)


def test_what_it_has_no_sentence_for_is_said_in_the_language_it_is_like() -> None:
    assert message("nothing_to_do", "eo") == message("nothing_to_do", "en")
    assert message("negated", "eo") != message("negated", "en")


def test_a_code_without_a_row_is_no_language() -> None:
    with pytest.raises(ArgumentError, match="language must be one of en, eo, zh, or None"):
        Utterance("hello", language="fr")


SAID: dict[str, tuple[str, ...]] = {
    "zh": ("打开书房的台灯", "把客厅的灯都关了", "书房台灯调到百分之三十", "别开书房的台灯", "台灯开着吗"),
    "en": (
        "turn on the fan and the owl",
        "turn off all the lights except the kitchen",
        "set the owl to fifty percent",
        "don't turn on the owl",
        "is the owl on?",
    ),
}


@pytest.mark.parametrize("language", SAID)
def test_the_other_languages_are_read_as_without_it(language: LanguageCode) -> None:
    """Their sentences know none of its words: nor does a list of all words hold them."""
    home = open_engine(HOMES[language])
    with_it = [home.sync.retrieve(said).verdict for said in SAID[language]]
    del LANGUAGES["eo"]
    _forget()
    home = open_engine(HOMES[language])
    without = [home.sync.retrieve(said).verdict for said in SAID[language]]
    LANGUAGES["eo"] = TOY
    _forget()
    assert with_it == without
    assert not any(isinstance(verdict, Refuse) for verdict in without)
    assert {language_of(said) for said in SAID[language]} == {language}
