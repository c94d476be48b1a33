"""Chains that go on from archives, and what becomes of them there."""

from __future__ import annotations

import gzip
import shutil
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.unit.adapters.stores.conftest import both

from winnow.adapters.stores.audit import AuditSettings
from winnow.adapters.stores.store import SqlStore
from winnow.adapters.testing.fakes import FrozenClock
from winnow.errors import StoreError
from winnow.ports.services import Audit, run_blocking
from winnow.types.receipt import Record
from winnow.types.scope import Scope

HERE = Scope("anna", home="flat")


def act(n: int) -> list[Record]:
    said = {"said": f"words {n}", "calls": [["lamp", "on", {}]]}
    return [Record(1.0, "ida", "begun", f"act{n}", said), Record(2.0, "ida", "ended", f"act{n}", {})]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "audit"


@pytest.fixture
def store(where: Path | str, folder: Path) -> Iterator[SqlStore]:
    opened = SqlStore.open(where, FrozenClock(), ledger=AuditSettings(b"k" * 16, 20, folder))
    yield opened
    opened.close()


def filled(store: SqlStore, acts: int) -> Audit:
    for n in range(acts):
        run_blocking(store.storage.audit.append(HERE, act(n)))
    return store.storage.audit


@both
def test_a_chain_goes_on_from_its_archives(store: SqlStore, folder: Path) -> None:
    audit = filled(store, 33)
    files = sorted(path.name for path in folder.glob("*/*.gz"))
    assert files == [
        "0000000001.jsonl.gz",
        "0000000013.jsonl.gz",
        "0000000025.jsonl.gz",
        "0000000037.jsonl.gz",
    ]
    (head,) = run_blocking(audit.heads(HERE))
    assert (head.first, head.number, head.entry_count) == (49, 66, 18)
    looked = run_blocking(audit.verification(HERE))
    assert (looked.entries, looked.broken, looked.unknown) == (66, (), ())
    pages, after = list[int](), 0
    while page := run_blocking(audit.entries(HERE, after, 7)):
        pages += [entry.number for entry in page]
        after = page[-1].number
    assert pages == list(range(1, 67))
    noted = run_blocking(audit.entries(HERE, 3, 1))[0].hash
    assert run_blocking(audit.verification(HERE, noted)).broken == ()


def test_an_archive_that_is_gone_altered_or_cut_short_is_told(store: SqlStore, folder: Path) -> None:
    audit = filled(store, 22)
    first, second, *_ = sorted(folder.glob("*/*.gz"))
    whole = first.read_bytes()
    for spoilt, kinds in [
        (gzip.compress(gzip.decompress(whole).replace(b"words 3", b"words 9")), ["altered"]),
        (gzip.compress(b"\n".join(gzip.decompress(whole).split(b"\n")[:-3])), ["missing"]),
        (whole[:-30], ["archive"]),
        (b"nothing of the kind", ["archive"]),
    ]:
        first.write_bytes(spoilt)
        assert [flaw.kind for flaw in run_blocking(audit.verification(HERE)).broken] == kinds
    assert [entry.number for entry in run_blocking(audit.entries(HERE))] == list(range(13, 45))
    first.write_bytes(whole)
    second.unlink()
    assert [flaw.kind for flaw in run_blocking(audit.verification(HERE)).broken] == ["archive"]


@pytest.mark.parametrize("damage", ["deleted", "emptied", "folder gone", "strange files"])
def test_a_chain_whose_archives_are_all_gone_is_reported_and_the_rest_is_read(
    store: SqlStore, folder: Path, damage: str
) -> None:
    audit = filled(store, 22)
    for path in folder.glob("*/*.gz"):
        path.unlink() if damage != "emptied" else path.write_bytes(b"")
        if damage == "strange files":
            path.with_name(f"copy of {path.name}").write_bytes(b"?")
    if damage == "folder gone":
        shutil.rmtree(folder)
    (head,) = run_blocking(audit.heads(HERE))
    assert [entry.number for entry in run_blocking(audit.entries(HERE))] == list(range(head.first, 45))
    (flaw,) = run_blocking(audit.verification(HERE)).broken
    assert (flaw.kind, flaw.first, flaw.last) == ("archive", 1, head.first - 1)


def test_what_was_written_aside_before_it_was_deleted_counts_once(store: SqlStore, folder: Path) -> None:
    """As after a loss of power between both."""
    audit = filled(store, 8)
    entries = run_blocking(audit.entries(HERE))
    (head,) = run_blocking(audit.heads(HERE))
    AuditSettings(folder=folder).archive(head).write(entries[:10])
    assert run_blocking(audit.verification(HERE)).entries == 16
    assert run_blocking(audit.rotate(HERE, 4)) == 12
    assert [entry.number for entry in run_blocking(audit.entries(HERE))] == list(range(1, 17))
    assert run_blocking(audit.verification(HERE)).broken == ()


def test_an_act_that_cannot_be_archived_was_done_all_the_same(store: SqlStore, folder: Path) -> None:
    folder.write_text("no folder", "utf-8")
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        audit = filled(store, 12)
    assert "Nothing can be archived" in str(said[0].message)
    with pytest.raises(StoreError) as caught:
        run_blocking(audit.rotate(HERE, 1))
    assert caught.value.hint
    looked = run_blocking(audit.verification(HERE))
    assert (looked.entries, looked.broken) == (24, ())


def test_a_forgotten_chain_takes_its_archives_along_and_another_begins_anew(
    store: SqlStore, folder: Path
) -> None:
    audit = filled(store, 12)
    assert list(folder.glob("*/*.gz"))
    assert run_blocking(audit.forget(HERE)) == 24
    assert list(folder.glob("*/*.gz")) == []
    assert run_blocking(audit.append(HERE, act(1))).number == 2
    assert run_blocking(audit.verification(HERE)).broken == ()


def test_entries_whose_head_is_gone_are_told_and_nothing_is_hung_on_them(store: SqlStore) -> None:
    audit = filled(store, 2)
    with store._db.write() as db:
        db.exec_driver_sql("DELETE FROM chains")
    assert [head.home for head in run_blocking(audit.heads(HERE))] == ["flat"]
    with pytest.raises(StoreError, match="tampered"):
        run_blocking(audit.append(HERE, act(3)))
    assert [flaw.kind for flaw in run_blocking(audit.verification(HERE)).broken] == ["head"]


def test_a_head_that_was_put_back_is_told(store: SqlStore) -> None:
    audit = filled(store, 3)
    with store._db.write() as db:
        db.exec_driver_sql("DELETE FROM audit WHERE number > 4")
        db.exec_driver_sql("UPDATE chains SET number = 4, hash = (SELECT hash FROM audit WHERE number = 4)")
    assert [flaw.kind for flaw in run_blocking(audit.verification(HERE)).broken] == ["head"]


def test_a_body_that_is_no_json_any_more_is_told(store: SqlStore) -> None:
    audit = filled(store, 2)
    with store._db.write() as db:
        db.exec_driver_sql("UPDATE audit SET body = '{' WHERE number = 2")
    assert [(f.kind, f.first) for f in run_blocking(audit.verification(HERE)).broken] == [("altered", 2)]
