from __future__ import annotations

import pytest

from winnow.retrieve.documents import PRIVATE_DOCUMENTS, PUBLIC_DOCUMENTS
from winnow.retrieve.facts import FACTS
from winnow.retrieve.history import HISTORY
from winnow.retrieve.tiers import ASKED, IF_NEEDED, SPARED, gate_sources
from winnow.types.query import Intent

BOTH = (HISTORY, PRIVATE_DOCUMENTS)


@pytest.mark.parametrize(
    ("needed", "source", "user", "asked"),
    [
        (True, "history", "nina", {"history", "knowledge"}),
        (True, "knowledge", "nina", {"history", "knowledge"}),
        (True, "knowledge", "", {"knowledge"}),
        (True, "history", "", {"knowledge"}),
        (True, "devices", "nina", set()),
        (False, "none", "nina", set()),
    ],
)
def test_what_is_asked(needed: bool, source: str, user: str, asked: set[str]) -> None:
    steps = gate_sources(Intent(needed, source, "a-class"), BOTH, user)  # type: ignore[arg-type]
    assert {step.what for step in steps if step.chosen == ASKED} == asked
    assert {step.what for step in steps if step.chosen == SPARED} == {row.name for row in BOTH} - asked
    assert all(step.reason for step in steps)


def test_the_source_of_the_intent_comes_first() -> None:
    steps = gate_sources(Intent(True, "knowledge", "fact"), BOTH, "nina")
    assert [step.what for step in steps] == ["knowledge", "history"]


def test_nothing_is_decided_of_what_is_not_there() -> None:
    assert gate_sources(Intent(True, "history", "memory"), (), "nina") == ()


def test_the_public_source_comes_last_and_only_if_needed() -> None:
    steps = gate_sources(
        Intent(True, "knowledge", "fact"), (PUBLIC_DOCUMENTS, FACTS, HISTORY, PRIVATE_DOCUMENTS), ""
    )
    assert [(step.what, step.chosen) for step in steps] == [
        ("knowledge", ASKED),
        ("facts", SPARED),
        ("history", SPARED),
        ("public", IF_NEEDED),
    ]
