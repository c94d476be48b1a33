"""All tables of a store, as its first release has them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def _key(*names: str) -> list[sa.Column[object]]:
    return [sa.Column(name, sa.String(), primary_key=True) for name in names]


def _texts(*names: str) -> list[sa.Column[object]]:
    return [sa.Column(name, sa.String(), nullable=False) for name in names]


def _json(*names: str) -> list[sa.Column[object]]:
    return [sa.Column(name, sa.JSON(), nullable=False) for name in names]


def upgrade() -> None:
    op.create_table(
        "accounts",
        *_key("tenant", "user", "id"),
        sa.Column("at", sa.Float(), nullable=False),
        *_json("account"),
    )
    op.create_table(
        "audit",
        *_key("tenant", "home_id"),
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("at", sa.Float(), nullable=False),
        *_texts("user", "kind", "act", "body", "previous", "hash"),
        sqlite_with_rowid=False,
    )
    op.create_index("audit_of_acts", "audit", ["tenant", "home_id", "act"])
    op.create_table(
        "chains",
        *_key("tenant", "home_id"),
        *_texts("name"),
        sa.Column("first", sa.Integer(), nullable=False),
        *_texts("after"),
        sa.Column("number", sa.Integer(), nullable=False),
        *_texts("hash", "seal"),
    )
    op.create_table(
        "claims",
        *_key("tenant", "space", "version", "key"),
        *_texts("batch"),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("until", sa.Float(), nullable=False),
    )
    op.create_table(
        "documents",
        *_key("tenant", "user", "tier", "id"),
        sa.Column("position", sa.Integer(), nullable=False),
        *_texts("title", "kind", "collection", "domain", "source"),
        sa.Column("importance", sa.Float(), nullable=False),
        sa.Column("credibility", sa.Float(), nullable=False),
        sa.Column("at", sa.DateTime()),
        *_texts("digest", "text"),
    )
    op.create_table(
        "facts",
        *_key("tenant", "user", "id"),
        sa.Column("position", sa.Integer(), nullable=False),
        *_texts("text", "subject", "attribute", "value"),
        sa.Column("at", sa.DateTime()),
        sa.Column("credibility", sa.Float(), nullable=False),
        *_texts("source", "status", "replaced_by", "reason"),
        sqlite_with_rowid=False,
    )
    op.create_index("facts_in_order", "facts", ["tenant", "user", "position"])
    op.create_table(
        "feedback",
        *_key("tenant", "user", "id"),
        sa.Column("at", sa.Float(), nullable=False),
        *_json("given"),
    )
    op.create_table(
        "histories",
        *_key("tenant", "user"),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("last", sa.Integer(), nullable=False),
        *_texts("mark"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "homes",
        *_key("tenant", "id"),
        *_texts("name", "source"),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("imported_at", sa.Float(), nullable=False),
        *_json("notes"),
    )
    op.create_table(
        "imports",
        *_key("tenant", "home_id"),
        sa.Column("version", sa.Integer(), primary_key=True),
        sa.Column("imported_at", sa.Float(), nullable=False),
        sa.Column("devices", sa.Integer(), nullable=False),
    )
    op.create_table(
        "lessons",
        *_key("tenant", "home_id"),
        sa.Column("position", sa.Integer(), primary_key=True),
        *_texts("surface", "slot", "device_id", "device_kind", "action", "source"),
        sa.Column("at", sa.Float(), nullable=False),
        *_texts("user"),
    )
    op.create_table(
        "lexicon_entries",
        *_key("tenant", "home_id"),
        sa.Column("number", sa.Integer(), primary_key=True),
        *_texts("surface", "kind", "target", "status"),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("against", sa.Integer(), nullable=False),
        *_texts("user"),
    )
    op.create_table(
        "marks",
        *_key("tenant", "user", "tier"),
        sa.Column("mark", sa.BigInteger(), primary_key=True),
        *_key("passage"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "messages",
        *_key("tenant", "user", "id"),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        *_texts("role", "content", "conversation"),
        sqlite_with_rowid=False,
    )
    op.create_index("messages_in_time", "messages", ["tenant", "user", "at", "position"])
    op.create_table(
        "overrides",
        *_key("tenant", "home_id", "thing_id"),
        *_texts("name"),
        *_json("aliases", "kinds"),
        *_texts("room_id", "danger"),
        sa.Column("reach", sa.String()),
    )
    op.create_table(
        "passages",
        *_key("tenant", "user", "tier", "id"),
        *_texts("document", "segment", "folded"),
        *_json("also", "headings"),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("marks", sa.LargeBinary(), nullable=False),
        *_texts("text"),
    )
    op.create_index("passages_of_documents", "passages", ["tenant", "user", "tier", "document"])
    op.create_index("passages_of_segments", "passages", ["tenant", "user", "tier", "segment"])
    op.create_table(
        "plans",
        *_key("tenant", "home_id", "user", "session", "id"),
        *_texts("state", "token_hash"),
        sa.Column("ends", sa.Float(), nullable=False),
        *_json("plan"),
    )
    op.create_index("plans_by_end", "plans", ["tenant", "ends", "id"])
    op.create_index("plans_of_tokens", "plans", ["tenant", "token_hash"])
    op.create_table(
        "questions",
        *_key("tenant", "home_id", "user", "session"),
        *_texts("id"),
        sa.Column("version", sa.Integer(), nullable=False),
        *_json("utterance"),
        sa.Column("asked_at", sa.Float(), nullable=False),
        *_texts("mark"),
        sa.UniqueConstraint("tenant", "id", name="one_question_an_id_of_a_tenant"),
    )
    op.create_table(
        "removals",
        *_key("tenant"),
        sa.Column("number", sa.Integer(), primary_key=True),
        *_texts("person"),
        sa.Column("at", sa.Float(), nullable=False),
    )
    op.create_table(
        "segments",
        *_key("tenant", "user", "tier", "id"),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        *_json("dead"),
        sa.Column("data", sa.LargeBinary(), nullable=False),
    )
    op.create_table(
        "shelves",
        *_key("tenant", "user", "tier"),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("last", sa.Integer(), nullable=False),
        *_texts("mark"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "spaces",
        *_key("tenant", "space", "version"),
        sa.Column("dimension", sa.Integer(), primary_key=True),
        sa.Column("asked", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("memory", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("store", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("joined", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("made", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("damaged", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("unkept", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("calls", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("failed", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("questions", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("evicted", sa.BigInteger(), nullable=False, server_default="0"),
    )
    op.create_table(
        "totals",
        *_key("tenant", "name"),
        sa.Column("count", sa.BigInteger(), nullable=False),
        sa.Column("sum", sa.Float(), nullable=False),
    )
    op.create_table(
        "turns",
        *_key("tenant", "home_id", "user", "session"),
        sa.Column("position", sa.Integer(), primary_key=True),
        *_texts("role", "content"),
        *_json("device_ids"),
    )
    op.create_table(
        "usage",
        *_key("tenant", "home_id", "user", "device_id"),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("last_used", sa.Float(), nullable=False),
    )
    op.create_table(
        "vectors",
        *_key("tenant", "key", "space", "version"),
        sa.Column("dimension", sa.Integer(), primary_key=True),
        sa.Column("vector", sa.LargeBinary(), nullable=False),
        sa.Column("checksum", sa.BigInteger(), nullable=False),
        sa.Column("made_at", sa.Float(), nullable=False),
    )
    op.create_table(
        "devices",
        *_key("tenant", "home_id", "id"),
        sa.Column("position", sa.Integer(), nullable=False),
        *_texts("name", "profile_id"),
        *_json("kinds", "aliases"),
        sa.Column("room_id", sa.String()),
        *_json("categories", "tags"),
        sa.Column("part_of", sa.String()),
        *_texts("reach", "danger"),
        *_json("reasons"),
        sa.ForeignKeyConstraint(["tenant", "home_id"], ["homes.tenant", "homes.id"], ondelete="CASCADE"),
    )
    op.create_table(
        "floors",
        *_key("tenant", "home_id", "id"),
        sa.Column("position", sa.Integer(), nullable=False),
        *_texts("name"),
        *_json("aliases"),
        sa.Column("level", sa.Integer()),
        sa.ForeignKeyConstraint(["tenant", "home_id"], ["homes.tenant", "homes.id"], ondelete="CASCADE"),
    )
    op.create_table(
        "groups",
        *_key("tenant", "home_id", "id"),
        sa.Column("position", sa.Integer(), nullable=False),
        *_texts("name"),
        *_json("members", "aliases"),
        sa.ForeignKeyConstraint(["tenant", "home_id"], ["homes.tenant", "homes.id"], ondelete="CASCADE"),
    )
    op.create_table(
        "profiles",
        *_key("tenant", "home_id", "id"),
        sa.Column("position", sa.Integer(), nullable=False),
        *_json("commands", "attributes"),
        sa.ForeignKeyConstraint(["tenant", "home_id"], ["homes.tenant", "homes.id"], ondelete="CASCADE"),
    )
    op.create_table(
        "rooms",
        *_key("tenant", "home_id", "id"),
        sa.Column("position", sa.Integer(), nullable=False),
        *_texts("name"),
        *_json("aliases"),
        sa.Column("floor_id", sa.String()),
        sa.ForeignKeyConstraint(["tenant", "home_id"], ["homes.tenant", "homes.id"], ondelete="CASCADE"),
    )
    op.create_table(
        "scenes",
        *_key("tenant", "home_id", "id"),
        sa.Column("position", sa.Integer(), nullable=False),
        *_texts("name", "command_id"),
        *_json("aliases"),
        sa.Column("room_id", sa.String()),
        sa.ForeignKeyConstraint(["tenant", "home_id"], ["homes.tenant", "homes.id"], ondelete="CASCADE"),
    )
    op.create_table(
        "states",
        *_key("tenant", "home_id", "device_id"),
        *_json("reported"),
        sa.Column("online", sa.Boolean(), nullable=False),
        sa.Column("read_at", sa.Float(), nullable=False),
        *_texts("source"),
        sa.ForeignKeyConstraint(["tenant", "home_id"], ["homes.tenant", "homes.id"], ondelete="CASCADE"),
    )
