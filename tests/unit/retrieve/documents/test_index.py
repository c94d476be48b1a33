"""Segments become one index, whatever the order and number they come in."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.retrieve.documents.library import ALL, TEXTS, ask, ids, index_of, passage

from winnow.ports.stores import Segment
from winnow.retrieve.documents.features import find_passages
from winnow.retrieve.documents.index import PassageIndex, readable, segment_of
from winnow.retrieve.documents.postings import passage_terms
from winnow.types.candidate import Search
from winnow.types.document import Document, Passage

QUESTIONS = ("when do I feed the starter", "自行车链条多久上油", "deposit of the lease", "炭火烘焙茶叶")


def weights(index: PassageIndex, question: str) -> dict[str, float]:
    return index.rarity(passage_terms(question))


@pytest.mark.parametrize("question", QUESTIONS)
def test_many_segments_score_as_one_does(question: str) -> None:
    one, many = index_of(ALL), index_of(*[[each] for each in ALL])
    assert ids(ask(one, question)) == ids(ask(many, question))
    scores = [candidate.score for candidate in ask(one, question).candidates]
    assert scores == pytest.approx([candidate.score for candidate in ask(many, question).candidates])


@pytest.mark.parametrize("question", QUESTIONS)
def test_an_index_grows_to_what_it_would_have_been(question: str) -> None:
    grown = index_of(ALL[:3])
    for number, each in enumerate(ALL[3:], 1):
        known = [Segment(id_, b"") for id_ in grown.segments]
        grown = grown.extend([*known, Segment(f"s{number}", segment_of([each]))])
    assert ids(ask(grown, question)) == ids(ask(index_of(ALL), question))


def test_few_parts_stay_however_often_an_index_grows() -> None:
    index = PassageIndex()
    for number in range(64):
        known = [Segment(id_, b"") for id_ in index.segments]
        one = segment_of([passage(f"p{number}", f"note {number} about tides")])
        index = index.extend([*known, Segment(f"s{number}", one)])
    assert index.size == 64
    assert len(index.parts) <= 7


def test_what_is_dead_is_not_found_and_a_segment_that_is_not_told_is_gone() -> None:
    index = index_of(ALL[:2], ALL[2:])
    masked = index.extend([Segment("s0", b"", frozenset({"starter"})), Segment("s1", b"")])
    assert "starter" not in ids(ask(masked, "feed the starter"))
    assert masked.size == len(ALL) - 1
    gone = index.extend([Segment("s1", b"")])
    assert ids(ask(gone, "bake the loaf")) == []
    assert gone.size == len(ALL) - 2


def test_an_index_is_worn_when_most_of_it_is_no_longer() -> None:
    index = index_of(ALL)
    assert not index.is_mostly_dead
    assert index.extend([Segment("s0", b"", frozenset(list(TEXTS)[:5]))]).is_mostly_dead


@pytest.mark.parametrize(("dead", "worn"), [(3, False), (4, True)])
def test_an_index_of_which_more_is_gone_than_left_is_worn(dead: int, worn: bool) -> None:
    index = index_of(ALL).extend([Segment("s0", b"", frozenset(list(TEXTS)[:dead]))])
    assert (index.rows, index.size, index.is_mostly_dead) == (7, 7 - dead, worn)


def test_an_index_tells_how_much_of_it_is_chinese_and_what_it_is_made_of() -> None:
    index = index_of(ALL[:4], ALL[4:])
    assert index.chinese == pytest.approx(3 / 7)
    assert index.segments == {"s0", "s1"}
    assert PassageIndex().chinese == 0
    assert index_of(ALL).bytes > index_of(ALL[:2]).bytes > 0


def test_a_passage_that_is_dead_in_one_segment_is_found_in_a_later_one() -> None:
    new = passage("starter", "Feed the starter in the evening with wheat.")
    index = index_of(ALL).extend(
        [Segment("s0", b"", frozenset({"starter"})), Segment("s1", segment_of([new]))]
    )
    assert ids(ask(index, "wheat in the evening", [new])) == ["starter"]


def test_nothing_makes_an_index_of_nothing() -> None:
    assert ids(ask(PassageIndex(), "anything")) == []
    empty = PassageIndex.of([Segment("s0", segment_of([]))])
    assert (empty.size, ids(ask(empty, "anything"))) == (0, [])
    assert ids(ask(index_of(ALL), "")) == []


@pytest.mark.parametrize("text", ["", "\ud800 half a character", "…", "a" * 20_000, "茶\x00叶"])
def test_any_text_can_be_indexed(text: str) -> None:
    index = index_of([Passage("odd", Document("d", text[:50]), text), *ALL])
    assert index.size == len(ALL) + 1


def test_a_segment_of_another_version_or_torn_is_refused() -> None:
    data = segment_of(ALL)
    other = bytes([data[0] + 1]) + data[1:]
    assert readable(data)
    assert not readable(other)
    assert not readable(b"")
    for wrong in (other, data[:20], data[:1] + b"\x00" * 40):
        with pytest.raises(ValueError, match="segment"):
            PassageIndex.of([Segment("s0", wrong)])


def test_the_same_passages_make_the_same_bytes() -> None:
    assert segment_of(ALL) == segment_of(ALL)


def test_the_rarer_a_term_the_more_it_tells_and_one_that_nobody_says_tells_most() -> None:
    common, rare, never = weights(index_of(ALL, [passage("p", "a boiler")]), "boiler lease unsaid").values()
    assert never > rare > common > 0


def test_a_title_is_searched_too() -> None:
    titled = Passage("t", Document("d1", "Chimney sweeps"), "They come twice a year, in May and in October.")
    assert ids(ask(index_of([titled, *ALL]), "chimney", [titled])) == ["t"]


def test_a_heading_is_searched_too() -> None:
    under = Passage("h", Document("d"), "Twice a year.", headings=("House", "Gutters"))
    assert ids(ask(index_of([under, *ALL]), "gutters", [under])) == ["h"]


def test_scores_have_a_place_for_every_row() -> None:
    index = index_of(ALL[:4], ALL[4:])
    scores = index.scores(weights(index, "boiler"))
    assert scores.shape == (len(ALL),)
    assert [index.id(int(row)) for row in np.flatnonzero(scores)] == ["boiler"]
    with pytest.raises(IndexError):
        index.id(len(ALL))


def test_what_the_talk_turns_on_adds_to_the_score_and_not_to_what_is_asked() -> None:
    index = index_of(ALL)
    plain, turned = (
        Search("what of it every morning"),
        Search("what of it every morning", context={"valv": 0.5}),
    )
    assert find_passages(plain, index, 5).ids == ("starter",)
    assert find_passages(turned, index, 5).ids == ("starter", "boiler")
    assert find_passages(plain, index, 5).question.rarity == find_passages(turned, index, 5).question.rarity
