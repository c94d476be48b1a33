"""Figures for Prometheus, and spans of OpenTelemetry where its API package is installed.

Neither holds a word that anybody said, nor an id of a person: labels are names of routes, verdicts and codes.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest

from winnow import __version__
from winnow.types.retrieval import Retrieval
from winnow.types.scope import Scope

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer

TOKEN_BUCKETS = (50, 100, 200, 400, 800, 1600, 3200, 6400, 12800)
DELAY_BUCKETS = tuple(
    ms / 1000 for ms in (1, 2.5, 5, 10, 20, 30, 40, 50, 75, 100, 250, 500, 1000, 2500, 5000, 10000)
)
LOOK = 0.01
"""Seconds between two looks at how far the event loop is behind."""
MAX_LOOKS = 6000
"""Looks that one long delay counts as."""


class HttpMetrics:
    """What one process counted of its requests."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        worker = str(os.getpid())
        self._requests = Counter(
            "winnow_http_requests",
            "Requests that were answered.",
            ("method", "route", "status", "worker"),
            registry=self.registry,
        )
        self._seconds = Histogram(
            "winnow_http_seconds", "Seconds a request took.", ("route", "worker"), registry=self.registry
        )
        self._verdicts = Counter(
            "winnow_verdicts", "Turns, by what may be done.", ("verdict", "worker"), registry=self.registry
        )
        self._tokens = Histogram(
            "winnow_context_tokens",
            "Tokens of the messages of a turn.",
            ("worker",),
            buckets=TOKEN_BUCKETS,
            registry=self.registry,
        )
        self._models = Counter(
            "winnow_model_calls",
            "Questions to a language model.",
            ("purpose", "outcome", "worker"),
            registry=self.registry,
        )
        self._delays = Histogram(
            "winnow_loop_delay_seconds",
            "Seconds that the event loop keeps whatever comes at any moment waiting.",
            ("worker",),
            buckets=DELAY_BUCKETS,
            registry=self.registry,
        )
        self._worker = worker

    async def watch_loop(self) -> None:
        """Measure until cancelled how long whatever comes has to wait for the event loop.

        A hundred moments a second are due, at fixed times. One that the loop is late for counts by its own
        lateness, so that a second's standstill is a hundred delays and not one.
        """
        delays, due = self._delays.labels(self._worker), monotonic() + LOOK
        while True:
            await asyncio.sleep(due - monotonic())
            now = monotonic()
            for late in range(min(MAX_LOOKS, int((now - due) / LOOK) + 1)):
                delays.observe(max(0.0, now - due - late * LOOK))
            due += LOOK * (int((now - due) / LOOK) + 1)

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        """One request was answered."""
        self._requests.labels(method, route, str(status), self._worker).inc()
        self._seconds.labels(route, self._worker).observe(seconds)

    def count_turn(self, found: Retrieval) -> None:
        """One turn was understood."""
        self._verdicts.labels(type(found.verdict).__name__.lower(), self._worker).inc()
        self._tokens.labels(self._worker).observe(found.context.token_count)
        for call in found.model_calls:
            self._models.labels(call.purpose, call.outcome, self._worker).inc()

    def text(self) -> str:
        """All of it as Prometheus reads it."""
        return generate_latest(self.registry).decode()


def open_tracer() -> Tracer | None:
    """What makes spans; None where the API of OpenTelemetry is not installed."""
    try:
        from opentelemetry import trace
    except ImportError:
        return None
    return trace.get_tracer("winnow", __version__)


@contextmanager
def memory_span(tracer: Tracer | None, operation: str, store: str, scope: Scope) -> Iterator[dict[str, Any]]:
    """A span of one operation on what is remembered; what the block puts into the mapping is set on it.

    ``operation``: of the conventions for generative AI (``search_memory``, ``upsert_memory`` ...); ``store``:
    what is searched or changed. An error that leaves the block marks the span.
    """
    told: dict[str, Any] = {}
    if tracer is None:
        yield told
        return
    names = {
        "gen_ai.operation.name": operation,
        "gen_ai.provider.name": "winnow",
        "gen_ai.memory.store.name": store,
    }
    if scope.session:
        names["gen_ai.conversation.id"] = scope.session
    with tracer.start_as_current_span(f"{operation} {store}", attributes=names) as span:
        yield told
        for name, value in told.items():
            span.set_attribute(name, value)


def turn_attributes(found: Retrieval) -> dict[str, Any]:
    """What a span tells of a turn: counts and names, no words."""
    records = sum(len(shortlist.candidates) for shortlist in (*found.shortlists, *found.results))
    return {
        "gen_ai.memory.record.count": records,
        "winnow.verdict": type(found.verdict).__name__.lower(),
        "winnow.context.tokens": found.context.token_count,
        "winnow.ms": round(found.ms, 2),
    }
