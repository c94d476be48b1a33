"""Alembic migrations of a store's schema; there is one, since nothing was released before it."""
