"""Whatever is done to a chain is noticed."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from winnow.adapters.stores.audit import (
    ChainVerifier,
    chain_entries,
    chain_entry,
    chain_root,
    entry_line,
    entry_of,
    next_head,
)
from winnow.types.receipt import AuditEntry, ChainVerification, Record
from winnow.types.scope import Scope

HERE, THERE = Scope("anna", home="flat"), Scope("anna", home="hut")
KEY, OTHER = b"k" * 32, b"x" * 32
RECORDS = [Record(float(n), "ida", "refused", f"act{n}", {"said": f"words {n}"}) for n in range(8)]
Entries = list[AuditEntry]


def chain(key: bytes = b"", scope: Scope = HERE) -> Entries:
    return list(chain_entries(RECORDS, 0, chain_root(scope), key))


def look(
    entries: Entries, key: bytes = b"", whole: Entries | None = None, expected: str = ""
) -> ChainVerification:
    """What a look through them finds, beside the head of the whole chain."""
    seen = ChainVerifier(HERE, key, expected)
    seen.check_entries(entries)
    return seen.result(next_head(whole or chain(key), None, HERE) if whole != [] else None)


def kinds(found: ChainVerification) -> set[str]:
    return {flaw.kind for flaw in found.broken}


@pytest.mark.parametrize("key", [b"", KEY])
def test_a_whole_chain_holds(key: bytes) -> None:
    found = look(chain(key), key, expected=chain(key)[3].hash)
    assert (found.entries, found.head, found.broken) == (8, chain(key)[-1].hash, ())


def altered(entries: Entries, n: int, m: int) -> Entries:
    fields: list[dict[str, Any]] = [
        {"at": 99.0}, {"user": "jo"}, {"kind": "ended"}, {"act": "other"}, {"body": {"said": "never"}},
    ]  # fmt: skip
    entries[n] = replace(entries[n], record=replace(entries[n].record, **fields[m % 5]))
    return entries


def removed(entries: Entries, n: int, m: int) -> Entries:
    return [entry for k, entry in enumerate(entries) if k != n]


def exchanged(entries: Entries, n: int, m: int) -> Entries:
    """Two entries in each other's place, with each other's numbers."""
    m = m if m != n else (n + 1) % len(entries)
    one, other = entries[n], entries[m]
    entries[n], entries[m] = replace(other, number=one.number), replace(one, number=other.number)
    return entries


def inserted(entries: Entries, n: int, m: int) -> Entries:
    """One more that hangs on the right one, the rest renumbered."""
    before = entries[n - 1].hash if n else chain_root(HERE)
    made = chain_entry(replace(RECORDS[m], act="forged"), n + 1, before)
    return [*entries[:n], made, *(replace(entry, number=entry.number + 1) for entry in entries[n:])]


def doubled(entries: Entries, n: int, m: int) -> Entries:
    return [*entries[: n + 1], *entries[n:]]


def mixed(entries: Entries, n: int, m: int) -> Entries:
    """From there on the chain of another home."""
    return [*entries[:n], *chain_entries(RECORDS, 0, chain_root(THERE))[n:]]


CHANGES: list[Callable[[Entries, int, int], Entries]] = [
    altered,
    removed,
    exchanged,
    inserted,
    doubled,
    mixed,
]


@settings(max_examples=150, deadline=None)
@given(
    change=st.sampled_from(CHANGES), n=st.integers(0, 7), m=st.integers(0, 7), key=st.sampled_from([b"", KEY])
)
def test_every_change_is_found(
    change: Callable[[Entries, int, int], Entries], n: int, m: int, key: bytes
) -> None:
    assert look(change(chain(key), n, m), key).broken


@settings(max_examples=60, deadline=None)
@given(n=st.integers(0, 7), sealed=st.sampled_from([b"", OTHER]))
def test_nobody_forges_the_rest_of_a_chain_without_its_key(n: int, sealed: bytes) -> None:
    """All of it made anew from there on, and the head with it."""
    before = chain(KEY)[:n]
    after = before[-1].hash if before else chain_root(HERE)
    forged = [*before, *chain_entries([replace(r, user="jo") for r in RECORDS[n:]], n, after, sealed)]
    assert kinds(look(forged, KEY, forged)) & {"unsealed", "altered"}


@given(n=st.integers(0, 7))
def test_a_tail_that_was_cut_off_is_told_by_the_head_and_by_a_hash_kept_elsewhere(n: int) -> None:
    whole = chain()
    assert kinds(look(whole[:n], whole=whole)) == {"cut"}
    if n:  # the head made to fit as well
        assert look(whole[:n], whole=whole[:n]).broken == ()
        assert kinds(look(whole[:n], whole=whole[:n], expected=whole[-1].hash)) == {"expected"}


def test_entries_of_the_time_before_the_key_are_sealed_by_those_after_them() -> None:
    early = list(chain_entries(RECORDS[:4], 0, chain_root(HERE)))
    late = list(chain_entries(RECORDS[4:], 4, early[-1].hash, KEY))
    assert look([*early, *late], KEY, [*early, *late]).broken == ()
    assert kinds(look([*altered(early[:], 1, 0), *late], KEY, [*early, *late])) == {"altered"}
    open_again = chain_entry(RECORDS[0], 9, late[-1].hash)
    assert kinds(look([*early, *late, open_again], KEY, [*early, *late, open_again])) == {"unsealed"}


def test_the_same_wrong_of_neighbours_is_told_as_one() -> None:
    whole = chain()
    (flaw,) = look([whole[0], *whole[4:]]).broken
    assert (flaw.kind, flaw.first, flaw.last) == ("missing", 2, 4)
    assert kinds(look(whole, whole=[])) == {"head"}


LEAVES = st.none() | st.booleans() | st.floats() | st.integers() | st.text()


@given(st.recursive(LEAVES, lambda of: st.lists(of) | st.dictionaries(st.text(), of), max_leaves=8))
def test_whatever_is_put_on_record_holds_and_comes_back_from_a_line(value: object) -> None:
    made = list(chain_entries([Record(1, "", "refused", "a", {"value": value})], 0, chain_root(HERE), KEY))
    back = [entry_of(json.loads(entry_line(entry))) for entry in made]
    assert back == made
    assert look(back, KEY, made).broken == ()
