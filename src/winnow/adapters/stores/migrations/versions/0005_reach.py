"""Devices are parts of others, or meant by name only; a home keeps what its import had to say.

What was imported before is spoken to as it was. Columns are added in place: a copy of the table of homes
would take with it all that hangs on its rows.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.add_column("devices", sa.Column("part_of", sa.String))
    op.add_column("devices", sa.Column("reach", sa.String, nullable=False, server_default="spoken"))
    op.add_column("devices", sa.Column("danger", sa.String, nullable=False, server_default=""))
    op.add_column("devices", sa.Column("reasons", sa.JSON, nullable=False, server_default="[]"))
    op.add_column("homes", sa.Column("notes", sa.JSON, nullable=False, server_default="[]"))


def downgrade() -> None:
    for name in ("part_of", "reach", "danger", "reasons"):
        op.drop_column("devices", name)
    op.drop_column("homes", "notes")
