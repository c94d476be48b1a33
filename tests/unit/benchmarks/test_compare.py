"""Two checkouts are timed beside one another, each sentence by its best round."""

from __future__ import annotations

import io

from benchmarks.compare import FIVE, Tree, at, compared, spoken


def tree(name: str, *ms: float) -> Tree:
    return Tree(name, io.StringIO(), io.StringIO("".join(f"{m}\n" for m in ms)))


def test_each_sentence_counts_by_its_best_round() -> None:
    other, this = tree("other", 5, 9, 4, 8), tree("this", 3, 1, 2, 7)
    assert compared((other, this), ("a", "b"), rounds=1) == [[4, 8], [2, 1]]
    assert other.ask.getvalue() == '"a"\n"b"\n' * 2  # type: ignore[attr-defined]


def test_a_share_of_the_turns_is_not_slower() -> None:
    assert [at([3, 1, 2], share) for share in (0, 50, 95, 100)] == [1, 2, 3, 3]


def test_what_is_said_is_of_one_home_and_five_orders_are_five() -> None:
    said = spoken()
    assert len(said) > 50
    assert all(text.count("，") == 4 for text in FIVE)
