"""Run the migrations that ship with the package on an open connection."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.util import CommandError

from winnow.errors import Phrase, StoreError

MIGRATIONS_FOLDER = Path(__file__).parent / "migrations"


def alembic_config() -> Config:
    """Alembic's settings, without an ini file."""
    made = Config()
    made.set_main_option("script_location", str(MIGRATIONS_FOLDER).replace("%", "%%"))
    made.set_main_option("path_separator", "os")
    return made


def upgrade(db: sa.Connection, revision: str = "head") -> None:
    """Bring the schema up to the revision, inside the caller's transaction."""
    settings = alembic_config()
    settings.attributes["connection"] = db
    try:
        command.upgrade(settings, revision)
    except CommandError as error:
        raise StoreError(
            Phrase("The store has an unknown schema: {why}.", why=error),
            hint="It was written by a newer Winnow; upgrade this one.",
        ) from error
