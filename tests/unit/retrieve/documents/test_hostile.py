"""Files that mean harm, or are merely broken: a clear reason for each, and nothing else is lost."""

from __future__ import annotations

import io
import json
import os
import sys
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from pypdf import PdfReader, PdfWriter
from tests.files import docx, pdf, zipped
from tests.unit.retrieve.documents.conftest import Notes

from winnow.retrieve.documents.conversion import Converter, IngestLimits, UnreadableDocument

SMALL = IngestLimits(
    file=2_000_000, line=10_000, text=400_000, unpacked=1_000_000, entries=50, pages=20, memory=512 * 1024**2
)
GOOD = {
    "good.md": ("# Hives\n\nSix hives stand behind the mill.", "hives behind the mill"),
    "good.txt": ("The ladder was lent to Mr Alder.", "who has the ladder"),
    "zz/last.md": ("The piano is tuned every spring.", "piano tuned"),
}
LAUGHS = (
    '<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "ha">'
    + "".join(
        f'<!ENTITY {new} "{"&" + old + ";" * 1}{("&" + old + ";") * 9}">'
        for old, new in zip("abcdefghi", "bcdefghij", strict=True)
    )
    + ']><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r>'
    "<w:t>&j;</w:t></w:r></w:p></w:body></w:document>"
)


def locked() -> bytes:
    writer, made = PdfWriter(PdfReader(io.BytesIO(pdf(["secret"])))), io.BytesIO()
    writer.encrypt("key", algorithm="RC4-128")
    writer.write(made)
    return made.getvalue()


def packed_pdf() -> bytes:
    """A page whose content unpacks to a thousand times its size."""
    content = zlib.compress(bytes(80_000_000), 1)
    plain = pdf(["x"])
    at, end = plain.index(b"<< /Length"), plain.index(b"endstream")
    return (
        plain[:at]
        + b"<< /Filter /FlateDecode /Length %d >>\nstream\n%s\n" % (len(content), content)
        + plain[end:]
    )


def endless(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(10**12)


HOSTILE: dict[str, tuple[Callable[[], bytes | str], str]] = {
    "empty.md": (lambda: b"", "holds no text"),
    "blank.txt": (lambda: " \n\t\n", "holds no text"),
    "binary.md": (lambda: bytes(range(256)) * 40, "is no text"),
    "picture.txt": (lambda: b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR" * 50, "is no text"),
    "nul.md": (lambda: "ab\0" * 500, "is no text"),
    "mixed.txt": (
        lambda: "水泵要清洗。\n".encode() + "café déjà vu\n".encode("latin-1") + "池塘\n".encode("gbk"),
        "is no UTF-8",
    ),
    "half.txt": (lambda: "水泵要清洗".encode("utf-16") + b"\xd8", "is no UTF-16"),
    "broken.pdf": (lambda: b"%PDF-1.7\n" + b"garbage" * 100, "is no PDF"),
    "cut.pdf": (lambda: pdf(["words"])[:200], "PDF"),
    "locked.pdf": (locked, "needs a password"),
    "pages.pdf": (lambda: pdf(["x"], pages=21), "has 21 pages"),
    "bomb.pdf": (packed_pdf, ""),
    "no.docx": (lambda: "not a ZIP", "is no Word document"),
    "hollow.docx": (lambda: zipped({"a.txt": "x"}), "is no Word document"),
    "bomb.docx": (lambda: docx([], "x" * 3_000_000), "at most 0 MB"),
    "many.docx": (lambda: zipped({f"{n}": "x" for n in range(51)}), "holds 51 files"),
    "laughs.docx": (lambda: docx([], LAUGHS), ""),
    "deep.html": (lambda: "<div>" * 3_000 + "x" + "</div>" * 3_000, "is nested too deep"),
    "script.html": (lambda: "<script>only()</script>", "holds no text"),
    "table.md": (lambda: "| a | b |\n|---|---|\n" + "| x | y |\n" * 60_000, "holds 600020 characters"),
    "line.md": (lambda: "x" * 500_000, "holds 500000 characters"),
    "lines.jsonl": (lambda: "[1, 2]\n", "has no text"),
}


@cache
def held(name: str) -> bytes | str:
    return HOSTILE[name][0]()


@pytest.fixture
def attacked(notes: Notes) -> Notes:
    """Good files among hostile ones."""
    notes.limits = SMALL
    for name, (said, _) in GOOD.items():
        notes.write(name, said)
    for name in HOSTILE:
        notes.write(name, held(name))
    endless(notes.folder / "endless.txt")
    (notes.folder / "loop").symlink_to(notes.folder)
    (notes.folder / "passwd.md").symlink_to("/etc/passwd")
    (notes.folder / "nowhere.md").symlink_to(notes.folder / "absent")
    os.mkfifo(notes.folder / "pipe.md")
    return notes


def test_each_has_its_reason_and_nothing_else_is_lost(attacked: Notes) -> None:
    report = attacked.add()
    reasons = {problem.file.partition(":")[0]: problem.message for problem in report.problems}
    others = {
        "endless.txt": "is of 953674 MB",
        "loop": "is a link",
        "passwd.md": "is a link",
        "nowhere.md": "is a link",
        "pipe.md": "is no file",
    }
    expected = {**{name: why for name, (_, why) in HOSTILE.items()}, **others}
    assert len(expected) >= 20
    assert reasons.keys() == expected.keys()
    assert [name for name, why in expected.items() if why not in reasons[name]] == []
    assert set(attacked.documents()) == {f"notes/{name}" for name in GOOD}
    for name, (_, question) in GOOD.items():
        assert attacked.found(question)[0] == f"notes/{name}"


@pytest.mark.slow
def test_they_are_refused_again_and_again_and_never_gone(attacked: Notes) -> None:
    first, again = attacked.add(), attacked.add(prune=True)
    assert (again.refused, again.unchanged, again.gone) == (first.refused, len(GOOD), ())


def test_names_lead_nowhere_else(notes: Notes) -> None:
    names = ["x..\\..\\evil.md", "a\nb.md", "\x1b[31mred.md", "～.md", "-rf.md", "CON.md", "a" * 200 + ".md"]
    for name in names:
        notes.write(name, f"The key of {len(name)} lies in the drawer.")
    record = {"id": "../../../etc/passwd", "title": "../x", "text": "Six hives."}
    notes.write("r.jsonl", json.dumps(record))
    report = notes.add()
    assert report.added == len(names) + 1
    assert "notes/r.jsonl#../../../etc/passwd" in notes.documents()
    assert {path.name for path in notes.folder.parent.iterdir()} == {"notes"}


def test_a_name_that_is_no_text_is_kept_as_it_is(notes: Notes) -> None:
    path = os.path.join(os.fsencode(notes.folder), b"caf\xe9.md")  # noqa: PTH118 - a path of bytes
    with open(path, "w") as file:  # noqa: PTH123
        file.write("Six hives stand behind the mill.")
    assert notes.add().added == 1
    assert notes.add().unchanged == 1


def test_of_records_the_good_ones_are_kept_and_the_others_told_with_their_lines(notes: Notes) -> None:
    notes.limits = SMALL
    lines = [
        b'{"id": 1, "text": "Six hives."}',
        b"{oops",
        b'{"id": 2}',
        b'"text"',
        b'{"id": 1, "text": "again"}',
        b'{"text": "' + b"x" * 50_000 + b'"}',
        b'{"id": 3, "text": "half \\ud83d a sign", "importance": NaN}',
        b"[" * 9_000,
        b'{"id": 4, "text": "caf\xe9"}',
        b'{"kind": "message", "id": "m", "role": "user", "content": "hello"}',
        b'{"id": 5, "text": "The ladder."}',
    ]
    notes.write("r.jsonl", b"\n".join(lines))
    report = notes.add()
    assert set(notes.documents()) == {f"notes/r.jsonl#{n}" for n in (1, 3, 5)}
    assert [p.file for p in report.problems] == [f"r.jsonl:{n}" for n in (2, 3, 4, 5, 6, 8, 9, 10)]
    assert notes.found("ladder")[0] == "notes/r.jsonl#5"


def test_a_conversion_that_takes_too_long_is_ended() -> None:
    with (
        Converter(IngestLimits(seconds=0.001)) as hasty,
        pytest.raises(UnreadableDocument, match="takes more than"),
    ):
        hasty.convert("pdf", pdf(["words"]))


@pytest.mark.skipif(sys.platform != "linux", reason="no other system tells the limits of a process")
def test_the_process_that_converts_takes_no_more_memory_than_it_may() -> None:
    import resource

    with Converter(SMALL) as converter:
        converter.convert("pdf", pdf(["words"]))
        assert converter._process is not None
        most, _ = resource.prlimit(converter._process.pid, resource.RLIMIT_AS)
    assert most == SMALL.memory


def test_when_the_process_that_converts_dies_the_next_file_has_another() -> None:
    with Converter(SMALL) as converter:
        assert "words" in converter.convert("pdf", pdf(["words"])).text
        assert converter._process is not None
        converter._process.kill()
        with pytest.raises(UnreadableDocument, match="broke the converter"):
            converter.convert("pdf", pdf(["words"]))
        assert "words" in converter.convert("pdf", pdf(["words"])).text


def test_without_the_libraries_the_reason_says_what_to_install(
    notes: Notes, monkeypatch: pytest.MonkeyPatch
) -> None:
    from winnow.retrieve.documents import conversion as convert

    def missing(raw: bytes, limits: IngestLimits) -> convert.ConvertedText:
        raise ModuleNotFoundError("no", name="pypdf.errors")

    monkeypatch.setitem(convert.CONVERTERS, "pdf", missing)  # type: ignore[arg-type]
    with pytest.raises(UnreadableDocument, match=r'needs pypdf; pip install "\.\[documents\]"'):
        convert.convert_file("pdf", b"", SMALL)
