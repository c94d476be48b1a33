"""Both languages can do with a sentence what people do with sentences in both."""

from __future__ import annotations

import pytest
from tests.unit.understand.grammar.homes import LANGUAGES
from tests.unit.understand.grammar.table import built, operations, table

from winnow.types.utterance import LanguageCode

REQUIRED = {
    "again",
    "aside",
    "ask",
    "condition",
    "correct",
    "except",
    "forbid",
    "only",
    "order",
    "readmit",
    "report",
    "retarget",
    "retract",
    "seq",
    "told",
    "under",
    "union",
    "which",
    "wish",
    "withdraw",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_does_what_both_must(language: LanguageCode) -> None:
    assert REQUIRED - operations(language) == set()


def test_the_table_holds_what_only_one_of_them_builds() -> None:
    lines = list(table())
    assert len(lines) == len(built("zh").keys() ^ built("en").keys())
    assert all(" - " in f"{line} " for line in lines)
