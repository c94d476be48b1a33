"""``winnow forget`` and ``winnow export``: deletes or exports everything that is stored of a person."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Annotated

import typer

from winnow.app.cli.options import JsonOption, confirm_deletion, message_language, say, show, show_data
from winnow.app.config.settings import load_settings
from winnow.app.output import pad_right, text_width
from winnow.errors import Phrase, WinnowError
from winnow.language.encode import encode_text
from winnow.language.messages import message
from winnow.ports.services import blocking_iterator, run_blocking
from winnow.types.scope import ForgetReport, Scope
from winnow.types.utterance import LanguageCode

commands = typer.Typer()

User = Annotated[str, typer.Argument(metavar="USER", help="Who it is about.", show_default=False)]


@commands.command("forget", epilog="Example: winnow forget ida --dry-run")
def forget(
    user: User,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Tell what there is; delete nothing.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Delete everything of a person for good: in the store, in its files, in what other processes remember.

    Messages, facts, documents, vectors, turns, questions, plans, habits, learned words, feedback and accounts
    go. What lies in a table of the host, and the entries of the audit log, which hold no words, are named and
    stay. On a terminal a yes is asked first; elsewhere --yes must say it. Ends with 1 where bytes of it are
    left in a file; what removes them is printed.
    """
    from winnow.app.wiring.engine import open_persons

    settings = load_settings()
    persons, scope = open_persons(settings), Scope(settings.tenant, user=user)
    there = run_blocking(persons.forget(scope, dry_run=True))
    if not dry_run and there.total and not yes:
        question = say("person_sure", user=user)
        if not confirm_deletion(question, beforehand=person_report_lines(there, message_language())):
            return
    report = there if dry_run else run_blocking(persons.forget(scope))
    if as_json:
        show_data("forgotten", report)
    else:
        show(person_report_lines(report, message_language()))
    if report.statements:
        raise typer.Exit(1)


@commands.command("export", epilog="Example: winnow export ida --output ida.json")
def export(
    user: User,
    output: Annotated[str, typer.Option("--output", help="File to write. Default: standard output.")] = "",
) -> None:
    """Write everything that is stored of a person as one JSON object in UTF-8 (docs/what-is-kept.md).

    A file is written whole or not at all, readable by its owner alone; the same command writes it anew.
    """
    from winnow.app.cli.options import byte_progress
    from winnow.app.wiring.engine import open_persons

    settings = load_settings()
    persons, scope = open_persons(settings), Scope(settings.tenant, user=user)
    nobody = not run_blocking(persons.forget(scope, dry_run=True)).total
    with _open_output(output) as file, byte_progress(rows=True) as progress:
        for piece in blocking_iterator(persons.export(scope, progress)):
            file.write(piece.encode())
    if nobody:
        print(say("person_none", user=user), file=sys.stderr)
    elif output:
        print(say("person_exported", user=user, path=output), file=sys.stderr)


@contextmanager
def _open_output(output: str) -> Iterator[IO[bytes]]:
    """The file, which takes its name once it is whole. Raises WinnowError."""
    if output in ("", "-"):
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    path = Path(output)
    # Written beside and renamed: an interrupted export leaves the older file as it was.
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:  # noqa: PTH123
            yield file
        beside.replace(path)
    except OSError as error:
        raise WinnowError(
            Phrase("{path} cannot be written: {why}.", path=output, why=error.strerror),
            hint="Name another file, or - for standard output.",
        ) from error
    finally:
        beside.unlink(missing_ok=True)


# The report: a table of kinds and counts, what lies elsewhere, what is left to run.


def person_report_lines(report: ForgetReport, language: LanguageCode) -> list[str]:
    """A table, what was named and not touched, and what is still to be run."""
    lines = _table(report, language)
    if report.elsewhere:
        lines.append(message("person_elsewhere", language))
    for one in report.elsewhere:
        where = encode_text(one.where, 200)
        lines.append(f"  {message(f'person_at_{one.kind}', language, where=where, count=one.count)}")
    if report.statements:
        lines.append(message("person_to_run", language))
    return lines + [f"  {statement};" for statement in report.statements]


def _table(report: ForgetReport, language: LanguageCode) -> list[str]:
    """Kinds of things that are removed, and how many there are of each."""
    user = encode_text(report.user)
    if not report.total:
        return [message("person_none", language, user=user)]
    code = "person_would" if report.dry_run else "person_forgotten"
    rows = [(message(f"person_{kind}", language), f"{count}") for kind, count in report.removed.items()]
    widest = max(text_width(kind) for kind, _ in rows)
    longest = max(len(count) for _, count in rows)
    head = message(code, language, user=user, count=report.total)
    return [head, *(f"  {pad_right(kind, widest)}  {count:>{longest}}" for kind, count in rows)]
