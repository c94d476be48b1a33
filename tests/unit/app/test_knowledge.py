"""Documents on the command line."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from benchmarks.corpus import write

from winnow.adapters.stores.store import SqlStore
from winnow.adapters.testing.fakes import FrozenClock
from winnow.errors import StoreError
from winnow.ports.services import run_blocking
from winnow.types.scope import Scope

Run = Callable[..., Any]
BOILER = "# Boiler\n\nThe boiler was serviced on 3 May by Mr Alder. The pump makes noise.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "notes"
    made.mkdir()
    (made / "boiler.md").write_text(BOILER)
    (made / "copy.md").write_text(BOILER.upper())
    os.utime(made / "copy.md", (1, 1))
    (made / "池塘.txt").write_text("池塘的水泵每年四月要清洗一次。", "utf-8")
    (made / "broken.pdf").write_text("no PDF")
    (made / "photo.png").write_text("x")
    return made


@pytest.fixture(params=["sqlite", "postgresql"])
def ida(request: pytest.FixtureRequest, winnow: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """The command line where the documents of Ida were added."""
    if request.param == "postgresql":
        monkeypatch.setenv("WINNOW_STORE", request.getfixturevalue("postgres_store"))
    assert winnow("knowledge", "add", str(folder), "--user", "ida").code == 0
    return winnow


def test_adding_tells_what_became_of_each(winnow: Run, folder: Path) -> None:
    told = winnow("knowledge", "add", str(folder), "--user", "ida").out
    assert "+ boiler.md: 1 passages" in told
    assert "1 of them known" in told
    assert "! broken.pdf: is no PDF that can be read" in told
    assert "3 added, 0 changed, 0 unchanged, 1 refused" in told
    assert "3 passages, 1 of them known; 3 documents now" in told
    assert "1 files are no documents." in told
    (folder / "boiler.md").unlink()
    again = winnow("knowledge", "add", str(folder), "--user", "ida").out
    assert "- notes/boiler.md: its file is gone" in again
    assert "--prune removes" in again
    pruned = winnow("knowledge", "add", str(folder), "--user", "ida", "--prune").out
    assert "1 documents removed" in pruned


def test_in_chinese_too(winnow: Run, folder: Path) -> None:
    told = winnow("--language", "zh", "knowledge", "add", str(folder), "--user", "ida").out
    assert "! broken.pdf：不是可读的 PDF" in told
    assert "新增 3，更新 0，未变 0，拒收 1" in told


def test_adding_as_data_holds_every_row(winnow: Run, folder: Path) -> None:
    (report,) = json.loads(winnow("knowledge", "add", str(folder), "--user", "ida", "--json").out)[
        "additions"
    ]
    assert (report["added"], report["refused"], report["folded"]) == (3, 1, 1)
    assert [row["name"] for row in report["rows"]] == ["boiler.md", "copy.md", "池塘.txt"]
    assert report["problems"][0]["file"] == "broken.pdf"


def test_documents_are_listed_and_shown(ida: Run) -> None:
    listed = ida("knowledge", "list", "--user", "ida").out
    assert [line.split()[2] for line in listed.splitlines()] == [
        "notes/boiler.md",
        "notes/copy.md",
        "notes/池塘.txt",
    ]
    shown = ida("knowledge", "show", "notes/boiler.md", "--user", "ida").out
    assert "title: Boiler" in shown
    assert "The pump makes noise." in shown
    assert "= notes/copy.md" in shown
    data = json.loads(ida("knowledge", "show", "notes/boiler.md", "--user", "ida", "--json").out)
    assert data["text"] == BOILER
    assert data["passages"][0]["also"] == ["notes/copy.md"]


def test_what_is_exported_can_be_added_again(ida: Run, tmp_path: Path) -> None:
    told = ida("knowledge", "export", "--user", "ida").out
    path = tmp_path / "ida.jsonl"
    assert "3 records written" in ida("knowledge", "export", "--user", "ida", "--output", str(path)).out
    assert path.read_text() == told
    ida("knowledge", "forget", "--user", "ida", "--collection", "notes", "--yes")
    assert "No documents are kept" in ida("knowledge", "list", "--user", "ida").out
    ida("knowledge", "add", str(path), "--user", "ida")
    assert ida("knowledge", "export", "--user", "ida").out == told


@pytest.mark.slow
def test_all_documents_of_one_person_are_deleted_and_nobody_elses(ida: Run, folder: Path) -> None:
    ida("knowledge", "add", str(folder), "--user", "jo")
    ida("knowledge", "add", str(folder), "--public")
    refused = ida("knowledge", "forget", "--user", "ida", "--all")
    assert (refused.code, "--yes" in refused.err) == (2, True)
    assert "3 documents deleted." in ida("knowledge", "forget", "--user", "ida", "--all", "--yes").out
    assert ida("knowledge", "export", "--user", "ida").out == ""
    assert len(ida("knowledge", "list", "--user", "jo").out.splitlines()) == 3
    assert len(ida("knowledge", "list", "--public").out.splitlines()) == 3


def test_single_documents_are_forgotten_and_their_copies_found_again(ida: Run) -> None:
    gone = ida("knowledge", "forget", "notes/boiler.md", "notes/absent.md", "--user", "ida", "--yes").out
    assert "1 documents deleted." in gone
    assert "THE PUMP MAKES NOISE." in ida("knowledge", "show", "notes/copy.md", "--user", "ida").out
    assert ida("knowledge", "show", "notes/boiler.md", "--user", "ida").code == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["list"], "--user NAME or --public"),
        (["add", "-", "--user", "ida"], "needs a name"),
        (["add", "absent", "--user", "ida"], "No such file"),
        (["forget", "--user", "ida"], "one of IDS"),
        (["forget", "a", "--all", "--user", "ida"], "one of IDS"),
        (["show", "x", "--user", "ida"], "no document has the id x"),
        (["add", "x", "--user", "ida", "--importance", "2"], "--importance"),
    ],
)
def test_what_is_missing_is_said(winnow: Run, arguments: list[str], said: str) -> None:
    ended = winnow("knowledge", *arguments)
    assert ended.code == 2
    assert said in ended.err


def test_a_path_that_cannot_be_read_keeps_no_other_from_being_added(winnow: Run, folder: Path) -> None:
    paths = [str(folder / name) for name in ("broken.pdf", "boiler.md")]
    ended = winnow("knowledge", "add", *paths, "--user", "ida")
    assert ended.code == 0
    assert "! broken.pdf" in ended.out
    assert "notes/boiler.md" in winnow("knowledge", "list", "--user", "ida").out
    assert winnow("knowledge", "add", paths[0], "--user", "ida").code == 2


def test_where_one_path_leads_nowhere_nothing_is_added(winnow: Run, folder: Path) -> None:
    assert winnow("knowledge", "add", str(folder), str(folder / "absent"), "--user", "ida").code == 2
    assert "No documents" in winnow("knowledge", "list", "--user", "ida").out


def test_standard_input_is_a_document(winnow: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"The key lies in the hall.")))
    assert winnow("knowledge", "add", "-", "--name", "key.txt", "--user", "ida").code == 0
    assert "stdin/key.txt" in winnow("knowledge", "list", "--user", "ida").out


@pytest.mark.slow
@pytest.mark.slow
@pytest.mark.e2e
def test_killed_while_it_adds_it_goes_on_and_nothing_is_lost_or_twice(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    made = list(write(corpus, 150, 2_000))
    command = [sys.executable, "-m", "winnow", "knowledge", "add", str(corpus), "--user", "ida", "--json"]
    settings = {**os.environ, "WINNOW_HOME": str(tmp_path / "home"), "WINNOW_STORE": ""}
    first = subprocess.Popen(command, env=settings, stdout=subprocess.DEVNULL)
    before = stored_until(tmp_path / "home" / "winnow.db", first)
    first.send_signal(signal.SIGKILL)
    first.wait()
    done = subprocess.run(command, env=settings, capture_output=True, check=True)
    (report,) = json.loads(done.stdout)["additions"]
    assert before > 0
    assert report["unchanged"] >= before
    assert (report["added"] + report["unchanged"], report["changed"], report["total"]) == (150, 0, 150)
    store = SqlStore.open(tmp_path / "home" / "winnow.db", FrozenClock()).storage.documents
    known = run_blocking(store.documents(Scope(user="ida"), "private"))
    assert set(known) == {f"corpus/{each.name}" for each in made}
    for each in made:
        assert each.answer in run_blocking(store.text(Scope(user="ida"), "private", f"corpus/{each.name}"))


def stored_until(path: Path, run: subprocess.Popen[bytes]) -> int:
    """Documents that are there as soon as any are."""
    until = monotonic() + 60
    while monotonic() < until and run.poll() is None:
        try:
            store = SqlStore.open(path, FrozenClock()) if path.exists() else None
            if store and (
                count := run_blocking(store.storage.documents.stamp(Scope(user="ida"), "private")).count
            ):
                return count
        except StoreError:
            pass
        sleep(0.02)
    return 0


def test_a_question_of_nobody_is_told_to_name_who_asks(winnow: Run, folder: Path) -> None:
    winnow("knowledge", "add", str(folder), "--user", "ida")
    ended = winnow("ask", "when was the boiler serviced?")
    assert (ended.code, "--user NAME" in ended.err, "winnow home import" in ended.err) == (2, True, True)
    assert "3 May" in winnow("ask", "when was the boiler serviced?", "--user", "ida").out


@pytest.mark.parametrize("command", ["add", "search"])
def test_what_is_one_persons_is_not_everybodys_as_well(winnow: Run, folder: Path, command: str) -> None:
    ended = winnow("knowledge", command, str(folder), "--user", "ida", "--public")
    assert (ended.code, "--user NAME or --public" in ended.err) == (2, True)
    assert "boiler" not in winnow("knowledge", "list", "--public").out


def test_passages_are_found_with_the_document_and_heading_they_stand_under(winnow: Run, folder: Path) -> None:
    winnow("knowledge", "add", str(folder), "--user", "ida")
    asked = ("knowledge", "search", "when", "was", "the", "boiler", "serviced", "--user", "ida")
    place, text = winnow(*asked, "--limit", "1").out.splitlines()
    assert place.endswith("notes/boiler.md > Boiler")
    assert 0 < float(place.split()[0]) <= 1
    assert text.strip() == "# Boiler The boiler was serviced on 3 May by Mr Alder. The pump makes noise."
    told = json.loads(winnow(*asked, "--json").out)
    (first, *_) = told["passages"]
    assert (first["document"], first["headings"]) == ("notes/boiler.md", ["Boiler"])
    assert first["score"] == pytest.approx(float(place.split()[0]), abs=0.01)
    assert told["steps"]


def test_whose_documents_are_searched_is_said_and_nobody_elses_are(winnow: Run, folder: Path) -> None:
    winnow("knowledge", "add", str(folder), "--user", "ida")
    for whose in (("--user", "otto"), ("--public",)):
        assert winnow("knowledge", "search", "boiler", *whose).out.startswith("No document says anything")
    for wrong in ((), ("--user", "ida", "--public")):
        assert winnow("knowledge", "search", "boiler", *wrong).code == 2
