"""Adding files and folders: what becomes of them, and what adding them again does."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from tests.files import docx, pdf
from tests.unit.retrieve.documents.conftest import Notes

from winnow.errors import DocumentsUnread, StoreError
from winnow.ports.services import run_blocking
from winnow.ports.stores import IndexPart
from winnow.retrieve.documents import ingest as adding
from winnow.retrieve.documents.document_reader import written_day
from winnow.retrieve.documents.ingest import (
    DocumentLibrary,
    document_records,
    forget_documents,
    parts_to_join,
)
from winnow.retrieve.facts.extract import parse_statement
from winnow.types.scope import Scope

BOILER = "The boiler in the cellar was serviced on 3 May by Mr Alder, who replaced the pressure valve.\n"
POND = "池塘的水泵每年四月要清洗一次，去年是小林洗的，花了整整一个下午。\n"
MATTER = """---
title: The boiler
date: 2024-05-03
domain: heating
importance: 0.9
credibility: 0.8
source: a letter of Mr Alder
---
"""


def outcomes(report: Any) -> tuple[int, ...]:
    return report.added, report.changed, report.unchanged, report.refused


def test_every_kind_of_file_becomes_a_document_that_is_found(notes: Notes) -> None:
    notes.write("boiler.md", f"# Heating\n\n{BOILER}")
    notes.write("pond.txt", POND.encode("gbk"))
    notes.write(
        "sub/bees.html", "<title>Bees</title><script>no()</script><h1>Hives</h1><p>Six hives of bees.</p>"
    )
    notes.write("mill.docx", docx(["The mill grinds rye.", "It was built in 1804."]))
    notes.write("roof.pdf", pdf(["The roof was mended", "with slates from Wales."]))
    notes.write("tea.jsonl", json.dumps({"id": "t1", "title": "Tea", "text": "Green tea wants 80 degrees."}))
    notes.write("photo.png", b"\x89PNG")
    notes.write(".git/config.txt", "hidden")
    report = notes.add()
    assert (*outcomes(report), report.others) == (6, 0, 0, 0, 1)
    asked = {
        "pressure valve of the boiler": "notes/boiler.md",
        "池塘的水泵": "notes/pond.txt",
        "hives of bees": "notes/sub/bees.html",
        "when was the mill built": "notes/mill.docx",
        "slates from Wales": "notes/roof.pdf",
        "green tea": "notes/tea.jsonl#t1",
    }
    assert {question: notes.found(question)[0] for question in asked} == asked
    assert "no()" not in notes.text("notes/sub/bees.html")
    titles = {id_: each.title for id_, each in notes.documents().items()}
    assert [titles[id_] for id_ in asked.values()] == ["Heating", "pond", "Bees", "mill", "roof", "Tea"]


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "gb18030", "utf-32"]
)
def test_texts_come_in_many_encodings(notes: Notes, encoding: str) -> None:
    notes.write("a.txt", f"{POND} Six hives in ASCII beside it, and the pump.\r\nEnd.".encode(encoding))
    notes.add()
    assert notes.text("notes/a.txt") == f"{POND} Six hives in ASCII beside it, and the pump.\nEnd."


def test_a_page_says_its_encoding_itself(notes: Notes) -> None:
    notes.write("a.html", f'<meta charset="gb2312"><p>{POND}</p>'.encode("gbk"))
    notes.write("b.html", f'<meta charset="nonsense"><p>{POND}</p>')
    notes.add()
    assert POND.strip() in notes.text("notes/a.html")
    assert POND.strip() in notes.text("notes/b.html")


def test_a_document_says_itself_what_is_known_of_it(notes: Notes) -> None:
    notes.write("boiler.md", MATTER + BOILER)
    notes.add()
    (known,) = notes.documents().values()
    assert (known.title, known.domain, known.source) == ("The boiler", "heating", "a letter of Mr Alder")
    assert (known.importance, known.credibility, known.kind) == (0.9, 0.8, "note")
    assert known.at == datetime(2024, 5, 3)  # noqa: DTZ001
    assert notes.text("notes/boiler.md") == BOILER


def test_what_whoever_adds_it_says_counts_more(notes: Notes) -> None:
    notes.write("boiler.md", MATTER + BOILER)
    notes.add(collection="house", domain="law", importance=0.2, credibility=0.1, kind="document")
    (known,) = notes.documents().values()
    told = (known.id, known.collection, known.domain, known.importance, known.credibility, known.kind)
    assert told == ("house/notes/boiler.md", "house", "law", 0.2, 0.1, "document")


@pytest.mark.parametrize(
    "matter", ["---\nimportance: 7\ncredibility: x\ndate: soon\n---\n", "---\n: {\n---\n", "---\n"]
)
def test_what_makes_no_sense_in_it_is_left_out(notes: Notes, matter: str) -> None:
    notes.write("boiler.md", matter + BOILER)
    notes.add()
    (known,) = notes.documents().values()
    assert (known.importance, known.credibility) == (0.5, 0.5)
    assert BOILER in notes.text(known.id)


def test_what_is_unchanged_is_left_alone(notes: Notes) -> None:
    notes.write("a.md", BOILER)
    notes.write("b.md", POND)
    notes.add()
    before = run_blocking(notes.storage.documents.stamp(Scope(user="ida"), "private"))
    assert outcomes(notes.add()) == (0, 0, 2, 0)
    assert run_blocking(notes.storage.documents.stamp(Scope(user="ida"), "private")) == before


def test_what_changed_takes_the_place_of_what_was(notes: Notes) -> None:
    notes.write("a.md", BOILER)
    notes.write("b.md", POND)
    notes.add()
    notes.write("a.md", "The boiler was sold to a museum.")
    assert outcomes(notes.add()) == (0, 1, 1, 0)
    assert notes.text("notes/a.md") == "The boiler was sold to a museum."
    assert notes.found("museum")[0] == "notes/a.md"


def test_other_words_of_whoever_adds_it_are_a_change_too(notes: Notes) -> None:
    notes.write("a.md", BOILER)
    notes.add()
    assert outcomes(notes.add(domain="heating")) == (0, 1, 0, 0)
    assert notes.documents()["notes/a.md"].domain == "heating"


def test_passages_keep_their_ids_where_their_text_stays(notes: Notes) -> None:
    def ids() -> list[str]:
        store = notes.storage.documents
        return [p.id for p in run_blocking(store.passages_of(Scope(user="ida"), "private", "notes/a.md"))]

    sections = [f"# Part {n}\n\n" + f"{BOILER.strip()} It cost {n}. " * 12 for n in range(3)]
    notes.write("a.md", "\n\n".join(sections))
    notes.add()
    before = ids()
    notes.write("a.md", "\n\n".join([sections[0], "# Part 1\n\nAll gone.", sections[2]]))
    notes.add()
    assert before[0] == ids()[0]
    assert before != ids()


def test_files_that_are_gone_are_told_and_removed_when_asked(notes: Notes) -> None:
    gone = notes.write("a.md", BOILER)
    notes.write("b.md", POND)
    notes.add()
    gone.unlink()
    assert (notes.add().gone, set(notes.documents())) == (("notes/a.md",), {"notes/a.md", "notes/b.md"})
    report = notes.add(prune=True)
    assert (report.pruned, report.total, set(notes.documents())) == (1, 1, {"notes/b.md"})


def test_folders_of_one_collection_stand_beside_each_other(notes: Notes) -> None:
    notes.write("boiler/read.md", BOILER)
    notes.write("pond/read.md", POND)
    notes.add(notes.folder / "boiler", collection="house")
    report = notes.add(notes.folder / "pond", collection="house", prune=True)
    assert (report.added, report.gone, report.pruned) == (1, (), 0)
    assert set(notes.documents()) == {"house/boiler/read.md", "house/pond/read.md"}


def test_what_can_no_longer_be_read_is_not_gone(notes: Notes) -> None:
    notes.write("a.md", BOILER)
    notes.write("b.md", POND)
    notes.add()
    notes.write("a.md", bytes(range(256)))
    report = notes.add(prune=True)
    assert (report.refused, report.gone, notes.text("notes/a.md")) == (1, (), BOILER)


def test_a_file_alone_is_the_document_it_is_in_its_folder(notes: Notes) -> None:
    path = notes.write("a.md", BOILER)
    notes.add(path)
    assert outcomes(notes.add()) == (0, 0, 1, 0)


def test_copies_are_folded_and_come_back_when_the_other_goes(notes: Notes) -> None:
    notes.write("a.md", BOILER * 2)
    notes.write("b.md", BOILER.upper() * 2)
    report = notes.add()
    assert (report.passages, report.folded) == (2, 1)
    (kept,) = notes.found("pressure valve")
    other = ({"notes/a.md", "notes/b.md"} - {kept}).pop()
    assert run_blocking(forget_documents(notes.shelf, [kept])) == 1
    assert notes.found("pressure valve") == [other]


def test_what_is_exported_can_be_added_again_and_is_the_same(
    notes: Notes, make: Callable[[str], Notes]
) -> None:
    notes.write("a.md", MATTER + BOILER)
    notes.write("b.txt", POND)
    notes.add()

    async def told(from_: Notes) -> list[Any]:
        return [record async for record in document_records(from_.shelf)]

    records = run_blocking(told(notes))
    other = make("other")
    other.write("export.jsonl", "\n".join(map(json.dumps, records)))
    other.add()
    assert run_blocking(told(other)) == records


def test_records_without_ids_are_told_by_their_lines(notes: Notes) -> None:
    notes.write("a.jsonl", f'{{"text": "{BOILER.strip()}"}}\n\n{{"content": "Bees."}}')
    notes.add()
    assert list(notes.documents()) == ["notes/a.jsonl#1", "notes/a.jsonl#3"]


def test_standard_input_has_the_name_that_is_given_to_it(
    notes: Notes, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, held in {
        "wifi.md": "# Wifi\n\nIt is in the hall.",
        "r.jsonl": '{"id": 1, "text": "Bees."}',
    }.items():
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(held.encode())))
        assert notes.add("-", name=name).added == 1
    assert {id_: each.title for id_, each in notes.documents().items()} == {
        "stdin/wifi.md": "Wifi",
        "stdin/r.jsonl#1": "",
    }


def test_a_path_to_nothing_is_an_error(notes: Notes) -> None:
    with pytest.raises(FileNotFoundError):
        notes.add(notes.folder / "absent")


def test_nothing_but_refusals_is_an_error_that_names_them(notes: Notes) -> None:
    notes.write("a.pdf", "no PDF")
    notes.write("b.md", "")
    with pytest.raises(DocumentsUnread) as caught:
        notes.add()
    assert [problem.file for problem in caught.value.problems] == ["a.pdf", "b.md"]
    assert caught.value.hint
    with pytest.raises(DocumentsUnread, match="of no kind that is read"):
        notes.add(notes.write("x.exe", "x"))


def test_an_empty_folder_adds_nothing(notes: Notes) -> None:
    assert outcomes(notes.add()) == (0, 0, 0, 0)


class PowerFailsError(Exception):
    """The power fails."""


def test_a_run_that_was_stopped_goes_on_where_it_was(notes: Notes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adding, "MAX_BATCH_DOCUMENTS", 4)
    for n in range(20):
        notes.write(f"{n:02d}.md", f"# Letter {n}\n\nThe key of locker L{n} lies in drawer {n * 7}.")
    put, calls = notes.storage.documents.put, 0

    async def failing(*given: Any) -> int:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise PowerFailsError
        return await put(*given)

    monkeypatch.setattr(notes.storage.documents, "put", failing)
    with pytest.raises(PowerFailsError):
        notes.add()
    assert len(notes.documents()) == 8
    assert notes.found("locker L5")[0] == "notes/05.md"
    assert outcomes(notes.add()) == (12, 0, 8, 0)
    assert [notes.found(f"locker L{n}")[0] for n in range(20)] == [f"notes/{n:02d}.md" for n in range(20)]


def test_each_batch_is_found_while_others_are_being_added(
    notes: Notes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adding, "MAX_BATCH_DOCUMENTS", 2)
    for n in range(6):
        notes.write(f"{n}.md", f"The key of locker L{n} lies in drawer {n * 7}.")
    put, seen = notes.storage.documents.put, list[list[str]]()

    async def watched(*given: Any) -> int:
        kept = await put(*given)
        seen.append(notes.found("locker L1"))
        return kept

    monkeypatch.setattr(notes.storage.documents, "put", watched)
    notes.add()
    assert [found[:1] for found in seen] == [["notes/1.md"]] * 3
    assert len(set(map(tuple, seen))) >= 1


def test_many_small_parts_become_few(notes: Notes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adding, "MAX_BATCH_DOCUMENTS", 1)
    for n in range(30):
        notes.write(f"{n}.md", f"The key of locker L{n} lies in drawer {n * 7}.")
    notes.add()
    parts = run_blocking(notes.storage.documents.parts(Scope(user="ida"), "private"))
    assert len(parts) < 15
    assert sum(part.passages for part in parts) == 30
    assert notes.found("locker L29")[0] == "notes/29.md"


@pytest.mark.parametrize(
    ("parts", "chosen"),
    [
        ([], []),
        ([IndexPart("a", 10), IndexPart("b", 10)], []),
        ([IndexPart("a", 3000, 1600), IndexPart("b", 10)], ["a"]),
        ([IndexPart(str(n), 100) for n in range(12)], [str(n) for n in range(12)]),
        ([IndexPart(str(n), 2400) for n in range(12)], ["0", "1"]),
        ([IndexPart("a", 30_000, 16_000)], ["a"]),
        ([IndexPart("big", 9000), *(IndexPart(str(n), 1) for n in range(11))], []),
    ],
)
def test_parts_are_joined_when_they_are_many_or_worn(
    parts: Sequence[IndexPart], chosen: Sequence[str]
) -> None:
    assert parts_to_join(parts) == chosen


def test_of_everything_another_person_keeps_theirs(notes: Notes) -> None:
    notes.write("a.md", BOILER)
    notes.add()
    jo = Scope(user="jo")
    assert run_blocking(notes.storage.documents.documents(jo, "private")) == {}
    assert run_blocking(notes.storage.documents.forget(jo, "private")) == 0
    assert notes.found("pressure valve") == ["notes/a.md"]


def test_without_a_person_nothing_private_is_kept(notes: Notes) -> None:
    notes.write("a.md", BOILER)
    nobody = DocumentLibrary(Scope(), "private", notes.storage.documents, lambda passages: b"x")
    with pytest.raises(StoreError, match="belongs to a person"):
        run_blocking(adding.add_documents(nobody, adding.IngestRequest(str(notes.folder))))


def test_the_progress_tells_bytes_up_to_the_last(notes: Notes) -> None:
    sizes = [notes.write(f"{n}.md", BOILER * (n + 1)).stat().st_size for n in range(3)]
    told: list[tuple[int, int]] = []
    run_blocking(
        adding.add_documents(
            notes.shelf, adding.IngestRequest(str(notes.folder)), lambda d, s: told.append((d, s))
        )
    )
    assert told[-1] == (sum(sizes), sum(sizes))


def test_a_long_name_has_a_short_id(notes: Notes) -> None:
    deep = Path(*["folder-of-letters"] * 30)
    notes.write(str(deep / "a.md"), BOILER)
    notes.write(str(deep / "b.md"), POND)
    notes.add()
    assert len({len(id_.encode()) <= 300 for id_ in notes.documents()}) == 1
    assert len(notes.documents()) == 2


CHANGED = datetime(2026, 6, 1).timestamp()  # noqa: DTZ001 - a wall clock has no zone


@pytest.mark.parametrize(
    ("name", "text", "day"),
    [
        ("fees_2026-02-10.md", "# Fees of the sailing club\n\nA mooring costs 400 a year.", "2026-02-10"),
        (
            "fees.txt",
            "Sailing club\nIssued 9 January 2026\n\nReplaces the sheet of 3 March 2025.",
            "2026-01-09",
        ),
        (
            "letter.txt",
            "Dear Mara,\n" + "The pond is frozen.\n" * 30 + "Yours, Theo\n2 February 2026",
            "2026-02-02",
        ),
        ("告知书.md", "# 停水通知\n\n发布：2026年5月18日\n\n周三停水。", "2026-05-18"),
        ("报价.txt", "窗户报价\n二〇二六年三月二日\n一共三扇。", "2026-03-02"),
        # Later than the file itself: it runs until then
        ("policy.txt", "House insurance\nDate: 4 May 2026\nValid to 4 May 2027", "2026-05-04"),
        ("clinic.txt", "Clinic of 14 January 2026\nRe: Ines Vale, born 19 November 1987", "2026-01-14"),
        # The name says it first, the latest day of the text else; the day it was changed on is none too late
        ("fees_2026-02-10.txt", "Issued 9 March 2026", "2026-02-10"),
        ("2026-02-10/fees.txt", "Sailing club", ""),
        ("fees_2027-02-10.txt", "Issued 9 March 2026", "2026-03-09"),
        ("fees.txt", "From 3 March 2025, renewed 9 January 2026, first of 1 May 2024", "2026-01-09"),
        ("fees.txt", "Issued 1 June 2026", "2026-06-01"),
        ("fees.txt", "Issued 2 June 2026", ""),
        # Six lines at both ends, the beginning of each; empty ones are none
        ("log.txt", "wind\n" * 5 + "\n\n9 January 2026\n" + "wind\n" * 20, "2026-01-09"),
        ("log.txt", "wind\n" * 6 + "9 January 2026\n" + "wind\n" * 6, ""),
        ("log.txt", "wind\n" * 20 + "9 January 2026\n" + "wind\n\n" * 5, "2026-01-09"),
        ("log.txt", "wind " * 60 + "9 January 2026", ""),
        # No day with its year
        ("recipe.txt", "Walnut bread, Christmas 2019\n\nTwo loaves.", ""),
        ("diary.txt", "Thursday 23 July, late\n\nCannot sleep.", ""),
        ("plan.txt", "30 February 2026, which there is not", ""),
    ],
)
def test_the_day_of_a_file_is_what_it_says(name: str, text: str, day: str) -> None:
    told = written_day(name, text, CHANGED)
    assert (told.date().isoformat() if told else "") == day


def test_a_copied_file_is_not_newer_for_that(notes: Notes) -> None:
    notes.write("boiler.txt", BOILER)
    notes.add()
    assert [document.at for document in notes.documents().values()] == [None]


def test_no_cache_remembers_the_words_of_what_was_changed_or_pruned(notes: Notes) -> None:
    notes.write("pond.txt", POND)
    notes.write("boiler.md", BOILER)
    notes.add()
    for change in (lambda: notes.write("pond.txt", BOILER), lambda: (notes.folder / "boiler.md").unlink()):
        parse_statement(POND)
        change()
        notes.add(prune=True)
        assert parse_statement.cache_info().currsize == 0
    parse_statement(POND)
    notes.add()
    assert parse_statement.cache_info().currsize == 1
