"""What is stored of a person as text: a table of kinds and counts, and what lies elsewhere."""

from __future__ import annotations

from winnow.say.messages import message
from winnow.surfaces.widths import padded, width
from winnow.text.encode import encode
from winnow.types.dialogue import Language
from winnow.types.person import ForgetReport


def report_lines(report: ForgetReport, language: Language) -> list[str]:
    """A table, what was named and not touched, and what is still to be run."""
    lines = _table(report, language)
    if report.elsewhere:
        lines.append(message("person_elsewhere", language))
    for one in report.elsewhere:
        where = encode(one.where, 200)
        lines.append(f"  {message(f'person_at_{one.kind}', language, where=where, count=one.count)}")
    if report.statements:
        lines.append(message("person_to_run", language))
    return lines + [f"  {statement};" for statement in report.statements]


def _table(report: ForgetReport, language: Language) -> list[str]:
    """Kinds of things that are removed, and how many there are of each."""
    user = encode(report.user)
    if not report.found:
        return [message("person_none", language, user=user)]
    code = "person_would" if report.dry_run else "person_forgotten"
    rows = [(message(f"person_{kind}", language), f"{count}") for kind, count in report.removed.items()]
    widest = max(width(kind) for kind, _ in rows)
    longest = max(len(count) for _, count in rows)
    head = message(code, language, user=user, count=report.found)
    return [head, *(f"  {padded(kind, widest)}  {count:>{longest}}" for kind, count in rows)]
