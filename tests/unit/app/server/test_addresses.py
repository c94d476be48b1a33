"""No tenant has a server asked: whatever addresses stand in what it sends, nothing is fetched from there."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from tests.files import zipped
from tests.smartthings_stand_in import SmartThings, smartthings
from tests.unit.app.server.conftest import Served, cottage
from tests.unit.app.server.test_shelves import TOY

WORD = "http://schemas.openxmlformats.org"
OF_ADDRESSES = set(re.split(" ", "url uri href host server address endpoint base_url callback webhook"))


def word_document(url: str) -> bytes:
    """A Word document whose picture lies elsewhere, and whose text comes from there too."""
    office = f"{WORD}/officeDocument/2006/relationships"
    picture = (
        '<w:drawing><wp:inline><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:link="r1"/>'
        "</pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing>"
    )
    drawn = f"{WORD}/drawingml/2006"
    spaces = (
        f'xmlns:w="{WORD}/wordprocessingml/2006/main" xmlns:r="{office}" xmlns:a="{drawn}/main" '
        f'xmlns:wp="{drawn}/wordprocessingDrawing" xmlns:pic="{drawn}/picture"'
    )
    paragraph = f"<w:p><w:r><w:t>Six hives.</w:t></w:r><w:r>{picture}</w:r></w:p>"
    document = f"<w:document {spaces}><w:body>{paragraph}</w:body></w:document>"
    package = f"{WORD}/package/2006/relationships"

    def relation(kind: str, target: str, mode: str = "") -> str:
        return (
            f'<Relationships xmlns="{package}"><Relationship Id="r1" Type="{office}/{kind}" Target="{target}"'
            f"{mode}/></Relationships>"
        )

    return zipped(
        {
            "_rels/.rels": relation("officeDocument", "word/document.xml"),
            "word/_rels/document.xml.rels": relation("image", f"{url}/devices", ' TargetMode="External"'),
            "word/document.xml": document,
        }
    )


def web_page(url: str) -> bytes:
    parts = f'<img src="{url}/devices"><iframe src="{url}/devices"></iframe><link href="{url}/devices">'
    return f'<!DOCTYPE html SYSTEM "{url}/devices"><p>Six hives.</p>{parts}'.encode()


@pytest.fixture
def witness() -> Iterator[SmartThings]:
    """A server of the inside network, which is not asked."""
    with smartthings() as server:
        yield server


def sent(client: httpx.Client, url: str) -> Iterator[httpx.Response]:
    """Everything that can be sent, with the address in it."""
    for name, data in (("a.docx", word_document(url)), ("b.html", web_page(url)), ("c.md", url.encode())):
        yield client.post(f"/v1/documents/files/{name}", params={"user": "ida"}, content=data)
    record = {"id": "d", "text": f"![x]({url}/devices) {url}", "source": url, "url": url}
    yield client.post("/v1/documents", json={"user": "ida", "documents": [record]})
    parts = [{"type": "text", "text": url}, {"type": "image_url", "image_url": {"url": f"{url}/devices"}}]
    said = [{"role": "user", "content": parts}]
    yield client.post("/v1/messages", json={"user": "ida", "messages": said})
    yield client.post("/v1/homes/toy", content=json.dumps({**TOY, "name": url}))
    yield client.post("/v1/retrieve", json={"user": "ida", "home": "cottage", "text": f"fetch {url}/devices"})
    told = {"user": "ida", "home": "cottage", "text": "six hives?", "history": said}
    yield client.post("/v1/retrieve", json=told)


def test_nothing_that_a_tenant_sends_has_a_server_asked(
    start: Callable[..., Served], witness: SmartThings
) -> None:
    with start(cottage(), keyless=True).client() as client:
        assert {one.status_code for one in sent(client, witness.url)} == {200, 201}
    assert witness.asked == []


def test_no_request_has_a_field_for_an_address(start: Callable[..., Served]) -> None:
    with start(cottage(), keyless=True).client() as client:
        told = client.get("/openapi.json").json()
    parameters = {
        one["name"]
        for path in told["paths"].values()
        for operation in path.values()
        for one in operation.get("parameters", ())
    }
    fields = {name for shape in told["components"]["schemas"].values() for name in names_in(shape)}
    assert {"user", "text"} <= fields | parameters
    assert not OF_ADDRESSES & (fields | parameters)


def names_in(shape: Any) -> Iterator[str]:
    """Names of all properties of a schema, those of what lies in it too."""
    if isinstance(shape, dict):
        properties = shape.get("properties")
        yield from properties if isinstance(properties, dict) else ()
        for part in shape.values():
            yield from names_in(part)
    elif isinstance(shape, list):
        for part in shape:
            yield from names_in(part)
