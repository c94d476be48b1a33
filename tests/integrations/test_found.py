"""What was found as one list, and texts made smaller: needs no framework."""

from __future__ import annotations

from winnow import Candidate, Engine, Ref, Shortlist
from winnow.integrations.found import found_items, smaller


def test_the_best_of_each_source_comes_before_the_second_best_of_any() -> None:
    found = [
        Shortlist(
            name, tuple(Candidate(Ref("passage", f"{name}{n}"), (), 1 - n / 9, f"text {n}") for n in range(3))
        )
        for name in ("history", "notes")
    ]
    items = found_items(found, 5)
    assert [item.id for item in items] == ["history0", "notes0", "history1", "notes1", "history2"]
    assert items[1].data == {"kind": "passage", "found_in": "notes", "score": 1.0}
    assert items[1].text == "text 0"


def test_an_item_tells_where_it_comes_from(engine: Engine) -> None:
    (item,) = found_items(engine.sync.search("how long is tea brewed?", user="bob"), 10)
    told = item.data
    assert isinstance(told, dict)
    assert (item.title, told["document"], told["found_in"], told["tier"]) == (
        "Tea",
        "tea",
        "public",
        "public",
    )
    assert 0 < told["score"] <= 1


def test_what_does_not_answer_goes_first() -> None:
    texts = [
        ("The mill was built in 1820. " + "Swallows nest there. " * 30, "mill"),
        ("Postcards are sold.", "shop"),
    ]
    kept = smaller(texts, "When was the mill built?", 20)
    assert next(one.item.data for one in kept if one.text) == "mill"
    assert "1820" in kept[0].text
