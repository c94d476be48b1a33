"""Sentences and clauses in both languages: where they end, and that nothing is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.language.sentences import clauses, phrases_of, split_sentences

TEXTS = st.text(st.sampled_from("ab I.9,;:!?。，；！？“”（）() \n台灯的了Mr"), max_size=80)


def cut(text: str) -> list[str]:
    return [span.text.strip() for span in split_sentences(text)]


@pytest.mark.parametrize(
    "parts",
    [
        ["The lamp costs 3.5 dollars.", "It was made by Dr. Li in the U.S. Navy yard."],
        ["He lives in the U.S.", "The house is old."],
        ["See No. 5 and Fig. 3 for J. R. Smith.", "Nothing else!"],
        ['"Is it on?" she asked.', '"Yes."', "They left."],
        ["1. First we boil water.", "2. Then we wait."],
        ["Opened at 9 a.m. on Monday.", "Closed now."],
        ["It stands (see the plan. It is old) by the river.", "The end."],
        ["一共3.5元。", "他说：“好。”", "然后走了！"],
        ["先烧水；", "再下面。", "见表（第一。第二）三。"],
        ["标题", "正文从这里开始。", "- 第一项", "- 第二项"],
        ["A line that was broken\nfor its width only.", "Another."],
        ["版本是v1.2.", "见example.com的说明。"],
        ["Wait... what?", "Nothing."],
        ["He lives in the U.S.", "No one else does.", "Not in the U.S.", "On Monday he left."],
        ["See vol.", "Two is lost, pp. 3 and 4 are not."],
        ["Built by Smith Bros.", "In 1820 they left Smith Bros. Mills."],
        ["(The shop is closed.", "The door is not."],
        ["It was I.", "Then came J. Doe."],
        ["他说好。)", "然后走了.", "后来Hello.", "再见。"],
    ],
)
def test_a_text_is_cut_where_its_sentences_end(parts: list[str]) -> None:
    han = not parts[0].isascii()
    text = "\n".join(parts) if parts[0] == "标题" else ("" if han else " ").join(parts)
    assert cut(text) == parts


def test_clauses_end_at_marks_and_before_conjunctions_and_are_never_tiny() -> None:
    text = "The mill was built in 1820, and it burned down twice because nobody watched the fire."
    assert [part.text.strip() for part in clauses(text)] == [
        "The mill was built in 1820,",
        "and it burned down twice",
        "because nobody watched the fire.",
    ]
    assert [part.text for part in clauses("这座磨坊建于一八二零年，后来烧毁了两次，是的。")] == [
        "这座磨坊建于一八二零年，",
        "后来烧毁了两次，是的。",
    ]


def test_numbers_and_times_are_not_cut() -> None:
    assert len(clauses("It took 1,250,000 people 12:30 hours")) == 1


def test_phrases_are_finer_than_clauses() -> None:
    (sentence,) = split_sentences("The old mill by the river was rebuilt in the winter of 1820.")
    assert [part.text.strip() for part in phrases_of(sentence)] == [
        "The old mill by the river",
        "was rebuilt in the winter of 1820.",
    ]


@given(TEXTS)
def test_spans_put_together_are_the_text(text: str) -> None:
    for spans in (split_sentences(text), clauses(text)):
        assert "".join(span.text for span in spans) == text
        assert all(text[span.start : span.end] == span.text for span in spans)


@given(TEXTS)
def test_no_clause_reaches_over_the_end_of_a_sentence(text: str) -> None:
    ends = {span.end for span in clauses(text)}
    assert {span.end for span in split_sentences(text)} <= ends


@given(TEXTS)
def test_no_sentence_is_blank_unless_the_text_is(text: str) -> None:
    if text.strip():
        assert all(span.text.strip() for span in split_sentences(text))


@pytest.mark.parametrize("piece", [" ", " \n", ".", "a. ", "(a. ", "，", "(", '"', "Aa. "])
def test_a_monotonous_text_takes_no_longer_than_another(piece: str) -> None:
    """Blanks without end took minutes once: every one of them was tried as a beginning."""
    text = piece * (20_000 // len(piece))
    assert "".join(span.text for span in clauses(text)) == text
