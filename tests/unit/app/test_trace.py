"""The JSON of a retrieval: its shape, its size, and that it says what the verdict says."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.json_schema import problems

from winnow import Engine
from winnow.app.explanation import explanation_text
from winnow.app.output import json_text
from winnow.app.trace import SCHEMA, compact_trace, full_trace, trace_schema
from winnow.app.wiring.engine import open_engine, simulated_copy
from winnow.ports.services import run_blocking
from winnow.types.home import HomeView
from winnow.types.retrieval import Retrieval
from winnow.types.scope import Scope
from winnow.types.utterance import Turn, Utterance
from winnow.understand.reading import drawing

SAID = {
    "turn on the crane": "act",
    "turn off every light in the sitting room except the crane": "act",
    "unlock the front door": "confirm",
    "turn on the ceiling light": "clarify",
    "turn on the sauna": "refuse",
    "is the front door locked": "query",
    "if the nursery humidity is below 90 percent turn on the crane": "act",
    "if the nursery humidity is below 1 percent turn on the crane": "nothing",
    "I am freezing, zimbit the crane": "not_understood",
    "thank you, that was all": "nothing",
    "how do I make a leek tart": "nothing",
    "turn on the crane and the dishwasher": "act",
    "turn on the crane and the sauna": "refuse",
    "": "nothing",
}


@pytest.fixture(scope="module")
def cottage() -> Engine:
    return open_engine("example:cottage")


def traced(engine: Engine, said: str | Utterance, shape: Any = compact_trace) -> dict[str, Any]:
    found = engine.sync.retrieve(said)
    data: dict[str, Any] = json.loads(json_text(shape(found, engine.sync.load_home().view)))
    return data


def drawn(found: Retrieval, view: HomeView) -> dict[str, Any]:
    return full_trace(
        found, view, drawing(found.reading, open_engine("example:cottage").sync.load_home().vocabulary)
    )


@pytest.mark.parametrize("said", [*SAID, "set the lamp to splendid", "turn on the lamp, no wait, the fan"])
def test_how_the_words_were_parsed_has_the_shape_of_the_schema(cottage: Engine, said: str) -> None:
    data = traced(cottage, said, drawn)
    assert list(problems(data, trace_schema(), trace_schema())) == []
    parse = data["trace"]["parse"]
    assert bool(parse["mood"]) == (parse["tree"] is not None)


def test_what_came_of_an_act_has_the_shape_of_the_schema_and_no_token() -> None:
    engine = open_engine("example:cottage")
    opened = engine.sync.load_home()
    states = run_blocking(engine.states.read(Scope("default", home=opened.home.id)))
    engine.acting.actuator = simulated_copy(opened.home, states)
    for said in SAID:
        found = engine.sync.retrieve(said)
        receipt = engine.sync.act(found)
        data = json.loads(json_text(compact_trace(found, opened.view, receipt)))
        assert list(problems(data, trace_schema(), trace_schema())) == []
        assert data["receipt"]["status"] == receipt.status
        assert len(data["receipt"]["outcomes"]) == len(receipt.outcomes)
        token = receipt.waiting.token if receipt.waiting else "no token"
        assert token not in json.dumps(data)
        assert f"act  {receipt.id or '-'} {receipt.status}" in explanation_text(
            found, opened.view, receipt=receipt
        )


@pytest.mark.parametrize("said", SAID)
@pytest.mark.parametrize("shape", [compact_trace, full_trace])
def test_every_kind_of_verdict_has_the_shape_of_the_schema(cottage: Engine, said: str, shape: Any) -> None:
    data = traced(cottage, said, shape)
    assert data["verdict"]["kind"] == SAID[said]
    assert list(problems(data, trace_schema(), trace_schema())) == []


def test_the_schema_is_that_of_its_version_and_knows_every_kind(cottage: Engine) -> None:
    assert trace_schema()["properties"]["schema"]["const"] == SCHEMA
    kinds = {kind["$ref"].rpartition("/")[2] for kind in trace_schema()["properties"]["verdict"]["oneOf"]}
    assert kinds == set(SAID.values())


def test_what_does_not_fit_the_schema_is_found(cottage: Engine) -> None:
    data = traced(cottage, "turn on the crane")
    for wrong in ({"ms": "soon"}, {"more": 1}, {"verdict": {"kind": "act"}}, {"language": "fr"}):
        assert list(problems(data | wrong, trace_schema(), trace_schema())) != []
    del data["home"]
    assert list(problems(data, trace_schema(), trace_schema())) == [".home: missing"]


@pytest.mark.parametrize("said", ["turn on the crane", "unlock the front door", "is the front door locked"])
def test_a_sentence_for_one_device_takes_less_than_two_kilobytes(cottage: Engine, said: str) -> None:
    found = cottage.sync.retrieve(said)
    assert len(json_text(compact_trace(found, cottage.sync.load_home().view)).encode()) < 2000


def test_an_act_names_what_is_called(cottage: Engine) -> None:
    data = traced(cottage, "turn on the crane")
    call = {"device_id": "light.reading_lamp", "name": "Reading Lamp", "room": "Sitting Room"}
    assert data["verdict"]["calls"] == [{**call, "command_id": "light.turn_on", "arguments": {}}]
    assert data["briefing"]["handles"] == {"d955": "light.reading_lamp"}
    assert 'd955 "Reading Lamp" in "Sitting Room"' in data["briefing"]["text"]
    assert (data["home"], data["text"], data["intent"]["source"]) == (
        "cottage",
        "turn on the crane",
        "devices",
    )


def test_nothing_that_wants_a_yes_stands_under_calls(cottage: Engine) -> None:
    verdict = traced(cottage, "unlock the front door")["verdict"]
    assert "calls" not in verdict
    assert [call["command_id"] for call in verdict["proposed"]] == ["lock.unlock"]
    assert "Front Door" in verdict["question"]


def test_a_set_tells_what_was_left_out(cottage: Engine) -> None:
    verdict = traced(cottage, "turn off every light in the sitting room except the crane")["verdict"]
    assert verdict["excluded"] == ["the crane"]
    assert len(verdict["calls"]) > 1


def test_a_question_comes_with_its_options_and_a_refusal_with_its_code(cottage: Engine) -> None:
    asked = traced(cottage, "turn on the ceiling light")
    assert len(asked["verdict"]["options"]) > 1
    assert all(option["device_ids"] for option in asked["verdict"]["options"])
    assert asked["id"]
    refused = traced(cottage, "turn on the sauna")["verdict"]
    assert [r["code"] for r in refused["refusals"]] == ["no_device"]
    assert refused["refusals"][0]["message"] == refused["message"]


def test_reads_come_with_what_is_known(cottage: Engine) -> None:
    (read,) = traced(cottage, "is the front door locked")["verdict"]["reads"]
    assert (read["device_id"], read["name"], read["value"]) == ("lock.front_door", "Front Door", "locked")


def test_conditions_say_whether_they_hold_and_on_what(cottage: Engine) -> None:
    verdict = traced(cottage, "if the nursery humidity is below 1 percent turn on the crane")["verdict"]
    (condition,) = verdict["conditions"]
    assert condition["holds"] is False
    assert condition["reads"]


def test_a_turn_for_elsewhere_says_where_and_for_what(cottage: Engine) -> None:
    data = traced(cottage, "how do I make a leek tart")
    assert (data["intent"]["source"], data["query"]) == ("knowledge", "how do I make a leek tart")


def test_the_full_trace_is_the_compact_one_and_how_it_came_about(cottage: Engine) -> None:
    data = traced(cottage, "turn on the crane", full_trace)
    short = traced(cottage, "turn on the crane")
    assert data.keys() - short.keys() == {"trace"}
    assert {k for k in short if data[k] != short[k]} <= {"id", "ms"}
    assert data["trace"]["reading"]["queries"][0]["action"] == "on"
    assert data["trace"]["shortlists"][0]["candidates"][0]["evidence"]
    stages = [stage["name"] for stage in data["trace"]["stages"]]
    assert stages == ["understand", "recall", "decide", "intent", "assemble", "context"]


def test_earlier_turns_stand_in_the_full_trace(cottage: Engine) -> None:
    said = Utterance("turn it off", history=(Turn("user", "turn on the crane"),))
    history = traced(cottage, said, full_trace)["trace"]["utterance"]["history"]
    assert history == [{"role": "user", "content": "turn on the crane", "device_ids": []}]


def test_a_number_that_json_lacks_is_nothing() -> None:
    assert json_text({"lux": float("nan")}) == '{"lux": null}'


def test_what_a_terminal_would_obey_is_escaped_and_stays_the_same_text() -> None:
    text = "a\x9b\u202e\U000e0001\ud800\n好"
    shown = json_text({"said": text}, indented=True)
    assert shown.isascii() or all(c.isprintable() or c == "\n" for c in shown)
    assert "\n  " in shown
    assert json.loads(shown) == {"said": text}
