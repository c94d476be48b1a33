"""Which embedder the settings choose, for whoever opens one and for finding devices."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.fastembed_stand_in import SMALL, installed, write_model

from winnow.adapters.models.fastembed import FastEmbedder
from winnow.adapters.platforms import bundle as examples
from winnow.app.config.settings import Settings, load_settings
from winnow.app.wiring.engine import open_chat, open_embedder, open_engine
from winnow.errors import ConfigError, EmbedderError
from winnow.types.verdict import Act

HOME = examples.EXAMPLES_FOLDER / "cottage"
CHOSEN = {"WINNOW_MODEL_EMBEDDING": f"fastembed:{SMALL}"}


@pytest.fixture
def library() -> Iterator[None]:
    with installed():
        yield


def loaded(tmp_path: Path, **env: str) -> Settings:
    return load_settings({"WINNOW_HOME": str(tmp_path / "data"), **env})


def test_a_model_for_this_process_needs_no_server(tmp_path: Path, library: None) -> None:
    settings = loaded(tmp_path, **CHOSEN)
    embedder = open_embedder(settings)
    assert isinstance(embedder, FastEmbedder)
    assert embedder.name == SMALL
    assert (settings.data / "models").is_dir()
    assert open_chat(settings) is None


def test_it_goes_with_a_server_for_other_models(tmp_path: Path, library: None) -> None:
    settings = loaded(tmp_path, **CHOSEN, WINNOW_MODEL_SERVER="ollama", WINNOW_MODEL_FAST="small")
    assert open_chat(settings) is not None
    assert isinstance(open_embedder(settings), FastEmbedder)


@pytest.mark.parametrize(
    ("env", "problem"),
    [
        ({"WINNOW_MODEL_EMBEDDING": "fastembed:"}, "WINNOW_MODEL_EMBEDDING: must be a name"),
        ({**CHOSEN, "WINNOW_MODEL_SERVER": "ollama"}, "model_server: needs the name of a model"),
        ({"WINNOW_MODEL_FOLDER": "models"}, "model_folder: holds the files"),
        (
            {
                "WINNOW_MODEL_FOLDER": "models",
                "WINNOW_MODEL_SERVER": "ollama",
                "WINNOW_MODEL_EMBEDDING": "e5",
            },
            "model_folder: holds the files",
        ),
    ],
)
def test_settings_that_do_nothing_are_named(tmp_path: Path, env: dict[str, str], problem: str) -> None:
    with pytest.raises(ConfigError, match=problem):
        loaded(tmp_path, **env)


def test_devices_are_found_with_it_and_the_trace_names_it(tmp_path: Path, library: None) -> None:
    folder = write_model(tmp_path / "files", "weights")
    engine = open_engine(HOME, settings=loaded(tmp_path, **CHOSEN, WINNOW_MODEL_FOLDER=str(folder)))
    found = engine.sync.retrieve("turn on the kitchen light")
    assert isinstance(found.verdict, Act)
    assert found.verdict.bulk is not None
    assert found.embedder == f"{SMALL} {engine.embedder.version}"


def test_an_engine_never_fetches_and_says_why_it_has_the_table(tmp_path: Path, library: None) -> None:
    settings = loaded(tmp_path, **CHOSEN)
    engine = open_engine(HOME, settings=settings)
    assert engine.embedder.name == "static-zh-en"
    assert "winnow doctor --ask-model" in engine.sync.retrieve("turn on the kitchen light").embedder
    open_embedder(settings)
    assert open_engine(HOME, settings=settings).embedder.name == SMALL


def test_without_the_library_everything_goes_on_with_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "fastembed", None)
    settings = loaded(tmp_path, **CHOSEN)
    found = open_engine(HOME, settings=settings).sync.retrieve("turn on the kitchen light")
    assert isinstance(found.verdict, Act)
    assert found.verdict.bulk is not None
    assert found.embedder.startswith("static-zh-en")
    assert "pip install" in found.embedder
    with pytest.raises(EmbedderError):
        open_embedder(settings)


def test_no_turn_waits_for_the_embeddings_of_a_server(tmp_path: Path) -> None:
    settings = loaded(tmp_path, WINNOW_MODEL_SERVER="http://127.0.0.1:9/v1", WINNOW_MODEL_EMBEDDING="e5")
    engine = open_engine(HOME, settings=settings)
    assert engine.sync.retrieve("turn on the kitchen light").embedder.startswith("static-zh-en")
    assert open_embedder(settings).name == "e5"
