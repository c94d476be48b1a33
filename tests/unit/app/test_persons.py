"""``winnow forget`` and ``winnow export``."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from winnow.adapters.stores import persons as purge
from winnow.adapters.stores import schema
from winnow.app.cli.persons import person_report_lines
from winnow.app.config.settings import load_settings
from winnow.language.messages import message
from winnow.types.scope import DERIVED_KINDS, Elsewhere, ForgetReport
from winnow.types.utterance import LanguageCode

Run = Callable[..., Any]


@pytest.fixture
def ida(winnow: Run, tmp_path: Path) -> Run:
    """The program, after two persons had a message and a fact each."""
    for user in ("ida", "jo"):
        talk = tmp_path / f"{user}.jsonl"
        talk.write_text(json.dumps({"id": "m1", "role": "user", "content": f"{user}'s sister keeps bees."}))
        winnow("messages", "import", str(talk), "--user", user)
        winnow("facts", "add", f"{user} lives in Porto", "--user", user)
    return winnow


def test_what_would_be_deleted_is_told_first(ida: Run) -> None:
    told = ida("forget", "ida", "--dry-run")
    assert told.code == 0
    assert told.out.splitlines()[0] == "Would be deleted of ida, 3 in all:"
    kinds = [line.split()[0] for line in told.out.splitlines()[1:]]
    assert sorted(kinds) == ["facts", "messages", "state"]
    refused = ida("forget", "ida")
    assert (refused.code, "--yes" in refused.err) == (2, True)
    assert "bees" in ida("export", "ida").out


def test_everything_is_deleted_of_one_person_alone(ida: Run) -> None:
    gone = ida("forget", "ida", "--yes")
    assert (gone.code, gone.out.splitlines()[0]) == (0, "Deleted of ida, 3 in all:")
    where = Path(str(load_settings().store_location))
    assert [path for path in where.parent.glob("winnow.db*") if b"ida's sister" in path.read_bytes()] == []
    assert ida("forget", "ida", "--yes").out == "Nothing is stored of ida.\n"
    assert "keeps bees" in ida("messages", "show", "--user", "jo").out


def test_the_report_is_data_too(ida: Run) -> None:
    told = json.loads(ida("forget", "ida", "--yes", "--json").out)
    assert (told["user"], told["removed"]["facts"], told["dry_run"]) == ("ida", 1, False)


def test_who_is_not_known_has_nothing_and_that_is_no_error(winnow: Run) -> None:
    assert (winnow("forget", "nobody").code, winnow("forget", "nobody").out) == (
        0,
        "Nothing is stored of nobody.\n",
    )
    told = winnow("export", "nobody")
    assert (told.code, json.loads(told.out)["user"]) == (0, "nobody")
    assert "Nothing is stored of nobody." in told.err


def test_an_export_is_one_file_of_json_and_can_be_written_again(ida: Run, tmp_path: Path) -> None:
    path = tmp_path / "ida.json"
    for _ in range(2):
        assert "Everything of ida is in" in ida("export", "ida", "--output", str(path)).err
    told = json.loads(path.read_text("utf-8"))
    assert (told["format"], told["version"], told["user"]) == ("winnow-person", 1, "ida")
    assert told["messages"][0]["content"] == "ida's sister keeps bees."
    assert told["facts"][0]["text"] == "ida lives in Porto"
    assert path.stat().st_mode & 0o077 == 0
    assert [one.name for one in tmp_path.iterdir() if one.name.startswith(".ida")] == []
    assert "cannot be written" in ida("export", "ida", "--output", str(tmp_path / "no" / "file")).err


def test_what_lies_in_a_table_of_the_host_is_named_and_not_touched(ida: Run, tmp_path: Path) -> None:
    host = tmp_path / "app.db"
    with sqlite3.connect(host) as db:
        db.execute("CREATE TABLE messages (id, user_id, role, content, created_at)")
        db.execute(
            "INSERT INTO messages VALUES (1, 'ida', 'user', 'The plumber comes.', '2025-03-02 18:04:00')"
        )
    db.close()
    settings = load_settings()
    settings.data.mkdir(exist_ok=True)
    (settings.data / "history.yaml").write_text(f"messages:\n  url: sqlite:///{host}\n")
    before = host.read_bytes()
    assert "1 messages in the table messages of the host" in ida("forget", "ida", "--yes").out
    assert host.read_bytes() == before
    assert json.loads(ida("export", "ida").out)["elsewhere"][0]["count"] == 1


def test_bytes_that_another_process_keeps_in_the_file_are_told(
    ida: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    with sqlite3.connect(str(load_settings().store_location), isolation_level=None) as db:
        db.execute("BEGIN")
        db.execute("SELECT count(*) FROM facts").fetchone()
        monkeypatch.setenv("WINNOW_WAIT", "0.05")
        told = ida("forget", "ida", "--yes")
        db.execute("ROLLBACK")
    db.close()
    assert told.code == 1
    assert [line.strip() for line in told.out.splitlines()[-2:]] == [f"{one};" for one in purge.REWRITE_FILE]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_kind_and_place_has_its_words(language: LanguageCode) -> None:
    kinds = {table.name for table in (*schema.PERSONAL_TABLES, *schema.TEXT_TABLES)} | DERIVED_KINDS
    everywhere = [
        Elsewhere(kind, "here", 2) for kind in ("host_messages", "audit", "server_log", "queue", "file")
    ]
    report = ForgetReport("t", "ida", dict.fromkeys(sorted(kinds), 3), tuple(everywhere), ("VACUUM",))
    lines = person_report_lines(report, language)
    assert len(lines) == 1 + len(kinds) + 1 + len(everywhere) + 2
    assert message("person_messages", language) in "\n".join(lines)
