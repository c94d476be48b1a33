"""Whatever a person says, nothing of it is lost, and what stands for what can be followed."""

from __future__ import annotations

from datetime import datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from winnow.bridge import blocking
from winnow.recall.facts import lineage
from winnow.sources.facts import Keeper
from winnow.stores.memory_facts import MemoryFacts
from winnow.testing import FrozenClock
from winnow.types.scope import Scope
from winnow.wiring import open_table

TABLE, IDA = open_table(), Scope(user="ida")
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
    store = MemoryFacts()
    keeper, ids = Keeper(store, TABLE, FrozenClock()), set[str]()
    for text, day in told:
        blocking(keeper.heard(IDA, text, START + timedelta(days=day)))
        facts = {fact.id: fact for fact in blocking(store.facts(IDA))}
        assert ids <= facts.keys()
        ids = set(facts)
        for fact in facts.values():
            assert (fact.status == "superseded") == bool(fact.replaced_by)
            assert fact.replaced_by in {"", *facts} - {fact.id}
        assert sorted(fact.id for line in lineage(list(facts.values())) for fact in line) == sorted(facts)
