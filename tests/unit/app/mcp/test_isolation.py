"""Two tenants and three persons over MCP, each with a key and with ids of the others."""

from __future__ import annotations

import asyncio
from pathlib import Path

from benchmarks.http_isolation import PERSONS, mark
from benchmarks.mcp_isolation import ATTEMPTS, hammer, leak, two_tenants

ROUNDS = 2


def test_of_many_calls_with_ids_of_others_none_comes_to_anything_and_a_revoked_key_opens_nothing(
    tmp_path: Path,
) -> None:
    with two_tenants(tmp_path) as running:
        tries = ROUNDS * len(ATTEMPTS)
        assert asyncio.run(hammer(*running, lambda count: count < tries, 7)) == (tries, [])


def test_what_would_be_a_leak_is_known_by_its_words_by_what_was_done_and_by_what_went_well() -> None:
    whose = PERSONS[0]
    assert leak("facts", (True, f"the {mark(whose)}", {}), whose)
    assert leak("act", (True, "", {"status": "done"}), whose)
    assert leak("explain", (True, "", {}), whose)
    assert not leak("facts", (True, f"the {mark(PERSONS[1])}", {"facts": []}), whose)
    assert not leak("act", (True, "", {"status": "refused"}), whose)
