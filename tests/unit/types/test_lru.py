"""A bounded memory keeps what was used last, by number and by bytes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from winnow.types.lru import LruCache


def test_what_was_used_longest_ago_goes_first() -> None:
    cache: LruCache[str, int] = LruCache(2)
    assert [cache.put("a", 1), cache.put("b", 2), cache.get("a"), cache.put("c", 3)] == [0, 0, 1, 1]
    assert cache.items() == (("a", 1), ("c", 3))
    assert "b" not in cache
    assert cache.get("b") is None


def test_looking_whether_a_key_is_there_is_no_use() -> None:
    cache: LruCache[str, int] = LruCache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    assert "a" in cache
    cache.put("c", 3)
    assert "a" not in cache


def test_entries_are_dropped_by_key_and_value_and_their_bytes_with_them() -> None:
    cache: LruCache[str, str] = LruCache(9, 99, len)
    for key in ("a", "b", "c"):
        cache.put(key, key * 3)
    cache.drop(lambda key, value: key == "a" or value == "bbb")
    assert (cache.values(), cache.bytes) == (("ccc",), 3)
    assert (cache.pop("c"), cache.pop("c"), cache.bytes) == ("ccc", None, 0)
    cache.put("d", "d")
    cache.clear()
    assert (len(cache), cache.bytes) == (0, 0)


def test_values_that_grow_are_measured_anew() -> None:
    cache: LruCache[int, list[int]] = LruCache(9, 3, len, grows=True)
    first = [1]
    cache.put(1, first)
    cache.put(2, [2])
    first += [1, 1]
    assert cache.bytes == 4
    assert cache.put(3, [3]) == 1
    assert cache.values() == ([2], [3])


@given(st.lists(st.tuples(st.integers(0, 9), st.text(max_size=5))), st.integers(1, 5), st.integers(0, 12))
def test_bounds_hold_and_the_newest_always_stays(
    puts: list[tuple[int, str]], most: int, most_bytes: int
) -> None:
    cache: LruCache[int, str] = LruCache(most, most_bytes, len)
    evicted = 0
    for number, (key, value) in enumerate(puts, 1):
        evicted += cache.put(key, value)
        assert len(cache) <= most
        assert cache.bytes == sum(map(len, cache.values()))
        assert cache.bytes <= most_bytes or len(cache) == 1
        assert cache.values()[-1] == value
        assert evicted + len(cache) <= number
