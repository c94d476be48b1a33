"""Which column may be meant: by what such a column is usually called, and by how names are spelt."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches

from winnow.stores.host.reflect import Column, Kind
from winnow.stores.host.words import column_names, listed

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_IDS: frozenset[Kind] = frozenset({"text", "integer", "number", "uuid", "bytes", "other"})
FITTING: Mapping[str, frozenset[Kind]] = {
    "id": _IDS,
    "user": _IDS,
    "tenant": _IDS,
    "conversation": _IDS,
    "role": _IDS | {"flag"},
    "content": frozenset({"text", "json", "bytes", "other"}),
    "created_at": frozenset({"time", "integer", "number", "text"}),
    "edited_at": frozenset({"time", "integer", "number", "text"}),
    "deleted": frozenset({"time", "integer", "number", "text", "flag", "other"}),
    "vector": frozenset({"vector", "other"}),  # of a schema that is not searched, it is not recognised
}
"""Field of ``Columns`` -> what its column may hold."""


def snake(name: str) -> str:
    """``createdAt`` and ``Created-At`` as ``created_at``."""
    return re.sub(r"\W+", "_", _HUMP.sub("_", name)).strip("_").lower()


def likely(field: str, columns: Iterable[Column], taken: Collection[str] = ()) -> Column | None:
    """The column that is most probably meant by a field of ``Columns``: of a usual name, and of its type."""
    names = column_names()[field]
    fit = [c for c in columns if c.name not in taken and snake(c.name) in names and fits(field, c)]
    return min(fit, key=lambda column: names.index(snake(column.name)), default=None)


def fits(field: str, column: Column) -> bool:
    """Whether a column may be that field by what it holds.

    One of no type, as SQLite allows, may hold anything.
    """
    if not column.type:
        return True
    if snake(column.name) in listed("states"):
        return column.kind in {"text", "other"}
    return column.kind in FITTING[field]


def near(field: str, name: str, columns: Mapping[str, Column]) -> str:
    """The column that may have been meant by a name that is not there; empty: none."""
    by_case = [known for known in columns if snake(known) == snake(name)]
    spelt = get_close_matches(name, columns, 1, 0.75)
    usual = likely(field, columns.values())
    loosely = get_close_matches(name, columns, 1, 0.5)
    return next(iter([*by_case, *spelt, *([usual.name] if usual else []), *loosely]), "")
