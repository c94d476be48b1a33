"""pgvector's types, so that a column of them is known by name and dimension."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa


class Vector(sa.types.UserDefinedType[str]):
    """``vector(n)``: numbers of 4 bytes; as text both ways."""

    name = "vector"
    cache_ok = True

    def __init__(self, dimension: int = 0) -> None:
        self.length = dimension

    def get_col_spec(self, **_kw: Any) -> str:
        """``vector(3)``; without its number where the column takes any."""
        return f"{self.name}({self.length})" if self.length else self.name


class HalfVector(Vector):
    """``halfvec(n)``: numbers of 2 bytes."""

    name = "halfvec"
    cache_ok = True


class Named(sa.types.UserDefinedType[str]):
    """A type by its name in its schema, which need not be one that is searched."""

    cache_ok = True

    def __init__(self, name: str, schema: str) -> None:
        self.name, self.schema = name, schema

    def get_col_spec(self, **_kw: Any) -> str:
        """``"extensions".vector``."""
        return f'"{self.schema}".{self.name}'


def know_vectors(dialect: sa.Dialect) -> None:
    """Let this dialect of PostgreSQL recognise them when it describes a table."""
    known = {kind.name: kind for kind in (Vector, HalfVector)}
    dialect.ischema_names = {**dialect.ischema_names, **known}  # type: ignore[attr-defined]
