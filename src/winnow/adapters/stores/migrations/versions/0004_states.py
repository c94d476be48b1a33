"""What devices report has a table of its own.

What stood beside each device was read when its home was imported.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

KEY = ("tenant", "home_id", "device_id")


def upgrade() -> None:
    states = op.create_table(
        "states",
        *(sa.Column(name, sa.String, primary_key=True) for name in KEY),
        sa.Column("reported", sa.JSON, nullable=False),
        sa.Column("online", sa.Boolean, nullable=False),
        sa.Column("read_at", sa.Float, nullable=False),
        sa.Column("source", sa.String, nullable=False),
        sa.ForeignKeyConstraint(["tenant", "home_id"], ["homes.tenant", "homes.id"], ondelete="CASCADE"),
    )
    devices, homes = _table("devices"), _table("homes")
    columns = devices.c.tenant, devices.c.home_id, devices.c.id, devices.c.states, devices.c.available
    theirs = (devices.c.tenant == homes.c.tenant) & (devices.c.home_id == homes.c.id)
    known = sa.select(*columns, homes.c.imported_at, homes.c.source).select_from(devices.join(homes, theirs))
    into = [*KEY, "reported", "online", "read_at", "source"]
    op.execute(sa.insert(states).from_select(into, known))
    with op.batch_alter_table("devices") as table:
        table.drop_column("states")
        table.drop_column("available")


def downgrade() -> None:
    with op.batch_alter_table("devices") as table:
        table.add_column(sa.Column("states", sa.JSON, nullable=False, server_default="{}"))
        table.add_column(sa.Column("available", sa.Boolean, nullable=False, server_default=sa.true()))
    devices, states = _table("devices"), _table("states")
    same = (
        (states.c.tenant == devices.c.tenant)
        & (states.c.home_id == devices.c.home_id)
        & (states.c.device_id == devices.c.id)
    )
    known = {"states": states.c.reported, "available": states.c.online}
    before = {name: sa.select(column).where(same).scalar_subquery() for name, column in known.items()}
    op.execute(sa.update(devices).where(sa.exists().where(same)).values(before))
    with op.batch_alter_table("devices") as table:
        table.alter_column("states", server_default=None)
        table.alter_column("available", server_default=None)
    op.drop_table("states")


def _table(name: str) -> sa.Table:
    return sa.Table(name, sa.MetaData(), autoload_with=op.get_bind())
