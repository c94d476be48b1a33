from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from tests.unit.app.server.conftest import Served, cottage


def post(client: httpx.Client, path: str, **body: Any) -> dict[str, Any]:
    answered = client.post(path, json=body)
    assert answered.status_code == 200, answered.text
    found: dict[str, Any] = answered.json()
    assert found["usage"]["ms"] > 0
    return found


def events(client: httpx.Client, path: str, **body: Any) -> list[tuple[str, Any]]:
    found, name = [], ""
    with client.stream("POST", path, json=body, headers={"Accept": "text/event-stream"}) as answered:
        assert answered.headers["content-type"].startswith("text/event-stream")
        for line in answered.iter_lines():
            kind, _, value = line.partition(": ")
            if kind == "event":
                name = value
            elif kind == "data":
                found.append((name, json.loads(value)))
    return found


def test_a_sentence_comes_back_with_what_may_be_done_and_the_messages(client: httpx.Client) -> None:
    found = post(client, "/v1/retrieve", text="turn on the reading lamp", system="You help.")
    assert (found["schema"], found["verdict"]["kind"]) == ("winnow.trace/1", "act")
    assert found["messages"][0]["content"] == "You help."
    assert found["usage"]["context_tokens"] == found["context"]["tokens"] > 0
    assert len(found["plan"]) == 6
    assert "trace" not in found


def test_the_whole_trace_comes_where_it_is_wanted(client: httpx.Client) -> None:
    assert "shortlists" in post(client, "/v1/retrieve", text="turn on the reading lamp", full=True)["trace"]


def test_a_question_is_answered_once_by_the_person_who_was_asked(client: httpx.Client) -> None:
    asked = post(client, "/v1/retrieve", text="turn on the light", user="ida")
    assert asked["verdict"]["kind"] == "clarify"
    other = client.post("/v1/answer", json={"id": asked["id"], "choice": 0, "user": "bob"})
    assert (other.status_code, other.json()["error"]["code"]) == (409, "no_open_question")
    assert post(client, "/v1/answer", id=asked["id"], choice=0, user="ida")["verdict"]["kind"] == "act"
    again = client.post("/v1/answer", json={"id": asked["id"], "choice": 0, "user": "ida"})
    assert again.status_code == 409


def test_what_is_done_is_told_and_can_be_taken_back(start: Callable[..., Served]) -> None:
    client = start(cottage(), keyless=True).client()
    done = post(client, "/v1/act", text="turn off the reading lamp", user="ida", session="s1")
    assert (done["receipt"]["status"], done["receipt"]["outcomes"][0]["status"]) == ("done", "done")
    assert done["said"]
    back = post(client, "/v1/undo", user="ida", session="s1")
    assert (back["receipt"]["status"], back["receipt"]["undoes"]) == ("done", done["receipt"]["id"])
    client.close()


def test_a_plan_is_carried_out_once_by_whoever_was_given_it(client: httpx.Client) -> None:
    found = post(client, "/v1/retrieve", text="turn on the crane", user="ida", session="s2")
    other = post(client, "/v1/act", plan=found["plan"], user="bob", session="s2")
    assert other["receipt"]["refusals"][0]["code"] == "no_plan"
    done = post(client, "/v1/act", plan=found["plan"], user="ida", session="s2")
    assert done["receipt"]["status"] == "done"
    again = post(client, "/v1/act", plan=found["plan"], user="ida", session="s2")
    assert again["receipt"]["refusals"][0]["code"] == "done_already"


def test_what_is_dangerous_waits_for_the_yes_of_the_person(client: httpx.Client) -> None:
    asked = post(client, "/v1/act", text="unlock the front door", user="ida")
    assert asked["receipt"]["status"] == "waiting"
    assert asked["token"] not in json.dumps(asked["receipt"])
    other = post(client, "/v1/confirm", token=asked["token"], user="bob")
    assert other["receipt"]["refusals"][0]["code"] == "not_asked"
    assert post(client, "/v1/confirm", token=asked["token"], user="ida")["receipt"]["status"] == "done"
    again = post(client, "/v1/confirm", token=asked["token"], user="ida")
    assert again["receipt"]["refusals"][0]["code"] == "no_token"


def test_a_turn_is_explained_from_its_words_or_its_id(client: httpx.Client) -> None:
    told = post(client, "/v1/explain", text="turn on the reading lamp")
    assert "decide" in told["explanation"]
    assert "reading" in told["trace"]
    found = post(client, "/v1/retrieve", text="turn on the reading lamp", user="ida")
    assert post(client, "/v1/explain", id=found["id"], user="ida")["id"] == found["id"]
    other = client.post("/v1/explain", json={"id": found["id"], "user": "bob"})
    assert (other.status_code, other.json()["error"]["code"]) == (404, "unknown_id")


def test_feedback_is_kept_for_the_turn(client: httpx.Client) -> None:
    found = post(client, "/v1/retrieve", text="turn on the reading lamp", user="ida")
    assert post(client, "/v1/feedback", of=found["id"], judged="useful", user="ida")["of"] == found["id"]
    other = client.post("/v1/feedback", json={"of": found["id"], "judged": "useful", "user": "bob"})
    assert other.status_code == 404


def test_more_is_given_where_a_reply_lacks_something(client: httpx.Client) -> None:
    found = post(client, "/v1/retrieve", text="when does the lease end", user="ida")
    reply = "I do not have any information about the lease."
    assert post(client, "/v1/more", id=found["id"], reply=reply, user="ida")["text"] == found["text"]


def test_texts_are_counted_into_the_shares_of_a_budget(client: httpx.Client) -> None:
    texts = {"system": ["You help at home."], "history": ["a " * 99]}
    found = post(client, "/v1/budget", tokens=100, texts=texts)
    assert found["fits"] == {"system": [True], "history": [False]}
    assert (found["total"], found["shares"]["system"]["total"]) == (100, 15)


def test_stages_are_told_as_they_end_and_the_result_comes_last(client: httpx.Client) -> None:
    found = events(client, "/v1/retrieve", text="turn on the reading lamp")
    names = [name for name, _ in found]
    assert names[-2:] == ["verdict", "result"]
    stages = [data["name"] for name, data in found if name == "stage"]
    assert stages[:3] == ["understand", "recall", "decide"]
    assert found[-1][1]["verdict"] == found[-2][1]


def test_outcomes_are_told_as_they_come(client: httpx.Client) -> None:
    found = events(client, "/v1/act", text="turn off all lights", user="ida")
    assert [name for name, _ in found][-1] == "result"
    count = sum(len(data["outcomes"]) for name, data in found if name == "outcomes")
    assert count == len(found[-1][1]["receipt"]["outcomes"]) > 0


def test_an_error_among_events_has_the_one_shape(client: httpx.Client) -> None:
    found = events(client, "/v1/retrieve", text="turn it on", home="nowhere")
    assert found[-1][0] == "error"
    assert set(found[-1][1]["error"]) == {"code", "message", "hint"}


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"text": "x", "home": "nowhere"}, 404, "home_not_found"),
        ({"text": "x", "room": "Atic"}, 404, "no_such_room"),
        ({"text": "x", "hom": "misspelt"}, 422, "invalid_request"),
        ({"text": ""}, 422, "invalid_request"),
        ({"text": "x", "history": [{"content": "said"}]}, 400, "message_error"),
        ({"text": "x", "tokens": 40, "system": "long " * 100}, 400, "over_budget"),
        ({"text": "x", "user": "u" * 501}, 422, "invalid_request"),
    ],
)
def test_what_goes_wrong_is_told_in_one_shape(
    client: httpx.Client, body: dict[str, Any], status: int, code: str
) -> None:
    answered = client.post("/v1/retrieve", json=body)
    error = answered.json()["error"]
    assert (answered.status_code, error["code"]) == (status, code)
    assert error["message"]
    assert error["hint"]


def test_errors_speak_chinese_to_who_prefers_it(client: httpx.Client) -> None:
    headers = {"Accept-Language": "zh-CN,zh;q=0.9"}
    answered = client.post("/v1/retrieve", json={"text": "开灯", "home": "nowhere"}, headers=headers)
    assert "没有" in answered.json()["error"]["message"]


def test_a_body_that_is_no_json_or_of_another_site_is_refused(client: httpx.Client) -> None:
    for content_type in ("text/plain", "application/x-www-form-urlencoded"):
        sent = client.post("/v1/act", content=b'{"text": "x"}', headers={"Content-Type": content_type})
        assert (sent.status_code, sent.json()["error"]["code"]) == (422, "invalid_request")
        assert "Content-Type: application/json" in sent.json()["error"]["hint"]
    sent = client.post("/v1/act", content=b"{", headers={"Content-Type": "application/json"})
    assert (sent.status_code, sent.json()["error"]["code"]) == (422, "invalid_request")


def test_half_a_character_breaks_nothing(client: httpx.Client) -> None:
    headers = {"Content-Type": "application/json"}
    sent = client.post("/v1/retrieve", content=b'{"text": "turn on \\ud800"}', headers=headers)
    assert sent.status_code in (200, 422)
    sent.json()


def test_probes_and_the_description_need_no_key(open_server: Served, client: httpx.Client) -> None:
    assert client.get("/health").json()["status"] == "ok"
    assert client.get("/ready").json()["status"] == "ready"
    described = client.get("/openapi.json").json()
    assert described["paths"]["/v1/retrieve"]["post"]["requestBody"]
    assert described["components"]["schemas"]["Trace"]["properties"]["verdict"]
    missing = [r for r in _references(described) if r not in described["components"]["schemas"]]
    assert missing == []


def _references(value: Any) -> list[str]:
    if isinstance(value, dict):
        found = [value["$ref"].rpartition("/")[2]] if isinstance(value.get("$ref"), str) else []
        return found + [r for one in value.values() for r in _references(one)]
    return [r for one in value for r in _references(one)] if isinstance(value, list) else []


def test_figures_tell_of_routes_and_verdicts_and_of_no_words(client: httpx.Client) -> None:
    post(client, "/v1/retrieve", text="turn on the reading lamp", user="ida")
    text = client.get("/metrics").text
    assert 'winnow_http_requests_total{method="POST",route="/v1/retrieve",status="200"' in text
    assert "winnow_verdicts_total" in text
    assert "reading lamp" not in text
    assert "ida" not in text
