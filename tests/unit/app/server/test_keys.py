"""What a key opens, and that no request opens more: two tenants, three persons, ids of one another."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from tests.unit.app.server.conftest import Served, cottage, served, two_tenants

from winnow.app.access import secret_digest
from winnow.ports.services import run_blocking

OWN = "I keep a spare key under the blue flowerpot"
PERSONS = (("anna", "ida"), ("anna", "jo"), ("bert", "ida"))
"""Tenant and user; two of them have one name."""
TRIES = 96


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One store of two tenants, whose homes have one id."""
    with served(two_tenants(tmp_path_factory.mktemp("data")), rate=0) as found:
        yield found


def test_without_a_key_nothing_is_answered(house: Served) -> None:
    with house.client() as client:
        for method, path in _routes(client):
            answered = client.request(method, path, json={})
            assert (answered.status_code, answered.json()["error"]["code"]) == (401, "no_key"), path
            assert answered.headers["www-authenticate"] == "Bearer"


def _routes(client: httpx.Client) -> list[tuple[str, str]]:
    """Every route but the probes."""
    paths = client.get("/openapi.json").json()["paths"]
    found = [(method.upper(), path) for path, methods in paths.items() for method in methods]
    return [(method, path) for method, path in found if path not in ("/health", "/ready")]


def test_a_revoked_key_is_turned_away_from_its_next_request_on(house: Served) -> None:
    secret = house.key("anna")
    with house.client(secret) as client:
        assert client.get("/v1/homes").status_code == 200
        run_blocking(house.access.revoke("anna", secret_digest(secret)[:12]))
        answered = client.get("/v1/homes")
    assert (answered.status_code, answered.json()["error"]["code"]) == (401, "ended_key")


def test_a_request_cannot_name_another_person_or_home_than_the_key(house: Served) -> None:
    with house.client(house.key("anna", users=["ida"], homes=["house"])) as client:
        other = client.post("/v1/retrieve", json={"text": "turn it on", "user": "jo"})
        assert (other.status_code, other.json()["error"]["code"]) == (403, "not_for_this_user")
        other = client.post("/v1/retrieve", json={"text": "turn it on", "home": "attic"})
        assert (other.status_code, other.json()["error"]["code"]) == (403, "not_for_this_home")
        for path, body in {
            "/v1/documents": {"public": True, "documents": [{"id": "x", "text": "y"}]},
            "/v1/homes/house": {},
        }.items():
            sent = client.post(path, json=body)
            assert (sent.status_code, sent.json()["error"]["code"]) == (403, "not_for_this_shared"), path
        assert client.delete("/v1/homes/house").status_code == 403
        assert client.get("/metrics").status_code == 403


def test_a_key_of_several_homes_has_to_name_one_and_hears_of_no_other(house: Served) -> None:
    with house.client(house.key("anna", homes=["attic", "cellar"])) as client:
        sent = client.post("/v1/retrieve", json={"text": "turn it on"})
        assert (sent.status_code, sent.json()["error"]["code"]) == (400, "which_home")
        sent = client.get("/v1/homes/attic")
        assert (sent.status_code, "house" in sent.text) == (404, False)
        assert client.get("/v1/homes").json()["homes"] == []


def test_a_key_of_another_home_can_neither_answer_nor_confirm(house: Served) -> None:
    with house.client(house.key("anna")) as client:
        asked = client.post("/v1/retrieve", json={"text": "turn on the light", "user": "ida"}).json()
    with house.client(house.key("anna", homes=["attic"])) as client:
        for path, body in (
            ("/v1/answer", {"id": asked["id"], "choice": 0}),
            ("/v1/explain", {"id": asked["id"]}),
            ("/v1/more", {"id": asked["id"], "reply": "I have no information about the lease."}),
        ):
            assert client.post(path, json={**body, "user": "ida"}).status_code in (403, 404), path


def test_of_many_requests_with_ids_of_others_none_sees_a_row(house: Served) -> None:
    clients = {p: house.client(house.key(p[0], users=[p[1]])) for p in PERSONS}
    rng, seen = random.Random(7), {p: _fill(clients[p], p) for p in PERSONS}
    for person in PERSONS:  # everybody finds their own
        for make in (ATTEMPTS[0], ATTEMPTS[2], ATTEMPTS[3], ATTEMPTS[4], ATTEMPTS[5]):
            assert _mark(person) in make(clients[person], seen[person], person).text
    pairs = [(a, b) for a, b in itertools.permutations(PERSONS, 2)]
    leaks: list[str] = []
    for n in range(TRIES):
        (who, whose), make = rng.choice(pairs), ATTEMPTS[n % len(ATTEMPTS)]
        answered = make(clients[who], seen[whose], whose)
        if _mark(whose) in answered.text or answered.status_code >= 500:
            leaks.append(
                f"{who} of {whose}: {answered.request.method} {answered.request.url} {answered.text}"
            )
    for client in clients.values():
        client.close()
    assert leaks == []


def _mark(person: tuple[str, str]) -> str:
    """What only that person ever said."""
    return "flowerpot of " + " ".join(person)


def _fill(client: httpx.Client, person: tuple[str, str]) -> dict[str, str]:
    """Rows of a person in every shelf, and their ids."""
    said = f"{OWN}, the {_mark(person)}."
    message = {"id": f"m-{person[0]}-{person[1]}", "role": "user", "content": said}
    client.post("/v1/messages", json={"messages": [message]})
    client.post("/v1/documents", json={"documents": [{"id": f"d-{person[0]}", "text": said}]})
    fact = client.post("/v1/facts", json={"text": said}).json()["facts"][0]["id"]
    found = client.post("/v1/retrieve", json={"text": "turn on the light", "session": "s"}).json()
    documents = client.get("/v1/documents").json()["documents"]
    asked = client.post("/v1/act", json={"text": "unlock the front door", "session": "d"}).json()
    return {
        "fact": fact,
        "turn": found["id"],
        "plan": found["plan"],
        "token": asked["token"],
        "document": documents[0]["id"],
        "message": message["id"],
    }


Attempt = Callable[[httpx.Client, dict[str, str], tuple[str, str]], httpx.Response]
ATTEMPTS: list[Attempt] = [
    lambda c, ids, of: c.get("/v1/messages", params={"query": "spare key flowerpot"}),
    lambda c, ids, of: c.get("/v1/messages", params={"user": of[1]}),
    lambda c, ids, of: c.get("/v1/documents", params={"query": "spare key flowerpot", "user": of[1]}),
    lambda c, ids, of: c.get(f"/v1/documents/{quote(ids['document'])}"),
    lambda c, ids, of: c.get("/v1/facts", params={"user": of[1]}),
    lambda c, ids, of: c.post("/v1/retrieve", json={"text": "where is my spare key", "full": True}),
    lambda c, ids, of: c.post("/v1/retrieve", json={"text": "the second one", "session": "s", "user": of[1]}),
    lambda c, ids, of: c.post("/v1/answer", json={"id": ids["turn"], "choice": 0}),
    lambda c, ids, of: c.post("/v1/explain", json={"id": ids["turn"]}),
    lambda c, ids, of: c.post("/v1/more", json={"id": ids["turn"], "reply": "I lack information about it."}),
    lambda c, ids, of: c.post("/v1/feedback", json={"of": ids["turn"], "judged": "useful"}),
    lambda c, ids, of: c.post("/v1/act", json={"plan": ids["plan"], "session": "s"}),
    lambda c, ids, of: c.post("/v1/confirm", json={"token": ids["token"]}),
    lambda c, ids, of: c.post("/v1/messages/forget", json={"ids": [ids["message"]]}),
    lambda c, ids, of: c.post("/v1/facts/forget", json={"ids": [ids["fact"]], "user": of[1]}),
    lambda c, ids, of: c.post("/v1/undo", json={"session": "d", "user": of[1]}),
]
"""What somebody might try to reach the rows of another with."""


def test_a_key_may_come_so_often_and_no_other_pays_for_it(start: Callable[..., Served]) -> None:
    server = start(cottage(), rate=5)
    first, other = server.key(), server.key()
    with server.client(first) as client:
        codes = [client.get("/v1/homes").status_code for _ in range(7)]
        limited = client.get("/v1/homes")
    assert codes == [200] * 5 + [429] * 2
    assert limited.json()["error"]["code"] == "rate_limited"
    assert 1 <= int(limited.headers["retry-after"]) <= 60
    with server.client(other) as client:
        assert client.get("/v1/homes").status_code == 200


def test_a_body_that_is_too_long_is_not_read(start: Callable[..., Served]) -> None:
    server = start(cottage(), keyless=True, body=2000)
    with server.client() as client:
        for content in (b"x" * 3000, (b"x" * 100 for _ in range(30))):  # announced, and in pieces
            sent = client.post("/v1/homes/toy", content=content)
            assert (sent.status_code, sent.json()["error"]["code"]) == (413, "too_large")


def test_a_response_that_does_not_begin_in_time_is_an_error(start: Callable[..., Served]) -> None:
    engine = cottage()

    async def slow(search: Any, scope: Any, limit: int) -> Any:
        import asyncio

        await asyncio.sleep(5)

    engine.sources["history"] = slow
    server = start(engine, keyless=True, seconds=0.2)
    with server.client() as client:
        sent = client.get("/v1/messages", params={"user": "ida", "query": "x"})
        assert (sent.status_code, sent.json()["error"]["code"]) == (504, "timeout")
        assert client.get("/v1/homes").status_code == 200


def test_a_page_under_another_name_is_not_answered_without_a_key(open_server: Served) -> None:
    with open_server.client() as client:
        sent = client.get("/v1/homes", headers={"Host": "evil.example:80"})
    assert (sent.status_code, sent.json()["error"]["code"]) == (403, "foreign_host")
