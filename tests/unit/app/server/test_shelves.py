from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from tests.unit.app.server.conftest import served
from tests.unit.app.server.test_turns import post

import winnow

TOY = {
    "id": "toy",
    "name": "Toy",
    "rooms": [{"id": "study", "name": "study"}],
    "devices": [
        {
            "id": "study.lamp",
            "name": "desk lamp",
            "room_id": "study",
            "category": "light",
            "commands": [{"id": "turn_on", "description": "turn on", "params": []}],
            "state": {"state": "off"},
        }
    ],
}


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    """What speaks to a server whose states are those of imports."""
    with served(winnow.open("example:cottage"), keyless=True) as server, server.client() as found:
        yield found


def zipped(**files: Any) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, value in files.items():
            archive.writestr(f"{name}.json", json.dumps(value))
    return made.getvalue()


def test_homes_are_listed_imported_told_of_states_and_deleted(client: httpx.Client) -> None:
    made = client.post("/v1/homes/toy", content=zipped(home=TOY))
    assert (made.status_code, made.json()["home_id"], made.json()["counts"]["devices"]) == (201, "toy", 1)
    assert "toy" in [one["id"] for one in client.get("/v1/homes").json()["homes"]]
    assert client.get("/v1/homes/toy").json()["home"]["devices"][0]["name"] == "desk lamp"
    undone = client.post("/v1/undo", json={"user": "mia"}).json()["error"]
    assert (undone["code"], undone["hint"]) == ("which_home", "Name one: cottage, toy.")
    assert post(client, "/v1/homes/toy/states", states={"study.lamp": {"state": "on"}})["observed"] == 1
    wrong = client.post("/v1/homes/toy/states", json={"states": {"study.lamb": {"state": "on"}}})
    assert (wrong.status_code, wrong.json()["error"]["code"]) == (404, "no_such_state")
    assert "study.lamp" in wrong.json()["error"]["hint"]
    assert client.delete("/v1/homes/toy").json()["deleted"] == "toy"
    assert client.get("/v1/homes/toy").status_code == 404


@pytest.mark.parametrize("data", [b"", b"{", b"PK\x03\x04", b"[]", zipped(x=1), b"\xff\xfe\x00"])
def test_what_is_no_home_is_told_and_nothing_is_stored(client: httpx.Client, data: bytes) -> None:
    sent = client.post("/v1/homes/toy", content=data)
    assert (sent.status_code, sent.json()["error"]["code"]) == (400, "home_import_error")
    assert client.get("/v1/homes/toy").status_code == 404


def test_messages_are_kept_found_and_deleted(client: httpx.Client) -> None:
    said = [{"role": "user", "content": "I moved to Porto in spring.", "created_at": "2026-03-01T09:30"}]
    sent = client.post("/v1/messages", json={"user": "mia", "messages": said})
    assert (sent.status_code, sent.json()["added"]) == (201, 1)
    found = client.get("/v1/messages", params={"user": "mia", "query": "where did I move to"}).json()
    assert found["messages"][0]["text"] == said[0]["content"]
    listed = client.get("/v1/messages", params={"user": "mia"}).json()["messages"]
    assert listed[0]["at"] == "2026-03-01T09:30:00"
    assert client.get("/v1/messages", params={"user": "jo"}).json()["messages"] == []
    assert post(client, "/v1/messages/forget", user="jo", all=True)["deleted"] == 0
    assert post(client, "/v1/messages/forget", user="mia", ids=[listed[0]["id"]])["deleted"] == 1


def test_documents_are_kept_found_shown_and_deleted(client: httpx.Client) -> None:
    text = "The wifi password is on the back of the router. It is changed each spring."
    sent = client.post("/v1/documents", json={"user": "nora", "documents": [{"id": "wifi", "text": text}]})
    assert (sent.status_code, sent.json()["added"]) == (201, 1), sent.text
    listed = client.get("/v1/documents", params={"user": "nora"}).json()["documents"]
    found = client.get("/v1/documents", params={"user": "nora", "query": "wifi password"}).json()
    assert "router" in found["passages"][0]["text"]
    id_ = quote(listed[0]["id"])
    shown = client.get(f"/v1/documents/{id_}", params={"user": "nora"}).json()["document"]
    assert shown["text"] == text
    assert client.get(f"/v1/documents/{id_}", params={"user": "jo"}).status_code == 404
    assert post(client, "/v1/documents/forget", user="nora", ids=[listed[0]["id"]])["deleted"] == 1


def test_a_file_is_a_document_by_its_name_and_reaches_no_other_folder(client: httpx.Client) -> None:
    for name in ("notes.md", "..%2F..%2Fnotes.md"):
        sent = client.post(
            f"/v1/documents/files/{name}", content=b"# Boiler\n\nServiced in May.", params={"user": "mia"}
        )
        assert sent.status_code == (201 if name == "notes.md" else 405)  # a path is no route
    found = client.get("/v1/documents", params={"user": "mia", "query": "boiler serviced"}).json()
    assert "May" in found["passages"][0]["text"]


def test_what_belongs_to_everybody_is_found_by_everybody(client: httpx.Client) -> None:
    rule = [{"id": "rule", "text": "The laundry room closes at ten in the evening."}]
    assert client.post("/v1/documents", json={"public": True, "documents": rule}).status_code == 201
    params = {"public": True, "query": "when does the laundry room close"}
    assert "ten" in client.get("/v1/documents", params=params).json()["passages"][0]["text"]


def test_facts_are_added_corrected_and_deleted(client: httpx.Client) -> None:
    first = client.post("/v1/facts", json={"user": "mia", "text": "I live in Porto"})
    assert first.status_code == 201
    id_ = first.json()["facts"][0]["id"]
    client.post("/v1/facts", json={"user": "mia", "text": "I live in Lisbon", "corrects": id_})
    known = client.get("/v1/facts", params={"user": "mia"}).json()["facts"]
    assert [one["status"] for one in known].count("superseded") == 1
    missing = client.post("/v1/facts", json={"user": "mia", "text": "I live in Rome", "corrects": "f-0"})
    assert (missing.status_code, missing.json()["error"]["code"]) == (404, "no_such_fact")
    assert post(client, "/v1/facts/forget", user="mia", all=True)["deleted"] == 2


def test_nothing_is_deleted_by_half_a_request(client: httpx.Client) -> None:
    for body in ({}, {"ids": ["x"], "all": True}):
        sent = client.post("/v1/facts/forget", json={"user": "mia", **body})
        assert (sent.status_code, sent.json()["error"]["code"]) == (400, "ids_or_all")
    assert client.post("/v1/facts/forget", json={"all": True}).json()["error"]["code"] == "no_user"


@pytest.mark.parametrize("kind", ["messages", "documents", "facts"])
def test_a_turn_that_may_hold_what_was_deleted_is_remembered_no_more(client: httpx.Client, kind: str) -> None:
    turn, other = (
        {"user": user, "id": post(client, "/v1/retrieve", text="who keeps the safe?", user=user)["id"]}
        for user in ("pia", "quin")
    )
    assert client.post("/v1/explain", json=turn).status_code == 200
    post(client, f"/v1/{kind}/forget", user="pia", all=True)
    assert client.post("/v1/explain", json=turn).json()["error"]["code"] == "unknown_id"
    assert client.post("/v1/explain", json=other).status_code == 200
