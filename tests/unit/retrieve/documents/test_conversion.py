"""A file becomes its text, within its limits, or the reason why not; in this process."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from pypdf import PdfReader, PdfWriter

from winnow.retrieve.documents import conversion
from winnow.retrieve.documents.conversion import (
    IngestLimits,
    check_size,
    check_text,
    conversion_answer,
    conversion_request,
    convert_file,
    serve_conversions,
    unwrapped_text,
)

LIMITS = IngestLimits()
MB = 1024**2
PAGE = b"""<html><head><title> The <b>boiler</b></title><style>p {}</style></head><body><nav>Home</nav>
<script>let x</script><h2>Service</h2><p>In <a href="/m">May</a>.<img alt="pump"></p><svg>s</svg>
</body></html>"""


@pytest.fixture(autouse=True)
def without_limits_of_this_process(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    limited: list[int] = []
    monkeypatch.setattr(conversion, "_limit_memory", limited.append)
    return limited


def why(kind: str, raw: bytes, limits: IngestLimits = LIMITS) -> str:
    with pytest.raises(conversion.UnreadableDocument) as caught:
        convert_file(kind, raw, limits)
    return str(caught.value.why)


def pdf(pages: int = 1, password: str | None = None, title: str = "") -> bytes:
    writer, made = PdfWriter(), io.BytesIO()
    for _ in range(pages):
        writer.add_blank_page(72, 72)
    if title:
        writer.add_metadata({"/Title": title})
    if password is not None:
        writer.encrypt(password, "owner", algorithm="RC4-128")
    writer.write(made)
    return made.getvalue()


def archive(files: Mapping[str, str]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as written:
        for name, text in files.items():
            written.writestr(name, text)
    return made.getvalue()


def test_a_page_is_its_headings_and_sentences_without_what_nobody_reads() -> None:
    found = convert_file("html", PAGE, LIMITS)
    assert found.title == "The boiler"
    assert [line for line in found.text.splitlines() if line] == ["## Service", "In May."]
    assert all(hidden not in found.text for hidden in ("Home", "let x", "pump", "p {}", "/m"))


def test_a_page_without_a_title_has_none() -> None:
    assert convert_file("html", b"<p>x</p>", LIMITS).title == ""


@pytest.mark.parametrize(("size", "fits"), [(3 * MB, True), (3 * MB + 1, False), (0, True)])
def test_a_file_may_have_so_many_bytes(size: int, fits: bool) -> None:
    if fits:
        check_size(size, 3 * MB)
        return
    with pytest.raises(conversion.UnreadableDocument) as caught:
        check_size(size + MB, 3 * MB)
    assert "is of 4 MB; at most 3 MB are read" in str(caught.value.why)


@pytest.mark.parametrize(
    ("text", "said"),
    [("abcd", "holds 4 characters; at most 3 are kept"), (" \n", "no text"), ("", "no text")],
)
def test_a_text_is_neither_too_long_nor_empty(text: str, said: str) -> None:
    with pytest.raises(conversion.UnreadableDocument) as caught:
        check_text(text, 3)
    assert said in str(caught.value.why)
    assert check_text("abc", 3) == "abc"


@pytest.mark.parametrize(
    ("text", "joined"),
    [
        ("a line\nthat goes on", "a line that goes on"),
        ("a line\n(see below)", "a line (see below)"),
        ("an end.\nand more", "an end.\nand more"),
        ("a title\nA sentence", "a title\nA sentence"),
        ("a hyphen-\nated word", "a hyphenated word"),
        ("No 3-\n4", "No 3-\n4"),
        ("锅炉\n保养", "锅炉保养"),
        ("好。\n保养", "好。\n保养"),
        ("one\n\ntwo", "one\n\ntwo"),
    ],
)  # fmt: skip
def test_ends_of_lines_that_only_the_width_made_are_joined(text: str, joined: str) -> None:
    assert unwrapped_text(text) == joined


def test_a_pdf_is_its_pages_with_its_title(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pypdf.PageObject.extract_text", lambda page: "so\nit goes")
    found = convert_file("pdf", pdf(2, title="Manual"), LIMITS)
    assert (found.text, found.title) == ("so it goes\n\nso it goes", "Manual")
    short = convert_file("pdf", pdf(5), replace(LIMITS, text=12))
    assert short.text == "so it goes\n\nso it goes"


def test_a_pdf_that_only_forbids_printing_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pypdf.PageObject.extract_text", lambda page: "text")
    assert PdfReader(io.BytesIO(pdf(password=""))).is_encrypted
    assert convert_file("pdf", pdf(password=""), LIMITS).text == "text"


@pytest.mark.parametrize(
    ("kind", "raw", "limits", "said"),
    [
        ("pdf", pdf(password="secret"), LIMITS, "needs a password"),
        ("pdf", pdf(3), replace(LIMITS, pages=2), "has 3 pages; at most 2 are read"),
        ("pdf", pdf(2), replace(LIMITS, pages=2), "holds no text; if its pages are pictures"),
        ("pdf", b"nothing", LIMITS, "is no PDF that can be read"),
        ("docx", b"nothing", LIMITS, "is no Word document that can be read"),
        ("docx", archive({"a": "", "b": ""}), replace(LIMITS, entries=1), "holds 2 files; at most 1"),
        ("docx", archive({"a": "x" * 9}), replace(LIMITS, unpacked=8), "MB are read"),
        ("docx", archive({"a": "x"}), LIMITS, "is no Word document that can be read"),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_read_says_why(kind: str, raw: bytes, limits: IngestLimits, said: str) -> None:
    assert said in why(kind, raw, limits)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (RecursionError(), "nested too deep"),
        (MemoryError(), "takes too much memory"),
        (ModuleNotFoundError("no", name="bs4.element"), "needs bs4"),
    ],
)
def test_what_a_library_breaks_on_is_told(
    monkeypatch: pytest.MonkeyPatch, error: BaseException, said: str
) -> None:
    def breaks(raw: bytes, limits: IngestLimits) -> Any:
        raise error

    monkeypatch.setattr(conversion, "CONVERTERS", {"html": breaks})
    assert said in why("html", b"")


def test_the_converter_answers_one_request_after_the_other(
    without_limits_of_this_process: list[int],
) -> None:
    asked = [
        ("html", "<head><title>灯</title></head><p>灯</p>".encode()),
        ("pdf", b"x"),
        ("html", b"<p>two</p>"),
    ]
    answers = io.BytesIO()
    serve_conversions(
        io.BytesIO(b"".join(conversion_request(kind, raw, LIMITS) for kind, raw in asked)), answers
    )
    lines = answers.getvalue()
    told = [conversion_answer(kind, raw, LIMITS) for kind, raw in asked]
    assert [dict(head).get("title") for head, _ in told] == ["灯", None, ""]
    assert [text.strip() for _, text in told] == ["灯".encode(), b"", b"two"]
    assert told[1][0]["why"].startswith("is no PDF")
    assert all(text in lines for _, text in told)
    assert without_limits_of_this_process == [LIMITS.memory] * 6
