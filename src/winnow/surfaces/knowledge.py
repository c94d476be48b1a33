"""Documents as text, and as data: what was added, what is kept."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from winnow.bridge import blocking
from winnow.say.messages import message
from winnow.say.wording import worded
from winnow.surfaces.plain import plain
from winnow.text.encode import encode
from winnow.types.dialogue import Language
from winnow.types.document import Document, KnowledgeTier, Passage
from winnow.types.ingest import AddReport

if TYPE_CHECKING:
    from winnow.config import Settings
    from winnow.ports import Storage
    from winnow.remember.documents.segments import Shelf

TOLD = 20
"""Lines of one sort that are printed."""
LONG = 60
"""Characters of a name that are printed."""


def opened(settings: Settings, user: str, tier: KnowledgeTier) -> tuple[Shelf, Storage]:
    """Where documents of that person, or of everybody, are kept. Raises StoreError."""
    from winnow.recall.passages import segment_of
    from winnow.remember.documents.segments import Shelf
    from winnow.types.scope import Scope
    from winnow.wiring import open_store

    storage = open_store(settings).storage
    return Shelf(Scope(settings.tenant, user=user), tier, storage.documents, segment_of), storage


def chosen(shelf: Shelf, collection: str = "", ids: Collection[str] | None = None) -> dict[str, Document]:
    """The documents of the tier: those of the ids, else those of the collection, else all."""
    known = blocking(shelf.store.documents(shelf.scope, shelf.tier, ids or None))
    return {i: each for i, each in known.items() if not collection or each.collection == collection}


def passages_of(shelf: Shelf, id_: str) -> list[Passage]:
    """The passages of one document that stand for themselves, in order."""
    return list(blocking(shelf.store.passages_of(shelf.scope, shelf.tier, id_)))


def added_lines(report: AddReport, language: Language) -> list[str]:
    """A line for each document that is new or other, and for each that was refused with the reason."""
    lines = []
    for row in report.rows[:TOLD]:
        facts = {"name": encode(row.name, LONG), "passages": row.passages, "folded": row.folded or None}
        lines.append(message(f"knowledge_{row.outcome}", language, **facts))
    lines += _more(report.added + report.changed - len(lines), language)
    for problem in report.problems[:TOLD]:
        name, why = encode(problem.file, LONG), worded(problem.message, language)
        lines.append(message("knowledge_refused", language, name=name, why=why))
    lines += _more(report.refused - len(report.problems[:TOLD]), language)
    lines += [message("knowledge_gone", language, name=encode(id_, LONG)) for id_ in report.gone[:TOLD]]
    lines += _more(len(report.gone) - TOLD, language)
    return [*lines, *_sums(report, language)]


def _more(count: int, language: Language) -> list[str]:
    return [message("knowledge_more", language, count=count)] if count > 0 else []


def _sums(report: AddReport, language: Language) -> Iterable[str]:
    counts = {name: getattr(report, name) for name in ("added", "changed", "unchanged", "refused")}
    yield message("knowledge_sums", language, **counts)
    sizes = {"passages": report.passages, "folded": report.folded, "total": report.total}
    yield message("knowledge_total", language, **sizes)
    if report.others:
        yield message("knowledge_others", language, count=report.others)
    if report.pruned:
        yield message("knowledge_pruned", language, count=report.pruned)
    elif report.gone:
        yield message("knowledge_prune", language)


def document_lines(documents: Iterable[Document]) -> list[str]:
    """One line a document: when, how important, its id and title."""
    return [
        f"{_when(d) or '-' * 10:10.10}  {d.importance:.1f}  {encode(d.id, LONG)}  {encode(d.title, LONG)}"
        + (f"  ({encode(d.domain)})" if d.domain else "")
        for d in documents
    ]


def document_data(documents: Iterable[Document]) -> list[Mapping[str, Any]]:
    """The same as data."""
    return [{**plain(document), "at": _when(document)} for document in documents]


def shown_lines(document: Document, passages: Sequence[Passage], text: str) -> list[str]:
    """What is known of a document, then its passages under their headings.

    Of one whose passages are all said by others: its text.
    """
    data = document_data([document])[0]
    lines = [f"{name}: {encode(str(value), 200)}" for name, value in data.items() if value not in ("", None)]
    if not passages:
        lines += ["", *(encode(line, 2000) for line in text.splitlines())]
    for passage in passages:
        under = " > ".join(passage.headings)
        lines += ["", f"[{passage.id}] {encode(under, 200)}" if under else f"[{passage.id}]"]
        lines += [encode(line, 2000) for line in passage.text.splitlines()]
        lines += [f"= {encode(other)}" for other in passage.also]
    return lines


def shown_data(document: Document, passages: Sequence[Passage], text: str) -> Mapping[str, Any]:
    """The same as data, with the whole text."""
    told = [
        {"id": p.id, "text": p.text, "headings": list(p.headings), "start": p.start, "also": list(p.also)}
        for p in passages
    ]
    return {**document_data([document])[0], "text": text, "passages": told}


def _when(document: Document) -> str:
    return document.at.isoformat() if document.at else ""
