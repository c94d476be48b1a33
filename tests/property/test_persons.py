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

from winnow.adapters.stores.store import Store, memory_storage
from winnow.adapters.stores.validation import LONGEST
from winnow.adapters.testing.fakes import FrozenClock
from winnow.errors import StoreError
from winnow.ports.services import blocking
from winnow.ports.stores import MessageStore, Storage
from winnow.types.message import Message, Stamp
from winnow.types.scope import Scope
from winnow.types.vector import Space

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
    "i" * LONGEST,
    "i" * (LONGEST - 1),
    "é" * (LONGEST // 2),
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
    store = Store.open(
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
            blocking(messages.add(scope, [Message("m", scope.user, repr((scope.tenant, scope.user)))])) == 1
        )
    for scope in everybody:
        (mine,) = blocking(all_of(messages, scope))
        assert mine.content == repr((scope.tenant, scope.user))
    for tenant in HOSTILE[:6]:
        assert blocking(messages.users(Scope(tenant))).keys() == set(HOSTILE)
    for scope in everybody:
        assert blocking(messages.forget(scope)) == 1
    assert all(not blocking(messages.users(Scope(tenant))) for tenant in HOSTILE[:6])


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
    blocking(messages.add(mine, said))
    before = blocking(messages.stamp(mine))
    assert blocking(all_of(messages, theirs)) == []
    assert blocking(messages.forget(theirs, ids)) == 0
    blocking(messages.add(theirs, [Message(i, "user", "theirs") for i in ids]))
    assert blocking(messages.forget(theirs)) == len(ids)
    assert blocking(messages.stamp(mine)) == before
    assert blocking(all_of(messages, mine)) == said
    assert blocking(messages.forget(mine)) == len(ids)
    assert blocking(messages.stamp(mine)) == Stamp(0)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(mine=NAMES, theirs=NAMES, key=NAMES)
def test_vectors_of_another_tenant_are_not_found_nor_deleted(
    storage: Storage, mine: str, theirs: str, key: str
) -> None:
    if mine == theirs:
        return
    vectors, vector = storage.vectors, np.array([0.6, 0.8], "f4")
    blocking(vectors.put(Scope(mine), SPACE, {key: vector}))
    assert blocking(vectors.get(Scope(theirs), SPACE, [key])) == {}
    assert blocking(vectors.forget(Scope(theirs), [key])) == blocking(vectors.forget(Scope(theirs))) == 0
    assert blocking(vectors.forget(Scope(mine))) == 1


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=st.text(min_size=LONGEST + 1, max_size=4 * LONGEST))
def test_a_name_too_long_to_be_a_key_finds_nothing_and_keeps_nothing(storage: Storage, name: str) -> None:
    messages = storage.messages
    assert blocking(messages.stamp(Scope(user=name))) == Stamp(0)
    assert blocking(messages.forget(Scope(user=name), [name])) == 0
    with pytest.raises(StoreError):
        blocking(messages.add(Scope(user=name), [Message("m", "user", "x")]))
    assert blocking(all_of(messages, Scope(user=name))) == []


READS = 1_000


def test_of_many_questions_with_names_that_look_alike_none_is_answered_with_anothers(
    storage: Storage,
) -> None:
    """Reads at random of all there is: a stamp, a page, the users; every row tells whose it is."""
    messages, random = storage.messages, Random(11)
    held = {(t, u): random.randint(1, 3) for t in HOSTILE[:6] for u in HOSTILE if random.random() < 0.6}
    for (tenant, user), number in held.items():
        said = [Message(f"m{n}", "user", repr((tenant, user))) for n in range(number)]
        blocking(messages.add(Scope(tenant, user=user), said))
    for _ in range(READS):
        who = random.choice(HOSTILE[:6]), random.choice(HOSTILE)
        found = blocking(all_of(messages, Scope(who[0], user=who[1])))
        assert [m.content for m in found] == [repr(who)] * held.get(who, 0)
    for tenant, user in held:  # the tests of one storage come in any order
        blocking(messages.forget(Scope(tenant, user=user)))
