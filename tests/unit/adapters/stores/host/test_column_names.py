"""Which column of a table of messages may be meant, by its name and by what it holds."""

from __future__ import annotations

import pytest

from winnow.adapters.stores.host.column_mapping import HostColumn, likely_column, nearest_column, snake_case


@pytest.mark.parametrize(
    ("name", "spelt"),
    [
        ("created_at", "created_at"),
        ("createdAt", "created_at"),
        ("CreatedAt", "created_at"),
        ("Created-At", "created_at"),
        ("created  at", "created_at"),
        ("CREATED_AT", "created_at"),
        ("userID", "user_id"),
        ("HTTPStatus", "http_status"),
        ("msg2Body", "msg2_body"),
        ("_id_", "id"),
        ("id", "id"),
        ("", ""),
    ],
)
def test_names_are_compared_however_they_are_spelt(name: str, spelt: str) -> None:
    assert snake_case(name) == spelt


def column(name: str, kind: str = "text", type_: str = "VARCHAR") -> HostColumn:
    return HostColumn(name, kind, type_)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("field", "columns", "taken", "meant"),
    [
        ("user", [column("author"), column("userId")], (), "userId"),  # the commoner name first
        ("user", [column("userId"), column("author")], ("userId",), "author"),
        ("user", [column("colour")], (), None),
        ("content", [column("body"), column("data", "json")], (), "body"),
        ("content", [column("data", "json")], (), "data"),
        ("content", [column("body", "integer")], (), None),  # no text is a number
        ("content", [column("body", "integer", "")], (), "body"),  # SQLite allows columns of no type
        ("created_at", [column("CreatedAt", "time")], (), "CreatedAt"),
        ("created_at", [column("created_at", "flag")], (), None),
        ("deleted", [column("is_deleted", "flag")], (), "is_deleted"),
        ("deleted", [column("status", "integer")], (), None),  # a number there need not mean gone
        ("deleted", [column("status")], (), "status"),
        ("vector", [column("embedding", "vector")], (), "embedding"),
        ("vector", [column("embedding")], (), None),
        ("id", [], (), None),
    ],
)
def test_the_column_that_is_meant_has_a_usual_name_and_can_hold_it(
    field: str, columns: list[HostColumn], taken: tuple[str, ...], meant: str | None
) -> None:
    found = likely_column(field, columns, taken)
    assert (found and found.name) == meant


@pytest.mark.parametrize(
    ("field", "name", "columns", "nearest"),
    [
        ("user", "userid", [column("UserId"), column("user_ids")], "user_ids"),
        ("user", "UserId", [column("user_id"), column("author")], "user_id"),  # only spelt otherwise
        ("content", "contnet", [column("content"), column("author")], "content"),
        ("content", "words", [column("body"), column("author")], "body"),  # what is usual
        ("content", "words", [column("colour")], ""),
        ("content", "authorial", [column("author_x")], "author_x"),
    ],
)
def test_for_a_name_that_is_not_there_the_nearest_is_told(
    field: str, name: str, columns: list[HostColumn], nearest: str
) -> None:
    assert nearest_column(field, name, {one.name: one for one in columns}) == nearest
