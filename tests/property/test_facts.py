"""Whatever a person says, nothing of it is lost, and what stands for what can be followed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import cache
from itertools import pairwise
from pathlib import Path
from uuid import uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from winnow.adapters.stores.store import memory_storage
from winnow.adapters.testing.fakes import FrozenClock
from winnow.app.wiring.engine import open_builtin_embedder
from winnow.language.tables import parse_yaml
from winnow.ports.services import run_blocking
from winnow.retrieve.facts.merge import fact_lineages
from winnow.retrieve.facts.source import FactExtractor
from winnow.types.fact import Fact
from winnow.types.scope import Scope

pytestmark = pytest.mark.slow

TABLE, IDA = open_builtin_embedder(), Scope(user="ida")
START = datetime(2026, 1, 1)  # noqa: DTZ001 - a wall clock has no zone
SAID = st.sampled_from(
    [
        "I live in Ghent.",
        "I moved to Bruges.",
        "I live in Ghent again, not in Bruges any more.",
        "My shifts start at six.",
        "My shifts start at seven now.",
        "No, sorry, at eight.",
        "I think my shifts start at nine.",
        "My cat is called Pepper.",
        "我住在杭州",
        "我搬到苏州了",
        "不对，是周四",
        "我周三值班",
        "",
        "Is it raining?",
    ]
)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(SAID, st.integers(0, 5)), max_size=8))
def test_nothing_is_lost_and_every_replacement_can_be_followed(told: list[tuple[str, int]]) -> None:
    store = memory_storage(FrozenClock()).facts
    keeper, ids = FactExtractor(store, TABLE, FrozenClock()), set[str]()
    for text, day in told:
        run_blocking(keeper.extract(IDA, text, START + timedelta(days=day)))
        facts = {fact.id: fact for fact in run_blocking(store.facts(IDA))}
        assert ids <= facts.keys()
        ids = set(facts)
        for fact in facts.values():
            assert (fact.status == "superseded") == bool(fact.replaced_by)
            assert fact.replaced_by in {"", *facts} - {fact.id}
        assert sorted(fact.id for line in fact_lineages(list(facts.values())) for fact in line) == sorted(
            facts
        )


MATTERS = parse_yaml(Path(__file__).with_name("changed_statements.yaml").read_text("utf-8"))


def changed(language: str) -> Iterator[tuple[str, str]]:
    """An earlier statement and a later one that tells another value of the same, or denies it."""
    for matter in MATTERS[language]["matters"]:
        first, other = matter["says"]
        for old, new in pairwise(matter["values"]):
            yield first.format(old), first.format(new)
            yield first.format(old), other.format(new)
    for old, new in MATTERS[language]["pairs"]:
        yield old, new


def repeated(language: str) -> Iterator[tuple[str, str]]:
    """An earlier statement and a later one that says the same again."""
    for matter in MATTERS[language]["matters"]:
        for value in matter["values"]:
            for way in (*matter["again"], matter["says"][0]):
                yield matter["says"][0].format(value), way.format(value)


STORE = cache(lambda: memory_storage(FrozenClock()).facts)
"""Of many persons, each of whom says two sentences: opening one for each takes longer than all else."""


def kept(old: str, new: str) -> list[Fact]:
    """What a new person's facts are after the one and, a month later, the other."""
    store, person = STORE(), Scope(user=uuid4().hex)
    keeper = FactExtractor(store, TABLE, FrozenClock())
    run_blocking(keeper.add(person, old, START))
    run_blocking(keeper.add(person, new, START + timedelta(days=30)))
    return list(run_blocking(store.facts(person)))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_changed_statement_is_never_known_already(language: str) -> None:
    pairs = list(changed(language))
    lost = [
        (old, new) for old, new in pairs if [f.status for f in kept(old, new) if f.text == new] != ["current"]
    ]
    assert len(pairs) >= 200
    assert lost == []


@pytest.mark.parametrize("language", ["en", "zh"])
def test_where_a_value_alone_changes_it_takes_the_place_of_the_other(language: str) -> None:
    told = [m for m in MATTERS[language]["matters"] if any(c.isdigit() for c in m["values"][0])]
    for matter in told:
        one, other = (matter["says"][0].format(value) for value in matter["values"][:2])
        old, new = kept(one, other)
        assert (old.text, old.status, old.replaced_by) == (one, "superseded", new.id), (one, other)
        assert old.reason


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_repetition_is_folded(language: str) -> None:
    pairs = list(repeated(language))
    assert len(pairs) >= 60
    assert [(old, new) for old, new in pairs if len(kept(old, new)) != 1] == []
