"""What every store of vectors promises."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import pytest

from winnow.ports import Storage, Vectors
from winnow.types.scope import Scope
from winnow.types.space import Space

if TYPE_CHECKING:
    from winnow.ports import Floats

R = TypeVar("R")
MINE, OTHERS = Scope(), Scope("other")
SPACE = Space("table", "1", 3)
NEAR = (Space("table", "2", 3), Space("tables", "1", 3), Space("table", "1", 4), Space("Table", "1", 3))
ONE, TWO = np.array([1, 0, -0.5], "f4"), np.array([0.1, 1e-30, 3e30], "f4")


@pytest.fixture
def vectors(storage: Storage) -> Vectors:
    return storage.vectors


def run(work: Coroutine[Any, Any, R]) -> R:
    return asyncio.run(work)


def same(found: Floats, vector: Floats) -> bool:
    return found.dtype == np.float32 and found.tobytes() == vector.tobytes()


def test_vectors_come_back_bit_by_bit_and_only_those_asked_for(vectors: Vectors) -> None:
    run(vectors.put(MINE, SPACE, {"a": ONE, "b": TWO}))
    found = run(vectors.get(MINE, SPACE, ["b", "nobody", "a"]))
    assert found.keys() == {"a", "b"}
    assert same(found["a"], ONE)
    assert same(found["b"], TWO)
    assert run(vectors.get(MINE, SPACE, [])) == {}


def test_what_was_made_later_takes_the_place(vectors: Vectors) -> None:
    run(vectors.put(MINE, SPACE, {"a": ONE, "b": ONE}))
    run(vectors.put(MINE, SPACE, {"a": TWO}))
    found = run(vectors.get(MINE, SPACE, ["a", "b"]))
    assert same(found["a"], TWO)
    assert same(found["b"], ONE)


def test_a_vector_of_another_space_is_never_taken(vectors: Vectors) -> None:
    for space in NEAR:
        run(vectors.put(MINE, space, {"a": np.ones(space.dimension, "f4")}))
    assert run(vectors.get(MINE, SPACE, ["a"])) == {}


def test_a_vector_of_another_dimension_is_refused(vectors: Vectors) -> None:
    with pytest.raises(ValueError, match="3 numbers"):
        run(vectors.put(MINE, SPACE, {"a": ONE, "b": np.ones(4, "f4")}))
    assert run(vectors.get(MINE, SPACE, ["a", "b"])) == {}


def test_what_becomes_of_a_given_array_changes_nothing(vectors: Vectors) -> None:
    given = ONE.copy()
    run(vectors.put(MINE, SPACE, {"a": given}))
    given[:] = 9
    found = run(vectors.get(MINE, SPACE, ["a"]))["a"]
    assert same(found, ONE)
    with pytest.raises(ValueError, match="read-only"):
        found[0] = 9


def test_another_tenant_has_none_of_them_and_cannot_delete_them(vectors: Vectors) -> None:
    run(vectors.put(MINE, SPACE, {"a": ONE}))
    run(vectors.put(OTHERS, SPACE, {"a": TWO, "b": TWO}))
    assert same(run(vectors.get(MINE, SPACE, ["a", "b"]))["a"], ONE)
    assert run(vectors.forget(OTHERS)) == 2
    assert run(vectors.get(MINE, SPACE, ["a", "b"])).keys() == {"a"}


def test_named_vectors_are_deleted_in_every_space(vectors: Vectors) -> None:
    for space in (SPACE, NEAR[0], NEAR[2]):
        run(vectors.put(MINE, space, {name: np.ones(space.dimension, "f4") for name in "abc"}))
    assert run(vectors.forget(MINE, ["a", "a", "c", "nobody"])) == 6
    assert run(vectors.forget(MINE, [])) == 0
    assert run(vectors.get(MINE, SPACE, ["a", "b", "c"])).keys() == {"b"}
    assert run(vectors.forget(MINE)) == 3


def test_thousands_are_kept_and_found_at_once(vectors: Vectors) -> None:
    many = {f"k{n}": np.array([n, 0, 1], "f4") for n in range(1203)}
    run(vectors.put(MINE, SPACE, many))
    found = run(vectors.get(MINE, SPACE, [*many, *many]))
    assert [found[name][0] for name in many] == list(range(1203))
    assert run(vectors.forget(MINE, list(many))) == 1203
