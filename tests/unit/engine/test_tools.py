"""What a language model may call: hostile arguments, tokens that nobody reads, what is on record."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from winnow.act.checks import Offer, check_calls
from winnow.adapters.platforms.simulated.home import SimulatedHome
from winnow.app.wiring.engine import open_engine
from winnow.engine.engine import Engine
from winnow.engine.llm.schema import is_strict
from winnow.engine.tool_calls import ToolResult, Tools
from winnow.language.tokens import count_tokens
from winnow.ports.stores import SystemClock
from winnow.types.home import Attribute, Choice, Command, Device, Home, HomeView, Parameter, Profile, Room
from winnow.types.scope import Scope
from winnow.types.state import Snapshot
from winnow.types.utterance import Utterance
from winnow.types.verdict import Call

NUMBER = Parameter("level", "number", 0, 100, "%")
MODE = Parameter("mode", "choice", choices=(Choice("Cool"), Choice("heat"), Choice(3)), required=False)
NOTE = Parameter("note", "text", required=False)
SURE = Parameter("sure", "boolean", required=False)
COLOUR = Parameter("colour", "color", unit="rgb", required=False)
LAMP = Profile(
    "lamp",
    (
        Command("on", "Switch.On"),
        Command("off", "Switch.Off"),
        Command("set", "Brightness.Set", parameters=(NUMBER, MODE, NOTE, SURE, COLOUR)),
    ),
    (Attribute("switch", "switch"), Attribute("level", "brightness")),
)
LOCK = Profile(
    "lock", (Command("unlock", "Lock.Unlock"), Command("lock", "Lock.Lock")), (Attribute("lock", "lock"),)
)
HOME = Home(
    "flat",
    "Flat",
    "neutral",
    rooms=(Room("r", "study"),),
    profiles=(LAMP, LOCK),
    devices=(
        Device("lamp", "desk lamp", "lamp", ("light",), room_id="r"),
        Device("door", "front door", "lock", ("lock",), room_id="r"),
    ),
)
STATES = Snapshot({"lamp": {"switch": "off", "level": 10}, "door": {"lock": "locked"}}, 0.0, "neutral")
WHO = Utterance("", "en", "flat", user="anna", session="s")
VIEW = HomeView.of(HOME)
OFFER = Offer((), {"lamp": ("on", "off", "set")})


def engine() -> Engine:
    made = open_engine(HOME)
    made.states.below = made.acting.actuator = SimulatedHome(HOME, STATES, SystemClock())
    return made


def said(made: Engine, text: str) -> object:
    return made.sync.retrieve(text, user="anna", session="s")


def call(made: Engine, name: str, arguments: str | Mapping[str, object]) -> ToolResult:
    return asyncio.run(Tools(made, WHO).call(name, arguments))


def set_to(value: object, name: str = "level") -> object:
    level = {"level": 50} if name != "level" else {}
    found = check_calls((Call("lamp", "set", {**level, name: value}),), OFFER, VIEW)
    return found.calls[0].arguments[name] if found.calls else found.refused[0].code


@pytest.mark.parametrize(
    ("name", "value", "becomes"),
    [
        ("level", 30, 30),
        ("level", "30", 30),
        ("level", " 30% ", 30),
        ("level", "30.5", 30.5),
        ("level", 101, "out_of_range"),
        ("level", "-1", "out_of_range"),
        ("level", float("nan"), "argument_wrong"),
        ("level", float("inf"), "argument_wrong"),
        ("level", True, "argument_wrong"),
        ("level", None, "argument_wrong"),
        ("level", "thirty", "argument_wrong"),
        ("level", [30], "argument_wrong"),
        ("mode", "COOL", "Cool"),
        ("mode", "3", 3),
        ("mode", "dry", "argument_wrong"),
        ("note", "good night", "good night"),
        ("note", "a\u202eb", "argument_wrong"),
        ("note", "x" * 257, "argument_wrong"),
        ("note", {"a": 1}, "argument_wrong"),
        ("sure", "true", True),
        ("sure", 1, "argument_wrong"),
        ("colour", "(1, 2,255)", "(1,2,255)"),
        ("colour", "(1,2,256)", "argument_wrong"),
        ("colour", "red", "argument_wrong"),
        ("entity_id", "door", "argument_unknown"),
    ],
)
def test_an_argument_becomes_what_the_command_takes_or_is_refused(
    name: str, value: object, becomes: object
) -> None:
    assert set_to(value, name) == becomes


def test_an_argument_that_is_missing_is_told() -> None:
    assert check_calls((Call("lamp", "set"),), OFFER, VIEW).refused[0].code == "argument_missing"


def test_nothing_is_done_of_a_proposal_of_which_one_call_is_refused() -> None:
    found = check_calls((Call("lamp", "on"), Call("door", "unlock")), OFFER, VIEW)
    assert (found.calls, [r.code for r in found.refused]) == ((), ["not_offered"])


def test_a_call_is_made_once() -> None:
    on = Call("lamp", "on")
    assert check_calls((on, on), OFFER, VIEW).refused[0].code == "done_already"
    assert (
        check_calls((on,), Offer((), OFFER.commands, {("lamp", "on")}), VIEW).refused[0].code
        == "done_already"
    )


ids = st.sampled_from(["lamp", "door", "on", "unlock", "set", "", "lamp\x00", "\ud800", "灯" * 300])
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | ids,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8) | ids, inner, max_size=4),
    max_leaves=12,
)
keys = st.sampled_from(["plan", "calls", "token", "id", "choice", "device", "command", "arguments", "x"])
arguments = st.dictionaries(
    keys, values | st.lists(st.dictionaries(keys, values, max_size=4), max_size=3), max_size=4
) | st.text(max_size=60)
ENGINE = engine()


UNLOCK = {"device": "door", "command": "unlock", "arguments": []}


@settings(max_examples=60, deadline=None)
@given(name=st.sampled_from(["act", "confirm", "answer", "unlock"]), given_=arguments)
@example("act", {"plan": None, "calls": [UNLOCK]})
@example("act", {"calls": [{"device": "lamp", "command": "on"}, UNLOCK]})
def test_whatever_a_model_writes_is_answered_and_opens_nothing(name: str, given_: object) -> None:
    said(ENGINE, "turn on the desk lamp")
    result = call(ENGINE, name, given_)  # type: ignore[arg-type]
    assert result.text
    json.dumps(dict(result.data))
    home = asyncio.run(ENGINE.acting.actuator.look(Scope(home="flat")))  # type: ignore[union-attr]
    assert home.value("door", "lock") == "locked"


def test_arguments_of_a_megabyte_and_a_thousand_brackets_are_answered() -> None:
    made = engine()
    for huge in ('{"plan":"' + "x" * 1_000_000, "[" * 100_000, '{"calls":' + "[" * 1000 + "]" * 1000 + "}"):
        assert call(made, "act", huge).data["status"] in ("error", "refused")


def test_no_token_is_told_to_a_model_or_put_on_record(caplog: pytest.LogCaptureFixture) -> None:
    made = engine()
    found = made.sync.retrieve("unlock the front door", user="anna", session="s")
    asked = call(made, "act", {"plan": found.plan})
    assert asked.receipt is not None
    assert asked.receipt.waiting is not None
    token = asked.receipt.waiting.token
    kept = asyncio.run(made.storage.plans.plan(found.scope, asked.receipt.plan))
    assert kept is not None
    after = call(made, "confirm", {"token": token + "x"})
    entries = asyncio.run(made.storage.audit.last(Scope(home="flat")))
    done = made.sync.confirm(token, user="anna")
    again = made.sync.retrieve("what did I ask", user="anna", session="s")
    seen = [found.briefing.text, asked.text, str(asked.data), after.text, *map(repr, (asked, entries, kept))]
    seen += [str(m) for one in (found, again) for m in one.context.messages]
    assert not any(token in text for text in (*seen, caplog.text))
    assert done.status == "done"


def test_a_token_answers_the_last_question_of_a_talk_and_no_older_one() -> None:
    made = engine()
    asked = made.sync.act(made.sync.retrieve("unlock the front door", user="anna", session="s"))
    assert asked.waiting is not None
    made.sync.retrieve("turn on the desk lamp", user="anna", session="s")
    assert made.sync.confirm(asked.waiting.token, user="anna").refused[0].code == "no_token"


def test_what_is_refused_is_on_record_with_the_reason() -> None:
    made = engine()
    said(made, "turn on the desk lamp")
    assert call(made, "act", {"calls": [{"id": "door", "call": "unlock"}]}).data["refused"] == ["not_offered"]
    record = asyncio.run(made.storage.audit.last(Scope(home="flat")))[-1].record
    assert (record.kind, record.user, record.body["why"]) == ("refused", "anna", ["not_offered"])
    assert record.body["calls"] == [["door", "unlock"]]


def test_calls_that_were_offered_may_come_one_after_the_other_and_each_once() -> None:
    made = engine()
    said(made, "turn on the desk lamp")
    lamp = {"device": "lamp", "command": "on", "arguments": []}
    assert call(made, "act", {"plan": None, "calls": [lamp]}).data == {"status": "done", "done": ["lamp"]}
    assert call(made, "act", {"plan": None, "calls": [lamp]}).data["refused"] == ["done_already"]


HANDLE, DOOR = VIEW.handles["lamp"], VIEW.handles["door"]


def calls(*written: tuple[str, str, dict[str, object]]) -> dict[str, object]:
    return {"calls": [{"device": d, "command": c, "arguments": a} for d, c, a in written]}


def test_a_call_may_name_the_handle_and_the_word_of_the_briefing_or_the_ids() -> None:
    for device, command in ((HANDLE, "Switch.On"), ("lamp", "on"), (HANDLE, "on"), ("lamp", "Switch.On")):
        made = engine()
        said(made, "turn on the desk lamp")
        result = call(made, "act", calls((device, command, {})))
        assert result.data == {"status": "done", "done": ["lamp"]}


def test_what_was_not_understood_may_be_done_as_the_agent_judges_and_once() -> None:
    made = engine()
    found = made.sync.retrieve("frobnicate the desk lamp", user="anna", session="s")
    assert "verdict not_understood" in found.briefing.text
    assert made.sync.act(found).outcomes == ()
    assert call(made, "act", calls((HANDLE, "Brightness.Set", {"level": 40}))).data["status"] == "done"
    again = call(made, "act", calls((HANDLE, "Brightness.Set", {"level": 40})))
    assert again.data["refused"] == ["done_already"]


def test_of_what_was_not_understood_nothing_dangerous_is_done_without_the_persons_yes() -> None:
    made = engine()
    said(made, "frobnicate the front door")
    waiting = call(made, "act", calls((DOOR, "Lock.Unlock", {}))).receipt
    assert waiting is not None
    assert waiting.waiting is not None
    assert waiting.outcomes == ()
    token = waiting.waiting.token
    stranger = made.sync.confirm(token, user="bob")
    assert stranger.outcomes == ()
    assert made.sync.confirm(token, user="anna").device_ids == ("door",)


@pytest.mark.parametrize("words", ["I like the desk lamp", "do not turn on the desk lamp"])
def test_what_orders_nothing_offers_nothing(words: str) -> None:
    made = engine()
    said(made, words)
    assert call(made, "act", calls((HANDLE, "Switch.On", {}))).data["refused"] == ["nothing_offered"]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_tools_are_strict_and_take_few_tokens(language: str) -> None:
    schemas = Tools(engine(), WHO).schemas(language)  # type: ignore[arg-type]
    assert [s["function"]["name"] for s in schemas] == ["act", "confirm", "answer"]
    assert all(is_strict(s["function"]["parameters"]) for s in schemas)
    assert count_tokens(json.dumps(schemas, ensure_ascii=False, separators=(",", ":"))) < 320
