"""What an import stored, changed, left out, guessed and found worth knowing, as text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from winnow.say.messages import message
from winnow.text.encode import encode
from winnow.types.catalog import Note
from winnow.types.dialogue import Language
from winnow.types.imports import ImportReport

SHOWN = 6
"""Things named of one sort before the rest is only counted."""
RENAMED = 10
WIDTH = 4
"""Digits of a count."""


def report_lines(report: ImportReport, language: Language) -> list[str]:
    """What an import stored and what it changed, then a line for each sort of thing worth knowing."""
    # A person counts parts apart from devices, and only where there are any.
    parts = report.counts.get("parts", 0)
    counts = {**report.counts, "devices": report.counts.get("devices", 0) - parts, "parts": parts or None}
    stored = message("cli_imported", language, home=report.home_id, version=report.version, **counts)
    changes = []
    if not report.first and report.same:
        changes = [message("cli_same", language)]
    elif not report.first:
        counted = {name: len(getattr(report, name)) for name in ("added", "removed", "renamed", "altered")}
        rearranged = [message(f"part_{name}", language) for name in report.rearranged]
        changes = [message("cli_changes", language, **counted, parts=rearranged)]
        changes += [f"  {encode(r.before)} -> {encode(r.after)}" for r in report.renamed[:RENAMED]]
    return [stored, *changes, *note_lines(report.notes, language)]


def note_lines(notes: Iterable[Note], language: Language) -> list[str]:
    """One line a sort: how many, what it means, the first of them with the fact behind each."""
    sorts: dict[str, list[Note]] = defaultdict(list)
    for note in notes:
        sorts[note.code].append(note)
    return [_line(code, found, language) for code, found in sorts.items()]


def _line(code: str, notes: Sequence[Note], language: Language) -> str:
    told = message("list_comma", language).join(_named(note, language) for note in notes[:SHOWN])
    more = f" ... +{len(notes) - SHOWN}" if len(notes) > SHOWN else ""
    return f"  {len(notes):{WIDTH}}  {message(f'note_{code}', language)}: {told}{more}"


def _named(note: Note, language: Language) -> str:
    name, detail = encode(note.name or note.id), note.detail
    if note.code == "asks_first":
        risks = (message(f"risk_{risk}", language) for risk in detail.split(", "))
        detail = message("list_comma", language).join(risks)
    return f"{name} ({encode(detail)})" if detail else name
