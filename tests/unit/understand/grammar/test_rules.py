"""The grammar as data: nothing in it is misspelt, out of reach, or shown by an example that it is not in."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest
from tests.unit.understand.grammar.homes import LANGUAGES
from tests.unit.understand.grammar.lines import (
    language_of_line,
    lefts,
    reachable,
    terminals,
    used_by,
    with_examples,
)

from winnow.language.tables import parse_yaml
from winnow.types.utterance import LanguageCode
from winnow.understand.grammar.rulebook import (
    SHARED_RULES,
    GrammarLine,
    grammar_classes,
    load_rulebook,
    shared_classes,
)
from winnow.understand.grammar.senses import composed_words, mask_before
from winnow.understand.meaning.parses import OPERATIONS

OTHERWISE: dict[str, str] = parse_yaml(Path(__file__).with_name("otherwise.yaml").read_text("utf-8"))
"""Line -> why its example is read by another one."""


def name(line: GrammarLine) -> str:
    return f"{line.left}: {line.text.partition('|')[0].strip()}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_symbol_is_a_left_side_a_class_or_a_list_of_words(language: LanguageCode) -> None:
    either = {s for other in LANGUAGES for s in (*lefts(other), *terminals(other))}
    own = lefts(language) | terminals(language)
    rules = [(r, load_rulebook(language).lines[r.line].language) for r in load_rulebook(language).rules]
    unknown = {
        s for r, owner in rules for s in r.right if s not in (either if owner == SHARED_RULES else own)
    }
    assert unknown == set()


FILES = [("winnow.understand.grammar", f"rules/{name}.yaml") for name in shared_classes()["files"]]
FILES += [
    (f"winnow.language.{language}", f"grammar/{name}.yaml")
    for language in LANGUAGES
    for part in ("files", "idioms", "beside")
    for name in grammar_classes(language).get(part, ())
]


@pytest.mark.parametrize(("package", "name"), FILES)
def test_no_left_side_stands_twice_in_a_file(package: str, name: str) -> None:
    text = files(package).joinpath(name).read_text("utf-8")
    lefts_of = [line.partition(":")[0] for line in text.splitlines() if line[:1].isalpha()]
    assert sorted(lefts_of) == sorted(set(lefts_of)), "the last one counts, the others are lost"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_operation_is_one_there_is(language: LanguageCode) -> None:
    assert {rule.operation for rule in load_rulebook(language).rules} - OPERATIONS.keys() == set()


def test_every_left_side_is_reached_from_a_root() -> None:
    reached = {language: reachable(language) for language in LANGUAGES}
    for language in LANGUAGES:
        mine = {line.left for line in load_rulebook(language).lines if line.language == language}
        assert mine - reached[language] == set()
        shared = {line.left for line in load_rulebook(language).lines if line.language == SHARED_RULES}
        assert {left for left in shared if all(left not in found for found in reached.values())} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_list_of_words_is_used_or_may_be_passed_over(language: LanguageCode) -> None:
    right = {symbol for rule in load_rulebook(language).rules for symbol in rule.right}
    assert {name for name in grammar_classes(language)["words"] if name not in right | _passable()} == set()


def test_every_class_is_used() -> None:
    right = {
        symbol for language in LANGUAGES for rule in load_rulebook(language).rules for symbol in rule.right
    }
    assert set(shared_classes()["classes"]) - right == set()


def _passable() -> set[str]:
    tables = (shared_classes(), *map(grammar_classes, LANGUAGES))
    return {name.removeprefix("part.") for table in tables for name in table["skip"]}


@pytest.mark.bulk
@pytest.mark.parametrize("line", with_examples(), ids=lambda line: f"{name(line)} | {line.example}")
def test_the_example_of_a_line_is_read_by_that_line(line: GrammarLine) -> None:
    lines = used_by(line.example, language_of_line(line))
    if name(line) in OTHERWISE:
        assert line not in lines, "no longer an exception"
        return
    assert lines, "does not parse"
    assert line in lines


def test_exceptions_are_few_and_of_lines_that_exist() -> None:
    assert set(OTHERWISE) <= {name(line) for line in with_examples()}
    assert len(OTHERWISE) <= len(with_examples()) // 10


@pytest.mark.parametrize("remarks", [True, False])
def test_a_composed_word_is_read_in_the_symbols_of_its_own_book(remarks: bool) -> None:
    books = [load_rulebook("zh", remarks=one) for one in (remarks, not remarks)]
    read = [{word.entry.surface: word for *_, word in composed_words("阁楼灯关掉", book)} for book in books]
    assert read[0]
    for book, words in zip(books, read, strict=True):
        for word in words.values():
            symbol = book.ids[str(word.entry.data["is"])]
            assert [number for number, *_ in word.symbols] == [symbol]
            assert word.before == mask_before(book, [symbol])
