"""What is read of the passages that were found decides their order, and says why."""

from __future__ import annotations

import pytest
from benchmarks.knowledge import best_sentences
from tests.unit.retrieve.documents.library import ALL, ask, ids, index_of, passage

from winnow.adapters.models.embedders import StaticEmbedder
from winnow.retrieve.documents.features import find_passages
from winnow.retrieve.documents.rank import apply_feedback, rank_passages
from winnow.types.candidate import Candidate, Search
from winnow.types.document import Document, Passage

TABLE = StaticEmbedder()


def lanes(candidate: Candidate) -> dict[str, float]:
    return {evidence.lane: evidence.score for evidence in candidate.evidence}


def test_words_in_one_sentence_count_more_than_words_far_apart() -> None:
    near = passage("near", "The ferry to Senja leaves from the north quay. Tickets are sold on board.")
    apart = passage("apart", "The north is old. Bread is sold at a quay. A ferry is a boat. Senja is far.")
    found = ask(index_of([apart, near]), "from which quay does the ferry to Senja leave", [near, apart])
    assert ids(found) == ["near", "apart"]
    first_, second = map(lanes, found.candidates)
    assert first_["sentence"] > second["sentence"]


def test_a_title_that_is_asked_for_as_a_whole_puts_its_passage_first() -> None:
    named = Passage("named", Document("d1", "Rye bread"), "Mix, wait a night, shape and bake.")
    other = Passage("other", Document("d2", "Rye bread with walnuts"), "Mix, wait a night, shape and bake.")
    assert ids(ask(index_of([other, named, *ALL]), "how do I make rye bread", [named, other])) == [
        "named",
        "other",
    ]


def test_scores_fall_and_the_reasons_are_shares() -> None:
    found = ask(index_of(ALL), "the starter, the loaf and the boiler", limit=5)
    scores = [candidate.score for candidate in found.candidates]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= value <= 1.001 for candidate in found.candidates for value in lanes(candidate).values())
    assert {"words", "covered", "share", "margin"} <= lanes(found.candidates[0]).keys()


def test_the_weights_of_a_shortlist_are_those_of_its_content_terms() -> None:
    found = ask(index_of(ALL), "自行车链条")
    assert {"链条", "行车", "链"} <= found.weights.keys()
    assert all(value > 0 for value in found.weights.values())


@pytest.mark.parametrize(("question", "wanted"), [("bicycle chain oil", "bike"), ("锅炉的压力", "boiler")])
def test_a_question_in_one_language_finds_what_is_said_in_the_other(question: str, wanted: str) -> None:
    index, search = index_of(ALL), Search(question)
    by = {one.id: one for one in ALL}
    found = rank_passages(search, find_passages(search, index, 20, TABLE), by, 3, TABLE)
    assert ids(found)[0] == wanted


def test_pairs_of_characters_that_only_meet_do_not_find_a_passage() -> None:
    trap = passage("trap", "他们在街上做什么菜，谁也不知道。")
    wanted = passage("wanted", "用豆角和土豆一起焖，加一勺酱油。")
    found = ask(index_of([trap, wanted]), "豆角和土豆能做什么菜", [trap, wanted])
    assert ids(found)[0] == "wanted"


def test_words_are_fed_back_where_no_passage_stands_out() -> None:
    tides = [passage(f"t{n}", f"Tides of the sound, part {n}: the moon pulls the water.") for n in range(6)]
    linked = passage("linked", "The moon pulls the water of the bay twice a day.")
    others = [passage(f"o{n}", f"Shelf {n} holds jars of plums.") for n in range(40)]
    every = (*tides, linked, *others)
    index, search, by = index_of(every), Search("tides of the sound"), {one.id: one for one in every}
    found = find_passages(search, index, 20)
    assert "linked" not in found.ids
    again = apply_feedback(found, index, by, 20)
    assert "linked" in again.ids
    assert again.feedback["linked"] > 0
    assert "linked" in ids(rank_passages(search, again, by, 20))


def test_nothing_is_fed_back_where_one_passage_answers() -> None:
    index, search = index_of(ALL), Search("when is the deposit of the lease returned")
    found = find_passages(search, index, 20)
    assert apply_feedback(found, index, {one.id: one for one in ALL}, 20) == found


def test_the_best_sentence_is_the_one_that_answers() -> None:
    index, search = index_of(ALL), Search("within how many weeks is the deposit returned")
    text = "The lease ends in March. The deposit is returned within six weeks. Keys are left on the table."
    lease = passage("lease", text)
    found = best_sentences(find_passages(search, index, 20), {"lease": lease}, 2, TABLE)
    assert (found[0][0], found[0][1].strip()) == ("lease", "The deposit is returned within six weeks.")
    assert best_sentences(find_passages(search, index, 20), {}, 2, TABLE) == []
