"""What every ``Embedder`` of this process does.

The table of the package, a table of three pieces, hashed n-grams, and fastembed.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.fastembed_stand_in import SMALL, installed
from tests.tables import write_table

from winnow.adapters.models.embedders import HashingEmbedder, StaticEmbedder
from winnow.adapters.models.fastembed import FastEmbedder
from winnow.ports.services import Embedder

OWN = ["static", "small table", "hashing"]
"""Those that normalise texts; what a sentence model makes of a spelling is its own affair."""
TEXTS = [
    "把客厅的灯打开",
    "turn on the lamp",
    "",
    "!?",
    "灯" * 3000,
    "\ud800",
    "qwzx 27.5°C",
    "a" * 200,
    "臺燈",
]


@pytest.fixture(scope="module", params=[*OWN, "fastembed"])
def embedder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Embedder:
    if request.param == "hashing":
        return HashingEmbedder()
    if request.param == "static":
        return StaticEmbedder()
    if request.param == "fastembed":
        with installed():
            return FastEmbedder(SMALL, tmp_path_factory.mktemp("models"), fetch=True)
    folder: Path = tmp_path_factory.mktemp("table")
    write_table(folder, ["灯", "lamp", "打开"])
    return StaticEmbedder(folder)


def test_it_says_what_its_vectors_are(embedder: Embedder) -> None:
    assert embedder.name
    assert embedder.version
    assert embedder.dimension > 0


def test_a_cosine_from_which_names_are_alike_is_one_or_is_not_known(embedder: Embedder) -> None:
    assert (embedder.alike is None) == (embedder.name != "static-zh-en")
    assert embedder.alike is None or 0 < embedder.alike < 1


def test_rows_stand_in_the_order_of_the_texts(embedder: Embedder) -> None:
    rows = embedder.embed(TEXTS)
    assert rows.shape == (len(TEXTS), embedder.dimension)
    assert rows.dtype == np.float32
    assert embedder.embed([]).shape == (0, embedder.dimension)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(st.text(st.characters(), max_size=30), max_size=4))
def test_any_text_gets_length_one_or_nothing(embedder: Embedder, texts: list[str]) -> None:
    lengths = np.linalg.norm(embedder.embed(texts), axis=1)
    assert all(abs(length - 1) < 1e-5 or length == 0 for length in lengths)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(st.text("灯光打开客厅 turnolamp", max_size=12), min_size=1, max_size=6))
def test_a_vector_does_not_depend_on_the_texts_around_it(embedder: Embedder, texts: list[str]) -> None:
    together = embedder.embed(texts)
    assert all((embedder.embed([text])[0] == row).all() for text, row in zip(texts, together, strict=True))


@pytest.mark.parametrize("embedder", OWN, indirect=True)
def test_spelling_that_means_the_same_gets_the_same_vector(embedder: Embedder) -> None:
    rows = embedder.embed(["打開ＬＡＭＰ", "打开lamp"])
    assert (rows[0] == rows[1]).all()


def test_threads_get_what_one_caller_gets(embedder: Embedder) -> None:
    alone = embedder.embed(TEXTS)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(embedder.embed, [TEXTS] * 32))
    assert all((answer == alone).all() for answer in answers)
