"""What other sources than the home found, as quoted data: one line a candidate, best first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from winnow.assemble.budget import Line
from winnow.language.scope import beginning
from winnow.text.encode import compact_json
from winnow.types.shortlist import Shortlist

FULL, SHORT = 1000, 200
"""Characters of a text as it is quoted, and where there is no room for that."""


def quoted(found: Sequence[Shortlist]) -> tuple[Line, ...]:
    """The lines of all sources, each source's best first."""
    lines = []
    for source, candidate in ((s.source, c) for s in found for c in s.candidates):
        data = candidate.data if isinstance(candidate.data, Mapping) else {"text": str(candidate.data or "")}
        # Without what the source does not know, nor what most are: private.
        known = {k: v for k, v in data.items() if v not in ("", None) and (k, v) != ("tier", "private")}
        row = {"source": source, "id": candidate.ref.id, **known}
        lines.append(Line(candidate.ref.id, tuple(dict.fromkeys(_version(row, n) for n in (FULL, SHORT)))))
    return tuple(lines)


def _version(row: Mapping[str, object], most: int) -> str:
    """The row with texts of at most so many characters, none cut where that turns a statement round."""
    texts = {key: beginning(told, most) for key, told in row.items() if isinstance(told, str)}
    return compact_json({**row, **texts}, most)
