"""What a turn's context was worth, in figures."""

from __future__ import annotations

import pytest

from winnow.context.metrics import measure_context
from winnow.language.content_words import core
from winnow.types.candidate import Candidate, Ref, Shortlist
from winnow.types.context import Context, Use

LEASE = (
    "The lease of the flat in Linden Street ends on 31 May 2027. "
    "The deposit is 1,840 euros. "
    "The cellar is damp in spring. "
    "Bicycles stand in the yard."
)
BOILER = "The boiler was serviced by Anke Thomsen in March."
ZH = "租约到二〇二七年五月三十一日为止。押金是三千六百元。地下室春天潮湿。"


def found(*texts: str, score: float = 1.0, weights: dict[str, float] | None = None) -> Shortlist:
    candidates = [
        Candidate(Ref("passage", f"p{n}"), score=score, data={"text": text})
        for n, text in enumerate(texts, 1)
    ]
    return Shortlist("knowledge", tuple(candidates), weights=weights or {})


def context(*contents: str) -> Context:
    return Context(tuple({"role": "system", "content": content} for content in contents), 40, 400)


def test_only_what_stands_in_the_messages_is_data() -> None:
    one = measure_context("When does the lease end?", [found(LEASE, BOILER)], context(f"notes: {LEASE}"))
    both = measure_context("When does the lease end?", [found(LEASE, BOILER)], context(LEASE, BOILER))
    assert 0 < one.data < both.data


def test_a_clause_that_was_cut_is_no_data() -> None:
    whole = "The lease ends on 31 May 2027, while the contract of the garage runs until somebody ends it."
    cut = measure_context("lease?", [found(whole)], context("The lease ends on 31 May 2027,"))
    assert 0 < cut.data < measure_context("lease?", [found(whole)], context(whole)).data


def test_what_is_quoted_in_another_way_is_still_the_same() -> None:
    text = 'The landlord said: "the lease ends in May".'
    quoted = context('{"text":"The landlord said: ”the lease ends in May”."}')
    assert measure_context("lease?", [found(text)], quoted).data > 0


def test_relevance_is_the_share_of_what_bears_weighed_by_where_it_comes_from() -> None:
    sure = measure_context("When does the lease end?", [found(LEASE)], context(LEASE))
    doubtful = measure_context("When does the lease end?", [found(LEASE, score=0.5)], context(LEASE))
    assert sure.relevance is not None
    assert doubtful.relevance is not None
    assert 0 < sure.relevance < 1
    assert doubtful.relevance == pytest.approx(sure.relevance / 2, abs=1e-4)


def test_the_sentence_beside_one_that_bears_bears_too() -> None:
    first = measure_context("damp cellar", [found(LEASE)], context(LEASE)).relevance
    last = measure_context("bicycles", [found(LEASE)], context(LEASE)).relevance
    assert first is not None
    assert last is not None
    assert first > last


def test_coverage_weighs_concepts_by_how_much_they_tell() -> None:
    weights = {core("lease"): 5.0, core("garage"): 1.0}
    figures = measure_context("lease garage", [found(LEASE, weights=weights)], context(LEASE))
    assert figures.coverage == pytest.approx(5 / 6)
    assert figures.uncovered == ("garage",)


def test_a_concept_that_no_source_knows_tells_as_much_as_any() -> None:
    figures = measure_context("lease zeppelin", [found(LEASE, weights={core("lease"): 3.0})], context(LEASE))
    assert figures.coverage == pytest.approx(0.5)


def test_chinese_concepts_are_told_as_words_not_as_characters() -> None:
    figures = measure_context("租约和车库", [found(ZH)], context(ZH))
    assert figures.coverage is not None
    assert 0 < figures.coverage < 1
    assert figures.uncovered == ("车库",)


def test_without_data_there_is_nothing_to_take_a_share_of() -> None:
    figures = measure_context("When does the lease end?", [], context("You are helpful."), "On 31 May 2027.")
    assert (figures.data, figures.relevance, figures.utilisation) == (0, None, None)
    assert (figures.coverage, figures.support) == (0.0, 0.0)


def test_a_question_without_concepts_has_no_coverage() -> None:
    assert measure_context("what about it?", [found(LEASE)], context(LEASE)).coverage is None


def test_the_question_itself_is_no_data() -> None:
    said = "When does the lease end?"
    shown = Shortlist("history", (Candidate(Ref("message", "m1"), score=1.0, data={"text": said}),))
    assert measure_context(said, [shown], context(said)).data == 0


def test_an_answer_uses_the_sentences_that_support_it() -> None:
    figures = measure_context(
        "When does the lease end?", [found(LEASE)], context(LEASE), "The lease ends on 31 May 2027."
    )
    assert figures.support == 1.0
    assert figures.utilisation is not None
    assert 0 < figures.utilisation < 0.6
    assert figures.completeness is not None
    assert 0 < figures.completeness < 1
    assert figures.statements[0].by == Ref("passage", "p1")


def test_support_is_the_share_of_the_statements() -> None:
    answer = "The lease ends on 31 May 2027. The rent is 900 euros a month."
    figures = measure_context("lease?", [found(LEASE)], context(LEASE), answer)
    assert figures.support == 0.5
    assert figures.statements[1].missing == ("900",)


@pytest.mark.parametrize(
    ("answer", "missing"),
    [
        ("The deposit is 1,480 euros.", ("1,480",)),
        ("The boiler was serviced by Henning Thomsen in March.", ("Henning",)),
        ("押金是三千八百元。", ("三千八百",)),
    ],
)
def test_a_number_or_name_that_is_not_there_is_not_supported(answer: str, missing: tuple[str, ...]) -> None:
    texts = (LEASE, BOILER, ZH)
    (statement,) = measure_context("?", [found(*texts)], context(*texts), answer).statements
    assert (statement.supported, statement.missing) == (False, missing)


@pytest.mark.parametrize(
    "answer", ["The deposit is 1840 euros.", "押金是3600元。", "Anke Thomsen serviced the boiler in March."]
)
def test_numbers_are_compared_by_value_and_order_does_not_count(answer: str) -> None:
    texts = (LEASE, BOILER, ZH)
    assert measure_context("?", [found(*texts)], context(*texts), answer).support == 1.0


def test_a_number_of_another_source_supports_nothing() -> None:
    """The number must stand where the rest stands."""
    texts = ("The deposit is low.", "Shoes have size 42.")
    figures = measure_context("?", [found(*texts)], context(*texts), "The deposit is 42.")
    assert figures.support == 0.0


def test_what_says_nothing_is_no_statement() -> None:
    assert measure_context("lease?", [found(LEASE)], context(LEASE), "Yes, it is.").support is None


def test_the_shares_are_handed_on() -> None:
    given = Context(({"role": "user", "content": "hello"},), 3, 10, usage={"knowledge": Use(1, 5)})
    assert measure_context("hello", [], given).shares == {"knowledge": Use(1, 5)}


@pytest.mark.parametrize(("answer", "supported"), [("linseed paint", True), ("chalk", False)])
def test_what_a_statement_adds_to_the_question_must_be_said(answer: str, supported: bool) -> None:
    question = "Which paint did the joiner take for the shutters?"
    text = "The joiner painted the shutters with linseed paint. The fence got varnish a year later."
    said = f"Which paint did the joiner take for the shutters: {answer}."
    (one,) = measure_context(question, [found(text)], context(text), said).statements
    assert one.supported == supported
    assert (one.added == 1.0) == supported


def test_a_number_alone_is_a_statement() -> None:
    supported = [
        measure_context("?", [found(LEASE)], context(LEASE), said).support for said in ("31.", "32.")
    ]
    assert supported == [1.0, 0.0]


def test_a_place_that_is_of_something_else_supports_nothing() -> None:
    """``3 months`` stands there, of something else than what was asked."""
    texts = (
        "Notice is given three months before the end.",
        "Whoever sublets a room asks the landlord first.",
    )
    said = "You may sublet for 3 months."
    (one,) = measure_context("May I sublet a room?", [found(*texts)], context(*texts), said).statements
    assert not one.supported
