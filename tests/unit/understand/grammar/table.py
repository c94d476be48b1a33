"""``python -m tests.unit.understand.grammar.table``: what one language can build and the other cannot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from winnow.types.utterance import LanguageCode
from winnow.understand.grammar.rulebook import load_rulebook

Built = Counter[tuple[str, str]]
"""(left side, operation) -> lines."""


def built(language: LanguageCode) -> Built:
    """What the lines of a language build, with those that both share."""
    lines = {(rule.line, rule.left, rule.operation) for rule in load_rulebook(language).rules}
    return Counter((left, operation) for _, left, operation in lines)


def operations(language: LanguageCode) -> set[str]:
    """What a language can do with the parts of a sentence."""
    return {operation for _, operation in built(language)}


def table() -> Iterator[str]:
    """One line for what only one of the two languages builds, with the number of its lines."""
    here, there = built("zh"), built("en")
    for left, operation in sorted(here.keys() ^ there.keys()):
        zh, en = here[left, operation], there[left, operation]
        yield f"{left:<10} {operation:<10} {zh or '-':>4} {en or '-':>4}"


if __name__ == "__main__":
    print(f"{'left side':<10} {'operation':<10} {'zh':>4} {'en':>4}")
    print("\n".join(table()))
