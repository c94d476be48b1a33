"""Try, over HTTP, to reach what belongs to others: no row, no answer and no deletion may ever come of it.

``python -m benchmarks.http_isolation [--count 100000] [--seed 1]``: one store of two tenants whose homes have
one id, and three persons, two of whom have one name. Each comes with a key and the ids of the others: of
their messages, documents, facts, turns, plans and questions. Prints one line; exit status 1 when anything
came back. The same seed tries the same.
"""

from __future__ import annotations

import argparse
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import permutations
from pathlib import Path
from random import Random
from threading import Thread
from urllib.parse import quote

import httpx

Person = tuple[str, str]
"""Tenant and user."""
PERSONS: tuple[Person, ...] = (("anna", "ida"), ("anna", "jo"), ("bert", "ida"))
Attempt = Callable[[httpx.Client, Mapping[str, str], str], httpx.Response]
"""What somebody does with the ids of another, and that one's name."""
ATTEMPTS: tuple[Attempt, ...] = (
    lambda c, ids, user: c.get("/v1/messages", params={"query": "spare key flowerpot"}),
    lambda c, ids, user: c.get("/v1/documents", params={"query": "spare key flowerpot"}),
    lambda c, ids, user: c.get("/v1/facts"),
    lambda c, ids, user: c.post("/v1/retrieve", json={"text": "where is my spare key", "full": True}),
    lambda c, ids, user: c.get("/v1/messages", params={"user": user}),
    lambda c, ids, user: c.get("/v1/facts", params={"user": user}),
    lambda c, ids, user: c.get(f"/v1/documents/{quote(ids['document'])}"),
    lambda c, ids, user: c.post(
        "/v1/retrieve", json={"text": "the second one", "session": "s", "user": user}
    ),
    lambda c, ids, user: c.post("/v1/answer", json={"id": ids["turn"], "choice": 0}),
    lambda c, ids, user: c.post("/v1/explain", json={"id": ids["turn"]}),
    lambda c, ids, user: c.post(
        "/v1/more", json={"id": ids["turn"], "reply": "I lack information about it."}
    ),
    lambda c, ids, user: c.post("/v1/feedback", json={"of": ids["turn"], "judged": "useful"}),
    lambda c, ids, user: c.post("/v1/act", json={"plan": ids["plan"], "session": "s"}),
    lambda c, ids, user: c.post("/v1/confirm", json={"token": ids["token"]}),
    lambda c, ids, user: c.post("/v1/undo", json={"session": "d", "user": user}),
    lambda c, ids, user: c.post("/v1/messages/forget", json={"ids": [ids["message"]], "user": user}),
    lambda c, ids, user: c.post("/v1/documents/forget", json={"ids": [ids["document"]]}),
    lambda c, ids, user: c.post("/v1/facts/forget", json={"ids": [ids["fact"]], "user": user}),
)
OWN = 4
"""So many of the first ones find what is one's own."""
ANSWERED = ("/v1/answer", "/v1/explain", "/v1/more", "/v1/feedback")
"""Routes that have nothing to say to anybody about another's turn."""


def mark(person: Person) -> str:
    """Words that only that person ever said."""
    return f"flowerpot of {' '.join(person)}"


def fill(client: httpx.Client, person: Person) -> dict[str, str]:
    """Rows of a person wherever there are any, and their ids."""
    said = f"I keep a spare key under the blue pot, the {mark(person)}."
    name = "-".join(person)
    message = {"id": f"m-{name}", "role": "user", "content": said}
    client.post("/v1/messages", json={"messages": [message]})
    client.post("/v1/documents", json={"documents": [{"id": f"d-{name}", "text": said}]})
    fact = client.post("/v1/facts", json={"text": said}).json()["facts"][0]["id"]
    turn = client.post("/v1/retrieve", json={"text": "turn on the light", "session": "s"}).json()
    asked = client.post("/v1/act", json={"text": "unlock the front door", "session": "d"}).json()
    document = client.get("/v1/documents").json()["documents"][0]["id"]
    ids = {"turn": turn["id"], "plan": turn["plan"], "token": asked["token"], "document": document}
    return {**ids, "fact": fact, "message": message["id"]}


def leak(answered: httpx.Response, whose: Person) -> bool:
    """Whether anything of the person came back or was changed."""
    if mark(whose) in answered.text or answered.status_code >= 500:
        return True
    told, path = answered.json(), answered.request.url.path
    done = told.get("receipt", {}).get("status") in ("done", "partly", "waiting")
    return done or bool(told.get("deleted")) or (path in ANSWERED and answered.is_success)


def leaks(clients: Mapping[Person, httpx.Client], count: int, seed: int) -> list[str]:
    """What came of so many tries. Raises ValueError where anybody does not find their own."""
    rng, seen = Random(seed), {person: fill(client, person) for person, client in clients.items()}
    pairs, found = list(permutations(clients, 2)), []
    _expect_own(clients, seen)
    for n in range(count):
        (who, whose), attempt = rng.choice(pairs), ATTEMPTS[n % len(ATTEMPTS)]
        answered = attempt(clients[who], seen[whose], whose[1])
        if leak(answered, whose):
            found.append(f"{who} of {whose}: {answered.request.url} {answered.text}")
    _expect_own(clients, seen)
    return found


def _expect_own(clients: Mapping[Person, httpx.Client], seen: Mapping[Person, Mapping[str, str]]) -> None:
    for person, client in clients.items():
        for attempt in ATTEMPTS[:OWN]:
            if mark(person) not in attempt(client, seen[person], person[1]).text:
                raise ValueError(f"{person} does not find what is their own")


@contextmanager
def two_tenants(data: Path) -> Iterator[dict[Person, httpx.Client]]:
    """A running server over a store in that folder, and a client with a key for each person."""
    import uvicorn

    from winnow.app.access import Access
    from winnow.app.config.settings import load_settings
    from winnow.app.server.app import create_app
    from winnow.app.server.limits import ServerSettings
    from winnow.app.wiring.engine import open_engine, open_store, read_home
    from winnow.ports.services import run_blocking
    from winnow.types.scope import Scope

    settings, read = load_settings({}, data), read_home("example:cottage", "house")
    for tenant in {tenant for tenant, _ in PERSONS}:
        scope = Scope(tenant, home="house")
        run_blocking(open_store(settings).storage.homes.save_home(scope, read.home, read.states))
    engine = open_engine(settings=settings)
    access = Access(engine.storage)
    listener = socket.create_server(("127.0.0.1", 0))
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # as winnow serve does
    app = create_app(engine, access, ServerSettings(rate=0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
    thread = Thread(target=server.run, args=([listener],))
    thread.start()
    while not server.started:
        time.sleep(0.01)
    url, clients = f"http://127.0.0.1:{listener.getsockname()[1]}", {}
    for tenant, user in PERSONS:
        secret = run_blocking(access.add(tenant, "benchmark", [user])).secret
        headers = {"Authorization": f"Bearer {secret}"}
        clients[tenant, user] = httpx.Client(base_url=url, headers=headers, timeout=60, verify=False)
    try:
        yield clients
    finally:
        for client in clients.values():
            client.close()
        server.should_exit = True
        thread.join()
        listener.close()


def main() -> int:
    """Print how many tries there were, how long one took, and what came of them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, two_tenants(Path(folder)) as clients:
        start = time.perf_counter()
        found = leaks(clients, args.count, args.seed)
        ms = 1000 * (time.perf_counter() - start) / max(1, args.count)
    print(f"{args.count} tries, {ms:.1f} ms each: {len(found)} rows or answers of others")
    print("\n".join(found[:5]), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
