"""What is stored of a person as text: a table of kinds and counts, and what lies elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from winnow.say.messages import message
from winnow.surfaces.widths import padded, width
from winnow.text.encode import encode
from winnow.types.dialogue import Language
from winnow.types.person import ForgetReport


def report_lines(report: ForgetReport, language: Language) -> list[str]:
    """A table, what was named and not touched, and what is still to be run."""
    return [*_removed(report, language), *_elsewhere(report, language), *_to_run(report, language)]


def _removed(report: ForgetReport, language: Language) -> Sequence[str]:
    user = encode(report.user)
    if not report.found:
        return [message("person_none", language, user=user)]
    code = "person_would" if report.dry_run else "person_forgotten"
    rows = [(message(f"person_{kind}", language), f"{count}") for kind, count in report.removed.items()]
    widest = max(width(kind) for kind, _ in rows)
    longest = max(len(count) for _, count in rows)
    table = [f"  {padded(kind, widest)}  {count:>{longest}}" for kind, count in rows]
    return [message(code, language, user=user, count=report.found), *table]


def _elsewhere(report: ForgetReport, language: Language) -> Iterator[str]:
    if report.elsewhere:
        yield message("person_elsewhere", language)
    for one in report.elsewhere:
        told = message(f"person_at_{one.kind}", language, where=encode(one.where, 200), count=one.count)
        yield f"  {told}"


def _to_run(report: ForgetReport, language: Language) -> Iterator[str]:
    if report.statements:
        yield message("person_to_run", language)
        yield from (f"  {statement};" for statement in report.statements)
