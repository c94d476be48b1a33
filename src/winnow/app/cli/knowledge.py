"""``winnow knowledge``: adds, searches, lists, shows, exports and deletes documents."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from winnow.app.cli.options import (
    JsonOption,
    command_group,
    confirm_deletion,
    message_language,
    say,
    show,
    show_data,
)
from winnow.app.config.settings import load_settings
from winnow.app.output import plain_data
from winnow.errors import DocumentsUnread
from winnow.language.encode import encode_text
from winnow.language.messages import message, translate_text
from winnow.ports.services import run_blocking
from winnow.types.candidate import Search, Shortlist
from winnow.types.document import AddReport, Document, KnowledgeTier, Passage
from winnow.types.scope import Scope
from winnow.types.utterance import LanguageCode

if TYPE_CHECKING:
    from winnow.app.config.settings import Settings
    from winnow.ports.stores import Storage
    from winnow.retrieve.documents.ingest import DocumentLibrary, IngestRequest
    from winnow.types.document import AddReport, KnowledgeTier


def search(
    query: Annotated[
        list[str],
        typer.Argument(metavar="QUERY", help="What is looked for; it needs no quotes.", show_default=False),
    ],
    user: Annotated[str, typer.Option("--user", help="Whose documents.")] = "",
    public: Annotated[bool, typer.Option("--public", help="Those of everybody instead.")] = False,
    limit: Annotated[int, typer.Option("--limit", min=1, help="At most so many.")] = 5,
    as_json: JsonOption = False,
) -> None:
    """Find the passages that answer a question, best first, each with its document.

    Nothing is sent anywhere.
    """
    # Guessing could show the documents of one person to another.
    if bool(user) == public:
        raise typer.BadParameter(say("knowledge_whose"), param_hint="--user, --public")
    shortlist = search_passages(load_settings(), user, " ".join(query), limit, public=public)
    if as_json:
        show_data("passages", {"passages": passage_data(shortlist), "steps": shortlist.steps})
    else:
        show(passage_lines(shortlist), otherwise=say("knowledge_not_found"))


commands = command_group(
    help="Documents and notes that are searched: add, search, list, show, forget, export."
)

UserOption = Annotated[str, typer.Option("--user", help="Whose documents.")]
PublicOption = Annotated[
    bool, typer.Option("--public", help="Those of everybody, which are searched after a person's own.")
]
CollectionOption = Annotated[
    str,
    typer.Option("--collection", help="What they belong to. Default: the name of the folder."),
]
DocumentIds = Annotated[
    list[str] | None, typer.Argument(metavar="[IDS]", help="Ids of documents.", show_default=False)
]


Paths = Annotated[
    list[str],
    typer.Argument(
        metavar="PATHS",
        help="Files or folders: Markdown, text, HTML, PDF, DOCX, JSON lines; - for standard input; "
        "example:en/private comes along.",
        show_default=False,
    ),
]
DomainOption = Annotated[
    str | None, typer.Option("--domain", help="What field they are about, such as cooking.")
]
ImportanceOption = Annotated[
    float | None,
    typer.Option("--importance", min=0.0, max=1.0, help="0 to 1; from 0.8 on they are not shortened."),
]
CredibilityOption = Annotated[
    float | None,
    typer.Option("--credibility", min=0.0, max=1.0, help="0 to 1: who is believed of two that differ."),
]
NameOption = Annotated[
    str, typer.Option("--name", help="What the standard input is called, such as wifi.md.")
]
PruneOption = Annotated[
    bool, typer.Option("--prune", help="Remove documents whose files are gone from the folder.")
]
ZoneOption = Annotated[
    str, typer.Option("--timezone", help="Zone of the person's clock, such as Asia/Shanghai.")
]


def _check_paths(paths: list[str], name: str) -> None:
    """Nothing is added where a path leads nowhere, or standard input has no name. Raises OSError."""
    from winnow.retrieve.documents.files import document_path
    from winnow.retrieve.documents.ingest import STDIN

    if STDIN in paths and not name:
        raise typer.BadParameter(say("knowledge_name"), param_hint="--name")
    for path in paths:
        if path != STDIN:
            Path(document_path(path)).stat()


@commands.command("add", epilog="Example: winnow knowledge add notes --user ida")
def add(
    paths: Paths,
    user: UserOption = "",
    public: PublicOption = False,
    collection: CollectionOption = "",
    domain: DomainOption = None,
    importance: ImportanceOption = None,
    credibility: CredibilityOption = None,
    name: NameOption = "",
    prune: PruneOption = False,
    timezone: ZoneOption = "local",
    as_json: JsonOption = False,
) -> None:
    """Keep documents, cut into passages that can be found while others are still being added.

    What is there as it was is left alone, so the same command goes on where it was stopped. What could not
    be read is told with its reason; nothing else is left out.
    """
    from winnow.retrieve.documents.document_reader import DocumentDefaults
    from winnow.retrieve.documents.files import document_path
    from winnow.retrieve.documents.ingest import IngestRequest

    _check_paths(paths, name)
    shelf = _library(user, public=public)
    told = DocumentDefaults(collection, domain, importance, credibility)
    reports = [
        _add_path(shelf, IngestRequest(document_path(path), told, name, prune, timezone)) for path in paths
    ]
    if not any(report.read or not report.refused for report in reports):  # of several paths one may do
        raise DocumentsUnread(sum((report.problems for report in reports), ()))
    if as_json:
        show_data("additions", reports)
    else:
        show([line for report in reports for line in added_lines(report, message_language())])


commands.command("search", epilog="Example: winnow knowledge search when is the deposit returned --user ida")(
    search
)


@commands.command("list", epilog="Example: winnow knowledge list --user ida")
def list_(
    user: UserOption = "",
    public: PublicOption = False,
    collection: CollectionOption = "",
    as_json: JsonOption = False,
) -> None:
    """List documents: when they were written, how important they are, their ids and titles."""
    shelf = _library(user, public=public)
    documents = chosen_documents(shelf, collection).values()
    if as_json:
        show_data("documents", document_data(documents))
    else:
        show(document_lines(documents), otherwise=say("knowledge_none"))


@commands.command("show", epilog="Example: winnow knowledge show notes/boiler.md --user ida")
def show_(
    id_: Annotated[str, typer.Argument(metavar="ID", help="Id of a document.", show_default=False)],
    user: UserOption = "",
    public: PublicOption = False,
    as_json: JsonOption = False,
) -> None:
    """Show a document: what is known of it, its passages, and which other documents say the same."""
    from winnow.ports.services import run_blocking

    shelf = _library(user, public=public)
    document = chosen_documents(shelf, ids=[id_]).get(id_)
    if document is None:
        raise typer.BadParameter(say("knowledge_unknown", id=id_), param_hint="ID")
    passages = passages_of(shelf, id_)
    text = run_blocking(shelf.store.text(shelf.scope, shelf.tier, id_))
    if as_json:
        show_data("document", shown_data(document, passages, text))
    else:
        show(shown_lines(document, passages, text))


@commands.command("forget", epilog="Example: winnow knowledge forget notes/boiler.md --user ida")
def forget(
    ids: DocumentIds = None,
    user: UserOption = "",
    public: PublicOption = False,
    collection: CollectionOption = "",
    everything: Annotated[
        bool,
        typer.Option("--all", help="All documents of the person, or all public ones."),
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Delete documents and all that was made of them. Nobody can bring them back.

    On a terminal a yes is asked first; elsewhere --yes must say it.
    """
    from winnow.ports.services import run_blocking
    from winnow.retrieve.documents.ingest import forget_documents

    if (bool(ids), bool(collection), everything).count(True) != 1:
        raise typer.BadParameter(say("knowledge_which"), param_hint="IDS, --collection, --all")
    shelf = _library(user, public=public)
    meant = chosen_documents(shelf, collection, ids)
    if meant and not (yes or confirm_deletion(say("knowledge_sure", count=len(meant)))):
        return
    print(say("knowledge_forgotten", count=run_blocking(forget_documents(shelf, list(meant)))))


@commands.command("export", epilog="Example: winnow knowledge export --user ida > ida.jsonl")
def export(
    user: UserOption = "",
    public: PublicOption = False,
    output: Annotated[str, typer.Option("--output", help="File to write. Default: standard output.")] = "",
) -> None:
    """Write documents as JSON lines, each with its whole text; they can be added again as they are."""
    from winnow.ports.services import run_blocking
    from winnow.retrieve.documents.ingest import document_records

    shelf = _library(user, public=public)
    records = document_records(shelf)
    if not output:
        run_blocking(_write_records(records, sys.stdout))
        return
    with Path(output).open("w", encoding="utf-8") as file:
        print(say("knowledge_exported", count=run_blocking(_write_records(records, file)), path=output))


async def _write_records(records: AsyncIterator[Mapping[str, Any]], file: Any) -> int:
    """One line a record, in ASCII: it is the same text in every encoding. How many there are."""
    from winnow.app.output import json_text

    count = 0
    async for record in records:
        print(json_text(record, ascii_only=True), file=file)
        count += 1
    return count


def _library(user: str, *, public: bool) -> DocumentLibrary:
    """Whose documents are meant: a person's or everybody's, said and not guessed."""
    if bool(user) == public:
        raise typer.BadParameter(say("knowledge_whose"), param_hint="--user, --public")
    tier: KnowledgeTier = "public" if public else "private"
    return open_library(load_settings(), user, tier)[0]


def _add_path(shelf: DocumentLibrary, adding: IngestRequest) -> AddReport:
    """What became of one path, even if nothing of it could be read: the next one may be better."""
    from winnow.app.cli.options import byte_progress
    from winnow.ports.services import run_blocking
    from winnow.retrieve.documents.ingest import add_documents
    from winnow.types.document import AddReport

    try:
        with byte_progress() as progress:
            return run_blocking(add_documents(shelf, adding, progress))
    except DocumentsUnread as error:
        return AddReport(shelf.tier, "", refused=len(error.problems), problems=error.problems)


# Documents as text and as data.


MAX_LINES = 20
"""Lines of one sort that are printed."""
MAX_NAME_CHARS = 60
"""Characters of a name that are printed."""


def open_library(settings: Settings, user: str, tier: KnowledgeTier) -> tuple[DocumentLibrary, Storage]:
    """Where documents of that person, or of everybody, are kept. Raises StoreError."""
    from winnow.app.wiring.engine import open_store
    from winnow.retrieve.documents.index import segment_of
    from winnow.retrieve.documents.ingest import DocumentLibrary
    from winnow.types.scope import Scope

    storage = open_store(settings).storage
    return DocumentLibrary(Scope(settings.tenant, user=user), tier, storage.documents, segment_of), storage


def chosen_documents(
    shelf: DocumentLibrary, collection: str = "", ids: Collection[str] | None = None
) -> dict[str, Document]:
    """The documents of the tier: those of the ids, else those of the collection, else all."""
    known = run_blocking(shelf.store.documents(shelf.scope, shelf.tier, ids or None))
    return {i: each for i, each in known.items() if not collection or each.collection == collection}


def passages_of(shelf: DocumentLibrary, id_: str) -> list[Passage]:
    """The passages of one document that stand for themselves, in order."""
    return list(run_blocking(shelf.store.passages_of(shelf.scope, shelf.tier, id_)))


def added_lines(report: AddReport, language: LanguageCode) -> list[str]:
    """A line for each document that is new or other, and for each that was refused with the reason."""
    lines = []
    for row in report.rows[:MAX_LINES]:
        facts = {
            "name": encode_text(row.name, MAX_NAME_CHARS),
            "passages": row.passages,
            "folded": row.folded or None,
        }
        lines.append(message(f"knowledge_{row.outcome}", language, **facts))
    lines += _more_line(report.added + report.changed - len(lines), language)
    for problem in report.problems[:MAX_LINES]:
        name, why = encode_text(problem.file, MAX_NAME_CHARS), translate_text(problem.message, language)
        lines.append(message("knowledge_refused", language, name=name, why=why))
    lines += _more_line(report.refused - len(report.problems[:MAX_LINES]), language)
    lines += [
        message("knowledge_gone", language, name=encode_text(id_, MAX_NAME_CHARS))
        for id_ in report.gone[:MAX_LINES]
    ]
    lines += _more_line(len(report.gone) - MAX_LINES, language)
    return [*lines, *_sum_lines(report, language)]


def _more_line(count: int, language: LanguageCode) -> list[str]:
    return [message("knowledge_more", language, count=count)] if count > 0 else []


def _sum_lines(report: AddReport, language: LanguageCode) -> Iterable[str]:
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
    lines = []
    for one in documents:
        name = f"{encode_text(one.id, MAX_NAME_CHARS)}  {encode_text(one.title, MAX_NAME_CHARS)}"
        domain = f"  ({encode_text(one.domain)})" if one.domain else ""
        lines.append(f"{_when(one) or '-' * 10:10.10}  {one.importance:.1f}  {name}{domain}")
    return lines


def document_data(documents: Iterable[Document]) -> list[Mapping[str, Any]]:
    """The same as data."""
    return [{**plain_data(document), "at": _when(document)} for document in documents]


def shown_lines(document: Document, passages: Sequence[Passage], text: str) -> list[str]:
    """What is known of a document, then its passages under their headings.

    Of one whose passages are all said by others: its text.
    """
    data = document_data([document])[0]
    lines = [
        f"{name}: {encode_text(str(value), 200)}" for name, value in data.items() if value not in ("", None)
    ]
    if not passages:
        lines += ["", *(encode_text(line, 2000) for line in text.splitlines())]
    for passage in passages:
        under = " > ".join(passage.headings)
        lines += ["", f"[{passage.id}] {encode_text(under, 200)}" if under else f"[{passage.id}]"]
        lines += [encode_text(line, 2000) for line in passage.text.splitlines()]
        lines += [f"= {encode_text(other)}" for other in passage.also]
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


# Passages, searched with the same source as a turn.


MAX_PASSAGE_CHARS = 300
"""Characters of a passage that are printed."""


def search_passages(
    settings: Settings, user: str, query: str, limit: int, *, public: bool = False
) -> Shortlist:
    """The passages of a person, or of everybody, that answer the question best. Raises StoreError."""
    from winnow.app.wiring.documents import open_knowledge
    from winnow.app.wiring.engine import open_builtin_embedder, open_store

    source = open_knowledge(open_store(settings).storage.documents, open_builtin_embedder)[
        "public" if public else "knowledge"
    ]
    now = datetime.now()  # noqa: DTZ005 - a wall clock has no zone
    return run_blocking(source(Search(query, now), Scope(settings.tenant, user=user), limit))


def passage_lines(shortlist: Shortlist) -> list[str]:
    """Two lines a passage: how relevant it is and where it stands, and what it says."""
    lines = []
    for candidate, data in zip(shortlist.candidates, passage_data(shortlist), strict=True):
        place = [str(data.get("document", "")), *data.get("headings", ())]
        told = " > ".join(encode_text(part, MAX_PASSAGE_CHARS) for part in place if part)
        text = encode_text(str(data.get("text", "")), MAX_PASSAGE_CHARS)
        lines += [f"{candidate.score:.2f}  {told}", f"      {text}"]
    return lines


def passage_data(shortlist: Shortlist) -> list[Mapping[str, Any]]:
    """The same as data."""
    rows: list[Mapping[str, Any]] = []
    for candidate in shortlist.candidates:
        data = candidate.data if isinstance(candidate.data, Mapping) else {"text": candidate.data}
        rows.append({"id": candidate.ref.id, "score": candidate.score, **data})
    return rows
