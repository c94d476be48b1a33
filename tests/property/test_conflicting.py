"""Of documents that contradict each other the later or more credible is first, the other marked."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from winnow.language.tables import parse_yaml
from winnow.retrieve.documents.conflicts import reconcile
from winnow.types.candidate import Candidate, Ref, Search, Shortlist

TOLD = parse_yaml(Path(__file__).with_name("conflicting_statements.yaml").read_text("utf-8"))
PAIRS = [tuple(map(way.format, values)) for rows in TOLD.values() for way, *values in rows]
OLD, NEW = "2025-01-10T00:00:00", "2026-01-10T00:00:00"


def told(id_: str, text: str, at: str = "", credibility: float = 0.5, kind: str = "passage") -> Candidate:
    data = {"text": text, "title": f"Guide {id_}", "document": id_, "credibility": credibility}
    return Candidate(Ref(kind, id_), score=0.8, data={**data, **({"at": at} if at else {})})


def arranged(*candidates: Candidate) -> list[tuple[str, str]]:
    """Id and status of each, in order."""
    (found,) = reconcile(Search("?"), [Shortlist("knowledge", candidates)])
    return [(one.ref.id, one.data.get("status", "")) for one in found.candidates]  # type: ignore[attr-defined]


@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_the_later_comes_first_whatever_was_found_first(pair: tuple[str, str]) -> None:
    for old, new in permutations(pair):
        both = told("1", old, OLD, 0.9), told("2", new, NEW, 0.2)
        for candidates in permutations(both):
            assert arranged(*candidates) == [("2", ""), ("1", "superseded")]


@pytest.mark.parametrize("pair", PAIRS, ids=str)
@pytest.mark.parametrize("at", ["", NEW])
def test_of_one_day_or_none_the_more_credible_comes_first(pair: tuple[str, str], at: str) -> None:
    for doubtful, sure in permutations(pair):
        both = told("1", doubtful, at, 0.2), told("2", sure, at, 0.9)
        for candidates in permutations(both):
            assert arranged(*candidates) == [("2", ""), ("1", "superseded")]


@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_of_equal_standing_neither_is_sure(pair: tuple[str, str]) -> None:
    assert arranged(told("1", pair[0]), told("2", pair[1])) == [("1", "uncertain"), ("2", "uncertain")]
    assert arranged(told("1", pair[0], OLD), told("2", pair[0], NEW)) == [("1", ""), ("2", "")]
