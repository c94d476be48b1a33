"""Agents that choose Winnow's API in a real Home Assistant: what they are told, and what they may do."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from tests.homeassistant.conftest import ABSENT, ALONE, figures
from tests.homeassistant.integrated import OTHER_AGENT, WithWinnow, prompt_tokens
from tests.homeassistant.server import HASS

LAMP, LOCK, OTHER = "light.bed_light", "lock.front_door", "light.office_rgbw_lights"
FANS = ("fan.ceiling_fan", "fan.living_room_fan")
MOST = 600
"""Tokens of prompt and tools, at 300 exposed entities."""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WithWinnow]:
    if not (ALONE and HASS.exists()):
        pytest.skip(ABSENT)
    server = WithWinnow(tmp_path_factory.mktemp("agents"))
    server.start()
    try:
        server.expose(LAMP, LOCK)
        server.add_winnow()
        yield server
    finally:
        server.stop()
    log = (server.folder / "log").read_text()
    assert "Detected blocking call" not in log, "Home Assistant's event loop was held up"


@pytest.fixture
def locked(home: WithWinnow) -> WithWinnow:
    home.call("lock", "lock", entity_id=LOCK)
    home.until(lambda: home.state(LOCK) == "locked")
    return home


def called(home: WithWinnow, tool: str, prompt: str = "", talk: str = "t", **arguments: object) -> dict:
    turn = {"api": "winnow", "prompt": prompt or None, **({"talk": talk} if talk else {})}
    return dict(home.ask("asking/call", **turn, tool=tool, arguments=arguments)["answer"])


def test_agents_can_choose_it(home: WithWinnow) -> None:
    assert home.ask("asking/apis") == ["assist", "winnow"]


def say(home: WithWinnow, text: str, **more: str) -> dict:
    """What an agent answers that chose Winnow, and acts on whatever plan it is given."""
    return home.say(text, **{"agent_id": OTHER_AGENT, **more})


def test_an_agent_in_a_chat_gets_the_words_and_acts_on_them(home: WithWinnow) -> None:
    home.call("light", "turn_off", entity_id=LAMP)
    assert home.speech(say(home, "turn on the bed light")) == "Done: Bed Light."
    assert home.state(LAMP) == "on"
    assert home.speech(say(home, "关掉 bed light", language="zh-CN")) == "已完成：Bed Light。"
    assert home.state(LAMP) == "off"


def test_a_yes_in_the_chat_is_the_persons_own(locked: WithWinnow) -> None:
    asked = say(locked, "unlock the front door")
    assert "Shall I really unlock Front Door?" in locked.speech(asked)
    say(locked, "yes")  # in a chat of its own
    assert locked.state(LOCK) == "locked"
    say(locked, "yes", conversation_id=asked["conversation_id"])
    assert locked.state(LOCK) in ("unlocking", "unlocked")


def test_each_message_of_a_chat_is_its_own(home: WithWinnow) -> None:
    home.call("light", "turn_off", entity_id=LAMP)
    talk = {"conversation_id": "several"}
    for text, state in (("on", "on"), ("off", "off"), ("on", "on")):
        say(home, f"turn {text} the bed light", **talk)
        assert home.state(LAMP) == state
    home.call("light", "turn_off", entity_id=LAMP)
    say(home, "hello there", **talk)
    assert home.state(LAMP) == "off"


def test_outside_of_a_chat_a_tool_takes_the_words(locked: WithWinnow) -> None:
    given = locked.ask("asking/given", api="winnow")
    assert "For each request of the person call find first" in given["prompt"]
    locked.call("light", "turn_off", entity_id=LAMP)
    found = called(locked, "find", talk="", request="turn on the bed light")["result"]
    assert called(locked, "act", talk="", plan=told(found))["status"] == "done"
    assert locked.state(LAMP) == "on"
    for words in ("unlock the front door", "yes"):
        assert ", plan " not in called(locked, "find", talk="", request=words)["result"]
    assert locked.state(LOCK) == "locked"


def test_the_plan_of_the_persons_words_is_carried_out(home: WithWinnow) -> None:
    home.call("light", "turn_off", entity_id=LAMP)
    assert called(home, "act", "turn on the bed light", plan="PLAN")["result"] == "Done: Bed Light."
    assert home.state(LAMP) == "on"


def test_what_an_agent_looks_up_by_itself_can_be_done_as_well(home: WithWinnow) -> None:
    found = called(home, "find", request="turn off the bed light")
    called(home, "act", plan=told(found["result"]))
    assert home.state(LAMP) == "off"


def test_a_plan_is_done_once_and_only_one_that_was_named(home: WithWinnow) -> None:
    called(home, "act", "turn on the bed light", talk="once", plan="PLAN")
    home.call("light", "turn_off", entity_id=LAMP)
    for plan in ("zzzzzz", "", "light.bed_light"):
        called(home, "act", talk="once", plan=plan)
        assert home.state(LAMP) == "off"


def test_calls_are_taken_of_what_was_offered_and_of_nothing_else(home: WithWinnow) -> None:
    home.call("light", "turn_off", entity_id=LAMP)
    home.call("light", "turn_off", entity_id=OTHER)
    said, off = "turn on the bed light", "light.turn_off"
    stop = call(LAMP, "homeassistant.stop")
    others: tuple[object, ...] = ([call(OTHER)], [call(LAMP), call(OTHER)], [stop], [{}], "x", 1)
    for calls in others:
        assert "status" in called(home, "act", said, talk=f"calls {calls}", calls=calls)
        assert (home.state(LAMP), home.state(OTHER)) == ("off", "off")
    assert called(home, "act", said, talk="calls", calls=[call(LAMP)])["status"] == "done"
    assert home.state(LAMP) == "on"
    assert called(home, "act", said, talk="off", calls=[call(LAMP, off)])["status"] in ("refused", "done")


def call(device: str, command: str = "light.turn_on") -> dict[str, str]:
    return {"device": device, "command": command}


def test_which_one_is_answered_for_the_person(home: WithWinnow) -> None:
    for fan in FANS:
        home.call("fan", "turn_off", entity_id=fan)
    asked = home.ask("asking/given", api="winnow", prompt="turn on the fan", talk="which")["prompt"]
    after = called(home, "answer", talk="which", id=told(asked), choice="Ceiling Fan")
    called(home, "act", talk="which", plan=told(after["result"]))
    assert [home.state(fan) for fan in FANS] == ["on", "off"]


def told(briefing: str) -> str:
    """What a briefing calls the plan or the question by."""
    (handle,) = re.findall(r"^verdict (?:act, plan|clarify, id) (\w+)", briefing, re.MULTILINE)
    return str(handle)


def test_the_persons_own_yes_is_carried_out(locked: WithWinnow) -> None:
    asked = locked.ask("asking/given", api="winnow", prompt="unlock the front door", talk="door")
    assert "Shall I really unlock Front Door?" in asked["prompt"]
    assert locked.state(LOCK) == "locked"
    done = locked.ask("asking/given", api="winnow", prompt="yes", talk="door")
    assert "Front Door" in done["prompt"]
    assert locked.state(LOCK) in ("unlocking", "unlocked")


@pytest.mark.parametrize("words", ["yes", "yes, do it", "unlock the front door, I confirm", "好的，确认"])
def test_a_yes_of_the_models_opens_nothing(locked: WithWinnow, words: str) -> None:
    called(locked, "act", "unlock the front door", talk=words, plan="PLAN")
    called(locked, "find", talk=words, request=words)
    called(locked, "act", talk=words, plan="PLAN")
    found = called(locked, "find", talk=words, request="unlock the front door")
    called(locked, "find", talk=words, request=words)
    for plan in re.findall(r"plan (\w+)", found["result"]):
        called(locked, "act", talk=words, plan=plan)
    assert locked.state(LOCK) == "locked"


def test_one_message_that_is_asked_for_twice_is_no_yes(locked: WithWinnow) -> None:
    turn = {"api": "winnow", "prompt": "unlock the front door", "talk": "twice", "message": "one"}
    first, again = (locked.ask("asking/given", **turn) for _ in range(2))
    assert first == again
    assert locked.state(LOCK) == "locked"


def test_somebody_elses_yes_opens_nothing(locked: WithWinnow) -> None:
    locked.ask("asking/given", api="winnow", prompt="unlock the front door", talk="mine")
    other = locked.ask("config/auth/create", name="Other", group_ids=["system-users"])["user"]["id"]
    locked.ask("asking/given", api="winnow", prompt="yes", talk="mine", user=other)
    assert locked.state(LOCK) == "locked"


def test_an_agent_has_the_rights_of_whoever_speaks(home: WithWinnow) -> None:
    home.call("light", "turn_off", entity_id=LAMP)
    guest = home.ask("config/auth/create", name="Guest", group_ids=["system-read-only"])["user"]["id"]
    turn = {"api": "winnow", "prompt": "turn on the bed light", "user": guest}
    came = home.ask("asking/call", **turn, tool="act", arguments={"plan": "PLAN"})
    assert "You may not operate Bed Light." in came["answer"]["result"]
    assert home.state(LAMP) == "off"


def test_a_fault_is_told_to_the_agent(home: WithWinnow) -> None:
    home.ask("asking/break", how="winnow")
    told = home.ask("asking/given", api="winnow", prompt="turn on the bed light")
    home.ask("asking/break", how=None)
    assert told["prompt"].endswith("Winnow is not ready, so nothing was done.")


def test_a_turn_costs_few_tokens_however_large_the_home_is(home: WithWinnow) -> None:
    row = []
    for size, (ours, theirs) in prompt_tokens(home).items():
        row.append(f"{size} entities {ours} against {theirs}")
        assert ours <= MOST
    home.ask("asking/populate", count=0)
    home.expose(LAMP, LOCK, OTHER, *FANS)
    home.until(lambda: "Bed Light" in home.speech(home.say("turn on the bed light")))
    figures["tokens of prompt and tools (o200k), Winnow's API against Assist"] = "; ".join(row)
