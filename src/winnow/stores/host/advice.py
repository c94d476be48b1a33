"""What would make a host's table quicker, safer or fuller to read: for its owner, who alone may change it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import sqlalchemy as sa

from winnow.errors import Phrase
from winnow.stores.host.content import said
from winnow.stores.host.naming import likely
from winnow.stores.host.reflect import Column
from winnow.stores.host.rows import is_gone, value_of
from winnow.text.clocks import Clocks
from winnow.types.history import HostTable
from winnow.types.host_report import Advice

_SAMPLE = 200
"""Rows that are looked at."""
_STATES = 10_000
"""Rows whose marks of deletion are looked at."""
_WORDS = 20
"""Such marks that are told."""
_IN_PARTS = sa.text("SELECT 1 FROM pg_partitioned_table WHERE partrelid = to_regclass(:table)")
_OFTEN_THERE: Mapping[str, str] = {
    "deleted": "{name} seems to mark deleted rows, which are found too: map messages.columns.deleted",
    "conversation": "{name} seems to tell the talk of a row: map messages.columns.conversation",
    "edited_at": "{name} seems to tell of edits: messages.columns.edited_at spares reading all contents",
    "tenant": "{name} seems to tell the tenant, and rows of all are read: map messages.columns.tenant",
    "created_at": "{name} seems to tell when a row was written: map messages.columns.created_at",
    "role": "{name} seems to tell who said a row: map messages.columns.role",
}
"""Field of ``Columns`` -> what to say where it is not mapped and a column looks like it."""


def advised(
    db: sa.Connection,
    table: HostTable,
    found: Mapping[str, Column],
    present: Mapping[str, Column],
    clocks: Clocks,
) -> Iterator[Advice]:
    """All that may be better. ``found``: field -> its column; ``present``: the columns of the table."""
    at = found.get("created_at")
    yield from _indexes(db, table, found)
    taken = {column.name for column in found.values()}
    for field, text in _OFTEN_THERE.items():
        column = likely(field, present.values(), taken) if field not in found else None
        if column:
            yield Advice(Phrase(text, name=column.name))
    if at and at.kind == "time" and "with time zone" not in at.type and not table.stored_timezone:
        yield Advice(
            Phrase("times of {name} carry no zone: set messages.stored_timezone, often UTC", name=at.name)
        )
    yield from _states(db, table, found.get("deleted"))
    yield from _unreadable(db, table, at, found["content"], clocks)


def _indexes(db: sa.Connection, table: HostTable, found: Mapping[str, Column]) -> Iterator[Advice]:
    """Those that find a person's rows, and at best in their order."""
    if table.table in sa.inspect(db).get_view_names(table.schema or None):  # a view can have none
        return
    user, order = found["user"], [found["created_at"].name] if "created_at" in found else []
    if user.link:
        yield from _missing(db, user.link.table, table.schema, [user.name])
        yield from _missing(db, table.table, table.schema, [user.link.via, *order])
    else:
        tenant = [found["tenant"].name] if "tenant" in found and not found["tenant"].link else []
        yield from _missing(db, table.table, table.schema, [*tenant, user.name, *order])


def _missing(db: sa.Connection, table: str, schema: str, wanted: list[str]) -> Iterator[Advice]:
    """The index on these columns, at best in their order, where no other begins with them."""
    look, where = sa.inspect(db), schema or None
    have: list[Sequence[str | None]] = [look.get_pk_constraint(table, where)["constrained_columns"]]
    have += [unique["column_names"] for unique in look.get_unique_constraints(table, where)]
    have += [index["column_names"] for index in look.get_indexes(table, where)]
    if any(set(names[: len(wanted)]) == set(wanted) for names in have):
        return
    text = "{table} has no index on {columns}: every question reads the whole table"
    if any(set(names[:1]) <= set(wanted[:-1] or wanted) and names for names in have):
        text = "{table} has no index on {columns}: the rows of a person are sorted for every question"
    yield Advice(Phrase(text, table=table, columns=wanted), _create_index(db, table, schema, wanted))


def _create_index(db: sa.Connection, table: str, schema: str, names: list[str]) -> str:
    write = db.dialect.identifier_preparer
    whole = write.format_table(sa.table(table, schema=schema or None))
    # Such an index holds up nobody who writes; PostgreSQL makes none of a table with partitions.
    is_whole = db.dialect.name == "postgresql" and db.scalar(_IN_PARTS, {"table": whole}) is None
    made = "CREATE INDEX CONCURRENTLY" if is_whole else "CREATE INDEX"
    name = write.quote("_".join(["ix", table, *names]).lower())
    return f"{made} {name} ON {whole} ({', '.join(write.quote(n) for n in names)})"


def _states(db: sa.Connection, table: HostTable, column: Column | None) -> Iterator[Advice]:
    """Which words of a column of texts are taken for deleted."""
    if column is None or column.kind not in {"text", "other"}:
        return
    some = sa.select(column.sql).select_from(_source(table)).limit(_STATES).subquery()
    values = db.scalars(sa.select(some.c[0]).distinct().limit(_WORDS))
    states = sorted(str(value) for value in {*values} - {None})
    gone = [state for state in states if is_gone(state, table.deleted_values)]
    kept = [state for state in states if state not in gone]
    if kept:
        text = "of the values of {name}, these mean deleted: {gone}; these do not: {kept}"
        yield Advice(Phrase(text, name=column.name, gone=gone or "-", kept=kept))


def _unreadable(
    db: sa.Connection, table: HostTable, at: Column | None, content: Column, clocks: Clocks
) -> Iterator[Advice]:
    """What a few rows have that is no time or no text."""
    values = _sampled(db, table, at) if at else ()
    timeless = [value for value in values if clocks.moment(value) is None]
    if at and timeless:
        text = "{count} of {all} rows have no time in {name} that can be read, such as {value}"
        facts = {"count": len(timeless), "all": len(values), "name": at.name, "value": repr(timeless[0])}
        yield Advice(Phrase(text, **facts))
    texts = _sampled(db, table, content)
    if texts and not any(map(said, texts)):
        yield Advice(Phrase("none of {all} rows has a text in {name}", all=len(texts), name=content.name))


def _sampled(db: sa.Connection, table: HostTable, column: Column) -> Sequence[object]:
    """What a few rows have there."""
    value = value_of(column, db.dialect.name)
    return db.scalars(sa.select(value).select_from(_source(table)).limit(_SAMPLE)).all()


def _source(table: HostTable) -> sa.TableClause:
    return sa.table(table.table, schema=table.schema or None)
