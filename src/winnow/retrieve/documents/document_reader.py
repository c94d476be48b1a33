"""Reads an ingest item as a document: its text, metadata (front matter, record fields) and passages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from typing import Any, Literal

import yaml

from winnow.errors import Phrase
from winnow.language.clocks import Clocks
from winnow.language.decode import NotText, decode_text, encoding_of
from winnow.language.normalize import normalise
from winnow.ports.stores import StoredDocument
from winnow.retrieve.documents.chunking import headings, text_chunks
from winnow.retrieve.documents.conversion import Converter, IngestLimits, UnreadableDocument, check_text
from winnow.retrieve.documents.files import FILE_KINDS, IngestItem, record_text
from winnow.retrieve.times.parse import parse_times
from winnow.types.document import Document, Passage
from winnow.types.vector import text_key

# Metadata: the front matter of a Markdown file, the fields of a record.

MAX_FRONT_MATTER_CHARS, MAX_BRACKETS = 20_000, 200
"""Characters and opening brackets of front matter: what YAML takes for those grows with their square."""
MAX_TITLE_CHARS = 200
"""Characters of a title."""
TIME_FIELDS = ("date", "at", "updated", "modified", "created", "created_at", "timestamp", "time")
SOURCE_FIELDS = ("source", "url", "link")
MAX_NOTE_CHARS = 1_000
"""Characters up to which a plain text is a note."""
_MATTER = re.compile(r"\A\ufeff?---[ \t]*\r?\n(.*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class DocumentDefaults:
    """What whoever adds documents says of all of them; None: nothing, so that each may say it itself."""

    collection: str = ""
    domain: str | None = None
    importance: float | None = None
    credibility: float | None = None
    kind: Literal["document", "note"] | None = None

    def apply_to(self, document: Document) -> Document:
        """The document as it is kept."""
        told = {
            name: value
            for name in ("domain", "importance", "credibility", "kind")
            if (value := getattr(self, name)) is not None
        }
        return replace(document, **told)


def front_matter(text: str) -> tuple[Mapping[str, Any], str]:
    """The front matter of a text and the rest of it; a text that has none is all rest."""
    found = _MATTER.match(text[: MAX_FRONT_MATTER_CHARS + 10])
    if not found or found[1].count("[") + found[1].count("{") > MAX_BRACKETS:
        return {}, text
    try:
        said = yaml.safe_load(found[1])
    except (yaml.YAMLError, ValueError, RecursionError):  # a rule across the page begins like front matter
        return {}, text
    return (said, text[found.end() :]) if isinstance(said, dict) else ({}, text)


def with_metadata(document: Document, said: Mapping[str, Any], clocks: Clocks) -> Document:
    """The document with what it says of itself; what makes no sense is left out."""
    moments = (clocks.moment(said[name]) for name in TIME_FIELDS if name in said)
    return replace(
        document,
        title=_text(said.get("title"))[:MAX_TITLE_CHARS] or document.title,
        domain=_text(said.get("domain")) or document.domain,
        source=next((told for name in SOURCE_FIELDS if (told := _text(said.get(name)))), document.source),
        importance=_share(said.get("importance"), document.importance),
        credibility=_share(said.get("credibility"), document.credibility),
        kind="note" if said.get("kind") == "note" else document.kind,
        at=next((at for at in moments if at is not None), document.at),
    )


def _text(value: object) -> str:
    """One line of text; empty where the value is none."""
    return " ".join(str(value).split()) if isinstance(value, str | int | float) else ""


def _share(value: object, otherwise: float) -> float:
    """A number from 0 to 1."""
    fits = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
    return float(value) if fits else otherwise  # type: ignore[arg-type]


DAY_FIELDS = {"year", "month", "day"}
DATED_LINES, MAX_DATED_LINE = 6, 200
"""Lines at both ends of a text in which its day is looked for, and characters of each that are read."""


def written_day(name: str, text: str, changed: float) -> datetime | None:
    """The day that a file says it was written on: in its name, else at the beginning or the end of its text.

    It names day, month and year, and is no later than when the file was changed (seconds since the epoch).
    That itself tells nothing: a copy is new whatever it says. None: it names no such day.
    """
    lines = [line[:MAX_DATED_LINE] for line in text.splitlines() if line.strip()]
    ends = lines[:DATED_LINES] + lines[DATED_LINES:][-DATED_LINES:]
    latest = date.fromtimestamp(changed)  # noqa: DTZ012 - a wall clock has no zone
    for said in (name.rpartition("/")[2], "\n".join(ends)):
        told = [one.fields for one in parse_times(normalise(said)) if one.fields.keys() >= DAY_FIELDS]
        days = [day for one in told if (day := _day_of(one)) is not None and day <= latest]
        if days:
            return datetime.combine(max(days), time())
    return None


def _day_of(fields: Mapping[str, Any]) -> date | None:
    """The day, where there is such a one."""
    try:
        return date(fields["year"], fields["month"], fields["day"])
    except ValueError:
        return None


MIN_COMMON_CHARACTERS = 0.9
"""Least share of common characters in what is taken for Chinese in an encoding of its own."""
MAX_CONTROL_SHARE = 0.02
"""Share of characters that nobody writes from which on a file is no text."""
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f\ufffe\uffff]")
_CHARSET = re.compile(rb"""charset\s*=\s*["']?\s*([\w-]+)""", re.IGNORECASE)
CHINESE_NAMES = {"gb2312": "gb18030", "gbk": "gb18030", "x-gbk": "gb18030"}


@dataclass(frozen=True, slots=True)
class DocumentText:
    """What something says, and what it says of itself."""

    text: str
    markdown: bool = True
    metadata: Mapping[str, Any] | None = None


class DocumentReader:
    """Reads what may become documents. ``clocks`` turn times to the clock on the person's wall."""

    def __init__(
        self, told: DocumentDefaults, limits: IngestLimits, clocks: Clocks, converter: Converter
    ) -> None:
        self._told, self._limits, self._clocks, self._converter = told, limits, clocks, converter

    def entry(self, item: IngestItem, raw: bytes, digest: str) -> StoredDocument:
        """The document with its passages. Raises Unfit."""
        found = self._text(item, raw)
        text = check_text(clean_text(found.text), self._limits.text)
        # The first heading near the beginning, else the name of the file
        first = next(headings(text[:MAX_NOTE_CHARS]), None) if found.markdown else None
        if first is not None:
            title = first[3]
        elif item.kind == "record":
            title = ""
        else:
            name = item.name.rpartition("/")[2]
            title = (
                name[: -len(end)] if (end := "." + name.rpartition(".")[2]).lower() in FILE_KINDS else name
            )
        plain = Document(
            item.id,
            title,
            "note" if item.kind in {"markdown", "text"} and len(text) <= MAX_NOTE_CHARS else "document",
            item.collection,
            source=item.name,
            at=None if item.at is None else written_day(item.name, text, item.at),
            digest=digest,
        )
        document = self._told.apply_to(with_metadata(plain, found.metadata or {}, self._clocks))
        return StoredDocument(
            document, text, tuple(document_passages(document, text, markdown=found.markdown))
        )

    def _text(self, item: IngestItem, raw: bytes) -> DocumentText:
        if item.kind == "record":
            return DocumentText(str(record_text(item.record)), metadata=item.record)
        if item.kind in {"pdf", "docx"}:
            made = self._converter.convert(item.kind, raw)
            return DocumentText(made.text, item.kind == "docx", {"title": made.title})
        if item.kind == "html":
            declared = _CHARSET.search(raw[:4096])
            page = decode_document(raw, declared[1].decode("ascii").lower() if declared else "")
            made = self._converter.convert("html", page.encode("utf-8", "replace"))
            return DocumentText(made.text, metadata={"title": made.title})
        said, text = front_matter(decode_document(raw))
        return DocumentText(text, item.kind == "markdown", said)


def decode_document(raw: bytes, declared: str = "") -> str:
    """The text of bytes, in whichever encoding they are. Raises Unfit."""
    found = encoding_of(raw)
    if found == "utf-8" and declared:
        found = CHINESE_NAMES.get(declared, declared)
    try:
        text = decode_text(raw, found, MIN_COMMON_CHARACTERS)[0]
    except NotText as error:
        if raw.count(b"\0"):
            raise UnreadableDocument(Phrase("is no text")) from None
        raise UnreadableDocument(error.why) from None
    # A page may declare an encoding that does not exist.
    except LookupError:
        return decode_document(raw)
    # A binary file decodes to something in most encodings.
    if len(_CONTROL.findall(text)) > MAX_CONTROL_SHARE * len(text) or "\0" in text[:MAX_NOTE_CHARS]:
        raise UnreadableDocument(Phrase("is no text"))
    return text


def clean_text(text: str) -> str:
    """The text with ends of lines of one sort, and without what cannot be shown."""
    whole = text.encode("utf-8", "replace").decode()
    return _CONTROL.sub("", whole.replace("\r\n", "\n").replace("\r", "\n")).lstrip("\ufeff")


def document_passages(document: Document, text: str, *, markdown: bool) -> Iterator[Passage]:
    """The passages of a document; the id of one stays while it says the same."""
    prefix, seen = text_key(document.id)[:12], dict[str, int]()
    for piece in text_chunks(text, markdown=markdown):
        id_ = f"{prefix}-{text_key(piece.text)[:12]}"
        seen[id_] = seen.get(id_, 0) + 1
        unique = id_ if seen[id_] == 1 else f"{id_}-{seen[id_]}"
        yield Passage(unique, document, piece.text, piece.headings, piece.start)
