"""A server on this machine that answers like the SmartThings API, or as badly as a test wants."""

from __future__ import annotations

import base64
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from tests.smartthings_doing import Doing

HOMES = Path(__file__).resolve().parents[1] / "src/winnow/examples/homes"
HOME = HOMES / "smartthings-raw"
TOKEN, REFRESH, CLIENT, SECRET = "personal-token", "refresh-1", "client", "client-secret"


@dataclass(frozen=True, slots=True)
class Reply:
    """One response; status 0 is none. ``delay``: seconds before it; ``cut``: bytes announced and never sent.

    ``after``: what was asked for is done first, and only then this is said of it.
    """

    body: object = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    cut: int = 0
    after: bool = False
    raw: bytes | None = None
    """The body as it is, in the place of JSON."""


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked, by whom."""

    path: str
    query: Mapping[str, list[str]]
    token: str
    method: str = "GET"
    body: object = None


def too_many(milliseconds: int = 10, retry_after: str = "") -> Reply:
    """A 429 as SmartThings sends it."""
    headers = {
        "X-RateLimit-Limit": "50",
        "X-RateLimit-Remaining": "0",
        "X-RateLimit-Reset": str(milliseconds),
    }
    if retry_after:
        headers["Retry-After"] = retry_after
    details = [{"code": "TooManyRequestError", "message": f"retry in {milliseconds} millis", "details": []}]
    error = {"code": "TooManyRequestError", "message": "Too Many Requests", "details": details}
    return Reply({"requestId": "1", "error": error}, 429, headers)


def trouble(status: int = 500) -> Reply:
    """An error of the server's own."""
    return Reply(
        {"requestId": "1", "error": {"code": "UnexpectedError", "message": "?", "details": []}}, status
    )


Fault = Callable[[Request], "Reply | None"]


@dataclass
class SmartThings:
    """One account. ``faults`` answer first, each with a reply or None; ``page``: devices a page holds.

    ``alone``: states come only from calls of their own, as servers do that know no ``includeStatus``.
    """

    page: int = 20
    alone: bool = False
    folder: Path = HOME
    faults: list[Fault] = field(default_factory=list)
    offline: set[str] = field(default_factory=set)
    doing: Doing = field(default_factory=Doing)
    tokens: set[str] = field(default_factory=lambda: {TOKEN})
    refresh: str = REFRESH

    def __post_init__(self) -> None:
        """The account of the example home."""
        self.devices: list[dict[str, Any]] = _items(self.folder, "devices")
        self.status: dict[str, Any] = _answer(self.folder, "status")
        self.listed = {name: _items(self.folder, name) for name in ("locations", "rooms", "scenes")}
        self.asked: list[Request] = []
        self.most = self._open = self._issued = 0
        self._lock, self._over = Lock(), Event()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._http.daemon_threads = False
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}"

    def first(self, *replies: Reply, path: str = "") -> None:
        """Give these replies, one after the other, before anything else, to requests below that path."""
        waiting = list(replies)

        def fault(request: Request) -> Reply | None:
            with self._lock:
                fits = waiting and request.path.startswith(path)
                return waiting.pop(0) if fits else None

        self.faults.append(fault)

    def set(self, device_id: str, capability: str, attribute: str, value: object) -> None:
        """Something happens at home."""
        told = self.status[device_id]["components"]["main"].setdefault(capability, {})
        told[attribute] = {"value": value, "timestamp": "2026-03-09T10:00:00.000Z"}

    def counted(self) -> Counter[str]:
        """How often each kind of path was asked for."""
        return Counter(re.sub(r"/[0-9a-f-]{36}", "/ID", request.path) for request in self.asked)

    def answer(self, request: Request) -> Reply:
        """What the account answers, or what goes wrong."""
        with self._lock:
            self.asked.append(request)
            self._open += 1
            self.most = max(self.most, self._open)
        try:
            wrong = next((reply for fault in self.faults if (reply := fault(request))), None)
            if wrong is None or wrong.after:
                with self._lock:
                    answered = self._answer(request)
            return wrong or answered
        finally:
            with self._lock:
                self._open -= 1

    def renewed(self, form: Mapping[str, list[str]], credentials: str) -> Reply:
        """A new pair of tokens for the last refresh token, which is used up by that."""
        known = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        with self._lock:
            if form.get("refresh_token") != [self.refresh] or credentials != f"Basic {known}":
                return Reply({"error": "invalid_grant"}, 400)
            self._issued += 1
            token, self.refresh = f"access-{self._issued}", f"refresh-{self._issued + 1}"
            self.tokens = {token}
        return Reply({"access_token": token, "refresh_token": self.refresh, "expires_in": 86399})

    def wait(self, seconds: float) -> bool:
        """Wait, unless the server is being closed; whether it is."""
        return bool(seconds) and self._over.wait(seconds)

    def _answer(self, request: Request) -> Reply:
        if request.token not in self.tokens:
            return Reply({"error": {"code": "Unauthorized"}}, 401)
        self.doing.settle(self.status)
        if request.method == "POST":
            return self._done(request)
        path = request.path.strip("/").split("/")
        if request.path == "/devices":
            return self._page(request)
        if path[0] == "locations" and path[-1] == "rooms":
            rooms = [room for room in self.listed["rooms"] if room["locationId"] == path[1]]
            return Reply({"items": rooms, "_links": None})
        if path[-1] in self.listed and len(path) == 1:
            return Reply({"items": self.listed[path[0]], "_links": None})
        if path[0] == "devices" and path[-1] == "status" and path[1] in self.status:
            return Reply(self.status[path[1]])
        if path[0] == "devices" and path[-1] == "health":
            return Reply({"deviceId": path[1], **self._health(path[1])})
        return Reply({"error": {"code": "NotFoundError"}}, 404)

    def _done(self, request: Request) -> Reply:
        """What comes of a command or a scene."""
        kind, thing, verb = request.path.strip("/").split("/")
        if (kind, verb) == ("scenes", "execute") and thing in {s["sceneId"] for s in self.listed["scenes"]}:
            self.doing.scenes.append(thing)
            return Reply({"status": "success"})
        device = next((d for d in self.devices if d["deviceId"] == thing), None)
        if (kind, verb) != ("devices", "commands") or device is None:
            return _refusal(404, "NotFoundError", "not here")
        if thing in self.offline:
            return _refusal(409, "ConflictError", "invalid device state")
        if why := self.doing.wrong(device, request.body):
            return _refusal(422, "ConstraintViolationError", why)
        assert isinstance(request.body, dict)
        said = self.doing.do(thing, self.status[thing], request.body["commands"])
        return Reply({"results": [{"id": str(i), "status": status} for i, status in enumerate(said)]})

    def _page(self, request: Request) -> Reply:
        only = request.query.get("deviceId")
        devices = [self._shown(d, request) for d in self.devices if not only or d["deviceId"] in only]
        number = int(request.query.get("page", ["0"])[0])
        here = devices[number * self.page : (number + 1) * self.page]
        more = (number + 1) * self.page < len(devices)
        query = urlencode({**request.query, "page": number + 1}, doseq=True)
        following = {"href": f"{self.url}/devices?{query}"} if more else None
        return Reply({"items": here, "_links": {"next": following, "previous": None}})

    def _shown(self, device: dict[str, Any], request: Request) -> dict[str, Any]:
        shown = {name: value for name, value in device.items() if name != "healthState"}
        if self.alone:
            return shown
        if request.query.get("includeHealth") == ["true"]:
            shown["healthState"] = self._health(device["deviceId"])
        if request.query.get("includeStatus") == ["true"]:
            told = self.status.get(device["deviceId"], {}).get("components", {})
            shown["components"] = [_with_status(part, told) for part in device["components"]]
        return shown

    def _health(self, device_id: str) -> dict[str, Any]:
        if device_id in self.offline:
            return {"state": "OFFLINE"}
        device = next(d for d in self.devices if d["deviceId"] == device_id)
        return dict(device.get("healthState") or {"state": "ONLINE"})

    def start(self) -> None:
        """Begin to answer."""
        Thread(target=self._http.serve_forever, args=(0.01,)).start()

    def close(self) -> None:
        """Stop, and wait for every thread."""
        self._over.set()
        self._http.shutdown()
        self._http.server_close()


def _answer(folder: Path, name: str) -> Any:
    """What an export holds of that name: ``rooms.json``, ``rooms_api.json``, ``statuses.json``."""
    file = next(f for end in ("", "_api", "es") if (f := folder / f"{name}{end}.json").is_file())
    return json.loads(file.read_text("utf-8"))


def _items(folder: Path, name: str) -> list[dict[str, Any]]:
    """The items of a list, from one file or from its pages."""
    pages = sorted(folder.glob(f"{name}-*.json"))
    answers = [json.loads(f.read_text("utf-8")) for f in pages] or [_answer(folder, name)]
    return [item for answer in answers for item in answer["items"]]


def _refusal(status: int, code: str, message: str) -> Reply:
    return Reply({"requestId": "1", "error": {"code": code, "message": message, "details": []}}, status)


def _with_status(part: dict[str, Any], told: Mapping[str, Any]) -> dict[str, Any]:
    of_part = told.get(part["id"], {})
    capabilities = [{**c, "status": of_part.get(c["id"], {})} for c in part["capabilities"]]
    return {**part, "capabilities": capabilities}


def _handler(server: SmartThings) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            token = self.headers.get("Authorization", "").removeprefix("Bearer ")
            self.give(server.answer(Request(parts.path, parse_qs(parts.query), token)))

        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            sent, credentials = self.rfile.read(length), self.headers.get("Authorization", "")
            if urlsplit(self.path).path.endswith("/oauth/token"):
                self.give(server.renewed(parse_qs(sent.decode()), credentials))
                return
            token = credentials.removeprefix("Bearer ")
            body = json.loads(sent) if sent else None
            self.give(server.answer(Request(urlsplit(self.path).path, {}, token, "POST", body)))

        def give(self, reply: Reply) -> None:
            data = reply.raw if reply.raw is not None else json.dumps(reply.body).encode()
            self.close_connection = True  # a test that ends waits for no idle connection
            if server.wait(reply.delay) or not reply.status:
                return
            try:
                self.send_response(reply.status)
                headers = {"Content-Type": "application/json", "Content-Length": str(len(data) + reply.cut)}
                for name, value in {**headers, "Connection": "close", **reply.headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data)
            except OSError:
                pass  # whoever asked did not wait

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library names it
            pass

    return Handler


@contextmanager
def smartthings(**account: Any) -> Iterator[SmartThings]:
    """A running server; it is gone when the block ends."""
    server = SmartThings(**account)
    server.start()
    try:
        yield server
    finally:
        server.close()
