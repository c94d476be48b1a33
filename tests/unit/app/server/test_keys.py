"""What a key opens, and that no request opens more: two tenants, three persons, ids of one another."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import httpx
import pytest
from benchmarks.http_isolation import PERSONS, leaks
from tests.unit.app.server.conftest import Served, cottage, served, two_tenants

import winnow
from winnow.app.access import secret_digest
from winnow.ports.services import run_blocking
from winnow.types.candidate import Shortlist
from winnow.types.scope import Scope

TRIES = 192


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
    assert answered.status_code == 401
    assert answered.json()["error"]["code"] == "ended_key"


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


def test_of_many_requests_with_ids_of_others_none_comes_to_anything(house: Served) -> None:
    clients = {(tenant, user): house.client(house.key(tenant, users=[user])) for tenant, user in PERSONS}
    found = leaks(clients, TRIES, seed=7)
    for client in clients.values():
        client.close()
    assert found == []


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
        await asyncio.sleep(5)

    engine.sources["history"] = slow
    server = start(engine, keyless=True, seconds=0.2)
    with server.client() as client:
        sent = client.get("/v1/messages", params={"user": "ida", "query": "x"})
        assert (sent.status_code, sent.json()["error"]["code"]) == (504, "timeout")
        assert client.get("/v1/homes").status_code == 200


def test_where_no_key_is_asked_for_that_of_another_server_is_passed_over(
    start: Callable[..., Served],
) -> None:
    server = start(cottage(), keyless=True)
    with server.client("sk-of-another") as client:
        assert client.get("/v1/models").status_code == 200
        assert client.get("/v1/models", headers={"Origin": "https://evil.example"}).status_code == 403
        server.key()
        answered = client.get("/v1/models")
    assert (answered.status_code, answered.json()["error"]["code"]) == (401, "no_key")


@pytest.mark.parametrize(
    "headers",
    [{"Host": "evil.example:80"}, {"Origin": "https://evil.example"}, {"Origin": "null"}, {"Host": "[::1"}],
)
def test_a_page_of_another_site_is_not_answered_without_a_key(open_server: Served, headers: Any) -> None:
    with open_server.client() as client:
        sent = client.post("/v1/homes/toy", content=b"{}", headers=headers)
        assert (sent.status_code, sent.json()["error"]["code"]) == (403, "foreign_host")
        sent = client.get("/v1/homes", headers={"Origin": "http://localhost:3000"})
        assert sent.status_code == 200


def test_the_configured_home_is_not_asked_of_another_tenant(start: Callable[..., Served]) -> None:
    engine = winnow.open("example:cottage")
    home = engine.sync.load_home().home
    run_blocking(engine.storage.homes.save_home(Scope("bert"), replace(home, id="house")))
    engine.policy = replace(engine.policy, home="cottage")
    engine.pipeline = replace(engine.pipeline, policy=engine.policy)
    server = start(engine)
    with server.client(server.key("bert")) as client:
        found = client.post("/v1/retrieve", json={"text": "turn on the crane"}).json()
    assert (found["home"], found["verdict"]["kind"]) == ("house", "act")


def test_what_is_under_way_is_answered_before_the_end() -> None:
    engine, begun = cottage(), threading.Event()

    async def slow(search: Any, scope: Any, limit: int) -> Shortlist:
        begun.set()
        await asyncio.sleep(0.4)
        return Shortlist("history", ())

    engine.sources["history"] = slow
    codes: list[int] = []

    def ask(server: Served) -> None:
        with server.client() as client:
            params = {"user": "ida", "query": "x"}
            codes.append(client.get("/v1/messages", params=params).status_code)

    with served(engine, keyless=True) as server:
        thread = threading.Thread(target=ask, args=(server,))
        thread.start()
        assert begun.wait(10)
    thread.join()
    assert codes == [200]
