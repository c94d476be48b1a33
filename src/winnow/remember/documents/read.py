"""What may become a document -> the document, its text and its passages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from winnow.errors import Phrase
from winnow.ports import Entry
from winnow.remember.documents.converter import Converter
from winnow.remember.documents.cut import pieces
from winnow.remember.documents.find import KINDS
from winnow.remember.documents.items import Item, text_of
from winnow.remember.documents.limits import Limits, Unfit, check_text
from winnow.remember.documents.matter import NOTE, Told, described, file_time, parted
from winnow.remember.documents.outline import headings
from winnow.text.clocks import Clocks
from winnow.text.decode import NotText, decoded, encoding_of
from winnow.types.document import Document, Passage
from winnow.types.space import key_of

CHINESE = 0.9
"""Least share of common characters in what is taken for Chinese in an encoding of its own."""
BINARY = 0.02
"""Share of characters that nobody writes from which on a file is no text."""
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f\ufffe\uffff]")
_CHARSET = re.compile(rb"""charset\s*=\s*["']?\s*([\w-]+)""", re.IGNORECASE)
CHINESE_NAMES = {"gb2312": "gb18030", "gbk": "gb18030", "x-gbk": "gb18030"}


@dataclass(frozen=True, slots=True)
class Text:
    """What something says, and what it says of itself."""

    text: str
    markdown: bool = True
    said: Mapping[str, Any] | None = None


class Reader:
    """Reads what may become documents. ``clocks`` turn times to the clock on the person's wall."""

    def __init__(self, told: Told, limits: Limits, clocks: Clocks, converter: Converter) -> None:
        self._told, self._limits, self._clocks, self._converter = told, limits, clocks, converter

    def entry(self, item: Item, raw: bytes, digest: str) -> Entry:
        """The document with its passages. Raises Unfit."""
        found = self._text(item, raw)
        text = check_text(clean(found.text), self._limits.text)
        plain = Document(
            item.id,
            _title(item, text, markdown=found.markdown),
            "note" if item.kind in {"markdown", "text"} and len(text) <= NOTE else "document",
            item.collection,
            source=item.name,
            at=None if item.at is None else file_time(item.at),
        )
        document = self._told.over(replace(described(plain, found.said or {}, self._clocks), digest=digest))
        return Entry(document, text, tuple(passages(document, text, markdown=found.markdown)))

    def _text(self, item: Item, raw: bytes) -> Text:
        if item.kind == "record":
            return Text(str(text_of(item.record)), said=item.record)
        if item.kind in {"pdf", "docx"}:
            made = self._converter.converted(item.kind, raw)
            return Text(made.text, item.kind == "docx", {"title": made.title})
        if item.kind == "html":
            declared = _CHARSET.search(raw[:4096])
            page = read_text(raw, declared[1].decode("ascii").lower() if declared else "")
            made = self._converter.converted("html", page.encode("utf-8", "replace"))
            return Text(made.text, said={"title": made.title})
        said, text = parted(read_text(raw))
        return Text(text, item.kind == "markdown", said)


def read_text(raw: bytes, declared: str = "") -> str:
    """The text of bytes, in whichever encoding they are. Raises Unfit."""
    found = encoding_of(raw)
    if found == "utf-8" and declared:
        found = CHINESE_NAMES.get(declared, declared)
    try:
        text = decoded(raw, found, CHINESE)[0]
    except NotText as error:
        if raw.count(b"\0"):
            raise Unfit(Phrase("is no text")) from None
        raise Unfit(error.why) from None
    except LookupError:
        return read_text(raw)
    if len(_CONTROL.findall(text)) > BINARY * len(text) or "\0" in text[:NOTE]:
        raise Unfit(Phrase("is no text"))
    return text


def clean(text: str) -> str:
    """The text with ends of lines of one sort, and without what cannot be shown."""
    whole = text.encode("utf-8", "replace").decode()
    return _CONTROL.sub("", whole.replace("\r\n", "\n").replace("\r", "\n")).lstrip("\ufeff")


def passages(document: Document, text: str, *, markdown: bool) -> Iterator[Passage]:
    """The passages of a document; the id of one stays while it says the same."""
    prefix, seen = key_of(document.id)[:12], dict[str, int]()
    for piece in pieces(text, markdown=markdown):
        id_ = f"{prefix}-{key_of(piece.text)[:12]}"
        seen[id_] = seen.get(id_, 0) + 1
        unique = id_ if seen[id_] == 1 else f"{id_}-{seen[id_]}"
        yield Passage(unique, document, piece.text, piece.headings, piece.start)


def _title(item: Item, text: str, *, markdown: bool) -> str:
    """The first heading near the beginning, else the name of the file."""
    first = next(headings(text[:NOTE]), None) if markdown else None
    if first is not None:
        return first[3]
    if item.kind == "record":
        return ""
    name = item.name.rpartition("/")[2]
    return name[: -len(end)] if (end := "." + name.rpartition(".")[2]).lower() in KINDS else name
