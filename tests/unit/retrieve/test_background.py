"""Vectors are made in the background: once for each person, a few persons at a time."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Event, Lock

import numpy as np
from tests.unit.retrieve.people import Counted, Floats

from winnow.retrieve.history.dense import MAX_BATCH_TEXTS, MAX_PERSONS_AT_ONCE, BackgroundEmbedder
from winnow.types.scope import Scope
from winnow.types.vector import TextKind


class Held(Counted):
    """Makes no vector before it may, and counts how many ask at the same time."""

    def __init__(self) -> None:
        super().__init__()
        self.may, self.most, self._asking, self._lock = Event(), 0, 0, Lock()

    async def vectors(self, scope: Scope, texts: Sequence[str], kind: TextKind = "passage") -> Floats:
        with self._lock:
            self._asking += 1
            self.most = max(self.most, self._asking)
        self.may.wait(10)
        with self._lock:
            self._asking -= 1
            self.calls.append((kind, len(texts)))
        return np.zeros((len(texts), 1), np.float32)


def test_a_person_is_seen_to_once_and_few_at_a_time() -> None:
    vectors = Held()
    warming = BackgroundEmbedder(vectors)
    persons = [Scope("acme", f"u{n}") for n in range(6)]
    said = [warming(scope, ["a", "b"]) for scope in (*persons, *persons)]
    vectors.may.set()
    warming.wait()
    assert said == ["begun"] * 6 + ["being made"] * 6
    assert vectors.calls == [("passage", 2)] * 6
    assert vectors.most <= MAX_PERSONS_AT_ONCE


def test_many_texts_are_asked_for_in_parts() -> None:
    vectors = Counted()
    warming = BackgroundEmbedder(vectors)
    warming(Scope("acme", "nina"), [f"text {n}" for n in range(MAX_BATCH_TEXTS + 10)])
    warming.wait()
    assert vectors.calls == [("passage", MAX_BATCH_TEXTS), ("passage", 10)]


def test_who_failed_may_ask_again() -> None:
    vectors = Counted(broken=True)
    warming = BackgroundEmbedder(vectors)
    for _ in range(2):
        assert warming(Scope("acme", "nina"), ["a"]) == "begun"
        warming.wait()
    assert len(vectors.calls) == 2
