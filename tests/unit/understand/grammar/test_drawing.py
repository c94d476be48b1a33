"""What people are shown of a parse."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.unit.understand.grammar.homes import LANGUAGES, home, reader

from winnow.app.explanation import drawing_lines
from winnow.types.query import Reading
from winnow.types.utterance import LanguageCode
from winnow.understand.grammar.rulebook import MERGE_OPERATION, grammar_labels, load_rulebook
from winnow.understand.meaning.parses import OPERATIONS
from winnow.understand.parse_tree import ParseTree, TreeNode, TreeWord, rule_label
from winnow.understand.reading import drawing


def draw(text: str, language: LanguageCode) -> ParseTree:
    return drawing(Reading(text, language, "command"), home(language).vocabulary)


def nodes(part: TreeNode | TreeWord | None) -> Iterator[TreeNode]:
    if isinstance(part, TreeNode):
        yield part
        for inner in part.parts:
            yield from nodes(inner)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_left_side_and_every_operation_has_a_label_in_both_languages(language: LanguageCode) -> None:
    books = load_rulebook(language), load_rulebook(language, islands=True)
    lefts = {rule.left for book in books for rule in book.rules}
    assert {name for name in lefts if len(grammar_labels()["lefts"].get(name, [])) != 2} == set()
    assert {
        name
        for name in OPERATIONS.keys() - {MERGE_OPERATION}
        if len(grammar_labels()["operations"].get(name, [])) != 2
    } == set()


def test_no_label_and_no_piece_is_of_a_left_side_that_is_gone() -> None:
    books = [load_rulebook(one, islands=islands) for one in LANGUAGES for islands in (False, True)]
    lefts = {rule.left for book in books for rule in book.rules}
    assert set(grammar_labels()["lefts"]) - lefts == set()
    assert set(grammar_labels()["pieces"]) - lefts == set()
    assert set(grammar_labels()["operations"]) - OPERATIONS.keys() == set()


def test_a_label_is_in_the_language_and_what_has_none_keeps_its_name() -> None:
    assert (rule_label("Order", "zh"), rule_label("Order", "en"), rule_label("Ordre", "en")) == (
        "命令",
        "order",
        "Ordre",
    )
    assert rule_label("except", "en", "operations") == "left out"


def test_the_tree_holds_what_is_done_with_each_part_and_the_price_of_what_was_passed_over() -> None:
    found = draw("please turn off all the lights except the reading lamp", "en")
    assert found.mood == "Say"
    assert {n.operation: n.text for n in nodes(found.tree) if n.operation != MERGE_OPERATION} == {
        "order": "turn off all the lights except the reading lamp",
        "except": "except the reading lamp",
    }
    assert ("please", "filler.polite", 0.06) in [(p.text, p.kind, p.price) for p in found.passed]
    assert sum(p.price for p in found.passed) < found.cost


def test_the_runner_up_is_no_cheaper_and_says_where_it_differs() -> None:
    said = ("开灯关", "关掉书房的台灯", "把客厅的灯都关了，除了台灯")
    rivals = [(found.cost, found.rival) for found in (draw(text, "zh") for text in said) if found.rival]
    assert rivals
    assert all(rival.cost >= cost and rival.here != rival.there for cost, rival in rivals)


def test_of_a_sentence_without_a_parse_the_stretches_and_the_words_in_the_way_are_shown() -> None:
    found = draw("set the lamp to splendid", "en")
    assert (found.mood, found.tree, found.rival) == ("", None, None)
    assert [piece.text for piece in found.stretches] == ["set the lamp"]
    assert [(word.text, word.kind) for word in found.blocking] == [("to", "to"), ("splendid", "word")]
    assert "  in the way: splendid/unknown" in list(drawing_lines(found))


def test_a_long_sentence_without_a_parse_is_not_searched_for_stretches() -> None:
    found = draw("turn the lamp blorp " * 9, "en")
    assert (found.tree, found.stretches) == (None, ())
    assert found.blocking


@pytest.mark.parametrize(("text", "language"), [("关掉书房的台灯", "zh"), ("turn on the lamp", "en")])
def test_what_is_drawn_is_the_parse_that_is_acted_on(text: str, language: LanguageCode) -> None:
    parse = reader(language).parses_of(text).written_parse()
    found = draw(text, language)
    assert parse is not None
    assert (found.mood, found.cost) == (parse.root.mood, round(parse.root.cost, 2))


def test_lines_are_told_in_the_language_of_the_sentence() -> None:
    lines = list(drawing_lines(draw("关掉书房的台灯", "zh")))
    assert lines[0].startswith("parse  句子, cost ")
    assert any("[执行]" in line for line in lines)
    assert any(line.endswith("关掉/verb off_close") for line in lines)


def test_an_order_among_unread_words_is_drawn_with_them() -> None:
    said = Reading("turn on the lamp it eats money", "en", "command", island=True)
    drawn = drawing(said, home("en").vocabulary)
    assert drawn.mood == "Island"
    assert drawn.blocking == ()
    assert [node.left for node in nodes(drawn.tree)][:2] == ["Island", "Core"]
