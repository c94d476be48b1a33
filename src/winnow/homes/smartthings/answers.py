"""The answers of the API that an export holds, each where it belongs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from winnow.homes.bundle import Document
from winnow.homes.fields import Problems, Row, once
from winnow.homes.smartthings.documents import Batch, batches


@dataclass(slots=True)
class Answers:
    """The rows of all documents by the answer they are."""

    pages: list[Batch] = field(default_factory=list)
    """Of devices."""
    status: dict[str, Row] = field(default_factory=dict)
    """By device."""
    health: dict[str, Row] = field(default_factory=dict)
    """By device."""
    levels: dict[str, Row] = field(default_factory=dict)
    """By room."""
    rooms: list[Row] = field(default_factory=list)
    locations: list[Row] = field(default_factory=list)
    scenes: list[Row] = field(default_factory=list)
    specs: dict[str, list[Row]] = field(default_factory=dict)
    """Rows of specifications by the name of their document."""
    unknown: list[str] = field(default_factory=list)
    """Names of the documents that hold none of these."""

    def devices(self) -> list[Row]:
        """All devices, each once."""
        return distinct((row for page in self.pages for row in page.rows), "deviceId")

    def put(self, batch: Batch, document: Document) -> None:
        """Add one answer."""
        match batch.answer:
            case "device":
                self.pages.append(batch)
            case "status":
                self.status = {**_by_device(batch, document), **self.status}
            case "health":
                self.health = {**_by_device(batch, document), **self.health}
            case "profile":
                self.specs.setdefault(document.name, []).extend(batch.rows)
            case "level":
                self.levels.update((batch.key, row) for row in batch.rows)
            case "room":
                self.rooms += batch.rows
            case "location":
                self.locations += batch.rows
            case "scene":
                self.scenes += batch.rows


def sorted_out(documents: Iterable[Document], problems: Problems) -> Answers:
    """The rows of all documents, each where it belongs."""
    answers = Answers()
    for document in documents:
        found = list(batches(document, problems))
        for batch in found:
            answers.put(batch, document)
        if not found and document.data:
            answers.unknown.append(document.name)
    return answers


def distinct(rows: Iterable[Row], key: str) -> list[Row]:
    """The rows, each id once; an answer may lie beside the file it was merged into.

    Of what comes twice in one document the first counts.
    """
    by_file: dict[str, list[Row]] = {}
    for row in rows:
        by_file.setdefault(row.file, []).append(row)
    kept: dict[str, Row] = {}
    for listed in by_file.values():
        for row in once(listed, key):
            kept.setdefault(row.text(key) or f"{row.file} {row.path}", row)
    return list(kept.values())


def _by_device(batch: Batch, document: Document) -> dict[str, Row]:
    """Whose status or health each is: it says so, or stands under the id, or its file is called so."""
    stem = document.name.rpartition("/")[2].partition(".")[0]
    elsewhere = batch.key or stem
    named = ((row.data.get("deviceId"), row) for row in batch.rows)
    return {told if isinstance(told, str) else elsewhere: row for told, row in named}
