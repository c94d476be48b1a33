"""Requests of all kinds, and bytes that are none, at a running server; ``make fuzz-http`` sends many more."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from tests.http_fuzz import Maker, fault, fuzz
from tests.unit.app.server.conftest import Served

pytestmark = [pytest.mark.e2e, pytest.mark.slow]
COUNT = 150


def test_no_request_ends_in_a_traceback_or_an_error_that_is_not_announced(tmp_path: Path) -> None:
    report = fuzz(tmp_path, COUNT, seed=11)
    assert report.faults == []
    assert report.count >= COUNT
    assert {200, 404, 422}.issubset(report.statuses)


@pytest.mark.parametrize(
    ("status", "text", "why"),
    [
        (500, '{"error": {"code": "internal"}}', "500 internal"),
        (500, '{"error": {"code": "config_error"}}', "500 config_error"),
        (404, "Not Found", "an error in another shape"),
        (200, "Traceback (most recent call last):", "a traceback"),
        (503, '{"error": {"code": "store_busy"}}', ""),
        (422, '{"error": {"code": "invalid_request"}}', ""),
    ],
)
def test_what_is_wrong_with_an_answer_is_known(status: int, text: str, why: str) -> None:
    asked = httpx.Request("GET", "http://127.0.0.1/")
    assert fault(httpx.Response(status, text=text, request=asked)) == why


def test_every_route_of_the_description_is_asked_for(open_server: Served) -> None:
    with open_server.client() as client:
        description = client.get("/openapi.json").json()
    maker = Maker(description, 1)
    asked = {
        (one["method"], one["url"].split("/")[2:3][0])
        for one in (maker.request() for _ in range(1500))
        if one["url"].startswith("/v1")
    }
    wanted = {
        (m.upper(), p.split("/")[2])
        for p, ms in description["paths"].items()
        for m in ms
        if p.startswith("/v1")
    }
    assert wanted <= asked


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/documents", {"documents": [{"id": "x", "text": "y"}], "timezone": "Mars/Olympus"}),
        ("/v1/messages", {"messages": [{"role": "user", "content": "y"}], "timezone": "\u0000"}),
        ("/v1/documents/files/" + "x" * 300 + ".md", None),
        ("/v1/documents/files/a%00b", None),
    ],
)
def test_a_zone_or_a_name_of_a_file_that_is_none_is_a_fault_of_the_request(
    client: httpx.Client, path: str, body: dict[str, object] | None
) -> None:
    sent = client.post(
        path, params={"user": "ida"} if body is None else {}, json={"user": "ida", **body} if body else {}
    )
    assert (sent.status_code, sent.json()["error"]["code"]) == (422, "invalid_request")
