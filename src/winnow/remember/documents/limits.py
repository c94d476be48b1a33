"""How much of a document is read: enough for books, too little for bombs."""

from __future__ import annotations

from dataclasses import dataclass

from winnow.errors import Phrase

MEGABYTE = 1024 * 1024


class Unfit(Exception):  # noqa: N818 - reads as the sentence it is
    """Something is no document that can be kept; ``why`` is told to a person."""

    def __init__(self, why: Phrase) -> None:
        super().__init__(why)
        self.why = why


@dataclass(frozen=True, slots=True)
class Limits:
    """What one document may take."""

    file: int = 64 * MEGABYTE
    """Bytes of a file. What is longer is refused before it is read."""
    line: int = 4 * MEGABYTE
    """Bytes of one record among lines of JSON."""
    text: int = 8_000_000
    """Characters of a document, once it is text."""
    unpacked: int = 256 * MEGABYTE
    """Bytes of all that a Word document holds, unpacked."""
    entries: int = 10_000
    """Files within a Word document."""
    pages: int = 5_000
    """Of a PDF."""
    seconds: float = 60.0
    """For the conversion of one file."""
    memory: int = 1024 * MEGABYTE
    """Bytes of the process that converts, where the system can limit it."""


def check_size(size: int, most: int) -> None:
    """Raises Unfit where something has more bytes than it may."""
    if size > most:
        facts = {"size": size // MEGABYTE, "most": most // MEGABYTE}
        raise Unfit(Phrase("is of {size} MB; at most {most} MB are read", **facts))


def check_text(text: str, most: int) -> str:
    """The text itself. Raises Unfit where it is too long, empty, or what no text holds."""
    if len(text) > most:
        raise Unfit(Phrase("holds {count} characters; at most {most} are kept", count=len(text), most=most))
    if not text.strip():
        raise Unfit(Phrase("holds no text"))
    return text
