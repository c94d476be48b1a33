from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from tests import fastembed_stand_in
from tests.fastembed_stand_in import FILE, OTHER, SMALL, TextEmbedding, installed, write_model

from winnow.adapters.models.fastembed import FastEmbedder
from winnow.errors import EmbedderError


@pytest.fixture(autouse=True)
def library() -> Iterator[None]:
    with installed():
        yield


def test_it_says_what_its_vectors_are_in_the_spelling_of_the_library(tmp_path: Path) -> None:
    embedder = FastEmbedder(SMALL.upper(), tmp_path, fetch=True)
    assert (embedder.name, embedder.dimension, len(embedder.version)) == (SMALL, 16, 8)


def test_rows_have_length_one_whatever_the_model_gives(tmp_path: Path) -> None:
    embedder = FastEmbedder(SMALL, tmp_path, fetch=True)
    rows = embedder.embed(["开灯", "turn on the lamp"])
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1)
    assert not np.isclose(np.linalg.norm(next(TextEmbedding(SMALL, str(tmp_path)).embed("开灯"))), 1)


def test_without_the_library_the_hint_installs_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fastembed", None)
    with pytest.raises(EmbedderError, match="cannot be imported") as caught:
        FastEmbedder(SMALL, tmp_path)
    assert "pip install" in caught.value.hint
    assert "[fastembed]" in caught.value.hint


def test_an_unknown_name_gets_near_ones(tmp_path: Path) -> None:
    with pytest.raises(EmbedderError, match="no model of that name") as caught:
        FastEmbedder("bge-small-chinese", tmp_path, fetch=True)
    assert caught.value.model == "bge-small-chinese"
    assert SMALL in caught.value.hint


def test_nothing_is_fetched_unless_it_is_asked_for(tmp_path: Path) -> None:
    with pytest.raises(EmbedderError, match=SMALL) as caught:
        FastEmbedder(SMALL, tmp_path)
    assert "0.09 GB" in caught.value.hint
    assert "winnow doctor --ask-model" in caught.value.hint
    assert list(tmp_path.iterdir()) == []


def test_what_was_fetched_once_is_here(tmp_path: Path) -> None:
    first = FastEmbedder(SMALL, tmp_path, fetch=True)
    assert FastEmbedder(SMALL, tmp_path).version == first.version


def test_a_download_that_fails_says_what_else_helps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fastembed_stand_in, "online", False)
    with pytest.raises(EmbedderError, match="from any source") as caught:
        FastEmbedder(SMALL, tmp_path, fetch=True)
    assert "HF_ENDPOINT" in caught.value.hint
    assert "model_folder" in caught.value.hint


def test_files_of_ones_own_need_no_download(tmp_path: Path) -> None:
    mine, yours = write_model(tmp_path / "mine", "a"), write_model(tmp_path / "yours", "b")
    embedders = [FastEmbedder(OTHER, tmp_path / "cache", folder=folder) for folder in (mine, mine, yours)]
    assert embedders[0].version == embedders[1].version != embedders[2].version
    assert not (tmp_path / "cache").exists()


def test_a_folder_without_the_files_is_told_which(tmp_path: Path) -> None:
    with pytest.raises(EmbedderError, match="File doesn't exist") as caught:
        FastEmbedder(SMALL, tmp_path, folder=tmp_path / "nowhere")
    assert f"{tmp_path / 'nowhere'} must hold {FILE}" in caught.value.hint
    assert "further lines" not in str(caught.value)


def test_a_model_that_breaks_while_it_works_is_our_error_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    embedder = FastEmbedder(SMALL, tmp_path, fetch=True)

    def broken(*_: object, **__: object) -> Iterator[object]:
        raise MemoryError
        yield

    monkeypatch.setattr(TextEmbedding, "embed", broken)
    with pytest.raises(EmbedderError, match="MemoryError"):
        embedder.embed(["灯"])


def test_what_is_not_here_is_not_written_to_the_terminal_and_a_download_may_speak(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    logger = SimpleNamespace(
        disable=lambda name: told.append(f"disable {name}"), enable=lambda name: told.append(f"enable {name}")
    )
    monkeypatch.setitem(sys.modules, "loguru", SimpleNamespace(logger=logger))
    with pytest.raises(EmbedderError):
        FastEmbedder(SMALL, tmp_path)
    assert told == ["disable fastembed", "enable fastembed"]
    FastEmbedder(SMALL, tmp_path, fetch=True)
    assert len(told) == 2
