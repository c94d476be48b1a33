"""What every store of messages promises."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, TypeVar

import pytest

from winnow.adapters.stores.history import MAX_LOGGED_CHANGES
from winnow.errors import StoreError
from winnow.ports.stores import MessageChanges, MessageStore, Storage
from winnow.types.message import HistoryVersion, Message
from winnow.types.scope import Scope

R = TypeVar("R")
IDA, JO = Scope(user="ida"), Scope(user="jo")
STRANGERS = (Scope("other", user="ida"), Scope(user=""), Scope(user="ida "), Scope(user="IDA"), JO)
SUNDAY = datetime(2026, 3, 1, 9, 30, 15, 250_000)  # noqa: DTZ001 - a wall clock has no zone
MOVED = Message("m1", "user", "我们三月搬到了杭州。", SUNDAY, "搬家")
ASKED = Message("m2", "assistant", "How is the new flat?", SUNDAY.replace(hour=10), "搬家")
UNDATED = Message("m3", "user", "Remember that I am left-handed.")


@pytest.fixture
def messages(storage: Storage) -> MessageStore:
    return storage.messages


def run(work: Coroutine[Any, Any, R]) -> R:
    return asyncio.run(work)


async def pages(store: MessageStore, scope: Scope, size: int = 1000) -> list[list[Message]]:
    return [list(page) async for page in store.stream(scope, size)]


def read(store: MessageStore, scope: Scope = IDA) -> list[Message]:
    return [message for page in run(pages(store, scope)) for message in page]


def test_a_history_of_nobody_is_empty(messages: MessageStore) -> None:
    assert run(messages.stamp(IDA)) == HistoryVersion(0)
    assert run(pages(messages, IDA)) == []
    assert run(messages.users(IDA)) == {}
    assert run(messages.forget(IDA)) == 0


def test_messages_come_back_as_they_were_said_oldest_first(messages: MessageStore) -> None:
    assert run(messages.add(IDA, [ASKED, MOVED])) == 2
    assert read(messages) == [MOVED, ASKED]


def test_what_has_no_time_comes_first_in_the_order_it_came_in(messages: MessageStore) -> None:
    others = [replace(UNDATED, id=f"z{9 - n}") for n in range(5)]
    run(messages.add(IDA, [MOVED, *others]))
    run(messages.add(IDA, [UNDATED]))
    assert read(messages) == [*others, UNDATED, MOVED]


def test_messages_of_one_moment_keep_the_order_they_came_in(messages: MessageStore) -> None:
    said = [replace(MOVED, id=f"z{9 - n}") for n in range(10)]
    run(messages.add(IDA, said[:4]))
    run(messages.add(IDA, said[4:]))
    assert read(messages) == said


@pytest.mark.parametrize("size", [1, 3, 7, 8, 100])
def test_pages_hold_so_many_at_most_and_nothing_is_left_out(messages: MessageStore, size: int) -> None:
    said = [replace(MOVED, id=f"m{n}", at=SUNDAY if n % 2 else None) for n in range(8)]
    run(messages.add(IDA, said))
    found = run(pages(messages, IDA, size))
    assert [len(page) for page in found[:-1]] == [size] * (len(found) - 1)
    assert sorted(m.id for page in found for m in page) == sorted(m.id for m in said)


def test_a_message_takes_the_place_of_the_one_of_its_id(messages: MessageStore) -> None:
    run(messages.add(IDA, [MOVED, ASKED]))
    edited = replace(MOVED, content="我们四月才搬。", role="ida", conversation="")
    assert run(messages.add(IDA, [edited, UNDATED])) == 1
    assert read(messages) == [UNDATED, edited, ASKED]
    assert run(messages.users(IDA)) == {"ida": 3}


def test_of_two_messages_of_one_id_the_later_stays(messages: MessageStore) -> None:
    assert run(messages.add(IDA, [MOVED, replace(ASKED, id="m1")])) == 1
    assert read(messages) == [replace(ASKED, id="m1")]


def test_every_change_gives_a_stamp_that_was_never_there(messages: MessageStore) -> None:
    stamps = [run(messages.stamp(IDA))]
    edited = replace(ASKED, content="How is the old flat?")
    for work in (
        messages.add(IDA, [MOVED]),
        messages.add(IDA, [ASKED]),
        messages.add(IDA, [edited]),
        messages.forget(IDA, ["m2"]),
        messages.add(IDA, [ASKED]),
        messages.forget(IDA, ["m1"]),
        messages.add(IDA, [MOVED]),
    ):
        run(work)
        stamps.append(run(messages.stamp(IDA)))
    assert len(set(stamps)) == len(stamps)
    assert [stamp.count for stamp in stamps] == [0, 1, 2, 2, 1, 2, 1, 2]


def test_what_happened_since_is_told_and_nothing_else(messages: MessageStore) -> None:
    assert isinstance(messages, MessageChanges)
    run(messages.add(IDA, [MOVED, ASKED]))
    before = run(messages.stamp(IDA))
    edited, late = replace(ASKED, content="How is the old flat?"), replace(MOVED, id="m0")
    run(messages.add(IDA, [edited, UNDATED, late]))
    run(messages.forget(IDA, ["m1"]))
    changes = run(messages.changes(IDA, before))
    assert changes is not None
    assert changes.version == run(messages.stamp(IDA))
    assert (changes.gone, changes.messages) == (frozenset({"m1", "m2"}), (UNDATED, late, edited))
    after = run(messages.changes(IDA, changes.version))
    assert after is not None
    assert (after.gone, after.messages) == (frozenset(), ())
    for stranger in STRANGERS:
        assert run(messages.changes(stranger, before)) is None or not stranger.user


def test_whoever_is_too_far_behind_reads_all_again(messages: MessageStore) -> None:
    many = [replace(MOVED, id=f"n{n}") for n in range(MAX_LOGGED_CHANGES + 2)]
    run(messages.add(IDA, [MOVED, *many]))
    assert isinstance(messages, MessageChanges)
    before = run(messages.stamp(IDA))
    run(messages.forget(IDA, [message.id for message in many]))
    assert run(messages.changes(IDA, before)) is None
    run(messages.forget(IDA))
    run(messages.add(IDA, [MOVED]))
    assert run(messages.changes(IDA, before)) is None


def test_a_history_that_was_forgotten_and_told_again_has_another_stamp(messages: MessageStore) -> None:
    run(messages.add(IDA, [MOVED]))
    before = run(messages.stamp(IDA))
    run(messages.forget(IDA))
    run(messages.add(IDA, [MOVED]))
    assert run(messages.stamp(IDA)) != before


def test_what_changes_nothing_leaves_the_stamp(messages: MessageStore) -> None:
    run(messages.add(IDA, [MOVED, ASKED, UNDATED]))
    before = run(messages.stamp(IDA))
    assert run(messages.add(IDA, [ASKED, MOVED])) == 0
    assert run(messages.add(IDA, [])) == 0
    assert run(messages.forget(IDA, ["nobody's"])) == run(messages.forget(IDA, [])) == 0
    run(messages.add(JO, [MOVED]))
    run(messages.forget(JO))
    assert run(messages.stamp(IDA)) == before


def test_only_what_is_named_is_forgotten(messages: MessageStore) -> None:
    run(messages.add(IDA, [MOVED, ASKED, UNDATED]))
    assert run(messages.forget(IDA, ["m1", "m1", "m9"])) == 1
    assert read(messages) == [UNDATED, ASKED]
    assert run(messages.forget(IDA)) == 2
    assert read(messages) == []
    assert run(messages.users(IDA)) == {}


def test_nobody_else_has_them_or_can_forget_them(messages: MessageStore) -> None:
    run(messages.add(IDA, [MOVED, ASKED]))
    before = run(messages.stamp(IDA))
    for scope in STRANGERS:
        assert read(messages, scope) == []
        assert run(messages.stamp(scope)) == HistoryVersion(0)
        assert run(messages.forget(scope, ["m1"])) == run(messages.forget(scope)) == 0
    assert run(messages.stamp(IDA)) == before
    assert run(messages.users(Scope("other"))) == {}


def test_two_persons_may_have_messages_of_the_same_ids(messages: MessageStore) -> None:
    for scope in (IDA, JO, Scope("other", user="ida")):
        assert run(messages.add(scope, [replace(MOVED, content=f"{scope.tenant} {scope.user}")])) == 1
    assert [m.content for m in read(messages)] == ["default ida"]
    assert run(messages.users(IDA)) == {"ida": 1, "jo": 1}


def test_a_home_and_a_session_do_not_matter(messages: MessageStore) -> None:
    run(messages.add(Scope(user="ida", home="flat", session="s"), [MOVED]))
    assert read(messages, Scope(user="ida", home="attic")) == [MOVED]


@pytest.mark.parametrize(
    ("scope", "message"),
    [
        (Scope(), MOVED),
        (Scope(user="i" * 501), MOVED),
        (Scope("t" * 501, user="ida"), MOVED),
        (IDA, replace(MOVED, id="杭" * 167)),
    ],
)
def test_a_name_that_cannot_be_kept_is_an_error_with_a_next_step(
    messages: MessageStore, scope: Scope, message: Message
) -> None:
    with pytest.raises(StoreError) as caught:
        run(messages.add(scope, [ASKED, message]))
    assert caught.value.hint
    assert read(messages, scope) == []


def test_any_text_comes_back_as_it_was(messages: MessageStore) -> None:
    odd = ["", "a\x00b", "\x1a", "\x1a0000", "\ud83d half", "👩\u200d👧 whole", "'; DROP TABLE messages; --"]
    odd += ["caf\u00e9", "cafe\u0301", "%", "_", "\\"]
    said = [Message(f"{n}{text}", text, text, conversation=text) for n, text in enumerate(odd)]
    run(messages.add(IDA, said))
    assert read(messages) == said
    assert run(messages.forget(IDA, [m.id for m in said])) == len(odd)


@pytest.mark.parametrize("year", [1, 1969, 9999])
def test_any_time_comes_back_to_the_microsecond(messages: MessageStore, year: int) -> None:
    at = SUNDAY.replace(year=year, month=12, day=31, microsecond=999_999)
    run(messages.add(IDA, [replace(MOVED, at=at)]))
    assert read(messages) == [replace(MOVED, at=at)]


def test_of_a_time_with_a_zone_the_clock_on_the_wall_is_kept(messages: MessageStore) -> None:
    run(messages.add(IDA, [replace(MOVED, at=SUNDAY.replace(tzinfo=UTC))]))
    assert read(messages) == [MOVED]


def test_long_histories_are_kept_and_forgotten_whole(messages: MessageStore) -> None:
    said = [replace(MOVED, id=f"m{n}") for n in range(1203)]
    assert run(messages.add(IDA, said)) == 1203
    assert run(messages.add(IDA, [replace(m, content="!") for m in said])) == 0
    assert {m.content for m in read(messages)} == {"!"}
    assert run(messages.forget(IDA, [m.id for m in said])) == 1203
