"""What applications call things, as data: ``names.yaml``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from winnow.text.tables import table


@cache
def listed(name: str) -> tuple[str, ...]:
    """One of the lists."""
    return tuple(str(word) for word in table("winnow.stores.host", "names.yaml")[name])


@cache
def column_names() -> Mapping[str, tuple[str, ...]]:
    """Field of ``Columns`` -> what such a column is called, the commonest first."""
    return {
        field: tuple(names) for field, names in table("winnow.stores.host", "names.yaml")["columns"].items()
    }


@cache
def usual_roles() -> Mapping[str, str]:
    """Stored role -> ours."""
    return dict(table("winnow.stores.host", "names.yaml")["roles"])
