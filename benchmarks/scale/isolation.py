"""Hostile names: whoever asks, and under whatever name, sees rows of exactly that name and no other.

Owners are called what databases have been tricked by: fragments of SQL, wildcards, NUL, look-alikes, other
case, spaces, beginnings of each other. All of them have messages of the same ids, and all tenants vectors of
the same keys, so that nothing but the scope tells them apart; each row says whose it is.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from random import Random
from typing import Any

import numpy as np
import sqlalchemy as sa
import yaml

from benchmarks import places
from benchmarks.scale.databases import store_at
from benchmarks.scale.loading import host_rows, host_table
from winnow.adapters.models.vector_cache import CachedVectors
from winnow.adapters.stores.host.messages import HostMessages
from winnow.adapters.stores.store import SqlStore
from winnow.app.wiring.engine import open_embedder
from winnow.errors import StoreError
from winnow.ports.services import run_blocking
from winnow.ports.stores import Messages, Storage, SystemClock
from winnow.retrieve.history.source import HistorySource
from winnow.types.candidate import Search
from winnow.types.message import Message
from winnow.types.scope import Scope
from winnow.types.vector import Space, text_key

Owner = tuple[str, str]
"""Tenant and user."""
SPACE = Space("marked", "1", 2)
AT = datetime(2024, 5, 1, 12)  # noqa: DTZ001 - a wall clock has no zone
LIMIT = 10
EDGES = (
    "",
    " ",
    "%",
    "_",
    "'",
    '"',
    "\\",
    "--",
    ";",
    "\0",
    "0",
    "a",
    "é",
    "\u0301",
    "\u200b",
    "*",
    "\t",
    "/**/",
)
"""What is put around a name to make another."""


@dataclass(slots=True)
class Rig:
    """The ports of one database, filled for all owners."""

    storage: Storage
    host: Messages
    own_source: HistorySource
    host_source: HistorySource
    serials: Mapping[Owner, int]
    """Owner -> what its rows of the store say."""
    host_serials: Mapping[Owner, int]
    """The same for the host's table, which cannot hold every name."""
    hints: Sequence[str]
    asked: Counter[str] = field(default_factory=Counter)
    strangers: list[str] = field(default_factory=list)
    """Every row of somebody else that was seen, and where."""


def names() -> dict[str, list[str]]:
    """``users``, ``tenants`` and ``hints`` that are hostile; each is another text."""
    told: dict[str, list[str]] = yaml.safe_load((places.DATA / "hostile_names.yaml").read_text("utf-8"))
    users = [*told["users"], "\ud800", "alice\udfff", "a" * 500, "a" * 499, "名" * 166]
    return {"users": users, "tenants": told["tenants"], "hints": told["hints"]}


def owners(tenants: int = 99) -> dict[Owner, int]:
    """Everybody who has rows, of the first ``tenants``, and the number that stands in them."""
    told = names()
    every = [(tenant, user) for tenant in told["tenants"][:tenants] for user in told["users"]]
    return {owner: number for number, owner in enumerate(every, 1)}


def messages_of(number: int) -> list[Message]:
    """What an owner said: two messages whose ids all owners share."""
    texts = (f"the lamp of owner {number} stands in the hall", f"owner {number} 说灯在书房，%_'\"")
    return [Message(f"m{n}", "user", text, AT) for n, text in enumerate(texts)]


def number_in(message: Message) -> int:
    """Whose a message is, by what it says."""
    words = message.content.split()
    return int(words[words.index("owner") + 1])


def fill_store(storage: Storage, serials: Mapping[Owner, int]) -> None:
    """Messages of every owner, a vector for each message's text and one that every tenant has."""
    for (tenant, user), number in serials.items():
        scope = Scope(tenant, user)
        run_blocking(storage.messages.add(scope, messages_of(number)))
    for tenant, number in _of_tenants(serials).items():
        row = np.array([number, 1], np.float32)
        run_blocking(
            storage.vectors.put(Scope(tenant), SPACE, {text_key(f"text {n}"): row for n in range(5)})
        )


def fill_host(engine: sa.Engine, table: sa.Table, serials: Mapping[Owner, int]) -> dict[Owner, int]:
    """The same rows in a host's table; those owners whose names it can hold."""
    held = {owner: number for owner, number in serials.items() if not any(map(_odd, owner))}
    rows = [
        {
            "id": f"{number}/{message.id}",
            "team": tenant,
            "user_id": user,
            "thread_id": "",
            "role": message.role,
            "content": message.content,
            "created_at": AT,
            "updated_at": AT,
        }
        for (tenant, user), number in held.items()
        for message in messages_of(number)
    ]
    with engine.begin() as db:
        db.execute(sa.insert(table), rows)
    return held


def _odd(name: str) -> bool:
    return any(sign == "\0" or "\ud800" <= sign <= "\udfff" for sign in name)


def _of_tenants(serials: Mapping[Owner, int]) -> dict[str, int]:
    return {tenant: number for number, tenant in enumerate(dict.fromkeys(t for t, _ in serials), 1)}


def attack(rig: Rig, count: int, seed: int = 0) -> dict[str, Any]:
    """``count`` random requests; how many of each kind, and rows of others that were seen.

    Afterwards every owner still has its rows.
    """
    rng = Random(f"isolation {seed}")
    kinds, shares = tuple(REQUESTS), tuple(share for _, share in REQUESTS.values())
    for kind in rng.choices(kinds, shares, k=count):
        scope = _somebody(rng, list(rig.serials))
        run_blocking(REQUESTS[kind][0](rig, rng, scope))
        rig.asked[kind] += 1
    run_blocking(_census(rig))
    return {"requests": sum(rig.asked.values()), "by_kind": dict(rig.asked), "strangers": len(rig.strangers)}


def _somebody(rng: Random, known: Sequence[Owner]) -> Scope:
    """An owner, one tenant's name with another's user, or a name that is nearly one."""
    tenant, user = rng.choice(known)
    if rng.random() < 0.5:
        return Scope(tenant, user)
    if rng.random() < 0.4:
        tenant = rng.choice(known)[0]
    if rng.random() < 0.8:
        user = _nearly(rng, user)
    else:
        tenant = _nearly(rng, tenant) or tenant
    return Scope(tenant, user)


def _nearly(rng: Random, name: str) -> str:
    """A name that something careless takes for this one."""
    turned = rng.choice(TURNS)(name)
    if rng.random() < 0.5:
        return turned
    return turned + rng.choice(EDGES) if rng.random() < 0.7 else rng.choice(EDGES) + turned


TURNS: tuple[Callable[[str], str], ...] = (
    str.upper,
    str.lower,
    str.casefold,
    str.swapcase,
    str.strip,
    lambda name: name[:-1],
    lambda name: name[1:],
    lambda name: name * 2,
    lambda name: name[::-1],
    lambda name: name.replace("'", "''"),
    lambda name: name.replace("\0", ""),
    lambda name: unicodedata.normalize("NFKC", name),
    lambda name: unicodedata.normalize("NFD", name),
    lambda name: f"{name}' OR '1'='1",
    lambda name: name,
)


async def _streamed(rig: Rig, rng: Random, scope: Scope) -> None:
    own = [m async for page in rig.storage.messages.stream(scope, rng.choice((1, 2, 1000))) for m in page]
    rig.strangers += _others(own, rig.serials, scope, "store")


async def _stamped(rig: Rig, rng: Random, scope: Scope) -> None:
    there = (scope.tenant, scope.user) in rig.serials
    stamp = await rig.storage.messages.stamp(scope)
    if stamp.count != 2 * there:
        rig.strangers.append(f"stamp of {scope}: {stamp.count}")


async def _read_host(rig: Rig, rng: Random, scope: Scope) -> None:
    there = (scope.tenant, scope.user) in rig.host_serials
    if (await rig.host.stamp(scope)).count != 2 * there:
        rig.strangers.append(f"stamp at the host of {scope}")
    found = [m async for page in rig.host.stream(scope) for m in page]
    rig.strangers += _others(found, rig.host_serials, scope, "host")


async def _searched(rig: Rig, rng: Random, scope: Scope) -> None:
    await _search(rig.own_source, rig, rng, scope, rig.serials)


async def _searched_host(rig: Rig, rng: Random, scope: Scope) -> None:
    await _search(rig.host_source, rig, rng, scope, rig.host_serials)


async def _search(
    source: HistorySource, rig: Rig, rng: Random, scope: Scope, serials: Mapping[Owner, int]
) -> None:
    hint = rng.choice(rig.hints)
    found = await source(Search(hint), scope, LIMIT)
    said = [Message("", "", c.data["text"]) for c in found.candidates if isinstance(c.data, dict)]
    rig.strangers += _others(said, serials, scope, f"search {hint!r}", most=len(found.candidates))


async def _vectors(rig: Rig, rng: Random, scope: Scope) -> None:
    """Every tenant has the same keys; those of the hints nobody has."""
    keys = [text_key(f"text {n}") for n in range(5)] + rng.sample(rig.hints, 2)
    number = _of_tenants(rig.serials).get(scope.tenant)
    for row in (await rig.storage.vectors.get(scope, SPACE, keys)).values():
        if row is None or row[0] != number:
            rig.strangers.append(f"vector of {scope}: {row}")


async def _listed(rig: Rig, rng: Random, scope: Scope) -> None:
    own = {user for tenant, user in rig.serials if tenant == scope.tenant}
    if set(await rig.storage.messages.users(scope)) != own:
        rig.strangers.append(f"users of {scope}")


async def _forgot(rig: Rig, rng: Random, scope: Scope) -> None:
    """Whoever has nothing deletes nothing; who adds something deletes that."""
    if (scope.tenant, scope.user) in rig.serials or not scope.user:
        return
    ids = rng.choice((None, ["m0", "m1"], [rng.choice(rig.hints)]))
    gone = await rig.storage.messages.forget(scope, ids)
    try:
        added = await rig.storage.messages.add(scope, messages_of(0)) if rng.random() < 0.3 else 0
    except StoreError:  # a name that is too long to be kept
        added = 0
    if gone or await rig.storage.messages.forget(scope) != added:
        rig.strangers.append(f"forgotten by {scope}")


REQUESTS: dict[str, tuple[Callable[[Rig, Random, Scope], Coroutine[Any, Any, None]], int]] = {
    "stream": (_streamed, 34),
    "stamp": (_stamped, 20),
    "host": (_read_host, 22),
    "search": (_searched, 7),
    "search_host": (_searched_host, 5),
    "vectors": (_vectors, 6),
    "users": (_listed, 2),
    "forget": (_forgot, 4),
}
"""What is requested, how it is checked, and its share."""


def _others(
    found: Iterable[Message], serials: Mapping[Owner, int], scope: Scope, where: str, most: int = 2
) -> list[str]:
    """What is there beside the scope's own messages, or missing of them."""
    own = serials.get((scope.tenant, scope.user))
    numbers = [number_in(message) for message in found]
    wanted = min(most, 2) if own is not None else 0
    others = [f"{where} of {scope}: {number}" for number in numbers if number != own]
    return others or ([f"{where} of {scope}: {len(numbers)}"] if len(numbers) != wanted else [])


async def _census(rig: Rig) -> None:
    """All rows are still there, as they were."""
    for (tenant, user), number in rig.serials.items():
        scope = Scope(tenant, user)
        rows = [m async for page in rig.storage.messages.stream(scope) for m in page]
        if rows != messages_of(number):
            rig.strangers.append(f"afterwards {scope}")


def rig(url: str, host_url: str, serials: Mapping[Owner, int], columns: str | None = None) -> Rig:
    """The ports over an empty store and an empty table of a host, filled for these owners.

    ``columns``: collation of the host's columns that say whose a row is.
    """
    storage, table = SqlStore.open(store_at(url), SystemClock()).storage, open_embedder()
    fill_store(storage, serials)
    engine = sa.create_engine(host_url)
    rows = host_rows(columns)
    rows.create(engine)
    held = fill_host(engine, rows, serials)
    engine.dispose()
    host = HostMessages(host_table(host_url))
    own, theirs = (
        HistorySource(messages, table, CachedVectors(table)) for messages in (storage.messages, host)
    )
    return Rig(storage, host, own, theirs, serials, held, names()["hints"])


def attacked(url: str, host_url: str, count: int) -> dict[str, Any]:
    """So many requests to a database that is filled for it."""
    return attack(rig(url, host_url, owners()), count)
