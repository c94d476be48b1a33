"""The tables of the store; nested lists are JSON columns.

The tenant comes first in every key, the home's id or the user next: no row is found without both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

import sqlalchemy as sa
from sqlalchemy import (
    JSON,
    BigInteger,
    BindParameter,
    Boolean,
    Column,
    ColumnElement,
    Connection,
    DateTime,
    Float,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    UniqueConstraint,
    and_,
    bindparam,
)
from sqlalchemy.schema import CreateIndex, CreateTable

from winnow.types.scope import Scope
from winnow.types.vector import TALLY_FIELDS

if TYPE_CHECKING:
    from sqlalchemy.dialects.postgresql import Insert

# Many rows, some at a time: a statement has only so many parameters.

ChunkItem = TypeVar("ChunkItem")
CHUNK_ROWS = 500


def row_chunks(items: Iterable[ChunkItem], size: int = CHUNK_ROWS) -> Iterator[list[ChunkItem]]:
    """The items in order, at most ``size`` at a time."""
    left = iter(items)
    while part := list(islice(left, size)):
        yield part


# What is said one way to SQLite and another way to PostgreSQL.


def upsert_into(db: sa.Connection, table: sa.Table) -> sa.Insert:
    """Rows in the place of those of the same keys."""
    made = _insert_into(db, table)
    keys = [column.name for column in table.primary_key.columns]
    rest = {column.name: made.excluded[column.name] for column in table.c if column.name not in keys}
    return made.on_conflict_do_update(index_elements=keys, set_=rest)


def insert_missing(db: sa.Connection, table: sa.Table) -> sa.Insert:
    """Rows of keys that are not there yet; the others stay as they are."""
    return _insert_into(db, table).on_conflict_do_nothing()


def _insert_into(db: sa.Connection, table: sa.Table) -> Insert:
    if db.dialect.name == "postgresql":
        from sqlalchemy.dialects.postgresql import insert
    else:
        from sqlalchemy.dialects.sqlite import insert  # type: ignore[assignment]
    return insert(table)


# Texts as every database keeps them.

ESCAPE_MARK = "\x1a"
"""Stands before the number of a character that was put away. Unicode calls it ``SUBSTITUTE``."""
_ODD = re.compile(r"[\x00\x1a\ud800-\udfff]")
_PUT_AWAY = re.compile(r"\x1a([0-9a-f]{4})")


class StoredText(sa.TypeDecorator[str]):
    """Any Python text, and the same one back.

    PostgreSQL keeps no NUL and nobody keeps half a surrogate pair, though ids and messages of others may
    hold both. They are put away as four digits, so that no two texts become one and no key is ever refused.
    """

    impl = sa.String
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: sa.Dialect) -> str | None:  # noqa: ARG002
        """As it is kept."""
        if value is None or not _ODD.search(value):
            return value
        return _ODD.sub(lambda odd: f"{ESCAPE_MARK}{ord(odd[0]):04x}", value)

    def process_result_value(self, value: str | None, dialect: sa.Dialect) -> str | None:  # noqa: ARG002
        """As it was given."""
        return value if value is None else given_text(value)


def given_text(stored: str) -> str:
    """A text as it was given."""
    if ESCAPE_MARK not in stored:
        return stored
    return _PUT_AWAY.sub(lambda away: chr(int(away[1], 16)), stored)


SCHEMA_REVISION = "0003"
"""Newest schema revision; ``migrations/versions`` must end there (tested)."""

metadata = MetaData()
revisions = Table("alembic_version", MetaData(), Column("version_num", StoredText(32), primary_key=True))
"""One row: the revision the tables are at. Alembic's own, as it makes it."""


def _key(*names: str) -> list[Column[object]]:
    """Text columns of a primary key, in order."""
    return [Column(name, StoredText, primary_key=True) for name in names]


def _part(name: str, *columns: Column[object]) -> Table:
    """A table whose rows belong to one home and keep the order they were imported in."""
    return Table(
        name,
        metadata,
        *_key("tenant", "home_id", "id"),
        Column("position", Integer, nullable=False),
        *columns,
        ForeignKeyConstraint(["tenant", "home_id"], ["homes.tenant", "homes.id"], ondelete="CASCADE"),
    )


def _json(name: str) -> Column[object]:
    return Column(name, JSON, nullable=False)


homes = Table(
    "homes",
    metadata,
    *_key("tenant", "id"),
    Column("name", StoredText, nullable=False),
    Column("source", StoredText, nullable=False),
    Column("version", Integer, nullable=False),
    Column("imported_at", Float, nullable=False),
    _json("notes"),
)

imports = Table(
    "imports",
    metadata,
    *_key("tenant", "home_id"),
    Column("version", Integer, primary_key=True),
    Column("imported_at", Float, nullable=False),
    Column("devices", Integer, nullable=False),
)
"""One row per import, kept when the home is deleted: a version number is never used twice."""

floors = _part(
    "floors", Column("name", StoredText, nullable=False), _json("aliases"), Column("level", Integer)
)
rooms = _part(
    "rooms", Column("name", StoredText, nullable=False), _json("aliases"), Column("floor_id", StoredText)
)
profiles = _part("profiles", _json("commands"), _json("attributes"))
devices = _part(
    "devices",
    Column("name", StoredText, nullable=False),
    Column("profile_id", StoredText, nullable=False),
    _json("kinds"),
    _json("aliases"),
    Column("room_id", StoredText),
    _json("categories"),
    _json("tags"),
    Column("part_of", StoredText),
    Column("reach", StoredText, nullable=False),
    Column("danger", StoredText, nullable=False),
    _json("reasons"),
)
scenes = _part(
    "scenes",
    Column("name", StoredText, nullable=False),
    Column("command_id", StoredText, nullable=False),
    _json("aliases"),
    Column("room_id", StoredText),
)
groups = _part("groups", Column("name", StoredText, nullable=False), _json("members"), _json("aliases"))

PART_TABLES: dict[str, Table] = {t.name: t for t in (floors, rooms, profiles, devices, scenes, groups)}
"""Field of ``Home`` -> its table."""
states = Table(
    "states",
    metadata,
    *_key("tenant", "home_id", "device_id"),
    _json("reported"),
    Column("online", Boolean, nullable=False),
    Column("read_at", Float, nullable=False),
    Column("source", StoredText, nullable=False),
    ForeignKeyConstraint(["tenant", "home_id"], ["homes.tenant", "homes.id"], ondelete="CASCADE"),
)
"""What each device reported when its home was imported."""

# What is remembered about a home outlives its next import, so nothing here hangs on the homes table.
turns = Table(
    "turns",
    metadata,
    *_key("tenant", "home_id", "user", "session"),
    Column("position", Integer, primary_key=True),
    Column("role", StoredText, nullable=False),
    Column("content", StoredText, nullable=False),
    _json("device_ids"),
)
questions = Table(
    "questions",
    metadata,
    *_key("tenant", "home_id", "user", "session"),
    Column("id", StoredText, nullable=False),
    Column("version", Integer, nullable=False),
    _json("utterance"),
    Column("asked_at", Float, nullable=False),
    Column("mark", StoredText, nullable=False),
    UniqueConstraint("tenant", "id", name="one_question_an_id_of_a_tenant"),
)
"""The open question of a person in a session, one at most."""
usage = Table(
    "usage",
    metadata,
    *_key("tenant", "home_id", "user", "device_id"),
    Column("count", Integer, nullable=False),
    Column("last_used", Float, nullable=False),
)
lessons = Table(
    "lessons",
    metadata,
    *_key("tenant", "home_id"),
    Column("position", Integer, primary_key=True),
    *(
        Column(name, StoredText, nullable=False)
        for name in ("surface", "slot", "device_id", "device_kind", "action", "source")
    ),
    Column("at", Float, nullable=False),
    Column("user", StoredText, nullable=False),
)
"""``user``: who said the words; empty where nobody was named."""
lexicon_entries = Table(
    "lexicon_entries",
    metadata,
    *_key("tenant", "home_id"),
    Column("number", Integer, primary_key=True),
    *(Column(name, StoredText, nullable=False) for name in ("surface", "kind", "target", "status")),
    Column("count", Integer, nullable=False),
    Column("against", Integer, nullable=False),
    Column("user", StoredText, nullable=False),
)
"""``user``: the one person the word is from; empty where it is from several, or from nobody who was named."""
overrides = Table(
    "overrides",
    metadata,
    *_key("tenant", "home_id", "thing_id"),
    Column("name", StoredText, nullable=False),
    _json("aliases"),
    _json("kinds"),
    *(Column(name, StoredText, nullable=False) for name in ("room_id", "danger")),
    Column("reach", StoredText),
)
# What a person said in any talk belongs to the person, and to no home.
messages = Table(
    "messages",
    metadata,
    *_key("tenant", "user", "id"),
    Column("position", Integer, nullable=False),
    Column("at", DateTime, nullable=False),
    *(Column(name, StoredText, nullable=False) for name in ("role", "content", "conversation")),
    Index("messages_in_time", "tenant", "user", "at", "position"),
    Index("messages_by_position", "tenant", "user", "position"),
    sqlite_with_rowid=False,
)
"""``position`` counts up as they came in. ``at`` is year 1 where nobody knows."""
histories = Table(
    "histories",
    metadata,
    *_key("tenant", "user"),
    Column("count", Integer, nullable=False),
    Column("last", Integer, nullable=False),
    Column("mark", StoredText, nullable=False),
    Column("changes", JSON),
    sqlite_with_rowid=False,
)
"""What each history looks like, written with its messages: asking costs one row however long it is.

``changes``: the ids of what was changed or deleted last, so that nobody need read the rest again.
"""
facts = Table(
    "facts",
    metadata,
    *_key("tenant", "user", "id"),
    Column("position", Integer, nullable=False),
    *(Column(name, StoredText, nullable=False) for name in ("text", "subject", "attribute", "value")),
    Column("at", DateTime),
    Column("credibility", Float, nullable=False),
    *(Column(name, StoredText, nullable=False) for name in ("source", "status", "replaced_by", "reason")),
    Index("facts_in_order", "tenant", "user", "position"),
    sqlite_with_rowid=False,
)
"""What is held to be true for a person; what was superseded stays, marked."""
# What was written belongs to a person, or (with an empty user) to everybody of the tenant.
shelves = Table(
    "shelves",
    metadata,
    *_key("tenant", "user", "tier"),
    Column("count", Integer, nullable=False),
    Column("last", Integer, nullable=False),
    Column("mark", StoredText, nullable=False),
    sqlite_with_rowid=False,
)
"""What all documents of one tier look like, written with them: asking costs one row however many they are."""
documents = Table(
    "documents",
    metadata,
    *_key("tenant", "user", "tier", "id"),
    Column("position", Integer, nullable=False),
    *(
        Column(name, StoredText, nullable=False)
        for name in ("title", "kind", "collection", "domain", "source")
    ),
    Column("importance", Float, nullable=False),
    Column("credibility", Float, nullable=False),
    Column("at", DateTime),
    Column("digest", StoredText, nullable=False),
    Column("text", StoredText, nullable=False),
)
passages = Table(
    "passages",
    metadata,
    *_key("tenant", "user", "tier", "id"),
    *(Column(name, StoredText, nullable=False) for name in ("document", "segment", "folded")),
    _json("also"),
    _json("headings"),
    Column("position", Integer, nullable=False),
    Column("start", Integer, nullable=False),
    Column("marks", LargeBinary, nullable=False),
    Column("text", StoredText, nullable=False),
    Index("passages_of_documents", "tenant", "user", "tier", "document"),
    Index("passages_of_segments", "tenant", "user", "tier", "segment"),
)
"""``folded``: the passage that stands for it, which is then in no segment. ``also``: those it stands for,
each with its document. ``marks``: its rows of ``marks``, 8 bytes each."""
segments = Table(
    "segments",
    metadata,
    *_key("tenant", "user", "tier", "id"),
    Column("position", Integer, nullable=False),
    Column("count", Integer, nullable=False),
    _json("dead"),
    Column("data", LargeBinary, nullable=False),
)
marks = Table(
    "marks",
    metadata,
    *_key("tenant", "user", "tier"),
    Column("mark", BigInteger, primary_key=True),
    Column("passage", StoredText, primary_key=True),
    sqlite_with_rowid=False,
)
"""What passages that nearly say the same have in common; of those alone that are folded into no other."""
DOCUMENT_TABLES = (shelves, documents, passages, segments, marks)
"""Everything of one tier."""
vectors = Table(
    "vectors",
    metadata,
    *_key("tenant", "key", "space", "version"),
    Column("dimension", Integer, primary_key=True),
    Column("vector", LargeBinary, nullable=False),
    Column("checksum", BigInteger, nullable=False),
    Column("made_at", Float, nullable=False),
)
"""``key`` is a hash of the text; ``vector`` float32, little end first, ``checksum`` of both."""
spaces = Table(
    "spaces",
    metadata,
    *_key("tenant", "space", "version"),
    Column("dimension", Integer, primary_key=True),
    *(Column(name, BigInteger, nullable=False, server_default="0") for name in TALLY_FIELDS),
)
"""Each space a tenant has vectors of: one row tells the length of a model's vectors, and what was counted."""
claims = Table(
    "claims",
    metadata,
    *_key("tenant", "space", "version", "key"),
    Column("batch", StoredText, nullable=False),
    Column("position", Integer, nullable=False),
    Column("until", Float, nullable=False),
)
"""Texts that were sent to a model, or are about to be; a row goes when its vector comes."""
feedback = Table(
    "feedback", metadata, *_key("tenant", "user", "id"), Column("at", Float, nullable=False), _json("given")
)
"""What people say of what they were given."""
accounts = Table(
    "accounts", metadata, *_key("tenant", "user", "id"), Column("at", Float, nullable=False), _json("account")
)
"""The last turns of each person, where turns are counted."""
totals = Table(
    "totals",
    metadata,
    *_key("tenant", "name"),
    Column("count", BigInteger, nullable=False),
    Column("sum", Float, nullable=False),
)
# What was done outlives the home it was done in.
audit = Table(
    "audit",
    metadata,
    *_key("tenant", "home_id"),
    Column("number", Integer, primary_key=True),
    Column("at", Float, nullable=False),
    *(
        Column(name, StoredText, nullable=False)
        for name in ("user", "kind", "act", "body", "previous", "hash")
    ),
    Index("audit_of_acts", "tenant", "home_id", "act"),
    sqlite_with_rowid=False,
)
chains = Table(
    "chains",
    metadata,
    *_key("tenant", "home_id"),
    Column("name", StoredText, nullable=False),
    Column("first", Integer, nullable=False),
    Column("after", StoredText, nullable=False),
    Column("number", Integer, nullable=False),
    *(Column(name, StoredText, nullable=False) for name in ("hash", "seal")),
)
"""Where each chain begins and ends; ``seal`` is a hash of that."""
plans = Table(
    "plans",
    metadata,
    *_key("tenant", "home_id", "user", "session", "id"),
    *(Column(name, StoredText, nullable=False) for name in ("state", "token_hash")),
    Column("ends", Float, nullable=False),
    _json("plan"),
    Index("plans_by_end", "tenant", "ends", "id"),
    Index("plans_of_tokens", "tenant", "token_hash"),
)
removals = Table(
    "removals",
    metadata,
    *_key("tenant"),
    Column("number", Integer, primary_key=True),
    Column("person", StoredText, nullable=False),
    Column("at", Float, nullable=False),
)
"""Of whom everything was deleted, each by a hash: it tells other processes to drop what they remember."""
access_keys = Table(
    "access_keys",
    metadata,
    *_key("tenant", "digest"),
    Column("name", StoredText, nullable=False),
    _json("users"),
    _json("homes"),
    Column("made_at", Float, nullable=False),
    Column("ends_at", Float),
)
"""Keys of programs; of a secret only its digest is kept."""
HOME_MEMORY_TABLES = (turns, questions, usage, lessons, lexicon_entries, overrides, plans)
"""Deleted with their home."""
PERSONAL_TABLES = tuple(table for table in metadata.sorted_tables if "user" in table.c and table is not audit)
"""Whose rows belong to a person, and go with them."""
TEXT_TABLES = (vectors, claims)
"""Whose rows are found by the hash of a text, and go with the last message that says it."""
IMPERSONAL_TABLES: dict[Table, str] = {
    **dict.fromkeys(
        (homes, floors, rooms, profiles, devices, scenes, groups, states), "the home as imported"
    ),
    imports: "how often a home was imported",
    overrides: "what an administrator says a home's things are",
    spaces: "names of models and counts",
    totals: "counts of a tenant's turns",
    audit: "ids, calls and outcomes of what was done, without what was said",
    chains: "hashes of the audit log",
    removals: "hashes of names",
    access_keys: "for whom a program may speak, as an administrator says",
}
"""Tables that hold nothing a person said, and why what they hold stays."""


def create_tables(db: Connection) -> None:
    """Make all tables at once, as the migrations make them one after the other (tested)."""
    for statement in table_statements(db.dialect):
        db.exec_driver_sql(statement)


@lru_cache(maxsize=2)
def table_statements(dialect: sa.Dialect) -> tuple[str, ...]:
    """What makes all tables in an empty database."""
    tables = (*metadata.sorted_tables, revisions)
    made = [statement for table in tables for statement in create_statements(table, dialect)]
    version = f"INSERT INTO {revisions.name} (version_num) VALUES ('{SCHEMA_REVISION}')"  # noqa: S608 - names of ours
    return (*made, version)


def create_statements(table: Table, dialect: sa.Dialect, how: str = "") -> Iterator[str]:
    """What makes one table, ``how`` behind it, and its indexes."""
    yield str(CreateTable(table).compile(dialect=dialect)).strip() + how
    for index in sorted(table.indexes, key=lambda each: str(each.name)):
        yield str(CreateIndex(index).compile(dialect=dialect))


_PREFIX = "scope_"
_FIELDS = {"tenant": "tenant", "home_id": "home", "session": "session", "user": "user"}
"""Column of a key -> the field of a ``Scope`` it is compared with."""


def scope_columns(table: Table, scope: Scope) -> dict[str, str]:
    """The scope as the columns that a new row of that table begins with."""
    return {column: getattr(scope, field) for column, field in _FIELDS.items() if column in table.c}


def _scope_parameter(column: str) -> BindParameter[str]:
    return bindparam(_PREFIX + column, type_=StoredText)


def in_scope(table: Table) -> ColumnElement[bool]:
    """The rows that the scope names: those of its home, and its session or user where it has them.

    Statements are built once and executed with the scope as parameters; without one they are not executed.
    """
    return and_(*(table.c[column] == _scope_parameter(column) for column in _FIELDS if column in table.c))


def of_home(table: Table) -> ColumnElement[bool]:
    """All rows of that table about the scope's home, whoever they are about."""
    return and_(of_tenant(table), table.c.home_id == _scope_parameter("home_id"))


def of_tenant(table: Table) -> ColumnElement[bool]:
    """All rows of the scope's tenant."""
    return table.c.tenant == _scope_parameter("tenant")


def of_person(table: Table) -> ColumnElement[bool]:
    """All rows of the scope's user, whatever home or session they are about."""
    return and_(of_tenant(table), table.c.user == _scope_parameter("user"))


THE_HOME = and_(of_tenant(homes), homes.c.id == _scope_parameter("home_id"))
"""The row of the scope's home itself."""


def scope_parameters(scope: Scope, **more: object) -> dict[str, object]:
    """The parameters of a statement over ``in_scope`` and its like, with any others it has."""
    return {**{_PREFIX + column: getattr(scope, field) for column, field in _FIELDS.items()}, **more}
