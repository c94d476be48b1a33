from __future__ import annotations

from dataclasses import replace

import pytest

from winnow.language.content_words import content_terms
from winnow.language.term_weights import UNIGRAM_WEIGHT
from winnow.retrieve.sufficiency import (
    Page,
    PageQuestion,
    calibrate_scores,
    candidate_page,
    judge_sufficiency,
    page_features,
    page_figures,
    sufficiency_features,
    weigh_question,
    weights_of,
)
from winnow.types.candidate import Candidate, Ref, Search, Shortlist
from winnow.types.document import KnowledgeSettings

MANUAL = {
    "The boiler in the cellar was serviced in March 2024. The engineer replaced the pressure valve.",
    "The roof was tiled anew by Hansen and Sons. They left twelve spare tiles behind the shed.",
    "Bulbs of the hallway are of the small thread. A ladder hangs in the garage.",
    "The alarm is tested on the first Monday of each month. Its siren is behind the front door.",
    "Bins are emptied on Thursdays. The green one takes leaves and cut grass.",
    "The well must be covered before the first frost. Its pump stands in the shed.",
}
GUIDE = {
    "锅炉在二零二四年三月做过保养，师傅换了压力阀。以后每年三月都要保养一次。",
    "屋顶的瓦是老韩带人换的，剩下十二片备用瓦放在棚子后面。",
    "走廊的灯泡是小螺口的，梯子挂在车库里。",
    "警报器每月第一个星期一试响一次，喇叭装在大门后面。",
    "垃圾每周四收，绿色的桶放树叶和剪下来的草。",
    "水井在霜冻之前要盖好，水泵放在棚子里。",
}
RARE, COMMON = 4.0, 1.0


def found(texts: set[str] | list[str], weights: dict[str, float] | None = None) -> Shortlist:
    """What a search for documents returns, in some order of its own."""
    ordered = sorted(texts)
    candidates = [Candidate(Ref("passage", str(n)), data={"text": text}) for n, text in enumerate(ordered)]
    return Shortlist("knowledge", tuple(candidates), weights=weights or {})


@pytest.mark.parametrize(
    ("texts", "question", "where"),
    [
        (MANUAL, "Which part of the boiler did the engineer replace in March 2024?", "boiler"),
        (MANUAL, "Who tiled the roof anew and left spare tiles behind the shed?", "roof"),
        (GUIDE, "锅炉做保养的时候师傅换了什么阀？", "锅炉"),
        (GUIDE, "老韩剩下的十二片备用瓦放在哪里？", "老韩"),
    ],
)
def test_one_passage_that_answers_is_enough_and_without_it_there_is_not(
    texts: set[str], question: str, where: str
) -> None:
    search = Search(question)
    whole = judge_sufficiency(search, [found(texts)])
    without = judge_sufficiency(search, [found({text for text in texts if where not in text})])
    assert whole.enough
    assert whole.coverage > without.coverage
    assert not without.enough
    assert whole.confidence > 0.75 > without.confidence


def test_nothing_found_is_never_enough() -> None:
    judged = judge_sufficiency(Search("Where is the ladder?"), [Shortlist("knowledge"), Shortlist("history")])
    assert (judged.enough, judged.results, judged.confidence) == (False, 0, 0.0)


def test_the_three_criteria_of_the_seed_ask_for_three_results() -> None:
    search = Search("Which part of the boiler did the engineer replace in March 2024?")
    literal = KnowledgeSettings(enough_by="all", enough_coverage=0.5)
    judged = judge_sufficiency(search, [found(MANUAL)], literal)
    assert not judged.enough
    assert "3" in judged.reason
    assert judge_sufficiency(search, [found(MANUAL)], replace(literal, enough_results=1)).enough


def test_coverage_that_is_asked_for_is_kept_to() -> None:
    search = Search("Which part of the boiler did the plump engineer replace in March 2024?")
    settings = KnowledgeSettings(enough_by="all", enough_results=1, enough_coverage=1.0)
    judged = judge_sufficiency(search, [found(MANUAL)], settings)
    assert judged.confidence >= settings.enough_confidence
    assert not judged.enough


def test_confidence_that_is_asked_for_moves_the_gate() -> None:
    search = Search("Which part of the boiler did the engineer replace in March 2024?")
    sure = judge_sufficiency(search, [found(MANUAL)]).confidence
    assert not judge_sufficiency(
        search, [found(MANUAL)], KnowledgeSettings(enough_confidence=sure + 1e-6)
    ).enough


def test_a_public_index_that_reaches_further_speaks_against_what_is_private() -> None:
    search = Search("Which part of the boiler did the engineer replace in March 2024?")
    nearer, farther = (judge_sufficiency(search, [found(MANUAL)], reach=reach) for reach in (0.3, -0.3))
    assert nearer.confidence > farther.confidence
    assert nearer.enough
    assert not farther.enough


def test_what_a_person_said_is_not_held_against_public_documents() -> None:
    said = Candidate(Ref("message", "1"), data={"text": "My boiler number is 4711, the engineer needs it."})
    search, history = Search("What is my boiler number for the engineer?"), Shortlist("history", (said,))
    near, far = (judge_sufficiency(search, [history], reach=reach) for reach in (0.3, -0.3))
    assert near.confidence == far.confidence


def test_a_message_answers_as_well_as_a_passage() -> None:
    said = Candidate(Ref("message", "1"), data={"text": "The code of the garden gate is 4711, tell Paula."})
    question = Search("What is the code of the garden gate?")
    judged = judge_sufficiency(question, [found(MANUAL), Shortlist("history", (said,))])
    assert judged.confidence > judge_sufficiency(question, [found(MANUAL)]).confidence


def test_a_term_nobody_knows_lowers_confidence_more_than_a_common_one() -> None:
    question = Search("When was the quokka boiler serviced by the engineer?")
    terms = {"boiler": RARE, "servic": RARE, "engineer": RARE}
    rare = judge_sufficiency(question, [found(MANUAL, {**terms, "quokka": RARE})])
    common = judge_sufficiency(question, [found(MANUAL, {**terms, "quokka": COMMON})])
    assert common.confidence > rare.confidence


def test_relevance_tells_the_passage_that_answers_from_the_others() -> None:
    graded_ones = calibrate_scores(
        "Who tiled the roof anew and left spare tiles behind the shed?", found(MANUAL)
    )
    scores = {str(one.data["text"])[:8]: one.score for one in graded_ones.candidates}  # type: ignore[index]
    assert scores.pop("The roof") > 0.7
    assert max(scores.values()) < 0.3
    assert [one.ref.id for one in graded_ones.candidates] == [one.ref.id for one in found(MANUAL).candidates]


def test_the_title_of_a_document_counts_as_said_in_it() -> None:
    text = "It was serviced in March 2024. The engineer replaced the valve."
    told = [
        Shortlist("knowledge", (Candidate(Ref("passage", "1"), data={"text": text, "title": title}),))
        for title in ("Boiler in the cellar", "")
    ]
    search = Search("When was the boiler in the cellar serviced?")
    with_title, without = (judge_sufficiency(search, [one]) for one in told)
    assert with_title.confidence > without.confidence


def test_a_handful_of_facts_does_not_say_how_much_a_term_tells() -> None:
    few, many = {"boiler": 1.2, "valve": 1.9}, {"boiler": 4.0, "cellar": 6.5}
    facts, documents = Shortlist("facts", weights=few), Shortlist("knowledge", weights=many)
    assert weights_of([facts, documents]) == {"boiler": 4.0, "cellar": 6.5, "valve": 1.9}
    assert weights_of([documents, facts]) == weights_of([facts, documents])
    assert weights_of([Shortlist("history")]) == {}


VALVE = "Where is the green boiler valve of Ostrava 12?"
"""Five terms that tell, each as much as the others here; two of them are names."""
HANGS = Page("The boiler valve is green. It hangs in the cellar.", "Ostrava")
PUMP = Page("The valve of the pump. Boiler talk, and nothing else.")
BINS = Page("Bins on Thursday.")


def asked(text: str, weight: float = 1.0) -> PageQuestion:
    """A question of which each term tells the same."""
    return weigh_question(text, dict.fromkeys(content_terms(text), weight), ())


@pytest.mark.parametrize(
    ("page", "held"),
    [
        # coverage, window, dense, beyond and sentence (of what is not in the title), plain (of three)
        (HANGS, (4 / 5, 4 / 5, 3 / 5, 3 / 4, 3 / 4, 3 / 3)),
        (PUMP, (2 / 5, 2 / 5, 1 / 5, 2 / 5, 1 / 5, 1 / 3)),
        (BINS, (0, 0, 0, 0, 0, 0)),
        (Page(""), (0, 0, 0, 0, 0, 0)),
        # Two sentences count together only side by side
        (Page("The valve leaks. Bins wait. Green paint."), (2 / 5, 1 / 5, 1 / 5, 2 / 5, 1 / 5, 1 / 3)),
        (Page("A valve", "Green boiler valve Ostrava 12"), (1, 1, 1, 1, 1, 1 / 3)),
    ],
)
def test_what_a_page_holds_of_a_question(page: Page, held: tuple[float, ...]) -> None:
    (one,) = page_figures(asked(VALVE), [page])
    found = (one.coverage, one.window, one.dense, one.beyond, one.sentence, one.plain)
    assert found == pytest.approx(held)
    # How much a term tells is counted against the others, and never by itself
    (other,) = page_figures(asked(VALVE, 3.0), [page])
    assert (other.coverage, other.dense, other.score) == pytest.approx((one.coverage, one.dense, one.score))


def test_a_long_sentence_is_less_of_an_answer_than_a_short_one() -> None:
    short = "The green boiler valve."
    long = "The green boiler valve " + " ".join(f"word{n}" for n in range(20)) + "."
    few, many = page_figures(asked(VALVE), [Page(short), Page(long)])
    assert few.coverage == many.coverage
    assert few.dense == pytest.approx(3 / 5)
    assert many.dense == pytest.approx(3 / 5 * (12 / 23) ** 0.3)
    assert few.score > many.score > 0


def test_what_speaks_for_the_answer_being_there() -> None:
    question, pages = asked(VALVE), [HANGS, PUMP, BINS]
    found = list(zip(pages, page_figures(question, pages), strict=True))
    told = sufficiency_features(question, found)
    best, second = found[0][1], found[1][1]
    assert told["score"] == best.score
    assert told["lead"] == pytest.approx(best.score - second.score)
    assert {name: round(told[name], 3) for name in ("third", "fifth", "coverage", "coverage_lead")} == {
        "third": 0,
        "fifth": 0,
        "coverage": 0.8,
        "coverage_lead": 0.4,
    }
    assert {name: round(told[name], 3) for name in ("named", "title", "others", "pairs", "missing")} == {
        "named": 0.5,  # Ostrava of the two names
        "title": 0.2,
        "others": 0,  # no other page has what the best one lacks
        "pairs": 0.25,  # of four neighbours boiler and valve
        "missing": 1,
    }
    alone = sufficiency_features(question, found[:1])
    assert (alone["lead"], alone["coverage_lead"]) == (best.score, best.coverage)
    more = [*found[1:], (Page("Green Ostrava."), page_figures(question, [Page("Green Ostrava.")])[0])]
    assert sufficiency_features(question, more)["others"] == pytest.approx(2 / 5)


def test_each_page_is_held_against_the_best_of_the_others() -> None:
    best, second, last = page_features(page_figures(asked(VALVE), [HANGS, PUMP, BINS]))
    assert best["lead"] == -second["lead"] == pytest.approx(best["score"] - second["score"])
    assert last["lead"] == -best["score"]
    assert (best["share"], second["share"], last["share"]) == pytest.approx(
        (1, second["score"] / best["score"], 0)
    )
    assert [one["share"] for one in page_features(page_figures(asked(VALVE), [BINS]))] == [0]
    assert page_features(()) == []


@pytest.mark.parametrize(
    ("text", "named", "unnamed"),
    [
        ('Who wrote "Night Train" in 1999?', {"night", "train", "1999"}, ("writ",)),
        ("Boiler of Ostrava", {"ostrava"}, ("boil",)),  # the first word is large anyway
        ("《夜巡》是谁画的", {"夜", "巡", "夜巡"}, ("谁画", "画的")),
        ("老韩的阀门12号", {"12"}, ("老韩", "韩的", "的阀", "阀门")),
        ("where is the ladder", set(), ("ladd",)),
        ("M3 bolts in box b12", {"m3", "b12"}, ("bolt", "box")),  # a letter and a number are one name
        ("型号A4的阀门", {"a4"}, ("型号", "的阀", "阀门")),
    ],
)
def test_names_of_a_question_are_quoted_large_or_numbers(
    text: str, named: set[str], unnamed: tuple[str, ...]
) -> None:
    question = asked(text)
    assert question.named_terms == named
    assert question.unnamed_terms == unnamed


def test_a_term_without_a_weight_tells_as_much_as_the_most_telling_of_its_kind() -> None:
    assert weigh_question("green boiler valve", {"green": 2.0, "boil": 5.0}, ()).weights == {
        "green": 2.0,
        "boil": 5.0,
        "valv": 5.0,
    }
    weights = weigh_question("阀门 boiler", {"boil": 5.0, "阀门": 3.0}, ()).weights
    assert (weights["boil"], weights["阀门"]) == (5.0, 3.0)
    assert weights["阀"] == weights["门"] == pytest.approx(5.0 * UNIGRAM_WEIGHT)
    # Where nobody knows any, the pages tell how rare each is
    pages = [Page("green boiler"), Page("green pump"), Page("bins")]
    rare = weigh_question("green boiler valve", {}, pages).weights
    assert 0 < rare["green"] < rare["boil"] < rare["valv"]


@pytest.mark.parametrize(
    ("data", "page"),
    [
        ({"text": "Bins.", "title": "Week", "headings": ("Green", "")}, Page("Bins.", "Week\nGreen")),
        ({"text": "Bins."}, Page("Bins.")),
        ("Bins.", Page("Bins.")),
        (None, Page("")),
    ],
)
def test_what_is_read_of_a_candidate(data: object, page: Page) -> None:
    assert candidate_page(Candidate(Ref("passage", "1"), data=data)) == page


def test_limits_are_met_where_they_are_reached_and_the_reason_names_the_first_that_is_not() -> None:
    search = Search("Which part of the boiler did the engineer replace in March 2024?")
    open_ = KnowledgeSettings(enough_by="all", enough_results=1, enough_coverage=0.0)
    judged = judge_sufficiency(search, [found(MANUAL)], open_)
    assert judged.results == 1
    for settings, enough, why in (
        (replace(open_, enough_confidence=judged.confidence), True, "private"),
        (replace(open_, enough_coverage=judged.coverage), True, "private"),
        (replace(open_, enough_coverage=judged.coverage + 0.01), False, "covered"),
        (replace(open_, enough_results=2, enough_coverage=1.1), False, "1 relevant results, 2"),
        (replace(open_, enough_results=2, enough_confidence=1.0), False, "private"),
        (replace(open_, enough_results=2, enough_by="confidence"), True, "private"),
    ):
        again = judge_sufficiency(search, [found(MANUAL)], settings)
        assert (again.enough, why in str(again.reason)) == (enough, True), settings
