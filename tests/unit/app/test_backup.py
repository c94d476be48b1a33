"""``winnow backup``, ``winnow restore`` and ``winnow config``."""

from __future__ import annotations

import json
import os
import sqlite3
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from winnow.adapters.stores.copies import copy_file
from winnow.errors import StoreBusy

Run = Callable[..., Any]


@pytest.fixture
def data() -> Path:
    return Path(os.environ["WINNOW_HOME"])


@pytest.fixture
def saved(flat: Run, data: Path, tmp_path: Path) -> Path:
    """A backup of a home, its settings and an archive of its audit log."""
    (data / "config.toml").write_text("budget = 300\n")
    (data / "audit").mkdir()
    (data / "audit" / "flat.jsonl").write_text("{}\n")
    target = tmp_path / "backup.zip"
    assert flat("backup", str(target)).code == 0
    return target


def rewrite(path: Path, name: str, content: bytes) -> None:
    """Put another file of that name into a backup."""
    with zipfile.ZipFile(path) as archive:
        kept = {member: archive.read(member) for member in archive.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for member, held in (kept | {name: content}).items():
            archive.writestr(member, held)


def test_all_that_is_kept_comes_back_into_an_empty_folder(
    winnow: Run, saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "elsewhere"
    monkeypatch.setenv("WINNOW_HOME", str(elsewhere))
    told = winnow("restore", str(saved), "--yes")
    assert (told.code, told.err) == (0, "")
    assert "flat" in winnow("home", "list").out
    assert (elsewhere / "config.toml").read_text() == "budget = 300\n"
    assert sorted(p.name for p in elsewhere.iterdir()) == ["audit", "config.toml", "winnow.db"]


def test_only_its_owner_may_read_it(saved: Path) -> None:
    assert saved.stat().st_mode & 0o777 == 0o600


def test_it_is_made_and_put_back_while_others_have_the_store_open(
    winnow: Run, saved: Path, data: Path
) -> None:
    with closing(sqlite3.connect(data / "winnow.db")) as other:
        count = "SELECT count(*) FROM homes"
        assert other.execute(count).fetchone() == (1,)
        assert winnow("home", "delete", "flat").code == 0
        assert other.execute(count).fetchone() == (0,)
        assert winnow("restore", str(saved), "--yes").code == 0
        assert other.execute(count).fetchone() == (1,)


def test_a_writer_is_waited_for_no_longer_than_was_said(tmp_path: Path) -> None:
    one, two = tmp_path / "one.db", tmp_path / "two.db"
    for path in (one, two):
        with closing(sqlite3.connect(path)) as db:
            db.execute("CREATE TABLE t (x)")
    with closing(sqlite3.connect(two, isolation_level=None)) as writer:
        writer.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreBusy):
            copy_file(one, two, wait=0.05)


def test_nothing_is_overwritten_by_a_backup(winnow: Run, saved: Path) -> None:
    before = saved.read_bytes()
    told = winnow("backup", str(saved))
    assert (told.code, saved.read_bytes()) == (2, before)
    assert "Name another file" in told.err


@pytest.mark.parametrize("damage", ["text", "no store", "half a store", "a page"])
def test_what_is_no_backup_replaces_nothing(winnow: Run, saved: Path, data: Path, damage: str) -> None:
    before = (data / "winnow.db").read_bytes()
    if damage == "text":
        saved.write_text("nothing")
    elif damage == "no store":
        rewrite(saved, "winnow.db", b"")
        rewrite(saved, "backup.json", b"{}")
    else:
        with zipfile.ZipFile(saved) as archive:
            whole = archive.read("winnow.db")
        wrong = whole[:8192] + bytes(4096) + whole[12_288:] if damage == "a page" else whole[:8192]
        rewrite(saved, "winnow.db", wrong)
    told = winnow("restore", str(saved), "--yes")
    assert told.code == 2
    assert told.err
    assert (data / "winnow.db").read_bytes() == before


@pytest.mark.parametrize("name", ["../outside", "audit/../../outside", "/outside", "audit/..", "models/x"])
def test_nothing_else_is_taken_out_of_a_zip(winnow: Run, saved: Path, data: Path, name: str) -> None:
    rewrite(saved, name, b"x")
    assert winnow("restore", str(saved), "--yes").code == 0
    assert not list(data.parent.rglob("outside"))
    assert not (data / "models").exists()


def test_nothing_is_replaced_unasked(winnow: Run, saved: Path) -> None:
    told = winnow("restore", str(saved))
    assert told.code == 2
    assert "--yes" in told.err


def test_a_store_on_a_server_is_left_to_the_servers_own_tools(
    winnow: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WINNOW_STORE", "postgresql://ida@127.0.0.1/winnow")
    told = winnow("backup", str(tmp_path / "x.zip"))
    assert told.code == 2
    assert "pg_dump" in told.err


def test_each_setting_is_shown_with_where_it_is_set(
    winnow: Run, saved: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WINNOW_CONTEXT", "3000")
    monkeypatch.setenv("WINNOW_STORE", "postgresql://ida:secret-word@db/winnow")
    monkeypatch.setenv("WINNOW_AUDIT_KEY", "a key of more than 16 characters")
    told = winnow("config", "show").out
    assert f"budget = 300  ({data / 'config.toml'})" in told
    assert "context = 3000  (WINNOW_CONTEXT)" in told
    assert "audit_key = set, not shown  (the environment)" in told
    assert "secret-word" not in told
    assert "postgresql://ida:***@db/winnow" in told
    assert "window" not in told
    shown = json.loads(winnow("config", "show", "--all", "--json").out)
    assert shown["settings"]["window"] == {"value": "mixed", "from": ""}


def test_all_that_is_wrong_with_settings_is_told_at_once(winnow: Run, data: Path) -> None:
    data.mkdir(exist_ok=True)
    assert winnow("config", "check").code == 0
    (data / "acting.yaml").write_text("dangers: {unlock: perhaps}\n")
    (data / "knowledge.yaml").write_text("tiers: sometimes\n")
    told = winnow("config", "check")
    assert told.code == 2
    assert "acting.yaml" in told.err
    assert "knowledge.yaml" in told.err
