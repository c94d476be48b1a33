"""A server on this machine that speaks the OpenAI protocol as well, or as badly, as a test wants."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock, Thread
from typing import Any


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked of the server."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Reply:
    """One response, good or bad."""

    body: str | bytes = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "application/json"
    delay: float = 0.0
    """Seconds before anything is sent."""
    drip: float = 0.0
    """Seconds after each byte of the body."""
    cut: int = 0
    """Bytes of the body that are announced and never sent."""


Answer = Reply | Callable[[Request], Reply]


def said(text: str | None, *, finish: str = "stop", **message: Any) -> Reply:
    """A chat completion."""
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": text, **message},
        "finish_reason": finish,
    }
    usage = {"prompt_tokens": 12, "completion_tokens": 5, "total_tokens": 17}
    return Reply(
        json.dumps(
            {"id": "1", "object": "chat.completion", "model": "stand-in", "choices": [choice], "usage": usage}
        )
    )


def calls(*functions: tuple[str, str], text: str | None = None) -> Reply:
    """A chat completion that calls these functions: name and arguments of each."""
    made = [
        {"id": f"call_{n}", "type": "function", "function": {"name": name, "arguments": arguments}}
        for n, (name, arguments) in enumerate(functions)
    ]
    return said(text, finish="tool_calls", tool_calls=made)


def streamed(reply: Reply, size: int = 7) -> Reply:
    """The same as server-sent events, its texts and arguments in pieces of so many characters."""
    whole = json.loads(str(reply.body))
    choice, usage = whole["choices"][0], whole["usage"]
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    text = choice["message"]["content"] or ""
    deltas += [{"content": text[n : n + size]} for n in range(0, len(text), size)]
    for index, call in enumerate(choice["message"].get("tool_calls", ())):
        name, arguments = call["function"]["name"], call["function"]["arguments"]
        deltas.append({"tool_calls": [{**call, "index": index, "function": {"name": name, "arguments": ""}}]})
        for n in range(0, len(arguments), size):
            piece = {"index": index, "function": {"arguments": arguments[n : n + size]}}
            deltas.append({"tool_calls": [piece]})
    rows = [{"index": 0, "delta": delta, "finish_reason": None} for delta in deltas]
    rows.append({"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]})
    head = {"id": "1", "object": "chat.completion.chunk", "model": "stand-in"}
    chunks = [{**head, "choices": [row]} for row in rows]
    chunks.append({**head, "choices": [], "usage": usage})
    body = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks)
    return Reply(body + "data: [DONE]\n\n", content_type="text/event-stream")


def failed(status: int, message: str = "no", **more: Any) -> Reply:
    """An error as such servers send it."""
    return Reply(json.dumps({"error": {"message": message, "type": "x", "code": None}}), status, **more)


def embedded(request: Request) -> Reply:
    """Vectors of length 3 that tell the texts apart, last one first."""
    rows = [
        {"index": n, "embedding": [float(len(text)), 1.0, 0.0]}
        for n, text in enumerate(request.body["input"])
    ]
    return Reply(json.dumps({"object": "list", "model": request.body["model"], "data": rows[::-1]}))


class ModelServer:
    """Gives its answers one after the other, the last one for ever, and remembers what it was asked."""

    def __init__(self, *answers: Answer) -> None:
        self.answers, self.asked = list(answers), list[Request]()
        self.most = self._open = 0
        self._lock, self._over = Lock(), Event()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._http.daemon_threads = False  # closing waits for them, and they end as soon as it begins

    @property
    def url(self) -> str:
        """What a client is configured with."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    @property
    def busy(self) -> bool:
        """Whether an answer is being given."""
        return self._open > 0

    def reply(self, request: Request) -> Reply:
        """The next answer; ``most`` keeps how many were being given at one time."""
        with self._lock:
            self.asked.append(request)
            answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
            self._open += 1
            self.most = max(self.most, self._open)
        return answer if isinstance(answer, Reply) else answer(request)

    def wait(self, seconds: float) -> bool:
        """Wait, unless the server is being closed; whether it is."""
        return bool(seconds) and self._over.wait(seconds)

    def done(self) -> None:
        """One answer was given."""
        with self._lock:
            self._open -= 1

    def start(self) -> None:
        """Begin to answer."""
        Thread(target=self._http.serve_forever, args=(0.01,)).start()

    def close(self) -> None:
        """Stop, and wait for every thread."""
        self._over.set()
        self._http.shutdown()
        self._http.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                data = self.rfile.read(length)
                if len(data) < length:
                    return  # whoever asked was gone before all was said
                request = Request(self.path, dict(self.headers), json.loads(data or b"{}"))
                try:
                    self.give(server.reply(request))
                except OSError:
                    pass  # whoever asked did not wait
                finally:
                    server.done()

            def give(self, reply: Reply) -> None:
                if server.wait(reply.delay):
                    return
                data = reply.body.encode() if isinstance(reply.body, str) else reply.body
                self.send_response(reply.status)
                headers = {
                    "Content-Type": reply.content_type,
                    "Content-Length": str(len(data) + reply.cut),
                    **reply.headers,
                }
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                for piece in [data] if not reply.drip else [data[n : n + 1] for n in range(len(data))]:
                    self.wfile.write(piece)
                    if server.wait(reply.drip):
                        return

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library names it
                pass

        return Handler


@contextmanager
def model_server(*answers: Answer) -> Iterator[ModelServer]:
    """A running server; it is gone when the block ends."""
    server = ModelServer(*answers)
    server.start()
    try:
        yield server
    finally:
        server.close()
