"""The PostgreSQL that tests run against."""

from __future__ import annotations

import pytest
import sqlalchemy as sa


@pytest.mark.parametrize("turn", ["first", "second"])
def test_each_test_has_a_database_of_its_own_with_vectors(postgres: sa.URL, turn: str) -> None:
    engine = sa.create_engine(postgres, poolclass=sa.NullPool)
    with engine.begin() as db:
        assert sa.inspect(db).get_table_names() == []
        db.exec_driver_sql("CREATE EXTENSION vector")
        db.exec_driver_sql("CREATE TABLE seen (v vector(3))")
        major, minor = db.exec_driver_sql(
            "SELECT current_setting('server_version_num')::int / 10000, extversion FROM pg_extension"
            " WHERE extname = 'vector'"
        ).one()
        assert (major >= 16, tuple(int(n) for n in minor.split(".")) >= (0, 8)) == (True, True)
