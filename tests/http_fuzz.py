"""Requests that the description of the HTTP server allows, nearly allows or does not allow, and mere bytes.

``python -m tests.http_fuzz --count 20000`` sends them to a ``winnow serve`` of its own on this machine. Of an
answer: no status 500, other 5xx only in the one shape of errors with a code that is documented, errors in
that shape, no traceback in any body, none in what the server writes. The same seed makes the same requests.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote, urlsplit

import httpx

from winnow.app.config.settings import load_settings
from winnow.app.wiring.engine import import_path, open_store
from winnow.types.scope import Scope

ANNOUNCED = re.compile(r"model_\w+|link_\w+|store_error|store_busy|no_model|timeout")
"""Codes of errors of 5xx (docs/server.md)."""
WORDS = (
    "",
    "ida",
    "cottage",
    "turn on the desk lamp",
    "unlock the front door",
    "where is my key?",
    "打开书房的灯",
    "yes",
    "the second one",
    "light.desk_lamp",
    "\x00",
    "a\u202eb",
    "\ud800",
    "é" * 300,
    "x" * 5000,
    "'; DROP TABLE home;--",
    "../../etc/passwd",
    "%00",
    "{}",
    "[]",
    "null",
    "2026-13-45T99:99",
    "Mars/Olympus",
    "1e999",
    "system",
)
NUMBERS = (0, 1, -1, 31, 32, 2**31, -(2**63), 2**70, 0.5, -0.0, 1e308, 10**400)
BYTES = (
    b"GET / HTTP/1.1\r\n\r\n",
    b"POST /v1/act HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99\r\n\r\n{",
    b"\x00" * 200,
    b"GET /v1/homes HTTP/9.9\r\nHost: x\r\n\r\n",
    b"PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    b"POST /v1/retrieve HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -5\r\n\r\n",
    b"GET /\xff\xfe HTTP/1.1\r\nHost: \xff\r\n\r\n",
    b"POST /v1/budget HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\nContent-Length: 7\r\n\r\n{}",
    b"OPTIONS * HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"GET /v1/homes HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"X: y\r\n" * 3000 + b"\r\n",
)
"""What is sent as it is, or damaged."""
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE")
TYPES = (
    "application/json",
    "text/plain",
    "application/zip",
    "multipart/form-data; boundary=x",
    "",
    "a/b; charset=x",
)
DEEP = 200


@dataclass(slots=True)
class Report:
    """What came of all requests."""

    statuses: Counter[int] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    @property
    def count(self) -> int:
        """Requests that were sent, those of mere bytes too."""
        return sum(self.statuses.values())


class Maker:
    """Makes requests out of a description."""

    def __init__(self, description: Mapping[str, Any], seed: int) -> None:
        self.rng, self._shapes = Random(seed), description["components"]["schemas"]
        self._operations = [
            (method.upper(), path, operation)
            for path, methods in description["paths"].items()
            for method, operation in methods.items()
        ]

    def request(self) -> dict[str, Any]:
        """What ``httpx`` is to send."""
        rng = self.rng
        method, path, operation = rng.choice(self._operations)
        asked: dict[str, list[tuple[str, Any]]] = {"query": [], "path": [], "header": [], "cookie": []}
        for one in operation.get("parameters", ()):
            if one["in"] == "path" or rng.random() < 0.5:
                asked[one["in"]].append((one["name"], self.value(one.get("schema", {}))))
        for name, value in asked["path"]:
            # what is left out of a path would be another path
            path = re.sub(r"\{" + name + r"(:path)?\}", quote(_text(value) or "x", safe=""), path)
        if method == "DELETE":
            path = path.replace("cottage", "nowhere")
        headers = {
            "Accept": rng.choice(("*/*", "text/event-stream")),
            "Accept-Language": rng.choice(("en", "zh-CN")),
        }
        content = b""
        if body := operation.get("requestBody"):
            kind, shape = next(iter(body["content"].items()))
            content, headers["Content-Type"] = self.body(shape.get("schema")), kind
        if rng.random() < 0.05:
            method, headers["Content-Type"] = rng.choice(METHODS), rng.choice(TYPES)
        query = [(name, _text(value)) for name, value in asked["query"]]
        return {"method": method, "url": path, "params": query, "content": content, "headers": headers}

    def body(self, schema: Any) -> bytes:
        """The bytes of a body, of that schema or near it."""
        if schema is None or self.rng.random() < 0.03:
            return self.damage(
                self.rng.choice((b"", b"{", b"\xff\xfe", b'{"a":' * DEEP, b"[" * 5000, b'"\\ud800"', b"NaN"))
            )
        text = json.dumps(self.value(schema))
        data = text.encode("utf-8", "surrogatepass")
        return self.damage(data) if self.rng.random() < 0.05 else data

    def damage(self, data: bytes) -> bytes:
        """The same with some bytes changed, taken out or put in."""
        made, rng = bytearray(data), self.rng
        for _ in range(rng.randrange(4)):
            at = rng.randrange(len(made) + 1)
            made[at : at + rng.randrange(3)] = rng.randbytes(rng.randrange(4))
        return bytes(made)

    def value(self, schema: Mapping[str, Any], depth: int = 0) -> Any:
        """A value of the schema, mostly."""
        rng = self.rng
        if "$ref" in schema:
            schema = self._shapes[schema["$ref"].rpartition("/")[2]]
        if rng.random() < 0.04 or depth > 6:
            return self.anything()
        for name in ("anyOf", "oneOf", "allOf"):
            if name in schema:
                return self.value(rng.choice(schema[name]), depth + 1)
        for name in ("examples", "enum"):
            if schema.get(name) and rng.random() < 0.6:
                return rng.choice(schema[name])
        made: Callable[[], Any] = {
            "object": lambda: self._object(schema, depth),
            "array": lambda: [
                self.value(schema.get("items", {}), depth + 1) for _ in range(rng.choice((0, 1, 1, 2, 9)))
            ],
            "integer": lambda: rng.choice((rng.randrange(100), *NUMBERS[:8])),
            "number": lambda: rng.choice((rng.random(), *NUMBERS[:11])),
            "boolean": lambda: rng.random() < 0.5,
            "null": lambda: None,
            "string": lambda: rng.choice(WORDS),
        }.get(schema.get("type", ""), self.anything)
        return schema["const"] if "const" in schema else made()

    def _object(self, schema: Mapping[str, Any], depth: int) -> dict[str, Any]:
        needed, more = schema.get("required", ()), schema.get("additionalProperties")
        told = {
            name: self.value(one, depth + 1)
            for name, one in schema.get("properties", {}).items()
            if self.rng.random() < (0.95 if name in needed else 0.4)
        }
        if isinstance(more, Mapping) or self.rng.random() < 0.05:
            told[self.rng.choice(WORDS)] = self.value(more if isinstance(more, Mapping) else {}, depth + 1)
        return told

    def anything(self) -> Any:
        """Any value that JSON can hold."""
        rng = self.rng
        deep: Any = None
        for _ in range(rng.choice((0, 1, DEEP))):
            deep = [deep]
        return rng.choice(
            (
                rng.choice(WORDS),
                rng.choice(NUMBERS),
                None,
                True,
                {},
                [],
                deep,
                {"role": "user", "content": deep},
            )
        )


def _text(value: Any) -> str:
    told = value if isinstance(value, str) else json.dumps(value)
    return told.encode("utf-8", "replace").decode()


def fault(answered: httpx.Response) -> str:
    """What is wrong with an answer; empty: nothing."""
    text, status = answered.text, answered.status_code
    if "Traceback (most recent call last)" in text or '.py", line' in text:
        return "a traceback"
    if status < 400 or answered.request.method == "HEAD":
        return ""
    try:
        code = answered.json()["error"]["code"]
    except (ValueError, KeyError, TypeError):
        return "an error in another shape"
    return f"{status} {code}" if status >= 500 and not ANNOUNCED.fullmatch(code) else ""


async def send_all(url: str, maker: Maker, count: int, at_once: int, report: Report) -> None:
    """Send so many requests and judge what is answered."""
    left = iter(range(count))

    async def one(client: httpx.AsyncClient) -> None:
        for _ in left:
            asked = maker.request()
            try:
                answered = await client.request(**asked)
            except httpx.HTTPError:
                # The connection was being closed, after an answer that did not wait for a whole request. What
                # gets none on a new connection either is a fault.
                report.statuses[0] += 1
                try:
                    async with httpx.AsyncClient(base_url=url, timeout=120, verify=False) as anew:
                        answered = await anew.request(**asked)
                except httpx.HTTPError as error:
                    report.faults.append(f"no answer ({error!r}): {asked}")
                    continue
            report.statuses[answered.status_code] += 1
            if why := fault(answered):
                report.faults.append(f"{why}: {asked} -> {answered.text[:300]}")

    async with httpx.AsyncClient(base_url=url, timeout=120, verify=False) as client:
        await asyncio.gather(*(one(client) for _ in range(at_once)))


def send_bytes(url: str, maker: Maker, count: int, report: Report) -> None:
    """Send bytes that are no request, or hardly one, and see that the server goes on."""
    where = urlsplit(url)
    for _ in range(count):
        data = maker.damage(maker.rng.choice(BYTES))
        with socket.create_connection((where.hostname or "", where.port or 0), 60) as connection:
            connection.settimeout(0.05)
            try:
                connection.sendall(data)
                told = connection.recv(65_536)
            except OSError:  # hung up, or it waits for the rest
                told = b""
        report.statuses[int(told[9:12]) if told[9:12].isdigit() else 0] += 1
        if b" 500 " in told[:20] or b"Traceback" in told:
            report.faults.append(f"{data[:200]!r} -> {told[:300]!r}")
    if httpx.get(f"{url}/health", timeout=60).status_code != 200:
        report.faults.append("the server does not answer any more")


@contextmanager
def fuzzed_server(data: Path) -> Iterator[tuple[str, Path]]:
    """The URL of a ``winnow serve`` over a copy of a home, and the file that its log goes to."""
    import_path(Scope(), "example:cottage", open_store(load_settings({}, data)).storage.homes)
    log, command = data / "log.txt", [sys.executable, "-m", "winnow", "serve", "--port", "0", "--rate", "0"]
    env = {**os.environ, "WINNOW_HOME": str(data), "LANG": "C.UTF-8"}
    with log.open("w") as out, subprocess.Popen([*command, "--simulate"], env=env, stderr=out) as process:
        try:
            while not (found := re.search(r"http://\S+:\d+", log.read_text("utf-8"))):
                if process.poll() is not None:
                    raise RuntimeError(log.read_text("utf-8"))
            yield found[0], log
        finally:
            process.terminate()
            process.wait(30)


def fuzz(data: Path, count: int, seed: int, at_once: int = 8) -> Report:
    """So many requests, a tenth of them mere bytes, to a server over that folder."""
    report = Report()
    with fuzzed_server(data) as (url, log):
        maker = Maker(httpx.get(f"{url}/openapi.json", timeout=120).json(), seed)
        asyncio.run(send_all(url, maker, count - count // 10, at_once, report))
        send_bytes(url, maker, count // 10, report)
        told = log.read_text("utf-8", "replace")
    for trace in told.split("Traceback (most recent call last)")[1:]:
        # the innermost lines say most
        report.faults.append(f"in the log: {' | '.join(trace.strip().splitlines()[-5:])}")
    return report


def main() -> int:
    """Print how many requests there were, by status, and what was wrong."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        report = fuzz(Path(folder), args.count, args.seed)
    by_status = ", ".join(f"{status or 'no status'}: {n}" for status, n in sorted(report.statuses.items()))
    print(f"{report.count} requests ({by_status}): {len(report.faults)} faults")
    print("\n".join(report.faults[:20]), end="\n" if report.faults else "")
    return 1 if report.faults else 0


if __name__ == "__main__":
    sys.exit(main())
