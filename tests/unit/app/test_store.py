"""What is printed for whoever looks after a server."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Run = Callable[..., Any]


def test_the_tables_of_an_empty_database_are_printed(winnow: Run) -> None:
    told = winnow("store", "sql").out
    assert "CREATE TABLE messages" in told
    assert told.rstrip().endswith(";")


def test_the_large_tables_are_divided_into_as_many_parts_as_asked_for(winnow: Run) -> None:
    assert winnow("store", "sql", "--partitions", "3").out.count("PARTITION OF messages ") == 3
    assert 'PARTITION BY HASH ("tenant")' in winnow("store", "sql", "--partitions", "3").out
    assert 'PARTITION BY HASH ("user")' in winnow("store", "sql", "--partitions", "3", "--by", "user").out


def test_all_tables_are_spread(winnow: Run) -> None:
    assert "create_distributed_table('messages', 'tenant'" in winnow("store", "sql", "--citus").out


def test_both_at_once_is_refused(winnow: Run) -> None:
    ran = winnow("store", "sql", "--citus", "--partitions", "4")
    assert (ran.code, "not both" in ran.err) == (2, True)


def test_the_doctor_names_the_server_without_a_password(
    winnow: Run, postgres_store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WINNOW_STORE", postgres_store.replace("postgres:@", "postgres:s3cret@"))
    ran = winnow("doctor")
    assert "postgresql://postgres:***@" in ran.out
    assert "s3cret" not in ran.out + ran.err
