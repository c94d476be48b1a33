"""What MySQL is asked, where no server of it is at hand."""

from __future__ import annotations

from dataclasses import fields

import pytest
from sqlalchemy.dialects import mysql

from winnow.adapters.stores.host.column_mapping import ColumnKind, HostColumn
from winnow.adapters.stores.host.connection import HostDatabase
from winnow.adapters.stores.host.messages import RowQueries
from winnow.types.message import HostColumns, HostTable
from winnow.types.scope import Scope

MAPPING = HostColumns("key", "from user", "select", "who", "at", "talk", "", "state", "", "org")


def rows(user: ColumnKind = "text", state: ColumnKind = "text") -> RowQueries:
    kinds: dict[str, ColumnKind] = {"id": "integer", "user": user, "created_at": "time", "deleted": state}
    named = {f.name: getattr(MAPPING, f.name) for f in fields(HostColumns)}
    found = {f: HostColumn(name, kinds.get(f, "text"), "") for f, name in named.items() if name}
    return RowQueries(HostTable("mysql://h/db", "order", "shop", MAPPING), found, "mysql")


def sql(statement: object) -> str:
    return " ".join(str(statement.compile(dialect=mysql.dialect())).split())  # type: ignore[attr-defined]


def test_the_messages_of_one_person_by_bound_values_and_quoted_names() -> None:
    octets = "CAST(convert({} USING utf8mb4) AS BINARY)"
    same = [
        f"`from user` = %s AND {octets.format('`from user`')} = {octets.format('%s')}",
        f"org = %s AND {octets.format('org')} = {octets.format('%s')}",
    ]
    told = sql(rows(state="flag").messages())
    assert told == (
        "SELECT `key`, who, `select`, at, talk FROM shop.`order`"
        f" WHERE {same[0]} AND {same[1]} AND coalesce(state, %s) = 0 ORDER BY at, `key`"
    )


@pytest.mark.parametrize(
    ("state", "alive"),
    [
        ("time", "state IS NULL"),
        ("integer", "coalesce(state, %s) = 0"),
        ("text", "coalesce(lower(trim(CAST(state AS CHAR))), %s) NOT IN"),
    ],
)
def test_rows_that_are_not_deleted(state: ColumnKind, alive: str) -> None:
    assert alive in sql(rows(state=state).messages())


def test_the_stamp_is_one_statement_with_a_checksum() -> None:
    assert sql(rows().stamp).startswith(
        "SELECT count(*) AS count_1, CAST(max(at) AS CHAR) AS max_1, NULL AS anon_1,"
        " sum(crc32(concat_ws(%s, `key`, `select`))) AS sum_1 FROM shop.`order` WHERE "
    )


def test_a_number_is_compared_as_a_number() -> None:
    whole = rows(user="integer")
    assert "WHERE `from user` = %s AND org = %s" in sql(whole.messages())
    assert whole.whose(Scope("red", user="7")) == {"user": 7, "tenant": "red"}
    assert whole.whose(Scope("red", user=str((1 << 64) - 1))) == {"user": (1 << 64) - 1, "tenant": "red"}
    for other in ("07", "7abc", str(1 << 64)):
        assert whole.whose(Scope("red", user=other)) is None


def test_a_url_of_mariadb_is_one_of_mysql() -> None:
    assert HostDatabase("mariadb://u@h/db").kind == "mysql"
