"""What every store promises of texts that are being embedded."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from winnow.ports.services import run_blocking as run
from winnow.ports.stores import Storage
from winnow.types.scope import Scope
from winnow.types.vector import Space

MINE, OTHERS = Scope(), Scope("other")
SPACE, LATER, ELSEWHERE = Space("m", "1", 0), Space("m", "1", 2), Space("m", "2", 0)


def test_a_text_is_claimed_by_one_alone(storage: Storage) -> None:
    claims = storage.claims
    first = run(claims.take(MINE, SPACE, ["b", "a", "b"], 5.0))
    second = run(claims.take(MINE, LATER, ["c", "a", "d"], 6.0))
    assert (first.keys, second.keys) == (("b", "a"), ("c", "d"))
    assert first.batch != second.batch
    assert run(claims.take(MINE, SPACE, ["a"], 7.0)).keys == ()
    assert run(claims.take(OTHERS, SPACE, ["a"], 7.0)).keys == ("a",)
    assert run(claims.take(MINE, ELSEWHERE, ["a"], 7.0)).keys == ("a",)
    assert {claim.batch: claim for claim in run(claims.active_claims(MINE, SPACE))} == {
        first.batch: first,
        second.batch: second,
    }


def test_a_claim_ends_with_its_vectors_and_that_of_another_tenant_does_not(storage: Storage) -> None:
    for scope in (MINE, OTHERS):
        run(storage.claims.take(scope, SPACE, ["a", "b"], 5.0))
    run(storage.vectors.put(MINE, LATER, {"a": np.ones(2, "f4")}))
    assert [claim.keys for claim in run(storage.claims.active_claims(MINE, SPACE))] == [("b",)]
    run(storage.vectors.put(MINE, LATER, {"b": np.ones(2, "f4")}))
    assert run(storage.claims.active_claims(MINE, SPACE)) in ([], ())
    assert len(run(storage.claims.active_claims(OTHERS, SPACE))) == 1


def test_one_alone_takes_a_claim_over(storage: Storage) -> None:
    claims = storage.claims
    claim = run(claims.take(MINE, SPACE, ["a", "b"], 5.0))
    assert not run(claims.renew(OTHERS, claim, 9.0))
    assert run(claims.renew(MINE, claim, 9.0))
    assert not run(claims.renew(MINE, claim, 9.5))
    (now,) = run(claims.active_claims(MINE, SPACE))
    assert (now.keys, now.until) == (("a", "b"), 9.0)


def test_a_claim_that_is_dropped_leaves_its_texts_to_others(storage: Storage) -> None:
    claims = storage.claims
    claim = run(claims.take(MINE, SPACE, ["a", "b", "c"], 5.0))
    run(claims.drop(OTHERS, claim))
    assert run(claims.take(MINE, SPACE, ["a", "b"], 5.0)).keys == ()
    run(claims.drop(MINE, replace(claim, keys=("b",))))
    assert run(claims.take(MINE, SPACE, ["a", "b"], 5.0)).keys == ("b",)
    run(claims.drop(MINE, claim))
    assert run(claims.take(MINE, SPACE, ["a", "b", "c"], 5.0)).keys == ("a", "c")
