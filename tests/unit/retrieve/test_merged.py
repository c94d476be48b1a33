from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from winnow.app.config.files import knowledge_of
from winnow.retrieve.tiers import IN_DIALOGUE, NOT_RELEVANT, OTHER_DOMAIN, merge_tiers, relevant_domains
from winnow.types.candidate import Candidate, Evidence, QuestionCoverage, Ref, Search, Shortlist
from winnow.types.document import KnowledgeSettings

NOW = datetime.fromisoformat("2030-06-01T12:00:00")
QUESTION = Search("How is rye bread baked?", NOW)


def shortlist(source: str, *told: tuple[str, float, dict[str, object]]) -> Shortlist:
    """Candidates with text, relevance and what else is known."""
    return Shortlist(
        source,
        tuple(
            Candidate(Ref("passage", f"{source}{n}"), score=score, data={"text": text, **data})
            for n, (text, score, data) in enumerate(told)
        ),
    )


def ids(found: Shortlist) -> list[str]:
    return [candidate.ref.id for candidate in found.candidates]


def data(candidate: Candidate) -> dict[str, object]:
    assert isinstance(candidate.data, dict)
    return candidate.data


def test_private_comes_first_and_everything_says_whence_it_is() -> None:
    own = shortlist("knowledge", ("rye bread", 0.8, {"source": "notes/bread.md"}))
    theirs = shortlist("public", ("baking of bread in general", 0.99, {}))
    first, second = merge_tiers(QUESTION, [own], [theirs], KnowledgeSettings())
    assert data(first.candidates[0])["tier"] == "private"
    assert data(first.candidates[0])["source"] == "notes/bread.md"
    assert data(second.candidates[0])["tier"] == "public"
    assert data(second.candidates[0])["source"] == "public"


def test_what_found_nothing_stands_last() -> None:
    own = [Shortlist("knowledge"), shortlist("history", ("rye bread", 0.8, {}))]
    theirs = [shortlist("public", ("baking of bread in general", 0.99, {}))]
    assert [s.source for s in merge_tiers(QUESTION, own, theirs, KnowledgeSettings())] == [
        "history",
        "public",
        "knowledge",
    ]


def test_the_newer_of_two_documents_comes_first_where_age_counts() -> None:
    own = shortlist(
        "knowledge",
        ("an old way to bake", 0.9, {"at": "2028-06-01T12:00:00"}),
        ("the new way to bake", 0.8, {"at": "2030-05-31T12:00:00"}),
        ("a way without a date", 0.85, {}),
    )
    (plain,) = merge_tiers(QUESTION, [own], [], KnowledgeSettings())
    assert ids(plain) == ["knowledge0", "knowledge1", "knowledge2"]
    (aged,) = merge_tiers(QUESTION, [own], [], KnowledgeSettings(half_life_days=365))
    assert ids(aged) == ["knowledge2", "knowledge1", "knowledge0"]
    assert aged.candidates[2].score == 0.9 * 0.5 ** (730 / 365)


def test_what_is_hardly_relevant_is_left_out_and_the_best_never_is() -> None:
    own = shortlist("knowledge", ("a", 0.4, {}), ("b", 0.03, {}), ("c", 0.01, {}))
    (found,) = merge_tiers(QUESTION, [own], [], KnowledgeSettings(least_share=0.05))
    assert ids(found) == ["knowledge0", "knowledge1"]
    assert [(one.id, one.reason) for one in found.dropped] == [("knowledge2", NOT_RELEVANT)]
    (strict,) = merge_tiers(QUESTION, [own], [], KnowledgeSettings(least_share=1.0))
    assert ids(strict) == ["knowledge0"]


def test_below_a_limit_that_a_person_sets_nothing_is_returned() -> None:
    own = shortlist("knowledge", ("a", 0.46, {}), ("b", 0.1, {}))
    theirs = shortlist("public", ("c", 0.8, {}), ("d", 0.03, {}))
    found = merge_tiers(QUESTION, [own], [theirs], knowledge_of({"private": {"min_relevance": 0.7}}))
    assert [ids(one) for one in found] == [["public0", "public1"], []]


def test_what_is_relevant_enough_is_kept_however_good_the_best_one_is() -> None:
    own = shortlist("knowledge", ("a", 0.99, {}), ("b", 0.72, {}), ("c", 0.6, {}))
    (found,) = merge_tiers(QUESTION, [own], [], KnowledgeSettings(least_share=1.0))
    assert ids(found) == ["knowledge0", "knowledge1"]
    (laxer,) = merge_tiers(QUESTION, [own], [], KnowledgeSettings(private_least=0.5, least_share=1.0))
    assert ids(laxer) == ["knowledge0", "knowledge1", "knowledge2"]


def test_a_message_that_hardly_bears_is_left_out_beside_one_that_does_but_for_an_answer() -> None:
    def message(id_: str, bearing: float, lane: str = "window") -> Candidate:
        evidence = (Evidence(lane, 0.5), Evidence("bearing", bearing))
        return Candidate(Ref("message", id_), evidence, bearing, {"text": f"text {id_}"})

    told = (message("a", 0.8), message("b", 0.0011), message("c", 0.0011, "before"), message("d", 0.01))
    own = Shortlist("history", told, coverage=QuestionCoverage({"bread": 1.0}, 1.0, 0.8, 1.0))
    (found,) = merge_tiers(QUESTION, [own], [], KnowledgeSettings())
    assert ids(found) == ["a", "c", "d"]
    (wish,) = merge_tiers(replace(QUESTION, wish=True), [own], [], KnowledgeSettings())
    assert ids(wish) == ["a", "b", "c", "d"]


def test_what_is_private_already_is_not_told_again() -> None:
    own = shortlist("knowledge", ("Rye bread rests overnight and bakes slowly.", 0.8, {}))
    theirs = shortlist(
        "public",
        ("rye bread rests overnight, and bakes slowly", 0.9, {}),
        ("Wheat bread rests for an hour.", 0.8, {}),
    )
    _, found = merge_tiers(QUESTION, [own], [theirs], KnowledgeSettings())
    assert ids(found) == ["public1"]
    assert found.dropped[0].reason == IN_DIALOGUE


def test_public_documents_of_another_domain_are_left_out() -> None:
    theirs = shortlist(
        "public",
        ("slow ovens", 0.9, {"domain": "baking"}),
        ("the law of bread", 0.8, {"domain": "law"}),
        ("on crusts", 0.8, {}),
    )
    settings = KnowledgeSettings(domains={"baking": ("bread", "cake"), "law": ("court",)})
    (found,) = merge_tiers(QUESTION, [], [theirs], settings)
    assert ids(found) == ["public0", "public2"]
    assert found.dropped[0].reason == OTHER_DOMAIN
    assert found.steps[-1].chosen == "baking"
    (anything,) = merge_tiers(QUESTION, [], [theirs], KnowledgeSettings())
    assert ids(anything) == ["public0", "public1", "public2"]


def test_rather_another_domain_than_nothing() -> None:
    theirs = shortlist("public", ("the law of bread", 0.8, {"domain": "law"}))
    (found,) = merge_tiers(QUESTION, [], [theirs], KnowledgeSettings(domains={"baking": ("bread",)}))
    assert ids(found) == ["public0"]


def test_a_question_without_a_domain_has_that_of_the_best_relevant_private_document() -> None:
    own = [shortlist("knowledge", ("x", 0.8, {"domain": "law"}), ("y", 0.9, {"domain": "cooking"}))]
    settings = KnowledgeSettings()
    assert relevant_domains("What now?", own, settings) == {"cooking"}
    assert relevant_domains("Which law is it?", own, settings) == {"law"}
    assert relevant_domains("What now?", [], settings) == frozenset()
    assert relevant_domains("What now?", own, KnowledgeSettings(private_least=0.95)) == frozenset()


def test_what_differs_in_a_number_or_a_denial_says_something_else() -> None:
    told = (
        "The rye bread is baked in the oven for {}. The dough rests overnight under a damp linen cloth with"
        " caraway seeds, coarse salt and lukewarm water; the crust is brushed with butter before and after."
    )
    own = shortlist("knowledge", (told.format("60 minutes"), 0.8, {"title": "Bread"}))
    theirs = shortlist("public", (told.format("75 minutes"), 0.9, {"title": "Bread"}))
    _, public = merge_tiers(QUESTION, [own], [theirs], KnowledgeSettings())
    assert ids(public) == ["public0"]
