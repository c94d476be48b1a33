"""What a server answers to requests one after the other, in the words that clients get."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.unit.app.server.conftest import cottage, served

from winnow.language.tables import parse_yaml

TABLE = parse_yaml(Path(__file__).with_name("requests.yaml").read_text("utf-8"))
TALKS = [next(iter(talk.items())) for talk in TABLE]


def as_far_as(told: Any, wanted: Any) -> Any:
    """What is told, of the fields that are wanted alone."""
    if isinstance(told, Mapping) and isinstance(wanted, Mapping):
        return {name: as_far_as(told.get(name), value) for name, value in wanted.items()}
    if isinstance(told, list) and isinstance(wanted, list) and len(told) == len(wanted):
        return [as_far_as(*both) for both in zip(told, wanted, strict=True)]
    return told


@pytest.mark.parametrize("requests", [requests for _, requests in TALKS], ids=[name for name, _ in TALKS])
def test_requests_are_answered(requests: list[Mapping[str, Mapping[str, Any]]]) -> None:
    last = ""
    with served(cottage(), keyless=True) as server, server.client() as client:
        for request, row in (next(iter(one.items())) for one in requests):
            method, path = request.split()
            body = json.dumps(row["sent"]).replace("{id}", last) if "sent" in row else None
            came = client.request(method, path, content=body, headers={"Content-Type": "application/json"})
            told = came.json()
            wanted = {"status" if name == "state" else name: value for name, value in row.items()}
            del wanted["http"]
            wanted.pop("sent", None)
            assert (came.status_code, as_far_as(told, wanted)) == (row["http"], wanted), request
            if path == "/v1/retrieve" and came.is_success:
                last = told["id"]
