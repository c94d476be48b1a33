"""What every store of vectors promises."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import pytest

from winnow.ports.stores import Storage, Vectors
from winnow.types.scope import Scope
from winnow.types.vector import Space, Tally

if TYPE_CHECKING:
    from winnow.ports.stores import Floats

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


def same(found: Floats | None, vector: Floats) -> bool:
    assert found is not None
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
    assert found is not None
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
    assert [row[0] for name in many if (row := found[name]) is not None] == list(range(1203))
    assert run(vectors.stored_keys(MINE, SPACE, [*many, "nobody"])) == many.keys()
    assert run(vectors.size(MINE, SPACE)) == 1203
    assert run(vectors.forget(MINE, list(many))) == 1203


def test_what_is_held_and_how_much_is_told_of_the_tenant_and_space_alone(vectors: Vectors) -> None:
    run(vectors.put(MINE, SPACE, {"a": ONE}))
    run(vectors.put(MINE, NEAR[0], {"b": ONE}))
    run(vectors.put(OTHERS, SPACE, {"c": ONE}))
    assert set(run(vectors.stored_keys(MINE, SPACE, ["a", "b", "c"]))) == {"a"}
    assert run(vectors.size(MINE, SPACE)) == 1
    assert run(vectors.size(OTHERS, NEAR[0])) == 0


def test_all_keys_of_a_space_are_listed_some_at_a_time(vectors: Vectors) -> None:
    async def listed() -> list[list[str]]:
        return [list(page) async for page in vectors.keys(MINE, SPACE, 3)]

    run(vectors.put(MINE, SPACE, dict.fromkeys("gfedcba", ONE)))
    run(vectors.put(MINE, NEAR[0], {"h": ONE}))
    run(vectors.put(OTHERS, SPACE, {"i": ONE}))
    pages = run(listed())
    assert [len(page) for page in pages] == [3, 3, 1]
    assert sorted(key for page in pages for key in page) == list("abcdefg")


def test_what_is_counted_of_a_space_adds_up_and_goes_with_all_its_vectors(vectors: Vectors) -> None:
    run(vectors.put(MINE, SPACE, {"a": ONE}))
    run(vectors.put(MINE, SPACE, {"b": ONE}))
    run(vectors.put(OTHERS, SPACE, {"a": ONE}))
    assert run(vectors.tell(MINE, SPACE, Tally(asked=3, memory=1)))
    run(vectors.tell(MINE, SPACE, Tally(asked=2, damaged=7, evicted=1)))
    assert not run(vectors.tell(MINE, NEAR[0], Tally(asked=1)))
    assert run(vectors.spaces(MINE)) == {SPACE: Tally(asked=5, memory=1, damaged=7, evicted=1)}
    assert run(vectors.spaces(OTHERS)) == {SPACE: Tally()}
    run(vectors.forget(MINE, ["a", "b"]))
    assert run(vectors.spaces(MINE)).keys() == {SPACE}
    run(vectors.forget(MINE))
    assert run(vectors.spaces(MINE)) == {}
    assert run(vectors.spaces(OTHERS)) == {SPACE: Tally()}
