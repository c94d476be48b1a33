"""SQL for those who look after a PostgreSQL server: the tables, in partitions, on many machines.

Every key begins with the tenant and no row refers to one of another, so nothing of it changes the schema:
Winnow reads and writes as before.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Literal

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql

from winnow.adapters.stores.schema import (
    DOCUMENT_TABLES,
    audit,
    claims,
    create_statements,
    histories,
    messages,
    metadata,
    table_statements,
    vectors,
)

PartitionBy = Literal["tenant", "user"]
LARGE_TABLES: dict[sa.Table, str] = {
    messages: "user",
    histories: "user",
    vectors: "key",
    claims: "key",
    audit: "home_id",
    **dict.fromkeys(DOCUMENT_TABLES, "user"),
}
"""Tables that grow with what people say and do, and the column next to the tenant in their keys."""
_DIALECT = postgresql.dialect()  # type: ignore[no-untyped-call]
create_tables = partial(table_statements, _DIALECT)
"""The statements that make all tables in an empty database."""


def partition_tables(number: int, by: PartitionBy = "tenant") -> Iterator[str]:
    """The statements that put the rows of the large tables into so many partitions, by hash of the tenant.

    ``user``: by hash of the user, the text, the home, where all users belong to one tenant.
    """
    for table, other in LARGE_TABLES.items():
        column, name = "tenant" if by == "tenant" else other, table.name
        columns = ", ".join(f'"{each.name}"' for each in table.c)
        # The names of the table, its key and its indexes are freed first.
        yield f"ALTER TABLE {name} RENAME TO {name}_whole"
        yield f"ALTER TABLE {name}_whole RENAME CONSTRAINT {name}_pkey TO {name}_whole_pkey"
        for index in table.indexes:
            yield f"ALTER INDEX {index.name} RENAME TO {index.name}_whole"
        # Beside the table stands a partitioned one, which gets its rows and then its name.
        yield from create_statements(table, _DIALECT, f' PARTITION BY HASH ("{column}")')
        for part in range(number):
            values = f"WITH (MODULUS {number}, REMAINDER {part})"
            yield f"CREATE TABLE {name}_{part} PARTITION OF {name} FOR VALUES {values}"
        yield f"INSERT INTO {name} ({columns}) SELECT {columns} FROM {name}_whole"  # noqa: S608 - names of ours
        yield f"DROP TABLE {name}_whole"


def distribute_tables() -> Iterator[str]:
    """The statements that spread all tables over the workers of a Citus cluster, each tenant on one of them.

    Tables others refer to come first, as Citus wants it. Rows that were there before are copied; what is left
    of them on the coordinator, where nothing would ever delete it, goes at the end.
    """
    first, *others = metadata.sorted_tables
    yield f"SELECT create_distributed_table('{first.name}', 'tenant')"
    for table in others:
        together = f"colocate_with => '{first.name}'"
        yield f"SELECT create_distributed_table('{table.name}', 'tenant', {together})"
    for table in reversed(metadata.sorted_tables):
        yield f"SELECT truncate_local_data_after_distributing_table('{table.name}')"
