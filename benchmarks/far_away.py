"""An embedding server on this machine that takes as long as one far away: 50 to 200 ms a request.

It runs in a process of its own, so that its work is not taken for that of whoever asks it, and picks vectors
from a pool: nobody's meaning, but of the usual length, and ready to be sent.
"""

from __future__ import annotations

import json
import multiprocessing
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing.connection import Connection
from random import Random
from zlib import crc32

LATENCY = 0.05, 0.2
DIMENSION = 1536
"""What the usual models give."""
POOL = 101


def pool() -> list[str]:
    """Vectors as JSON."""
    rng = Random(0)
    return [json.dumps([round(rng.uniform(-1, 1), 6) for _ in range(DIMENSION)]) for _ in range(POOL)]


@contextmanager
def far_away(latency: tuple[float, float] = LATENCY) -> Iterator[str]:
    """Its URL, for as long as the block lasts."""
    ours, theirs = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=_serve, args=(theirs, latency), daemon=True)
    server.start()
    try:
        yield f"http://127.0.0.1:{ours.recv()}/v1"
    finally:
        server.terminate()
        server.join()


def _serve(told: Connection, latency: tuple[float, float]) -> None:
    """Answer until the process is ended."""
    rng, vectors = Random(0), pool()

    class Answers(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            start = time.monotonic()
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            rows = (vectors[crc32(text.encode()) % POOL] for text in body["input"])
            listed = ",".join(f'{{"index":{n},"embedding":{row}}}' for n, row in enumerate(rows))
            sent = f'{{"object":"list","model":"far-away","data":[{listed}]}}'.encode()
            time.sleep(max(0.0, rng.uniform(*latency) - (time.monotonic() - start)))
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(sent)))
            self.end_headers()
            self.wfile.write(sent)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library names it
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    told.send(server.server_address[1])
    server.serve_forever()
