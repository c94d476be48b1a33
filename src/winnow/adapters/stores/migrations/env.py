"""Alembic's entry: the connection comes from ``winnow.adapters.stores.migrate``."""

from __future__ import annotations

from alembic import context

from winnow.adapters.stores.schema import metadata

context.configure(
    connection=context.config.attributes["connection"], target_metadata=metadata, render_as_batch=True
)
with context.begin_transaction():
    context.run_migrations()
