"""Messages of persons on the command line."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from winnow.app.cli.options import byte_progress

Run = Callable[..., Any]
TALK = [
    {"id": "m1", "role": "user", "content": "I moved to Leeds in spring.", "created_at": "2026-01-02T10:00"},
    {"id": "m2", "role": "assistant", "content": "How is the new flat?", "created_at": "2026-01-02T10:01"},
    {"id": "m3", "role": "user", "content": "My sister keeps bees.", "created_at": "2026-01-09T18:30"},
]


@pytest.fixture
def talk(tmp_path: Path) -> str:
    path = tmp_path / "talk.jsonl"
    path.write_text("\n".join([*map(json.dumps, TALK), "{oops"]))
    return str(path)


@pytest.fixture(params=["sqlite", "postgresql"])
def ida(request: pytest.FixtureRequest, winnow: Run, talk: str, monkeypatch: pytest.MonkeyPatch) -> Run:
    """The command line where the messages of Ida were imported."""
    if request.param == "postgresql":
        monkeypatch.setenv("WINNOW_STORE", request.getfixturevalue("postgres_store"))
    assert winnow("messages", "import", talk, "--user", "ida").code == 0
    return winnow


def test_an_import_tells_what_it_kept_and_what_it_could_not_read(winnow: Run, talk: str) -> None:
    told = winnow("messages", "import", talk, "--user", "ida").out.splitlines()
    assert told[0] == "3 messages of ida imported; 3 now"
    assert "talk.jsonl:4" in told[1]
    again = winnow("messages", "import", talk, "--user", "ida").out
    assert again.startswith("0 messages of ida imported, 3 were there before; 3 now")


def test_an_import_as_data_holds_every_note(winnow: Run, talk: str) -> None:
    report = json.loads(winnow("messages", "import", talk, "--user", "ida", "--json").out)
    assert (report["found"], report["added"], report["total"]) == (3, 3, 3)
    assert [note["id"] for note in report["notes"]] == ["talk.jsonl:4"]


def test_in_chinese_too(winnow: Run, talk: str) -> None:
    assert (
        "导入了 ida 的 3 条消息"
        in winnow("--language", "zh", "messages", "import", talk, "--user", "ida").out
    )


def test_what_answers_a_question_is_found_first(ida: Run) -> None:
    found = ida("messages", "search", "where", "did", "I", "move", "--user", "ida")
    assert found.out.startswith(" 1  2026-01-02 10:00  user: I moved to Leeds in spring.")
    data = json.loads(ida("messages", "search", "bees", "--user", "ida", "--limit", "1", "--json").out)
    assert [m["id"] for m in data["messages"]] == ["m3"]
    assert data["steps"]


def test_nobody_finds_what_another_said(ida: Run) -> None:
    for user in ("jo", "Ida", "ida'--", "%"):
        assert ida("messages", "search", "Leeds", "--user", user).out.startswith("No messages of ")
        assert ida("messages", "show", "--user", user).out.startswith("No messages of ")


def test_the_last_messages_are_shown_oldest_first(ida: Run) -> None:
    shown = ida("messages", "show", "--user", "ida", "--limit", "2").out.splitlines()
    assert [line.split()[0] for line in shown] == ["m2", "m3"]
    assert (
        ida("messages", "show", "m1", "--user", "ida")
        .out.splitlines()[0]
        .endswith("I moved to Leeds in spring.")
    )
    (last,) = json.loads(ida("messages", "show", "--user", "ida", "--limit", "1", "--json").out)["messages"]
    assert (last["id"], last["at"]) == ("m3", "2026-01-09T18:30:00")


def test_users_are_listed_with_their_numbers(ida: Run) -> None:
    assert ida("messages", "users").out.split() == ["3", "ida"]
    assert json.loads(ida("messages", "users", "--json").out)["users"] == {"ida": 3}


def test_where_nobody_can_be_asked_yes_must_be_said(ida: Run) -> None:
    ran = ida("messages", "forget", "--all", "--user", "ida")
    assert (ran.code, "--yes" in ran.err) == (2, True)
    assert (
        ida("messages", "forget", "m1", "m9", "--user", "ida", "--yes").out == "1 messages of ida deleted.\n"
    )
    assert ida("messages", "forget", "--all", "--user", "ida", "--yes").out == "2 messages of ida deleted.\n"
    assert ida("messages", "users").out.startswith("No messages are stored.")


@pytest.mark.parametrize(("said", "left"), [("y\n", ""), ("n\n", "ida")])
def test_on_a_terminal_a_yes_is_asked(
    ida: Run, monkeypatch: pytest.MonkeyPatch, said: str, left: str
) -> None:
    class Terminal:
        encoding = "utf-8"

        def isatty(self) -> bool:
            return True

        def readline(self, *_: object) -> str:
            return said

    monkeypatch.setattr("sys.stdin", Terminal())
    ida("messages", "forget", "--all", "--user", "ida")
    assert ("ida" in ida("messages", "users").out) is bool(left)


@pytest.mark.parametrize("given", [(), ("m1", "--all")])
def test_what_to_forget_must_be_said_one_way(winnow: Run, given: tuple[str, ...]) -> None:
    ran = winnow("messages", "forget", *given, "--user", "ida")
    assert (ran.code, "--all" in ran.err) == (2, True)


def test_forgetting_takes_the_vectors_along(ida: Run, tmp_path: Path) -> None:
    import numpy as np

    from winnow.app.config.settings import load_settings
    from winnow.app.wiring.engine import open_store
    from winnow.ports.services import run_blocking
    from winnow.types.vector import Space, text_key

    vectors, settings, space = (
        open_store(load_settings()).storage.vectors,
        load_settings(),
        Space("t", "1", 2),
    )
    keys = {text_key(m["content"]): np.ones(2, "f4") for m in TALK}
    run_blocking(vectors.put(settings.scope, space, keys))
    ida("messages", "forget", "m1", "--user", "ida", "--yes")
    assert set(run_blocking(vectors.stored_keys(settings.scope, space, list(keys)))) == set(keys) - {
        text_key(TALK[0]["content"])
    }


def test_nothing_stored_is_no_error_and_says_what_to_do(winnow: Run) -> None:
    for command in (["users"], ["show", "--user", "ida"], ["search", "bees", "--user", "ida"]):
        ran = winnow("messages", *command)
        assert (ran.code, "winnow messages" in ran.out) == (0, True)


def test_a_file_that_is_not_there_or_holds_nothing_is_an_error_with_a_hint(
    winnow: Run, tmp_path: Path
) -> None:
    ran = winnow("messages", "import", str(tmp_path / "gone.jsonl"), "--user", "ida")
    assert (ran.code, "gone.jsonl" in ran.err) == (2, True)
    (tmp_path / "empty.jsonl").write_text("")
    ran = winnow("messages", "import", str(tmp_path / "empty.jsonl"), "--user", "ida")
    assert (ran.code, '"role"' in ran.err) == (2, True)


def test_without_a_user_nothing_is_touched(winnow: Run, talk: str) -> None:
    assert winnow("messages", "import", talk).code == 2
    assert winnow("messages", "import", talk, "--user", "").code == 2
    assert winnow("messages", "users").out.startswith("No messages are stored.")


def test_a_zone_that_is_none_is_an_error_that_names_one(winnow: Run, talk: str) -> None:
    ran = winnow("messages", "import", talk, "--user", "ida", "--timezone", "Mars/Olympus")
    assert (ran.code, "Asia/Shanghai" in ran.err) == (2, True)


def test_who_has_a_table_elsewhere_is_told_that_the_import_is_not_searched(
    winnow: Run, talk: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("WINNOW_MESSAGES_URL", f"sqlite:///{tmp_path}/host.db")
    assert "another table" in winnow("messages", "import", talk, "--user", "ida").out


class Watched(io.StringIO):
    """A terminal that somebody looks at."""

    def isatty(self) -> bool:
        return True


def test_who_waits_sees_how_far_an_import_is_and_nobody_else_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", screen := Watched())
    monkeypatch.setenv("TERM", "xterm")
    with byte_progress() as progress:
        progress(500_000, 2_000_000)
    assert "0.5/2.0 MB" in screen.getvalue()
    monkeypatch.setattr("sys.stderr", silent := io.StringIO())
    with byte_progress() as progress:
        progress(500_000, 2_000_000)
    assert silent.getvalue() == ""
