"""Nobody's messages are reached with another's name, whatever the names are, in every storage.

Names are chosen to be taken for each other: quotes and wildcards, letters that look alike or are folded by
some databases, NUL and half surrogate pairs, names at the length that is just kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from winnow.adapters.stores.database import MAX_KEY_BYTES
from winnow.adapters.stores.store import SqlStore, memory_storage
from winnow.adapters.testing.fakes import FrozenClock
from winnow.errors import StoreError
from winnow.ports.services import run_blocking
from winnow.ports.stores import MessageStore, Storage
from winnow.types.message import HistoryVersion, Message
from winnow.types.scope import Scope
from winnow.types.vector import Space

pytestmark = pytest.mark.slow

HOSTILE = (
    "ida",
    "Ida",
    "IDA",
    "ida ",
    " ida",
    "ıda",
    "idа",
    "ｉｄａ",
    "i\u0301da",
    "ída",
    "ida\x00",
    "ida\x00jo",
    "ida\x1a0000",
    "\x1a",
    "ida' OR '1'='1",
    'ida"; DROP TABLE messages; --',
    "%",
    "_da",
    "ida%",
    "\\",
    "ida\\",
    "\ud800",
    "\udfff",
    "😀",
    "null",
    "i" * MAX_KEY_BYTES,
    "i" * (MAX_KEY_BYTES - 1),
    "é" * (MAX_KEY_BYTES // 2),
    "ida\n",
    "ida\u200b",
    "ß",
    "ss",
    "İda",
)
"""Each is somebody else."""
NAMES = st.sampled_from(HOSTILE) | st.text(min_size=1, max_size=20)
SPACE = Space("table", "1", 2)


@pytest.fixture(scope="module", params=["memory", "sqlite", "postgresql"])
def storage(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Storage]:
    if request.param == "memory":
        yield memory_storage(FrozenClock())
        return
    path = tmp_path_factory.mktemp("persons") / "winnow.db"
    store = SqlStore.open(
        path if request.param == "sqlite" else request.getfixturevalue("one_postgres_store"), FrozenClock()
    )
    yield store.storage
    store.close()


async def all_of(messages: MessageStore, scope: Scope) -> list[Message]:
    return [message async for page in messages.stream(scope, 3) for message in page]


def test_each_of_the_names_is_a_person_of_their_own(storage: Storage) -> None:
    messages = storage.messages
    everybody = [Scope(tenant, user=user) for tenant in HOSTILE[:6] for user in HOSTILE]
    for scope in everybody:
        assert (
            run_blocking(messages.add(scope, [Message("m", scope.user, repr((scope.tenant, scope.user)))]))
            == 1
        )
    for scope in everybody:
        (mine,) = run_blocking(all_of(messages, scope))
        assert mine.content == repr((scope.tenant, scope.user))
    for tenant in HOSTILE[:6]:
        assert run_blocking(messages.users(Scope(tenant))).keys() == set(HOSTILE)
    for scope in everybody:
        assert run_blocking(messages.forget(scope)) == 1
    assert all(not run_blocking(messages.users(Scope(tenant))) for tenant in HOSTILE[:6])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    me=st.tuples(NAMES, NAMES),
    other=st.tuples(NAMES, NAMES),
    ids=st.lists(NAMES, min_size=1, max_size=3, unique=True),
)
def test_whatever_another_does_my_messages_stay_and_stay_mine(
    storage: Storage, me: tuple[str, str], other: tuple[str, str], ids: list[str]
) -> None:
    mine, theirs = Scope(me[0], user=me[1]), Scope(other[0], user=other[1])
    messages, said = storage.messages, [Message(i, "user", f"mine {n}") for n, i in enumerate(ids)]
    if mine == theirs:
        return
    run_blocking(messages.add(mine, said))
    before = run_blocking(messages.stamp(mine))
    assert run_blocking(all_of(messages, theirs)) == []
    assert run_blocking(messages.forget(theirs, ids)) == 0
    run_blocking(messages.add(theirs, [Message(i, "user", "theirs") for i in ids]))
    assert run_blocking(messages.forget(theirs)) == len(ids)
    assert run_blocking(messages.stamp(mine)) == before
    assert run_blocking(all_of(messages, mine)) == said
    assert run_blocking(messages.forget(mine)) == len(ids)
    assert run_blocking(messages.stamp(mine)) == HistoryVersion(0)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(mine=NAMES, theirs=NAMES, key=NAMES)
def test_vectors_of_another_tenant_are_not_found_nor_deleted(
    storage: Storage, mine: str, theirs: str, key: str
) -> None:
    if mine == theirs:
        return
    vectors, vector = storage.vectors, np.array([0.6, 0.8], "f4")
    run_blocking(vectors.put(Scope(mine), SPACE, {key: vector}))
    assert run_blocking(vectors.get(Scope(theirs), SPACE, [key])) == {}
    assert (
        run_blocking(vectors.forget(Scope(theirs), [key])) == run_blocking(vectors.forget(Scope(theirs))) == 0
    )
    assert run_blocking(vectors.forget(Scope(mine))) == 1


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=st.text(min_size=MAX_KEY_BYTES + 1, max_size=4 * MAX_KEY_BYTES))
def test_a_name_too_long_to_be_a_key_finds_nothing_and_keeps_nothing(storage: Storage, name: str) -> None:
    messages = storage.messages
    assert run_blocking(messages.stamp(Scope(user=name))) == HistoryVersion(0)
    assert run_blocking(messages.forget(Scope(user=name), [name])) == 0
    with pytest.raises(StoreError):
        run_blocking(messages.add(Scope(user=name), [Message("m", "user", "x")]))
    assert run_blocking(all_of(messages, Scope(user=name))) == []


READS = 1_000


def test_of_many_questions_with_names_that_look_alike_none_is_answered_with_anothers(
    storage: Storage,
) -> None:
    """Reads at random of all there is: a stamp, a page, the users; every row tells whose it is."""
    messages, random = storage.messages, Random(11)
    held = {(t, u): random.randint(1, 3) for t in HOSTILE[:6] for u in HOSTILE if random.random() < 0.6}
    for (tenant, user), number in held.items():
        said = [Message(f"m{n}", "user", repr((tenant, user))) for n in range(number)]
        run_blocking(messages.add(Scope(tenant, user=user), said))
    for _ in range(READS):
        who = random.choice(HOSTILE[:6]), random.choice(HOSTILE)
        found = run_blocking(all_of(messages, Scope(who[0], user=who[1])))
        assert [m.content for m in found] == [repr(who)] * held.get(who, 0)
    for tenant, user in held:  # the tests of one storage come in any order
        run_blocking(messages.forget(Scope(tenant, user=user)))
