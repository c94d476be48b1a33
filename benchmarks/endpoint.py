"""An embedding server on this machine, as slow as one far away, that counts what it is asked.

    python -m benchmarks.endpoint --latency 50-200        # prints its URL and serves until Ctrl-C

Its vectors are those of the built-in table, so that what is near is near. It knows ``Idempotency-Key``: a
batch that is asked a second time is answered as before and not worked for again; ``honours=False`` makes it
work each time, as servers do that ignore the header.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import Lock
from typing import Any

from tests.model_server import ModelServer, Reply, Request, model_server

Rows = Sequence[Sequence[float]]


def of_the_table() -> Callable[[Sequence[str]], Rows]:
    """Vectors of the built-in table."""
    from winnow.adapters.models.embedders import StaticEmbedder

    table = StaticEmbedder()
    return lambda texts: table.embed(texts).tolist()


def tiny(texts: Sequence[str]) -> Rows:
    """Vectors of three numbers, made at once."""
    return [[1.0, float(len(text)), float(sum(map(ord, text)) % 97)] for text in texts]


class Embeddings:
    """Answers embedding requests after a while, and counts."""

    def __init__(
        self,
        rows: Callable[[Sequence[str]], Rows],
        latency: tuple[float, float] = (0.0, 0.0),
        *,
        honours: bool = True,
        seed: int = 0,
    ) -> None:
        self._rows, self._latency, self._honours = rows, latency, honours
        self._chance, self._lock = random.Random(seed), Lock()
        self._answered: dict[str, str] = {}
        self.calls = 0
        self.asked: Counter[str] = Counter()
        """Text -> how often it was asked for."""
        self.worked: Counter[str] = Counter()
        """Text -> how often it was embedded: what a server charges for."""

    def __call__(self, request: Request) -> Reply:
        """The vectors of a request."""
        texts, key = request.body["input"], request.headers.get("Idempotency-Key", "")
        with self._lock:
            self.calls += 1
            self.asked.update(texts)
            delay = self._chance.uniform(*self._latency)
            known = self._answered.get(key) if self._honours and key else None
            if known is None:
                self.worked.update(texts)
                known = self._answered[key] = self._body(request.body["model"], texts)
        return Reply(known, delay=delay)

    @property
    def twice(self) -> int:
        """Texts that were embedded more than once."""
        return sum(count - 1 for count in self.worked.values())

    @property
    def again(self) -> int:
        """Texts that were asked for more than once."""
        return sum(count - 1 for count in self.asked.values())

    def _body(self, model: str, texts: Sequence[str]) -> str:
        data = [{"index": n, "embedding": row} for n, row in enumerate(self._rows(texts))]
        return json.dumps({"object": "list", "model": model, "data": data})


@contextmanager
def endpoint(
    latency: tuple[float, float] = (0.05, 0.2),
    rows: Callable[[Sequence[str]], Rows] | None = None,
    **more: Any,
) -> Iterator[tuple[ModelServer, Embeddings]]:
    """A running server, and what it counts; ``latency`` in seconds, from the least to the most."""
    embeddings = Embeddings(rows or of_the_table(), latency, **more)
    with model_server(embeddings) as server:
        yield server, embeddings


def main() -> None:
    parser = argparse.ArgumentParser(description="An embedding server that is slow and counts.")
    parser.add_argument("--latency", default="50-200", help="milliseconds, from the least to the most")
    low, high = (float(part) / 1000 for part in parser.parse_args().latency.split("-"))
    with endpoint((low, high)) as (server, embeddings):
        print(server.url, flush=True)
        with suppress(KeyboardInterrupt, EOFError):
            input()
        print(f"{embeddings.calls} requests, {embeddings.asked.total()} texts, {embeddings.again} again")


if __name__ == "__main__":
    main()
