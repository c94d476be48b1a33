"""Inspection of a host's database: which table holds messages, what is wrong, what would be better."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace

import sqlalchemy as sa

from winnow.adapters.stores.host.column_mapping import (
    HostColumn,
    check_mapping,
    host_columns,
    host_tables,
    likely_column,
    primary_key,
    snake_case,
    table_link,
    word_list,
)
from winnow.adapters.stores.host.connection import HostDatabase
from winnow.adapters.stores.host.messages import content_text, is_deleted_mark, value_of
from winnow.adapters.stores.host.vector_search import (
    MAX_EXACT_ROWS,
    VectorColumn,
    table_sql,
    vector_column,
    vector_problems,
)
from winnow.errors import ConfigError, Phrase, Problem
from winnow.language.clocks import Clocks
from winnow.types.message import Advice, HostColumns, HostReport, HostTable, LikelyTable, VectorDistance

_SAMPLE_ROWS = 200
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
"""Field of ``HostColumns`` -> what to say where it is not mapped and a column looks like it."""


def table_advice(
    db: sa.Connection,
    table: HostTable,
    found: Mapping[str, HostColumn],
    present: Mapping[str, HostColumn],
    clocks: Clocks,
) -> Iterator[Advice]:
    """All that may be better. ``found``: field -> its column; ``present``: the columns of the table."""
    at = found.get("created_at")
    yield from _all_index_advice(db, table, found)
    taken = {column.name for column in found.values()}
    for field, text in _OFTEN_THERE.items():
        column = likely_column(field, present.values(), taken) if field not in found else None
        if column:
            yield Advice(Phrase(text, name=column.name))
    if at and at.kind == "time" and "with time zone" not in at.type and not table.stored_timezone:
        yield Advice(
            Phrase("times of {name} carry no zone: set messages.stored_timezone, often UTC", name=at.name)
        )
    yield from _deleted_advice(db, table, found.get("deleted"))
    yield from _unreadable_advice(db, table, at, found["content"], clocks)


def _all_index_advice(
    db: sa.Connection, table: HostTable, found: Mapping[str, HostColumn]
) -> Iterator[Advice]:
    """Those that find a person's rows, and at best in their order."""
    if table.table in sa.inspect(db).get_view_names(table.schema or None):  # a view can have none
        return
    user, order = found["user"], [found["created_at"].name] if "created_at" in found else []
    if user.link:
        yield from _index_advice(db, user.link.table, table.schema, [user.name])
        yield from _index_advice(db, table.table, table.schema, [user.link.via, *order])
    else:
        tenant = [found["tenant"].name] if "tenant" in found and not found["tenant"].link else []
        yield from _index_advice(db, table.table, table.schema, [*tenant, user.name, *order])


def _index_advice(db: sa.Connection, table: str, schema: str, wanted: list[str]) -> Iterator[Advice]:
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


def _deleted_advice(db: sa.Connection, table: HostTable, column: HostColumn | None) -> Iterator[Advice]:
    """Which words of a column of texts are taken for deleted."""
    if column is None or column.kind not in {"text", "other"}:
        return
    some = sa.select(column.sql).select_from(_source(table)).limit(_STATES).subquery()
    values = db.scalars(sa.select(some.c[0]).distinct().limit(_WORDS))
    states = sorted(str(value) for value in {*values} - {None})
    gone = [state for state in states if is_deleted_mark(state, table.deleted_values)]
    kept = [state for state in states if state not in gone]
    if kept:
        text = "of the values of {name}, these mean deleted: {gone}; these do not: {kept}"
        yield Advice(Phrase(text, name=column.name, gone=gone or "-", kept=kept))


def _unreadable_advice(
    db: sa.Connection, table: HostTable, at: HostColumn | None, content: HostColumn, clocks: Clocks
) -> Iterator[Advice]:
    """What a few rows have that is no time or no text."""
    values = _sample_values(db, table, at) if at else ()
    timeless = [value for value in values if clocks.moment(value) is None]
    if at and timeless:
        text = "{count} of {all} rows have no time in {name} that can be read, such as {value}"
        facts = {"count": len(timeless), "all": len(values), "name": at.name, "value": repr(timeless[0])}
        yield Advice(Phrase(text, **facts))
    texts = _sample_values(db, table, content)
    if texts and not any(map(content_text, texts)):
        yield Advice(Phrase("none of {all} rows has a text in {name}", all=len(texts), name=content.name))


def _sample_values(db: sa.Connection, table: HostTable, column: HostColumn) -> Sequence[object]:
    """What a few rows have there."""
    value = value_of(column, db.dialect.name)
    return db.scalars(sa.select(value).select_from(_source(table)).limit(_SAMPLE_ROWS)).all()


def _source(table: HostTable) -> sa.TableClause:
    return sa.table(table.table, schema=table.schema or None)


# Which table of a host's database holds messages, and in which columns.

_ORDER = (
    "id",
    "user",
    "created_at",
    "content",
    "role",
    "conversation",
    "edited_at",
    "deleted",
    "vector",
    "tenant",
)
"""In which a column is taken for a field: what is surest first."""
_FIELD_SCORES: Mapping[str, float] = {
    "id": 0.15,
    "user": 0.2,
    "content": 0.2,
    "created_at": 0.15,
    "role": 0.1,
}
_NAME_SCORE = 0.2
"""What the name of the table is worth."""
_MIN_SCORE = 0.6


def guess_tables(url: str, schema: str = "", most: int = 5) -> tuple[LikelyTable, ...]:
    """The tables and views that look as if they held messages, likeliest first; empty: none does.

    Only names and types are looked at. Raises ConfigError, StoreError.
    """
    database = HostDatabase(url)
    with database.read() as db:
        there = {name: host_columns(db, name, schema) for name in host_tables(db, schema)}
        found = [_likely_table(db, HostTable(url, name, schema), there) for name in there]
    database.close()
    likeliest = sorted(found, key=lambda table: (-table.score, table.table.table))
    return tuple(table for table in likeliest if table.score >= _MIN_SCORE)[:most]


def table_names(url: str) -> tuple[str, ...]:
    """The tables and views that are there, by name. Raises ConfigError, StoreError."""
    database = HostDatabase(url)
    with database.read() as db:
        found = host_tables(db)
    database.close()
    return found


def _likely_table(
    db: sa.Connection, table: HostTable, there: Mapping[str, Mapping[str, HostColumn]]
) -> LikelyTable:
    """What one table would be mapped as."""
    taken = _named_fields(table.table, tuple(there[table.table].values()))
    key = primary_key(db, table.table, table.schema)
    if "id" not in taken and len(key) == 1:
        taken["id"] = key[0]
    if "user" not in taken and (owner := _owner(db, _with_columns(table, taken), there)):
        taken["user"] = owner
    missing = tuple(field for field in word_list("needed") if field not in taken)
    score = min(
        1.0, _name_score(table.table) + sum(worth for field, worth in _FIELD_SCORES.items() if field in taken)
    )
    return LikelyTable(_with_columns(table, taken), round(score, 3), missing)


def _named_fields(table: str, present: Sequence[HostColumn]) -> dict[str, str]:
    """Field -> the column of a usual name; of messages, the text is also the one that is left."""
    taken: dict[str, str] = {}
    for field in _ORDER:
        if column := likely_column(field, present, taken.values()):
            taken[field] = column.name
    left = [column.name for column in present if column.kind == "text" and column.name not in taken.values()]
    if "content" not in taken and _name_score(table) and len(left) == 1:
        taken["content"] = left[0]
    return taken


def _owner(db: sa.Connection, table: HostTable, there: Mapping[str, Mapping[str, HostColumn]]) -> str:
    """The column of a table of conversations that says whose they are; empty: nothing leads to one."""
    talk = snake_case(table.columns.conversation).removesuffix("_id")
    keys = sa.inspect(db).get_foreign_keys(table.table, table.schema or None)
    foreign = {key["referred_table"] for key in keys}
    for other in there:
        named = bool(talk) and snake_case(other) in {talk, f"{talk}s"}
        user = likely_column("user", there[other].values()) if named or other in foreign else None
        if user and table_link(db, table, other):
            return f"{other}.{user.name}"
    return ""


def _name_score(name: str) -> float:
    """What the name of a table tells."""
    return (
        _NAME_SCORE
        if snake_case(name) in word_list("tables")
        else _NAME_SCORE / 2 * ("message" in snake_case(name))
    )


def _with_columns(table: HostTable, taken: Mapping[str, str]) -> HostTable:
    return replace(table, columns=HostColumns(**{f.name: taken.get(f.name, "") for f in fields(HostColumns)}))


# What would make the search of a host's vectors quicker or fuller.

_VECTOR_SAMPLE_ROWS = 10_000
"""Rows in which those without a vector are counted."""
_LARGEST = sa.text(
    "SELECT c.reltuples * s.most_common_freqs[1] FROM pg_class c"
    " JOIN pg_namespace n ON n.oid = c.relnamespace"
    " JOIN pg_stats s ON s.schemaname = n.nspname AND s.tablename = c.relname AND s.attname = :column"
    " WHERE c.oid = to_regclass(:table)"
)


def vector_advice_for(
    db: sa.Connection, table: HostTable, user: HostColumn, column: VectorColumn, distance: VectorDistance
) -> Iterator[Advice]:
    """All that may be better about them, in PostgreSQL."""
    yield from _missing_vector_advice(db, table, column)
    if not column.has_iterative_scan:
        told = "pgvector {version} knows no iterative scan, so that its indexes are never asked: update it"
        version = ".".join(map(str, column.version))
        yield Advice(Phrase(told, version=version), "ALTER EXTENSION vector UPDATE")
    if column.has_index(distance) or user.link:
        return
    # How many rows the person with the most has, as the planner thinks; 0: it does not know.
    rows = round(db.scalar(_LARGEST, {"table": table_sql(db, table), "column": user.name}) or 0)
    if rows > MAX_EXACT_ROWS:
        told = "somebody has about {rows} rows; an HNSW index for the distance {distance} would be quicker"
        name = db.dialect.identifier_preparer.quote(column.name)
        made = column.index_sql(table_sql(db, table), name, distance)
        yield Advice(Phrase(told, rows=rows, distance=distance), made)


def _missing_vector_advice(db: sa.Connection, table: HostTable, column: VectorColumn) -> Iterator[Advice]:
    """Rows without a vector are found by their words alone."""
    held: sa.ColumnClause[object] = sa.column(column.name)
    some = (
        sa.select(held)
        .select_from(sa.table(table.table, schema=table.schema or None))
        .limit(_VECTOR_SAMPLE_ROWS)
    )
    counted = some.subquery()
    all_of, filled = db.execute(sa.select(sa.func.count(), sa.func.count(counted.c[0]))).one()
    if all_of > filled:
        told = "{count} of {all} rows have no vector in {name}, and are found by their words alone"
        yield Advice(Phrase(told, count=all_of - filled, all=all_of, name=column.name))


# A look at a host's table before anything relies on it: all that is wrong, and what would be better.


def check_table(table: HostTable, *, dimension: int = 0, distance: VectorDistance = "cosine") -> HostReport:
    """What stands in the way of reading the table, and what its owner may do for it.

    Its vectors are looked at where they are mapped; ``dimension`` is what they should have, 0: any. A few
    rows are read; nothing of them is told but marks of deletion and a value that is no time. Raises
    StoreError where the database does not answer.
    """
    clocks, wrong = _checked_clocks(table)
    try:
        database = HostDatabase(table.url)
    except ConfigError as error:
        return HostReport(problems=(*wrong, *error.problems))
    with database.read() as db:
        present = host_columns(db, table.table, table.schema)
        found, unfit = check_mapping(db, table, present)
        wrong += unfit
        vectors = None
        if "vector" in found and db.dialect.name == "postgresql":
            vectors = vector_column(db, table)
            wrong += vector_problems(vectors, dimension)
        advice = list[Advice]()
        if not wrong:
            advice += table_advice(db, table, found, present, clocks)
        if not wrong and vectors:
            advice += vector_advice_for(db, table, found["user"], vectors, distance)
    database.close()
    return HostReport({c.name: c.type for c in present.values()}, tuple(wrong), tuple(advice))


def _checked_clocks(table: HostTable) -> tuple[Clocks, list[Problem]]:
    """The clocks of a table; those of UTC where a zone is none."""
    try:
        return Clocks(table.timezone, table.stored_timezone), []
    except ConfigError as error:
        return Clocks(), [replace(p, path=f"messages.{p.path}") for p in error.problems]
