"""What other sources than the home found, as quoted data: one line a candidate, best first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from winnow.assemble.budget import Line
from winnow.language.scope import beginning
from winnow.text.encode import compact_json
from winnow.types.shortlist import Candidate, Shortlist

FULL, SHORT = 1000, 200
"""Characters of a text as it is quoted, and where there is no room for that."""


def quoted(found: Sequence[Shortlist]) -> tuple[Line, ...]:
    """The lines of all sources, each source's best first."""
    return tuple(_line(shortlist.source, c) for shortlist in found for c in shortlist.candidates)


def _line(source: str, candidate: Candidate) -> Line:
    row = {"source": source, "id": candidate.ref.id, **_told(candidate.data)}
    return Line(candidate.ref.id, tuple(dict.fromkeys(_version(row, most) for most in (FULL, SHORT))))


def _version(row: Mapping[str, object], most: int) -> str:
    """The row with texts of at most so many characters, none cut where that turns a statement round."""
    texts = {key: beginning(told, most) for key, told in row.items() if isinstance(told, str)}
    return compact_json({**row, **texts}, most)


def _told(data: object) -> dict[str, object]:
    """What a source says of a candidate, without what it does not know or what most are: private."""
    if isinstance(data, Mapping):
        said = {key: value for key, value in data.items() if value not in ("", None)}
        return {key: value for key, value in said.items() if (key, value) != ("tier", "private")}
    return {"text": str(data or "")}
