"""Documents that contradict each other, through the whole call: the later first, the other marked."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

import winnow
from winnow.app.config.settings import Settings
from winnow.ports.services import run_blocking
from winnow.ports.stores import StoredDocument
from winnow.types.document import Document, Passage
from winnow.types.scope import Scope

IDA = Scope("default", user="ida")
OLD, NEW = datetime(2025, 1, 10), datetime(2026, 1, 10)  # noqa: DTZ001 - a wall clock has no zone


def entry(name: str, text: str, at: datetime, credibility: float) -> StoredDocument:
    document = Document(name, name, source=f"{name}.md", at=at, credibility=credibility)
    return StoredDocument(document, text, (Passage(f"{name}#0", document, text),))


def context(folder: Path, question: str, *entries: StoredDocument, fact: str = "") -> str:
    """What a model is given for the question."""
    engine = winnow.open(settings=Settings(folder), extract_facts=bool(fact))
    run_blocking(engine.storage.documents.put(IDA, "private", entries))
    if fact:
        assert engine.keeper is not None
        run_blocking(engine.keeper.add(IDA, fact, datetime(2026, 3, 1)))  # noqa: DTZ001 - a wall clock has no zone
    return str(engine.sync.retrieve(question, user="ida").context.messages)


@pytest.mark.parametrize(
    ("question", "old", "new"),
    [
        (
            "How much is the monthly pass?",
            "The monthly pass costs 49 euros.",
            "The monthly pass costs 58 euros.",
        ),
        ("游泳馆月票多少钱？", "游泳馆月票49元。", "游泳馆月票58元。"),
        (
            "Are dogs allowed in the garden?",
            "Dogs are allowed in the garden.",
            "Dogs are not allowed in the garden.",
        ),
        ("花园里可以带狗吗？", "花园里可以带狗。", "花园里不可以带狗。"),
    ],
)
def test_the_later_document_is_first_and_the_earlier_is_marked(
    tmp_path: Path, question: str, old: str, new: str
) -> None:
    told = context(tmp_path, question, entry("guide 1", old, OLD, 0.9), entry("guide 2", new, NEW, 0.2))
    assert 0 <= told.index(new) < told.index(old)
    line = next(line for line in told.split("\\n") if old in line)
    assert '"status":"superseded","superseded_by":"guide 2#0"' in line


def test_of_one_day_the_more_credible_document_is_first(tmp_path: Path) -> None:
    doubtful, sure = (
        entry("月票 1", "游泳馆月票49元。", NEW, 0.2),
        entry("月票 2", "游泳馆月票58元。", NEW, 0.9),
    )
    told = context(tmp_path, "游泳馆月票多少钱？", doubtful, sure)
    assert 0 <= told.index(sure.text) < told.index(doubtful.text)
    assert told.count('"superseded_by":"月票 2#0"') == 1


def test_a_later_fact_outdates_a_document(tmp_path: Path) -> None:
    old, fact = "The monthly pass costs 49 euros.", "The monthly pass costs 61 euros."
    told = context(tmp_path, "How much is the monthly pass?", entry("gym", old, OLD, 0.9), fact=fact)
    assert told.index(fact) < told.index(old)
    assert told.count('"superseded_by":"f-') == 1
