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
    """A candidate as its source tells of it, without what is not known nor what most are: private."""
    data: Mapping[str, object] = {"text": str(candidate.data or "")}
    if isinstance(candidate.data, Mapping):
        said = {key: value for key, value in candidate.data.items() if value not in ("", None)}
        data = {key: value for key, value in said.items() if (key, value) != ("tier", "private")}
    row = {"source": source, "id": candidate.ref.id, **data}
    versions = []
    for most in (FULL, SHORT):  # no text is cut where that turns a statement round
        texts = {key: beginning(told, most) for key, told in row.items() if isinstance(told, str)}
        versions.append(compact_json({**row, **texts}, most))
    return Line(candidate.ref.id, tuple(dict.fromkeys(versions)))
