"""What the doctor says of persons' messages."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from winnow.app.cli.doctor import history_status
from winnow.app.config.settings import Settings
from winnow.errors import ConfigError
from winnow.language.messages import translate_text


def told(folder: Path, **history: Any) -> str:
    (folder / "history.yaml").write_text(json.dumps(history), "utf-8")
    return history_status(Settings(folder))


@pytest.fixture
def where(tmp_path: Path) -> dict[str, str]:
    path = tmp_path / "app.db"
    with sqlite3.connect(path) as db:
        db.execute(
            "CREATE TABLE messages (id INTEGER, user_id TEXT, role TEXT, content TEXT, created_at TEXT)"
        )
    db.close()
    return {"url": f"sqlite:///{path}"}


def test_without_settings_the_store_is_searched(tmp_path: Path) -> None:
    assert "store" in history_status(Settings(tmp_path))


def test_what_is_set_and_what_is_better_is_told_and_no_key(tmp_path: Path, where: dict[str, str]) -> None:
    search = {"similarity_threshold": 0.5, "dynamic": {"api_key": "sk-hidden"}}
    said = told(tmp_path, vector_search=search, messages=where)
    assert said.startswith("messages, searched by auto")
    for part in ("vector_search.dynamic.api_key holds a key", "similarity_threshold 0.5", "no index"):
        assert part in said
    assert "sk-hidden" not in said + translate_text(said, "zh")


def test_history_may_be_off(tmp_path: Path) -> None:
    assert told(tmp_path, vector_search={"enabled": False}) == "switched off"


def test_a_table_that_does_not_fit_is_told_with_all_that_is_wrong(
    tmp_path: Path, where: dict[str, str]
) -> None:
    with pytest.raises(ConfigError, match="body") as caught:
        told(tmp_path, messages={**where, "columns": {"content": "body", "role": "who"}})
    assert len(caught.value.problems) == 2
