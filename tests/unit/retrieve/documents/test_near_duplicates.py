"""Which passages stand for others."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest

from winnow.retrieve.documents.ingest import (
    DuplicateSearch,
    minhash_bands,
    shingle_overlap,
    shingles,
)
from winnow.types.document import Document, Passage

BOILER = (
    "The boiler in the cellar was serviced on 3 May by Mr Alder, who replaced the pressure valve and told us "
    "that the pump makes noise when the water is low. The next service is due in a year."
)
POND = "池塘的水泵每年四月要清洗一次，去年是小林洗的，花了整整一个下午，今年轮到阿梅。"
OLD, NEW = datetime(2024, 1, 1), datetime(2025, 1, 1)  # noqa: DTZ001 - a wall clock has no zone


def passage(id_: str, text: str, **about: object) -> Passage:
    return Passage(id_, Document(f"{id_}.md", **about), text)


def folded(known: Passage, fresh: Passage) -> dict[str, str]:
    return DuplicateSearch([fresh]).duplicates([known])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (BOILER, BOILER),
        (BOILER, BOILER.upper().replace(",", " -")),
        (BOILER, BOILER.replace(" ", "\n")),
        (POND, POND.replace("，", ", ")),
    ],
)
def test_what_says_the_same_is_folded(one: str, other: str) -> None:
    assert folded(passage("old", one), passage("new", other)) == {"new": "old"}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (BOILER, BOILER.replace("3 May", "4 May")),
        (BOILER, BOILER.replace("Alder", "Birch")),
        (POND, POND.replace("小林", "老周")),
        (BOILER, POND),
        ("Yes.", "Yes."),
    ],
)
def test_what_says_anything_else_is_not(one: str, other: str) -> None:
    assert folded(passage("old", one), passage("new", other)) == {}


def test_what_says_more_stands_for_what_says_less() -> None:
    more = BOILER + " Ask him again."
    assert folded(passage("old", BOILER), passage("new", more)) == {"old": "new"}
    assert folded(passage("old", more), passage("new", BOILER)) == {"new": "old"}


@pytest.mark.parametrize(
    ("known", "fresh", "kept"),
    [
        ({"at": OLD}, {"at": NEW}, "new"),
        ({"at": NEW}, {"at": OLD}, "old"),
        ({"credibility": 0.9, "at": OLD}, {"at": NEW}, "old"),
        ({"importance": 0.9, "at": OLD}, {"at": NEW}, "old"),
        ({"importance": 0.9}, {"credibility": 0.9}, "new"),
        ({}, {"at": OLD}, "new"),
    ],
)
def test_the_more_credible_then_more_important_then_newer_stands_for_both(
    known: dict[str, object], fresh: dict[str, object], kept: str
) -> None:
    (into,) = folded(passage("old", BOILER, **known), passage("new", BOILER, **fresh)).values()
    assert into == kept


def test_many_copies_have_one_that_stands_for_all() -> None:
    copies = [passage(f"p{n}", BOILER + " " * n) for n in range(5)]
    newest = passage("p9", BOILER, at=NEW)
    found = DuplicateSearch([*copies, newest]).duplicates([passage("old", BOILER)])
    assert found == dict.fromkeys(["old", *(copy.id for copy in copies)], "p9")


def test_marks_are_those_of_the_words_alone() -> None:
    assert minhash_bands(shingles(BOILER)) == minhash_bands(shingles(BOILER.upper()))
    assert len(minhash_bands(shingles(BOILER))) == 5
    assert minhash_bands(shingles("short")) == ()
    assert all(-(2**63) <= mark < 2**63 for mark in minhash_bands(shingles(POND)))


def test_of_texts_that_share_nine_tenths_nearly_all_have_a_mark_in_common() -> None:
    words = [f"w{n}x{n * n}" for n in range(120)]
    met = 0
    for n in range(100):
        said, other = [*words, f"end{n}"], [*words, f"end{n}"]
        other[n] = f"other{n}"
        one, two = shingles(" ".join(said)), shingles(" ".join(other))
        assert shingle_overlap(one, two) > 0.9
        met += bool(set(minhash_bands(one)) & set(minhash_bands(two)))
    assert met >= 95


def test_a_passage_is_not_folded_into_one_of_a_replaced_document() -> None:
    fresh = passage("new", BOILER)
    assert DuplicateSearch([fresh, replace(fresh, id="twin")]).duplicates([]) == {"twin": "new"}
