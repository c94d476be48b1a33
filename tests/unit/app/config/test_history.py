"""The file of histories: seed 003's shape as it is, every problem at once, and no secret told."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest
import yaml

from winnow.app.config.files import HISTORY_SHAPE, history_of, load_history
from winnow.app.config.settings import Settings, load_settings
from winnow.errors import ConfigError
from winnow.types.message import HistorySettings, HostColumns, HostTable

SEED = """
vector_search:
    enabled: true
    type: dynamic
    dynamic:
        strategy: hybrid
        embedding_model: small-embedder
        api_url: https://models.example/v1
        api_key: ${EMBEDDING_KEY}
    top_k: 8
    similarity_threshold: 0.5
"""
SECRET = "sk-never-to-be-seen"


def read(text: str, **env: str) -> HistorySettings:
    return history_of(yaml.safe_load(text), Settings(Path("nowhere")), env, "history.yaml")


def problems(text: str, **env: str) -> dict[str, str]:
    with pytest.raises(ConfigError) as caught:
        read(text, **env)
    return {problem.path: str(problem.message) for problem in caught.value.problems}


def test_the_shape_of_the_seed_is_taken_as_it_is() -> None:
    assert read(SEED, EMBEDDING_KEY=SECRET) == HistorySettings(
        strategy="hybrid",
        embedding_model="small-embedder",
        api_url="https://models.example/v1",
        api_key=SECRET,
        top_k=8,
        similarity_threshold=0.5,
    )


def test_vectors_of_the_host_are_named_once_and_known_in_both_places() -> None:
    found = read(
        """
        vector_search: {type: pgvector, embedding_field: embedding, embedding_dim: 1536}
        messages: {url: "postgresql+psycopg://db/app", table: chat, columns: {user: owner}}
        """
    )
    host = HostTable(
        "postgresql+psycopg://db/app", "chat", columns=HostColumns(user="owner", vector="embedding")
    )
    assert found.host == host
    assert (found.type, found.embedding_field, found.embedding_dim) == ("pgvector", "embedding", 1536)


def test_nothing_is_set_where_nothing_stands(tmp_path: Path) -> None:
    assert load_history(Settings(tmp_path), {}) is None


def test_the_file_of_the_data_folder_is_read_and_one_that_is_named_before_it(tmp_path: Path) -> None:
    (tmp_path / "history.yaml").write_text("vector_search: {top_k: 3}\n", "utf-8")
    (tmp_path / "other.yaml").write_text("vector_search: {top_k: 4}\n", "utf-8")
    named = load_settings({"WINNOW_HOME": str(tmp_path), "WINNOW_HISTORY": str(tmp_path / "other.yaml")})
    found = [load_history(settings, {}) for settings in (Settings(tmp_path), named)]
    assert [history.top_k for history in found if history] == [3, 4]


def test_a_url_in_the_environment_is_enough(tmp_path: Path) -> None:
    found = load_history(Settings(tmp_path), {"WINNOW_MESSAGES_URL": "sqlite:///app.db"})
    assert found == HistorySettings(host=HostTable("sqlite:///app.db"))


def test_all_problems_come_at_once_with_their_paths_and_the_name_that_was_meant() -> None:
    found = problems(
        """
        vector_search: {typ: dynamic, top_k: ten, dynamic: {strategy: fast, lazy_below: 5000}}
        messages: {table: 7, columns: {content: "", rôle: x}, timezone: Mars/Olympus, roles: [a]}
        more: 1
        """
    )
    assert set(found) == {
        "vector_search.typ",
        "vector_search.top_k",
        "vector_search.dynamic.strategy",
        "vector_search.dynamic.lazy_below",
        "messages.table",
        "messages.columns.content",
        "messages.columns.rôle",
        "messages.timezone",
        "messages.roles",
        "messages.url",
        "more",
    }
    assert found["vector_search.typ"] == "unknown setting; type is one"
    assert "not 'ten'" in found["vector_search.top_k"]
    assert "WINNOW_MESSAGES_URL" in found["messages.url"]


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("vector_search: {type: pgvector}", "messages"),
        ("vector_search: {type: pgvector}", "vector_search.embedding_field"),
        ("vector_search: {type: pgvector}", "vector_search.embedding_dim"),
        (
            "{vector_search: {type: pgvector, embedding_field: a}, messages: {url: x, columns: {vector: b}}}",
            "vector_search.embedding_field",
        ),
        ("vector_search: {dynamic: {embedding_model: small}}", "vector_search.dynamic.api_url"),
        ("vector_search: {dynamic: {api_url: 'http://a.b'}}", "vector_search.dynamic.embedding_model"),
        ("vector_search: 7", "vector_search"),
        ("messages: {url: '${NOWHERE}'}", "messages.url"),
    ],
)
def test_what_does_not_go_together_is_told(text: str, path: str) -> None:
    assert path in problems(text)


def test_a_key_in_the_file_works_and_its_place_is_known() -> None:
    written = read(SEED.replace("${EMBEDDING_KEY}", SECRET))
    assert (written.api_key, written.literals) == (SECRET, ("vector_search.dynamic.api_key",))
    assert read(SEED, EMBEDDING_KEY=SECRET).literals == ()
    assert read("vector_search: {top_k: 3}", WINNOW_MODEL_KEY=SECRET).api_key == SECRET


@pytest.mark.parametrize(
    "text",
    [
        "messages: {url: '%s', table: 7}",
        "vector_search: {dynamic: {api_key: ['%s']}}",
        "vector_search: {dynamic: {api_url: 'https://u:%s@models.example', embedding_model: m}}",
        "vector_search: {top_k: '${TOKEN}'}",
        "vector_search: {type: '${TOKEN}'}",
    ],
)
def test_a_secret_is_in_no_problem(text: str) -> None:
    told = problems(text.replace("%s", SECRET), TOKEN=SECRET)
    assert told
    assert SECRET not in str(told)


def test_a_secret_is_in_no_settings_that_are_printed() -> None:
    text = SEED.replace("${EMBEDDING_KEY}", SECRET) + f"messages: {{url: 'postgresql://u:{SECRET}@db/app'}}"
    assert SECRET not in repr(read(text))


@pytest.mark.parametrize("content", [f"vector_search: [\n  api_key: {SECRET}: x", "- a list"])
def test_a_file_that_is_no_yaml_is_told_by_its_line_alone(tmp_path: Path, content: str) -> None:
    (tmp_path / "history.yaml").write_text(content, "utf-8")
    with pytest.raises(ConfigError) as caught:
        load_history(Settings(tmp_path), {})
    assert SECRET not in str(caught.value)


def test_a_file_that_is_named_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"gone\.yaml"):
        load_history(Settings(tmp_path, history=str(tmp_path / "gone.yaml")), {})


def test_the_file_can_set_all_that_can_be_set() -> None:
    filled = {"host", "literals"}
    settings = {f.name for f in fields(HistorySettings)} - filled
    search = {**HISTORY_SHAPE["vector_search"], **HISTORY_SHAPE["vector_search"]["dynamic"]}
    assert settings == set(search) - {"dynamic"}
    assert {f.name for f in fields(HostTable)} == set(HISTORY_SHAPE["messages"])
    assert {f.name for f in fields(HostColumns)} == set(HISTORY_SHAPE["messages"]["columns"])
