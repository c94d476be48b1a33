"""``winnow knowledge``: documents and notes that are searched, added, looked at, exported and forgotten."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from winnow.config import load_settings
from winnow.errors import DocumentsUnread
from winnow.surfaces.cli.options import JsonOption, confirm_deletion, group, say, show, show_data, spoken
from winnow.surfaces.cli.searching import search

if TYPE_CHECKING:
    from winnow.remember.documents.add import Adding
    from winnow.remember.documents.segments import Shelf
    from winnow.types.document import KnowledgeTier
    from winnow.types.ingest import AddReport

commands = group(help="Documents and notes that are searched: add, search, list, show, forget, export.")

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
    from winnow.remember.documents.add import STDIN
    from winnow.remember.documents.find import located

    if STDIN in paths and not name:
        raise typer.BadParameter(say("knowledge_name"), param_hint="--name")
    for path in paths:
        if path != STDIN:
            Path(located(path)).stat()


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
    from winnow.remember.documents.add import Adding
    from winnow.remember.documents.find import located
    from winnow.remember.documents.matter import Told
    from winnow.surfaces.knowledge import added_lines

    _check_paths(paths, name)
    shelf = _shelf(user, public=public)
    told = Told(collection, domain, importance, credibility)
    reports = [_added(shelf, Adding(located(path), told, name, prune, timezone)) for path in paths]
    if not any(report.read or not report.refused for report in reports):  # of several paths one may do
        raise DocumentsUnread(sum((report.problems for report in reports), ()))
    if as_json:
        show_data(reports if len(reports) > 1 else reports[0])
    else:
        show([line for report in reports for line in added_lines(report, spoken())])


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
    from winnow.surfaces.knowledge import chosen, document_data, document_lines

    shelf = _shelf(user, public=public)
    documents = chosen(shelf, collection).values()
    if as_json:
        show_data(document_data(documents))
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
    from winnow.bridge import blocking
    from winnow.surfaces.knowledge import chosen, passages_of, shown_data, shown_lines

    shelf = _shelf(user, public=public)
    document = chosen(shelf, ids=[id_]).get(id_)
    if document is None:
        raise typer.BadParameter(say("knowledge_unknown", id=id_), param_hint="ID")
    passages = passages_of(shelf, id_)
    text = blocking(shelf.store.text(shelf.scope, shelf.tier, id_))
    if as_json:
        show_data(shown_data(document, passages, text))
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
    from winnow.bridge import blocking
    from winnow.remember.documents.leave import forget_documents
    from winnow.surfaces.knowledge import chosen

    if (bool(ids), bool(collection), everything).count(True) != 1:
        raise typer.BadParameter(say("knowledge_which"), param_hint="IDS, --collection, --all")
    shelf = _shelf(user, public=public)
    meant = chosen(shelf, collection, ids)
    if meant and not (yes or confirm_deletion(say("knowledge_sure", count=len(meant)))):
        return
    print(say("knowledge_forgotten", count=blocking(forget_documents(shelf, list(meant)))))


@commands.command("export", epilog="Example: winnow knowledge export --user ida > ida.jsonl")
def export(
    user: UserOption = "",
    public: PublicOption = False,
    output: Annotated[str, typer.Option("--output", help="File to write. Default: standard output.")] = "",
) -> None:
    """Write documents as JSON lines, each with its whole text; they can be added again as they are."""
    from winnow.bridge import blocking
    from winnow.remember.documents.leave import exported

    shelf = _shelf(user, public=public)
    records = exported(shelf)
    if not output:
        blocking(_written(records, sys.stdout))
        return
    with Path(output).open("w", encoding="utf-8") as file:
        print(say("knowledge_exported", count=blocking(_written(records, file)), path=output))


async def _written(records: AsyncIterator[Mapping[str, Any]], file: Any) -> int:
    """One line a record, in ASCII: it is the same text in every encoding. How many there are."""
    from winnow.surfaces.plain import json_text

    count = 0
    async for record in records:
        print(json_text(record, ascii_only=True), file=file)
        count += 1
    return count


def _shelf(user: str, *, public: bool) -> Shelf:
    """Whose documents are meant: a person's or everybody's, said and not guessed."""
    from winnow.surfaces.knowledge import opened

    if bool(user) == public:
        raise typer.BadParameter(say("knowledge_whose"), param_hint="--user, --public")
    tier: KnowledgeTier = "public" if public else "private"
    return opened(load_settings(), user, tier)[0]


def _added(shelf: Shelf, adding: Adding) -> AddReport:
    """What became of one path, even if nothing of it could be read: the next one may be better."""
    from winnow.bridge import blocking
    from winnow.remember.documents.add import add_documents
    from winnow.surfaces.cli.progress import shown
    from winnow.types.ingest import AddReport

    try:
        with shown() as progress:
            return blocking(add_documents(shelf, adding, progress))
    except DocumentsUnread as error:
        return AddReport(shelf.tier, "", refused=len(error.problems), problems=error.problems)
