"""What was changed and deleted last in a history, and what was added last."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("histories", sa.Column("changes", sa.JSON()))
    op.create_index("messages_by_position", "messages", ["tenant", "user", "position"])
