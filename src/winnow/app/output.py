"""Output that commands share: values as plain data and JSON, import reports, table columns."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from math import isfinite
from typing import Any
from unicodedata import combining, east_asian_width

from winnow.errors import Phrase, WinnowError
from winnow.language.encode import INVISIBLE, encode_text
from winnow.language.messages import message, translate_text
from winnow.types.home import Note
from winnow.types.state import ImportReport
from winnow.types.utterance import LanguageCode

# Values as plain data, and plain data as JSON.


def plain_data(value: Any) -> Any:
    """Dataclasses, tuples, sets and mappings as JSON data, under the names they have in ``winnow.types``."""
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain_data(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Mapping):
        return {str(k): plain_data(v) for k, v in value.items()}
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, list | tuple):
        return [plain_data(v) for v in value]
    return _json_number(value) if isinstance(value, float) else value


SCRIPT_VERSION = 1
"""Of the shape of what commands print with ``--json``: another one where a field goes or means another."""
TIME_FIELDS = frozenset({"at", "read_at", "expires_at", "imported_at"})
"""Fields that hold seconds since the epoch in ``winnow.types``."""


def script_data(kind: str, value: Any) -> Any:
    """A value as scripts get it: an object with its ``schema``, a list under its kind, times as ISO 8601.

    What has a schema already stays as it is. The id of a home is always called ``home``.
    """
    data = plain_data(value)
    if isinstance(data, dict) and "schema" in data:
        return data
    told = data if isinstance(data, dict) else {kind: data}
    return {"schema": f"winnow.{kind}/{SCRIPT_VERSION}", **_with_script_names(told)}


def _with_script_names(data: Any) -> Any:
    if isinstance(data, list):
        return [_with_script_names(one) for one in data]
    if not isinstance(data, dict):
        return data
    told = {"home" if name == "home_id" else name: _with_script_names(one) for name, one in data.items()}
    for name in TIME_FIELDS.intersection(told):
        if isinstance(seconds := told[name], float):
            told[name] = datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
    return told


def error_data(error: WinnowError, language: LanguageCode) -> dict[str, Any]:
    """An error as data: ``code``, ``message`` and ``hint``; ``retryable`` where trying again may help.

    The code is the name of its class (``home_not_found``), with the kind of fault where it has one
    (``model_timeout``).
    """
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", type(error).__name__).lower()
    kind = getattr(error, "code", "")
    told = {
        "code": f"{name.removesuffix('_error')}_{kind}" if kind else name,
        "message": translate_text(error.message, language),
        "hint": translate_text(error.hint, language),
        "retryable": error.retryable,
    }
    return {"error": told}


def _json_number(value: float) -> float | None:
    """None for infinity and NaN, which JSON lacks."""
    return value if isfinite(value) else None


def json_text(value: object, *, indented: bool = False, ascii_only: bool = False) -> str:
    """A value as JSON on one line, or indented.

    Characters that a terminal would obey or hide are escaped, which is the same text to a parser; with
    ``ascii_only`` all others beyond ASCII as well.
    """
    return visible_text(
        json.dumps(plain_data(value), ensure_ascii=ascii_only, indent=2 if indented else None)
    )


def visible_text(text: str) -> str:
    """The text with what a terminal would obey or hide as escapes."""
    return INVISIBLE.sub(lambda hidden: json.dumps(hidden[0])[1:-1], text)


def is_text(said: str) -> bool:
    """Whether all of it could be read: bytes that are no text stand as lone surrogates."""
    return said.isascii() or not any("\udc80" <= sign <= "\udcff" for sign in said)


def unreadable_input(encoding: str) -> WinnowError:
    """What is said of bytes that are no text in the terminal's ``encoding``."""
    return WinnowError(
        Phrase("That is not readable as {encoding}, so nothing was done.", encoding=encoding),
        hint="Give it in that encoding, or name the one it has: PYTHONIOENCODING=gbk winnow chat < talk.txt",
    )


MAX_NAMES = 6
"""Things named of one sort before the rest is only counted."""
MAX_RENAMES = 10
COUNT_WIDTH = 4
"""Digits of a count."""


def import_report_lines(report: ImportReport, language: LanguageCode) -> list[str]:
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
        changes += [
            f"  {encode_text(r.before)} -> {encode_text(r.after)}" for r in report.renamed[:MAX_RENAMES]
        ]
    return [stored, *changes, *note_lines(report.notes, language)]


def note_lines(notes: Iterable[Note], language: LanguageCode) -> list[str]:
    """One line a sort: how many, what it means, the first of them with the fact behind each."""
    sorts: dict[str, list[Note]] = defaultdict(list)
    for note in notes:
        sorts[note.code].append(note)
    out: list[str] = []
    for code, found in sorts.items():
        told = message("list_comma", language).join(_note_text(note, language) for note in found[:MAX_NAMES])
        more = f" ... +{len(found) - MAX_NAMES}" if len(found) > MAX_NAMES else ""
        out.append(f"  {len(found):{COUNT_WIDTH}}  {message(f'note_{code}', language)}: {told}{more}")
    return out


def _note_text(note: Note, language: LanguageCode) -> str:
    name, detail = encode_text(note.name or note.id), note.detail
    if note.code == "asks_first":
        risks = (message(f"risk_{risk}", language) for risk in detail.split(", "))
        detail = message("list_comma", language).join(risks)
    return f"{name} ({encode_text(detail)})" if detail else name


# Table columns: Chinese characters take two places on a terminal.


def text_width(text: str) -> int:
    """Places that the text takes."""
    return sum(0 if combining(sign) else 1 + (east_asian_width(sign) in "WF") for sign in text)


def pad_right(text: str, wide: int) -> str:
    """The text with spaces behind it, to be that wide at least."""
    return text + " " * (wide - text_width(text))
