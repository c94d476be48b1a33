"""Earlier turns of a talk, as they are given on the command line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from winnow.errors import NOT_UTF8, CaseError, Phrase
from winnow.types.dialogue import Turn


def turns(said: Iterable[str]) -> Iterator[Turn]:
    """The turns of ``user: ...``, ``assistant: ...``, or of files of ``{role, content}``, one a line.

    Raises CaseError for a line of a file that is no turn, ValueError for what is neither.
    """
    for item in said:
        role, colon, content = item.partition(":")
        if colon and role.strip() in ("user", "assistant"):
            yield _turn(role.strip(), content.strip())
        elif Path(item).is_file():
            yield from _read(Path(item))
        else:
            wrong = '{item!r} is neither a file nor does it begin with "user:" or "assistant:"'
            raise ValueError(Phrase(wrong, item=item))


def _read(path: Path) -> Iterator[Turn]:
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise CaseError(path.name, 1, "line", NOT_UTF8) from None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except json.JSONDecodeError as error:
            raise CaseError(path.name, number, "line", Phrase("not JSON: {why}", why=error.msg)) from None
        role = row.get("role") if isinstance(row, dict) else None
        if role not in ("user", "assistant") or not isinstance(row.get("content"), str):
            expected = "expected an object with role (user or assistant) and content"
            raise CaseError(path.name, number, "role", expected)
        yield _turn(role, row["content"])


def _turn(role: str, content: str) -> Turn:
    return Turn("user" if role == "user" else "assistant", content)
