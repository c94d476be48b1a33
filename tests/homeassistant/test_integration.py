"""Winnow inside a real Home Assistant: spoken to over its REST API, in English and in Chinese."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from tests.homeassistant.conftest import ABSENT, ALONE
from tests.homeassistant.integrated import AGENT, WithWinnow
from tests.homeassistant.server import HASS, ROOT

LAMP, LOCK, FAN, OTHER = (
    "light.bed_light",
    "lock.front_door",
    "fan.living_room_fan",
    "light.office_rgbw_lights",
)
DONE, ERROR, TOLD = "action_done", "error", "query_answer"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WithWinnow]:
    if not (ALONE and HASS.exists()):
        pytest.skip(ABSENT)
    server = WithWinnow(tmp_path_factory.mktemp("integrated"))
    server.start()
    try:
        server.expose(LAMP, LOCK, FAN)
        area = server.ask("config/area_registry/create", name="Bedroom", aliases=["卧室"])["area_id"]
        server.register(LAMP, aliases=["床头灯"], area_id=area)
        server.add_winnow()
        yield server
    finally:
        server.stop()
    log = (server.folder / "log").read_text()
    assert "Detected blocking call" not in log, "Home Assistant's event loop was held up"


def kind(said: dict) -> str:
    return said["response"]["response_type"]


def test_a_light_that_is_spoken_of_is_switched_and_told(home: WithWinnow) -> None:
    home.call("light", "turn_off", entity_id=LAMP)
    said = home.say("turn on the bed light")
    assert home.state(LAMP) == "on"
    assert kind(said) == DONE
    assert said["response"]["data"]["success"] == [{"name": "Bed Light", "type": "entity", "id": LAMP}]
    assert home.speech(said) == "Turned on Bedroom Bed Light."


def test_chinese_is_understood_and_answered_in_chinese(home: WithWinnow) -> None:
    home.call("light", "turn_on", entity_id=LAMP)
    said = home.say("把床头灯关了", language="zh-CN")
    assert (kind(said), home.state(LAMP)) == (DONE, "off")
    assert home.speech(said) == "关闭了Bedroom的Bed Light。"
    home.say("打开卧室的灯")
    assert home.state(LAMP) == "on"


def test_what_is_dangerous_waits_for_a_yes_in_the_same_talk(home: WithWinnow) -> None:
    home.call("lock", "lock", entity_id=LOCK)
    home.until(lambda: home.state(LOCK) == "locked")
    asked = home.say("unlock the front door")
    assert asked["continue_conversation"]
    assert home.speech(asked) == "Shall I really unlock Front Door?"
    home.say("yes")  # in a talk of its own
    assert home.state(LOCK) == "locked"
    home.say("yes", conversation_id=asked["conversation_id"])
    assert home.state(LOCK) in ("unlocking", "unlocked")


def test_a_no_leaves_it_as_it_is(home: WithWinnow) -> None:
    home.call("lock", "lock", entity_id=LOCK)
    home.until(lambda: home.state(LOCK) == "locked")
    asked = home.say("把 front door 解锁")
    home.say("算了", conversation_id=asked["conversation_id"])
    home.say("好的", conversation_id=asked["conversation_id"])
    assert home.state(LOCK) == "locked"


def test_somebody_else_cannot_say_yes_in_that_talk(home: WithWinnow) -> None:
    home.call("lock", "lock", entity_id=LOCK)
    home.until(lambda: home.state(LOCK) == "locked")
    asked = home.say("unlock the front door")
    home.ask("asking/converse", text="yes", user=None, talk=asked["conversation_id"])
    assert home.state(LOCK) == "locked"


def test_a_question_is_answered_from_the_states(home: WithWinnow) -> None:
    home.call("light", "turn_on", entity_id=LAMP)
    asked = home.say("is the bed light on?")
    assert (kind(asked), home.speech(asked)) == (TOLD, "Bedroom Bed Light is on.")
    home.call("light", "turn_off", entity_id=LAMP)  # behind its back
    assert home.speech(home.say("床头灯开着吗？")) == "Bedroom的Bed Light：关闭。"
    assert home.speech(home.say("how warm is it outside?")) == "Outside Temperature is 15.6 °C."


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "😀🙃",
        "qwzx vbnm plok",
        "?" * 50,
        "开" * 3000,
        "turn on " * 2000,
        "\0\x1b[31m",
        "{{ states }}",
        "1",
    ],
)
def test_whatever_is_said_there_is_an_answer(home: WithWinnow, text: str) -> None:
    said = home.say(text)
    assert home.speech(said).strip()
    assert not said["response"]["data"].get("success")


def test_a_turn_that_fails_is_a_sentence_and_the_next_one_goes_on(home: WithWinnow) -> None:
    home.ask("asking/break", how="winnow")
    said = home.say("turn on the bed light")
    home.ask("asking/break", how=None)
    assert kind(said) == ERROR
    assert "not ready" in home.speech(said)
    assert kind(home.say("turn on the bed light")) == DONE


def test_a_fault_of_the_program_is_told_by_home_assistant_and_the_next_turn_goes_on(home: WithWinnow) -> None:
    home.ask("asking/break", how="bug")
    assert home.process("turn on the bed light")[0] == 500
    home.ask("asking/break", how=None)
    assert kind(home.say("turn on the bed light")) == DONE


def test_what_is_not_exposed_does_not_exist(home: WithWinnow) -> None:
    home.call("fan", "turn_off", entity_id=FAN)
    home.say("turn on the living room fan")
    assert home.state(FAN) == "on"
    home.call("fan", "turn_off", entity_id=FAN)
    home.expose(FAN, shown=False)
    said = home.say("turn on the living room fan")  # before the home was built anew
    assert (kind(said), home.state(FAN)) == (ERROR, "off")
    home.until(lambda: "No device" in home.speech(home.say("turn on the living room fan")))
    home.expose(FAN)
    home.until(lambda: kind(home.say("turn on the living room fan")) == DONE)
    assert home.state(FAN) == "on"


def test_a_new_name_is_known_soon(home: WithWinnow) -> None:
    home.register(OTHER, name="Rainbow")
    home.until(lambda: kind(home.say("turn off the rainbow")) == DONE)
    assert home.state(OTHER) == "off"


def test_who_may_not_operate_things_is_told_so(home: WithWinnow) -> None:
    guest = home.ask("config/auth/create", name="Guest", group_ids=["system-read-only"])["user"]["id"]
    home.call("light", "turn_off", entity_id=LAMP)
    said = home.ask("asking/converse", text="turn on the bed light", user=guest)
    assert (kind(said), home.state(LAMP)) == (ERROR, "off")
    assert home.speech(said) == "You may not operate Bedroom Bed Light."
    assert home.speech(home.ask("asking/converse", text="is the bed light on?", user=guest)).endswith("off.")


def test_the_light_means_that_of_the_room_where_it_is_said(home: WithWinnow) -> None:
    satellite = home.ask("asking/satellite", area="bedroom")
    home.call("light", "turn_off", entity_id=LAMP)
    home.call("light", "turn_off", entity_id=OTHER)
    home.ask("asking/converse", text="turn on the light", user=None, device=satellite)
    assert (home.state(LAMP), home.state(OTHER)) == ("on", "off")


def test_a_satellite_in_an_area_that_the_home_has_not_is_understood(home: WithWinnow) -> None:
    satellite = home.ask("asking/satellite", area="nowhere")
    home.call("light", "turn_off", entity_id=LAMP)
    home.ask("asking/converse", text="turn on the bed light", user=None, device=satellite)
    assert home.state(LAMP) == "on"


def test_what_is_not_for_this_home_goes_to_another_agent_where_one_is_named(home: WithWinnow) -> None:
    asked = home.say("who wrote Hamlet")
    assert kind(asked) == ERROR
    assert home.speech(asked) == "That is a question of knowledge; no device is needed."
    status, made = home.options(**OPTIONS, fallback="conversation.home_assistant")
    assert (status, made["type"]) == (200, "create_entry")
    assert kind(home.say("what time is it")) != ERROR
    # That agent does not understand it either. Some it takes for others: "why is the sky blue" gets the time.
    again = home.say("who wrote Hamlet")
    assert home.speech(again) == home.speech(asked)
    home.options(**OPTIONS)


@pytest.mark.parametrize("agent", ["conversation.removed", AGENT])
def test_where_the_other_agent_is_gone_or_winnow_itself_a_sentence_is_heard(
    home: WithWinnow, agent: str
) -> None:
    home.options(**OPTIONS, fallback=agent)
    asked = home.say("what is the capital of France")
    home.options(**OPTIONS)
    assert home.speech(asked) == "That is a question of knowledge; no device is needed."


OPTIONS = {"language": "auto", "allowed": [], "never": [], "many": 0, "budget": 250}


def test_the_options_say_what_is_never_done_and_in_which_language(home: WithWinnow) -> None:
    _, said = home.options(**{**OPTIONS, "allowed": ["unlock"], "never": ["unlock"]})
    assert said["errors"] == {"base": "contradiction"}
    home.options(**{**OPTIONS, "never": ["unlock"]})
    said = home.say("unlock the front door")
    assert (kind(said), said["continue_conversation"]) == (ERROR, False)
    assert "not allowed" in home.speech(said)
    home.options(**{**OPTIONS, "language": "zh"})
    home.until(lambda: "Bed Light。" in home.speech(home.say("turn on the bed light")))
    home.options(**OPTIONS)
    home.until(lambda: home.speech(home.say("turn on the bed light")).startswith("Turned on"))


def test_diagnostics_tell_counts_and_no_names(home: WithWinnow) -> None:
    status, told = home.answer("GET", f"/api/diagnostics/config_entry/{home.entry}")
    assert status == 200
    about = told["data"]
    assert about["homes"][0]["counts"]["devices"] > 5
    text = json.dumps(about).lower()
    assert not [name for name in ("bed light", "door", "床", "tester", "demo home") if name in text]


def test_repairs_tell_of_one_name_for_two_things_and_of_a_home_without_any(home: WithWinnow) -> None:
    assert home.issues() == set()
    home.register(OTHER, name="Bed Light", area_id="bedroom")
    home.until(lambda: home.issues() == {"same_name"})
    home.register(OTHER, name=None, area_id=None)
    home.until(lambda: home.issues() == set())


def test_a_restart_in_between_is_outlived(home: WithWinnow) -> None:
    home.stop()
    home.start()
    home.until(lambda: kind(home.say("turn off the bed light")) == DONE)
    assert home.state(LAMP) == "off"


@pytest.mark.parametrize("page", ["home-assistant.md", "home-assistant.zh.md"])
def test_the_talk_of_the_page_is_what_is_heard(home: WithWinnow, page: str) -> None:
    home.call("light", "turn_off", entity_id=LAMP)
    home.call("lock", "lock", entity_id=LOCK)
    home.until(lambda: home.state(LOCK) == "locked")
    shown = (ROOT / "docs" / page).read_text("utf-8").partition("```text\n> ")[2].partition("\n```")[0]
    lines = f"> {shown}".splitlines()
    talk: dict[str, str] = {}
    heard = []
    for said in lines[::2]:
        answer = home.say(said.removeprefix("> "), **talk)
        talk = {"conversation_id": answer["conversation_id"]}
        heard += [said, home.speech(answer)]
    assert heard == lines
    assert home.state(LOCK) == "locked"
