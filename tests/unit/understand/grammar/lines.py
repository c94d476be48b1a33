"""The lines of the grammar, and which of them a parse used."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from tests.unit.understand.grammar.homes import parsed, reader

from winnow.language.registry import language_of
from winnow.language.ways.idioms import composed_forms, turns
from winnow.types.query import Token
from winnow.types.utterance import LanguageCode
from winnow.understand.grammar.parser import Tree
from winnow.understand.grammar.rulebook import (
    SHARED_RULES,
    GrammarLine,
    grammar_classes,
    load_rulebook,
    shared_classes,
)
from winnow.understand.reading import MAX_TEXT_CHARS
from winnow.understand.words.text_cleanup import expand_contractions

WAYS = re.compile("W[_tpvsx]+[0-9]")
"""Symbols of the words of a way."""
MADE = frozenset({"W", "SEP", "VSEP"})
"""Symbols that the lattice makes itself: any word, and the two halves of a verb that stand apart."""


def lefts(language: LanguageCode) -> set[str]:
    """Every left side a language has."""
    return {rule.left for rule in load_rulebook(language).rules}


def terminals(language: LanguageCode) -> set[str]:
    """What a word may be: a class, or a list of words of the structure."""
    said = {word.symbol for word in turns(language)} | {word.symbol for word in composed_forms(language)}
    ways = {part for rule in load_rulebook(language).rules for part in rule.right if WAYS.fullmatch(part)}
    own = (grammar_classes(language).get(table, {}) for table in ("words", "remarks"))
    told = (shared_classes()["classes"], *own, shared_classes()["talk"])
    return {*(name for table in told for name in table), *MADE, *said, *ways}


def reachable(language: LanguageCode) -> set[str]:
    """Every symbol that a root may hold."""
    holds: dict[str, set[str]] = {}
    for rule in load_rulebook(language).rules:
        holds.setdefault(rule.left, set()).update(rule.right)
    found, work = set(shared_classes()["roots"]), list(shared_classes()["roots"])
    while work:
        new = holds.get(work.pop(), set()) - found
        found |= new
        work.extend(new)
    return found


def used(part: Tree | Token, language: LanguageCode) -> Iterator[GrammarLine]:
    """The lines of the grammar that a tree was made with."""
    if isinstance(part, Tree):
        yield load_rulebook(language).lines[part.rule.line]
        for inner in part.parts:
            yield from used(inner, language)


def used_by(said: str, language: LanguageCode) -> set[GrammarLine]:
    """The lines in the best parse of a sentence, and in that with ways of saying; empty without one."""
    parses = (
        parsed(said, language),
        reader(language).parses_of(expand_contractions(said, MAX_TEXT_CHARS)).paraphrase_parse(()),
    )
    return {line for parse in parses if parse for line in used(parse.tree, language)}


def language_of_line(line: GrammarLine) -> LanguageCode:
    """The language of its example."""
    return language_of(line.example) if line.language == SHARED_RULES else line.language


@cache
def with_examples() -> tuple[GrammarLine, ...]:
    """The lines that carry an example, each once."""
    every = dict.fromkeys(line for language in ("zh", "en") for line in load_rulebook(language).lines)
    return tuple(line for line in every if line.example)
