"""Texts as every database keeps them."""

from __future__ import annotations

import re

import sqlalchemy as sa

MARK = "\x1a"
"""Stands before the number of a character that was put away. Unicode calls it ``SUBSTITUTE``."""
_ODD = re.compile(r"[\x00\x1a\ud800-\udfff]")
_PUT_AWAY = re.compile(r"\x1a([0-9a-f]{4})")


class Text(sa.TypeDecorator[str]):
    """Any Python text, and the same one back.

    PostgreSQL keeps no NUL and nobody keeps half a surrogate pair, though ids and messages of others may
    hold both. They are put away as four digits, so that no two texts become one and no key is ever refused.
    """

    impl = sa.String
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: sa.Dialect) -> str | None:  # noqa: ARG002
        """As it is kept."""
        if value is None or not _ODD.search(value):
            return value
        return _ODD.sub(lambda odd: f"{MARK}{ord(odd[0]):04x}", value)

    def process_result_value(self, value: str | None, dialect: sa.Dialect) -> str | None:  # noqa: ARG002
        """As it was given."""
        if value is None or MARK not in value:
            return value
        return _PUT_AWAY.sub(lambda away: chr(int(away[1], 16)), value)
