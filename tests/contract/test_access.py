"""What every store promises of the keys of programs."""

from __future__ import annotations

from dataclasses import replace

from winnow.ports.services import run_blocking
from winnow.ports.stores import Storage
from winnow.types.scope import AccessKey, Scope

ANNA, BERT = Scope("anna"), Scope("bert")
KEY = AccessKey("d" * 64, "anna", "tablet", ("ida", "jo"), ("flat",), 5.0, 90.0)


def test_keys_come_back_as_they_were_oldest_first(storage: Storage) -> None:
    bare = AccessKey("e" * 64, "anna", "\ud83d 平板", made_at=1.0)
    for key in (KEY, bare):
        run_blocking(storage.access.add(ANNA, key))
    assert list(run_blocking(storage.access.keys(ANNA))) == [bare, KEY]
    assert run_blocking(storage.access.key(ANNA, KEY.digest)) == KEY


def test_a_key_of_another_tenant_is_not_there_and_cannot_be_ended(storage: Storage) -> None:
    run_blocking(storage.access.add(ANNA, KEY))
    assert run_blocking(storage.access.key(BERT, KEY.digest)) is None
    assert list(run_blocking(storage.access.keys(BERT))) == []
    assert not run_blocking(storage.access.end(BERT, KEY.digest, 0.0))
    assert run_blocking(storage.access.key(ANNA, KEY.digest)) == KEY


def test_an_end_only_ever_comes_nearer(storage: Storage) -> None:
    run_blocking(storage.access.add(ANNA, replace(KEY, ends_at=None)))
    assert run_blocking(storage.access.end(ANNA, KEY.digest, 7.0))
    assert not run_blocking(storage.access.end(ANNA, KEY.digest, 8.0))
    found = run_blocking(storage.access.key(ANNA, KEY.digest))
    assert found is not None
    assert found.ends_at == 7.0
    assert (found.has_ended(6.9), found.has_ended(7.0)) == (False, True)
