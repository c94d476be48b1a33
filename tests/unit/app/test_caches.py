"""What is told of caches of vectors: by the doctor in words, to Prometheus in figures."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from winnow.adapters.models.embedders import HashingEmbedder
from winnow.app.config.settings import load_settings
from winnow.app.metrics import MIN_TEXTS_FOR_RATE, cache_advice, cache_prometheus
from winnow.app.wiring.engine import open_store
from winnow.app.wiring.history import open_vectoriser
from winnow.ports.services import run_blocking
from winnow.ports.stores import Vectors
from winnow.types.message import HistorySettings
from winnow.types.scope import Scope
from winnow.types.vector import Space, Tally

Run = Callable[..., Any]
SPACE = Space("some-model", "box", 2)


def kept() -> Vectors:
    return open_store(load_settings()).storage.vectors


def test_the_doctor_says_nothing_of_vectors_where_none_are_kept(winnow: Run) -> None:
    assert "cache" not in winnow("doctor").out


def test_the_doctor_tells_what_is_kept_how_often_it_helps_and_what_to_do(winnow: Run) -> None:
    run_blocking(kept().put(Scope(), SPACE, {"a": np.ones(2, "f4"), "b": np.ones(2, "f4")}))
    run_blocking(kept().tell(Scope(), SPACE, Tally(asked=200, memory=20, store=30, made=150, damaged=3)))
    ran = winnow("doctor")
    assert ran.code == 0
    assert "cache      2 vectors of some-model (2 numbers), 25% of 200 texts needed no model" in ran.out
    assert "3 damaged ones were made anew" in ran.out
    assert "below 50%: make them before they are asked for (winnow messages precompute --all)" in ran.out
    assert (
        "低于 50%：请预先计算（winnow messages precompute --all）" in winnow("--language", "zh", "doctor").out
    )


def test_the_doctor_tells_nothing_of_another_tenants_vectors(winnow: Run) -> None:
    run_blocking(kept().put(Scope("other"), SPACE, {"a": np.ones(2, "f4")}))
    assert "cache" not in winnow("doctor").out


@pytest.mark.parametrize(
    ("tally", "told"),
    [
        (Tally(), 0),
        (Tally(asked=MIN_TEXTS_FOR_RATE - 1), 0),
        (Tally(asked=MIN_TEXTS_FOR_RATE, memory=MIN_TEXTS_FOR_RATE // 2), 0),
        (Tally(asked=MIN_TEXTS_FOR_RATE, memory=MIN_TEXTS_FOR_RATE // 2 - 1), 1),
        (Tally(asked=MIN_TEXTS_FOR_RATE, evicted=1), 2),
    ],
)
def test_advice_is_given_below_one_half_once_enough_was_asked(tally: Tally, told: int) -> None:
    assert len(list(cache_advice(tally))) == told


def test_figures_are_written_as_prometheus_reads_them() -> None:
    text = cache_prometheus({Space('a "b"', "1", 2): Tally(asked=7, memory=3, made=4)})
    assert 'winnow_vectors_asked_total{model="a \\"b\\"",version="1"} 7\n' in text
    shape = re.compile(r"# (HELP|TYPE) \w+ .+|\w+\{(\w+=\"([^\"\\]|\\.)*\",?)+\} \d+")
    assert [line for line in text.splitlines() if not shape.fullmatch(line)] == []
    assert cache_prometheus({}) == ""


def test_the_memory_of_vectors_is_as_large_as_it_is_set(tmp_path: Path) -> None:
    def size(**more: str) -> int:
        settings = load_settings(more, tmp_path)
        cache = open_vectoriser(HistorySettings(), settings, kept(), HashingEmbedder())
        return cache.report().most_bytes

    assert size(WINNOW_VECTOR_MEMORY="3") == 3 * 1024 * 1024
    assert size() == 256 * 1024 * 1024
