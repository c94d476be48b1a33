from __future__ import annotations

import hashlib
import json
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from winnow.adapters.stores.store import memory_storage
from winnow.adapters.testing.fakes import FrozenClock
from winnow.app.access import Access, expect_shared, key_scope
from winnow.errors import AccessError
from winnow.ports.services import run_blocking
from winnow.types.scope import AccessKey, Scope


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock()


@pytest.fixture
def access(clock: FrozenClock) -> Access:
    return Access(memory_storage(clock))


def code_of(access: Access, secret: str) -> str:
    with pytest.raises(AccessError) as caught:
        run_blocking(access.caller(secret))
    assert caught.value.hint
    return caught.value.code


def test_a_secret_opens_as_its_key_and_only_its_hash_is_kept(access: Access) -> None:
    issued = run_blocking(access.add("anna", "tablet", ["ida"]))
    assert run_blocking(access.caller(issued.secret)) == issued.key
    assert issued.key.digest == hashlib.sha256(issued.secret.encode()).hexdigest()
    assert issued.secret not in repr(issued)
    assert issued.key.digest not in repr(issued)


@pytest.mark.parametrize("tenant", ["default", "租户 1", "a_b", "\ud800"])
def test_the_tenant_comes_from_the_secret_whatever_it_is_called(access: Access, tenant: str) -> None:
    issued = run_blocking(access.add(tenant, "x"))
    assert run_blocking(access.caller(issued.secret)).tenant == tenant


def test_a_secret_in_which_another_tenant_is_written_opens_nothing(access: Access) -> None:
    anna, bert = (run_blocking(access.add(tenant, "x")).secret for tenant in ("anna", "bert"))
    forged = bert.rpartition("_")[0] + "_" + anna.rpartition("_")[2]
    assert code_of(access, forged) == "bad_key"


@pytest.mark.parametrize("secret", ["wk_", "wk__", "x", "wk_8_1", "wk_é_1", "wk_mfxg4yi_", " ", "wk_a\x00_1"])
def test_anything_else_opens_nothing(access: Access, secret: str) -> None:
    run_blocking(access.add("anna", "x"))
    assert code_of(access, secret) == "bad_key"


def test_a_key_that_was_revoked_opens_nothing_from_then_on(access: Access) -> None:
    issued = run_blocking(access.add("anna", "x"))
    run_blocking(access.revoke("anna", issued.key.id))
    assert code_of(access, issued.secret) == "ended_key"


def test_a_key_ends_by_itself(access: Access, clock: FrozenClock) -> None:
    issued = run_blocking(access.add("anna", "x", days=1))
    clock.seconds += 86_399
    run_blocking(access.caller(issued.secret))
    clock.seconds += 1
    assert code_of(access, issued.secret) == "ended_key"


def test_a_rotated_key_is_for_the_same_and_the_old_secret_may_last_a_while(
    access: Access, clock: FrozenClock
) -> None:
    old = run_blocking(access.add("anna", "x", ["ida"], ["flat"]))
    new = run_blocking(access.rotate("anna", old.key.id, hours=1))
    assert (new.key.users, new.key.homes, new.key.ends_at) == (("ida",), ("flat",), None)
    run_blocking(access.caller(old.secret))
    clock.seconds += 3600
    assert code_of(access, old.secret) == "ended_key"
    run_blocking(access.caller(new.secret))


def test_rotation_opens_no_key_again_and_prolongs_none(access: Access, clock: FrozenClock) -> None:
    old = run_blocking(access.add("anna", "x", days=1))
    new = run_blocking(access.rotate("anna", old.key.id, hours=100))
    assert new.key.ends_at == old.key.ends_at
    assert run_blocking(access.storage.access.key(Scope("anna"), old.key.digest)) == old.key
    run_blocking(access.revoke("anna", old.key.id))
    with pytest.raises(AccessError):
        run_blocking(access.rotate("anna", old.key.id, hours=1))
    assert code_of(access, old.secret) == "ended_key"


def test_another_tenants_key_cannot_be_rotated_or_revoked(access: Access) -> None:
    issued = run_blocking(access.add("anna", "x"))
    for work in (access.rotate("bert", issued.key.id), access.revoke("bert", issued.key.id)):
        with pytest.raises(AccessError) as caught:
            run_blocking(work)
        assert caught.value.code == "no_such_key"


def test_without_a_key_only_a_door_of_this_machine_is_open_and_only_until_there_is_one(
    access: Access,
) -> None:
    assert code_of(access, "") == "no_key"
    door = replace(access, open_tenant="anna")
    assert run_blocking(door.caller("")) == AccessKey("", "anna")
    issued = run_blocking(door.add("anna", "x"))
    assert code_of(door, "") == "no_key"
    run_blocking(door.revoke("anna", issued.key.id))
    assert code_of(door, "") == "no_key"  # the last key that ended does not open the door again


def test_a_request_chooses_among_what_the_key_has_and_never_beyond() -> None:
    key = AccessKey("d", "anna", "tablet", ("ida", "jo"), ("flat",))
    assert key_scope(key, "jo", session="s") == Scope("anna", "jo", "flat", "s")
    assert key_scope(AccessKey("d", "anna"), "bob", "attic") == Scope("anna", "bob", "attic")
    for given, code in {("bob", ""): "user", ("ida", "attic"): "home", ("", ""): "which_user"}.items():
        with pytest.raises(AccessError) as caught:
            key_scope(key, *given)
        assert (caught.value.code, bool(caught.value.hint)) == (code, True)
    with pytest.raises(AccessError) as caught:
        key_scope(replace(key, users=(), homes=("flat", "attic")))
    assert caught.value.code == "which_home"


def test_what_belongs_to_everybody_is_not_for_a_key_of_some_persons() -> None:
    expect_shared(AccessKey("d", "anna", homes=("flat",)))
    with pytest.raises(AccessError) as caught:
        expect_shared(AccessKey("d", "anna", users=("ida",)))
    assert caught.value.code == "shared"


def test_the_command_line_makes_lists_rotates_and_revokes(winnow, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("WINNOW_HOME", str(tmp_path))
    made = winnow("keys", "add", "tablet", "--user", "ida", "--home", "flat", "--json")
    key = json.loads(made.out)
    assert f"No home is stored as flat; the key {key['id']}" in made.err
    assert (key["users"], key["homes"], key["secret"][:3]) == (["ida"], ["flat"], "wk_")
    shown = winnow("keys", "list")
    assert (key["id"] in shown.out, "tablet: ida; flat" in shown.out) == (True, True)
    assert key["secret"] not in shown.out
    again = winnow("keys", "rotate", key["id"], "--hours", "1")
    assert again.out.splitlines()[-1].startswith("wk_")
    assert winnow("keys", "revoke", key["id"]).code == 0
    assert "ended" in winnow("keys", "list").out
    assert winnow("keys", "revoke", "nothing").code == 2
    kept = sqlite3.connect(tmp_path / "winnow.db")
    assert key["secret"] not in "\n".join(kept.iterdump())
    kept.close()


def test_a_key_for_a_home_that_is_stored_warns_of_nothing_and_one_misspelt_names_what_is(flat) -> None:
    assert flat("keys", "add", "tablet", "--home", "flat").err == ""
    made = flat("keys", "add", "tablet", "--home", "flta")
    assert (made.code, "stored as flta" in made.err, "Stored: flat." in made.err) == (0, True, True)
