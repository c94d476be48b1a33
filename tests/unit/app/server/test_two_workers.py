"""Two workers over one store while many come at one time: no message is lost, and a yes counts once."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.home_assistant_stand_in import TOKEN, HomeAssistant, in_a_thread, state
from tests.unit.app.server.test_serve import winnow_serve

from winnow.app.config.settings import load_settings
from winnow.app.wiring.engine import open_store
from winnow.ports.services import run_blocking
from winnow.types.scope import Scope

pytestmark = [pytest.mark.e2e, pytest.mark.slow]
DOORS = ("front", "back", "cellar", "garage")
AT_ONE_TIME = 4
"""Times that each yes is said, all at one time."""
MESSAGES = 12


@dataclass
class Locks(HomeAssistant):
    """A home of locked doors. Nobody hears of a door that was unlocked before."""

    unlocked: Counter[str] = field(default_factory=Counter)

    async def _serve(self, client: Any, asked: dict[str, Any]) -> None:
        if asked["service"] == "unlock":
            entity = asked["target"]["entity_id"]
            self.unlocked[entity] += 1
            await self.put(state(entity, "unlocked", "2026-03-01T09:00:00+00:00"))
        await super()._serve(client, asked)


@pytest.fixture
def home() -> Iterator[Locks]:
    server = Locks({f"lock.{door}_door": state(f"lock.{door}_door", "locked") for door in DOORS})
    with in_a_thread(server):
        yield server


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where the store is."""
    if request.param == "sqlite":
        return str(tmp_path / "winnow.db")
    found: str = request.getfixturevalue("postgres_store")
    return found


def test_what_many_write_is_kept_and_what_many_agree_to_is_done_once(
    home: Locks, store: str, tmp_path: Path, winnow: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"WINNOW_HOME": str(tmp_path), "WINNOW_STORE": store, "HA_TOKEN": TOKEN}.items():
        monkeypatch.setenv(name, value)
    done = winnow("home", "import", "--url", home.url, "--token-env", "HA_TOKEN", "--id", "flat")
    assert done.code == 0, done.err
    with (
        winnow_serve(tmp_path, "--live", "--workers", "2", "--rate", "0") as (url, _),
        ThreadPoolExecutor(16) as pool,
    ):

        def post(path: str, **body: Any) -> dict[str, Any]:
            # a connection of its own for each, so that both workers get some
            answered = httpx.post(f"{url}/v1/{path}", json=body, timeout=60)
            told: dict[str, Any] = answered.json()
            return {**told, "status": answered.status_code}

        def keep(number: int) -> int:
            said = [{"id": f"m{number}", "role": "user", "content": f"I put parcel {number} away."}]
            return int(post("messages", user=DOORS[number % len(DOORS)], messages=said)["status"])

        def worker(_: int) -> str:
            told = httpx.get(f"{url}/metrics", timeout=60).text
            return re.findall(r'worker="(\d+)"', told)[0]

        answering: set[str] = set()
        while len(answering) < 2:  # the second may take connections a while after the first
            answering.update(pool.map(worker, range(16)))
        asked = {door: post("act", text=f"unlock the {door} door", user=door)["token"] for door in DOORS}
        kept = [pool.submit(keep, number) for number in range(MESSAGES)]
        agreed = {
            door: [pool.submit(post, "confirm", token=token, user=door) for _ in range(AT_ONE_TIME)]
            for door, token in asked.items()
        }
        assert [one.result() for one in kept] == [201] * MESSAGES
        for door, answers in agreed.items():
            statuses = Counter(one.result().get("receipt", {}).get("status") for one in answers)
            assert statuses["done"] == 1, (door, [one.result() for one in answers])
    assert home.unlocked == dict.fromkeys((f"lock.{door}_door" for door in DOORS), 1)
    messages = open_store(load_settings(os.environ, tmp_path)).storage.messages
    assert sum(run_blocking(messages.users(Scope())).values()) == MESSAGES
