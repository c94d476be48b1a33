"""What persons say is kept as facts, and facts are a source."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from winnow.adapters.stores.store import memory_storage
from winnow.adapters.testing.fakes import FrozenClock
from winnow.app.wiring.engine import open_builtin_embedder
from winnow.errors import NoSuchFact
from winnow.ports.services import run_blocking
from winnow.ports.stores import Facts
from winnow.retrieve.facts.source import FactExtractor, FactSource
from winnow.types.candidate import Search, Shortlist
from winnow.types.fact import Fact
from winnow.types.scope import Scope

TABLE, IDA = open_builtin_embedder(), Scope(user="ida")
NOON = datetime(2026, 3, 4, 12)  # noqa: DTZ001 - a wall clock has no zone


@pytest.fixture
def facts() -> Facts:
    return memory_storage(FrozenClock()).facts


@pytest.fixture
def keeper(facts: Facts) -> FactExtractor:
    return FactExtractor(facts, TABLE, FrozenClock())


def held(facts: Facts) -> list[Fact]:
    return list(run_blocking(facts.facts(IDA)))


def found(facts: Facts, question: str, scope: Scope = IDA) -> Shortlist:
    return run_blocking(FactSource(facts, TABLE)(Search(question), scope, 5))


def test_what_is_told_is_kept_and_what_is_asked_is_not(keeper: FactExtractor, facts: Facts) -> None:
    run_blocking(keeper.extract(IDA, "My dentist is Dr. Cole. What's the weather like?", NOON))
    assert [fact.text for fact in held(facts)] == ["My dentist is Dr. Cole."]
    assert run_blocking(keeper.extract(IDA, "Turn off the lamp", NOON)) == ()


def test_news_of_nobody_in_particular_count_where_they_are_news_of_something(
    keeper: FactExtractor, facts: Facts
) -> None:
    run_blocking(keeper.extract(IDA, "Our choir practice is on Mondays.", NOON))
    run_blocking(keeper.extract(IDA, "Choir practice has moved to Wednesdays now.", NOON + timedelta(days=9)))
    run_blocking(keeper.extract(IDA, "Rain all day.", NOON + timedelta(days=9)))
    assert [(fact.text[:5], fact.status) for fact in held(facts)] == [
        ("Our c", "superseded"),
        ("Choir", "current"),
    ]


def test_what_names_nobody_is_kept_where_it_tells_more_of_something_known(
    keeper: FactExtractor, facts: Facts
) -> None:
    run_blocking(keeper.extract(IDA, "My boiler has 1.4 bar.", NOON))
    run_blocking(keeper.extract(IDA, "The boiler has 1.9 bar.", NOON + timedelta(days=9)))
    assert [fact.text for fact in held(facts)] == ["My boiler has 1.4 bar.", "The boiler has 1.9 bar."]


@pytest.mark.parametrize(
    "text",
    [
        "Got it.",
        "Okay, I've noted that.",
        "Sure, I'll keep that in mind.",
        "Understood, I have saved it.",
        "好的，记下了。",
        "明白了，我会记住的。",
        "收到，我已经帮你记录了。",
    ],
)
def test_an_acknowledgement_tells_nothing(keeper: FactExtractor, facts: Facts, text: str) -> None:
    run_blocking(keeper.add(IDA, "I live in Ghent.", NOON))
    assert run_blocking(keeper.extract(IDA, text, NOON + timedelta(days=1))) == ()


@pytest.mark.parametrize("text", ["I got a new job.", "我记得密码是heron7。"])
def test_what_only_begins_like_one_is_kept(keeper: FactExtractor, text: str) -> None:
    assert [fact.text for fact in run_blocking(keeper.extract(IDA, text, NOON))] == [text]


def test_the_place_before_the_last_is_still_found(keeper: FactExtractor, facts: Facts) -> None:
    for day, town in enumerate(("Ghent", "Bruges", "Lyon")):
        run_blocking(keeper.add(IDA, f"I live in {town}.", NOON + timedelta(days=day)))
    assert [(fact.text, fact.at) for fact in held(facts)] == [
        (f"I live in {town}.", NOON + timedelta(days=day))
        for day, town in enumerate(("Ghent", "Bruges", "Lyon"))
    ]
    before = found(facts, "Where did I live before?").candidates
    assert {c.data["text"] for c in before} == {  # type: ignore[index]
        "I live in Ghent.",
        "I live in Bruges.",
        "I live in Lyon.",
    }


def test_the_same_message_heard_twice_changes_nothing(keeper: FactExtractor, facts: Facts) -> None:
    for _ in range(2):
        run_blocking(keeper.extract(IDA, "My dentist is Dr. Cole.", NOON))
    assert len(held(facts)) == 1


def test_a_correction_by_the_person_wins(keeper: FactExtractor, facts: Facts) -> None:
    (fact,) = run_blocking(keeper.add(IDA, "My size is 42", NOON))
    run_blocking(keeper.correct(IDA, fact.id, "My size is 43", NOON))
    old, new = held(facts)
    assert (old.status, old.replaced_by, new.credibility) == ("superseded", new.id, 1.0)
    with pytest.raises(NoSuchFact, match="f9"):
        run_blocking(keeper.correct(IDA, "f9", "My size is 44", NOON))


def test_a_question_finds_what_holds_and_the_past_only_where_it_asks_for_it(
    keeper: FactExtractor, facts: Facts
) -> None:
    (old,) = run_blocking(keeper.add(IDA, "My dentist is Dr. Cole", NOON))
    run_blocking(keeper.add(IDA, "My cat sleeps on the piano", NOON))
    run_blocking(keeper.correct(IDA, old.id, "My dentist is Dr. Ferris", NOON))
    now = found(facts, "Who is my dentist?").candidates
    assert [c.data["text"] for c in now] == ["My dentist is Dr. Ferris"]  # type: ignore[index]
    assert (now[0].ref.kind, now[0].data["status"]) == ("fact", "current")  # type: ignore[index]
    before = found(facts, "Who was my dentist before?").candidates
    assert {c.data["status"] for c in before} == {"current", "superseded"}  # type: ignore[index]


def test_an_attribute_is_found_however_it_is_named_and_of_whom_it_is_asked(
    keeper: FactExtractor, facts: Facts
) -> None:
    for told in ("I moved to Ghent", "My sister lives in Bruges", "我的猫叫芝麻"):
        run_blocking(keeper.add(IDA, told, NOON))
    for question, best in (
        ("Where do I live?", "I moved to Ghent"),
        ("Where does my sister live?", "My sister lives in Bruges"),
        ("我住在哪里", "I moved to Ghent"),
    ):
        assert found(facts, question).candidates[0].data["text"] == best  # type: ignore[index]


def test_an_allergy_bears_on_what_to_cook(keeper: FactExtractor, facts: Facts) -> None:
    for told in ("I can't have sesame, I'm allergic", "My bicycle is green"):
        run_blocking(keeper.add(IDA, told, NOON))
    told_ = [c.data["text"] for c in found(facts, "Which dish could I cook for Sunday?").candidates]  # type: ignore[index]
    assert told_ == ["I can't have sesame, I'm allergic"]
    assert found(facts, "Which film could I watch on Sunday?").candidates == ()


def test_facts_of_others_are_never_found(keeper: FactExtractor, facts: Facts) -> None:
    run_blocking(keeper.add(IDA, "My dentist is Dr. Cole", NOON))
    assert found(facts, "Who is my dentist?", Scope(user="jo")).candidates == ()
    nobody = found(facts, "Who is my dentist?", Scope())
    assert (nobody.candidates, nobody.steps[0].chosen) == ((), "none")
