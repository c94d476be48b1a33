"""A tenant before every key. What was stored before belongs to the tenant ``default``.

Every table is built anew and filled from the old one: SQLite cannot change a key in place, and dropping
``homes`` while others refer to it would empty them. Going back keeps the rows of ``default`` alone, since
the older keys cannot tell tenants apart.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

TENANT = "default"
OLD = "before_0003_"


def upgrade() -> None:
    _rebuilt(("tenant",))


def downgrade() -> None:
    _rebuilt(())


def _rebuilt(tenant: tuple[str, ...]) -> None:
    """Build all tables anew with these columns before their keys, and fill them from the old ones."""
    new = _tables(tenant)
    for table in new.sorted_tables:
        op.rename_table(table.name, OLD + table.name)  # what refers to it goes on doing so
    old = sa.MetaData()
    old.reflect(op.get_bind(), only=lambda name, _: name.startswith(OLD))
    new.create_all(op.get_bind())
    for table in new.sorted_tables:
        _copy(old.tables[OLD + table.name], table)
    old.drop_all(op.get_bind())


def _copy(before: sa.Table, after: sa.Table) -> None:
    shared = [column.name for column in after.columns if column.name in before.columns]
    rows = sa.select(*(before.c[name] for name in shared))
    if "tenant" in before.columns:
        op.execute(sa.insert(after).from_select(shared, rows.where(before.c.tenant == TENANT)))
        return
    mine = sa.literal(TENANT).label("tenant")
    op.execute(sa.insert(after).from_select([*shared, "tenant"], rows.add_columns(mine)))


def _tables(tenant: tuple[str, ...]) -> sa.MetaData:
    """The tables of this revision, or without ``tenant`` those of the one before."""
    made = sa.MetaData()
    sa.Table(
        "homes",
        made,
        *_key(*tenant, "id"),
        *_texts("name", "source"),
        _whole("version"),
        _real("imported_at"),
    )
    sa.Table(
        "imports",
        made,
        *_key(*tenant, "home_id"),
        _number("version"),
        _real("imported_at"),
        _whole("devices"),
    )
    _parts(made, tenant)
    _remembered(made, tenant)
    return made


def _parts(made: sa.MetaData, tenant: tuple[str, ...]) -> None:
    parts: dict[str, list[sa.Column[object]]] = {
        "floors": [*_texts("name"), *_json("aliases"), sa.Column("level", sa.Integer)],
        "rooms": [*_texts("name"), *_json("aliases"), sa.Column("floor_id", sa.String)],
        "profiles": _json("commands", "attributes"),
        "devices": [
            *_texts("name", "profile_id"),
            *_json("kinds", "aliases"),
            sa.Column("room_id", sa.String),
            *_json("categories", "tags", "states"),
            sa.Column("available", sa.Boolean, nullable=False),
        ],
        "scenes": [*_texts("name", "command_id"), *_json("aliases"), sa.Column("room_id", sa.String)],
        "groups": [*_texts("name"), *_json("members", "aliases")],
    }
    homes = [f"homes.{name}" for name in (*tenant, "id")]
    for name, columns in parts.items():
        belongs = sa.ForeignKeyConstraint([*tenant, "home_id"], homes, ondelete="CASCADE")
        sa.Table(name, made, *_key(*tenant, "home_id", "id"), _whole("position"), *columns, belongs)


def _remembered(made: sa.MetaData, tenant: tuple[str, ...]) -> None:
    session = (*tenant, "home_id", "session")
    sa.Table(
        "turns", made, *_key(*session), _number("position"), *_texts("role", "content"), *_json("device_ids")
    )
    sa.Table(
        "questions",
        made,
        *_key(*session),
        *_texts("id"),
        _whole("version"),
        *_json("utterance"),
        _real("asked_at"),
        *_texts("mark"),
        sa.UniqueConstraint(
            *tenant, "id", name="one_question_an_id_of_a_tenant" if tenant else "one_question_an_id"
        ),
    )
    sa.Table(
        "usage", made, *_key(*tenant, "home_id", "user", "device_id"), _whole("count"), _real("last_used")
    )
    learned = _texts("surface", "slot", "device_id", "device_kind", "action", "source")
    sa.Table("lessons", made, *_key(*tenant, "home_id"), _number("position"), *learned, _real("at"))
    words = _texts("surface", "kind", "target", "status")
    sa.Table(
        "lexicon_entries",
        made,
        *_key(*tenant, "home_id"),
        _number("number"),
        *words,
        _whole("count"),
        _whole("against"),
    )


def _key(*names: str) -> list[sa.Column[object]]:
    return [sa.Column(name, sa.String, primary_key=True) for name in names]


def _number(name: str) -> sa.Column[object]:
    """The last column of a key."""
    return sa.Column(name, sa.Integer, primary_key=True)


def _texts(*names: str) -> list[sa.Column[object]]:
    return [sa.Column(name, sa.String, nullable=False) for name in names]


def _json(*names: str) -> list[sa.Column[object]]:
    return [sa.Column(name, sa.JSON, nullable=False) for name in names]


def _whole(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.Integer, nullable=False)


def _real(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.Float, nullable=False)
