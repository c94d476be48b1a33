"""What is kept of turns: the last ones, counts where that is switched on, and what people say of them."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

import winnow
from winnow.adapters.models.embedders import HashingEmbedder
from winnow.adapters.stores.store import memory_storage
from winnow.adapters.testing.fakes import FrozenClock
from winnow.engine.engine import Engine
from winnow.engine.feedback import MAX_RECENT_TURNS
from winnow.engine.policy import Policy
from winnow.errors import FeedbackError, StoreError
from winnow.ports.services import run_blocking
from winnow.types.candidate import Candidate, Evidence, Ref, Search, Shortlist
from winnow.types.context import Part, Tuning
from winnow.types.retrieval import Retrieval
from winnow.types.scope import Scope
from winnow.types.utterance import Utterance

IDA = Scope(user="ida")
ASKED = Utterance("When does the lease of my flat end?", user="ida")


class Notes:
    """A source that finds two notes."""

    waits = False

    async def __call__(self, search: Search, scope: Scope, limit: int) -> Shortlist:
        told = {"text": "The lease ends on 31 May 2027.", "importance": 0.9, "at": datetime(1970, 1, 1)}  # noqa: DTZ001 - a wall clock has no zone
        first = Candidate(Ref("passage", "p1"), (Evidence("words", 0.7),), 0.9, told)
        return Shortlist(
            "knowledge", (first, Candidate(Ref("passage", "p2"), (), 0.4, {"text": "Bicycles."}))
        )


def engine(**more: Any) -> Engine:
    storage = memory_storage(FrozenClock(86400.0 * 3))
    return Engine(storage, HashingEmbedder(), policy=Policy(**more), sources={"knowledge": Notes()})


def asked(made: Engine, said: Utterance = ASKED) -> Retrieval:
    return made.sync.retrieve(said)


def test_feedback_on_a_retrieval_keeps_what_it_was_given_and_none_of_its_text() -> None:
    made = engine()
    turn = asked(made)
    given = made.sync.feedback(turn, "useful", "p1", "just so")
    assert (given.user, given.judged, given.note) == ("ida", "useful", "just so")
    assert (given.ref, given.retrieval) == (Ref("passage", "p1"), turn.id)
    assert given.account is not None
    first, second = given.account.offered
    assert first.evidence.keys() == {"words", "importance", "age"}
    assert first.evidence["importance"] == 0.9
    assert 2 <= first.evidence["age"] <= 4
    assert first.kept == first.tokens > second.tokens > 0
    assert "31 May" not in str(given.data())
    assert list(run_blocking(made.storage.feedback.feedback(IDA))) == [given]


def test_a_turn_of_this_process_is_known_by_its_id() -> None:
    made = engine()
    turn = asked(made)
    assert made.sync.feedback(turn.id, "not_useful", user="ida").retrieval == turn.id


def test_a_turn_of_another_tenant_is_known_there_alone() -> None:
    engine = winnow.open("example:cottage")
    found = engine.sync.retrieve(Utterance("When does the lease end?", user="ida", tenant="anna"))
    kept = engine.sync.feedback(found.id, "useful", user="ida", tenant="anna")
    assert kept.retrieval == found.id
    with pytest.raises(FeedbackError):
        engine.sync.feedback(found.id, "useful", user="ida")


def test_a_turn_of_another_person_is_not_known_by_its_id() -> None:
    made = engine()
    turn = asked(made)
    with pytest.raises(FeedbackError):
        made.sync.feedback(turn.id, "useful", user="jo")


def test_only_so_many_turns_are_remembered() -> None:
    made = engine()
    first = asked(made)
    for _ in range(MAX_RECENT_TURNS):
        asked(made)
    with pytest.raises(FeedbackError) as caught:
        made.sync.feedback(first.id, "useful", user="ida")
    assert "metrics = true" in caught.value.hint


def test_where_turns_are_counted_another_process_knows_the_last_ones() -> None:
    made = engine(metrics=True)
    turns = [asked(made), asked(made)]
    later = Engine(made.storage, HashingEmbedder())
    assert later.sync.feedback("", "useful", user="ida").retrieval in {turn.id for turn in turns}
    assert later.sync.feedback(turns[0].id, "wrong", "passage:p2", user="ida").retrieval == turns[0].id
    with pytest.raises(FeedbackError):
        later.sync.feedback("", "useful", user="jo")


def test_what_a_turn_was_not_given_may_be_missing_and_nothing_else() -> None:
    made = engine()
    turn = asked(made)
    with pytest.raises(FeedbackError) as caught:
        made.sync.feedback(turn, "useful", "p9")
    assert "passage:p1" in caught.value.hint
    assert made.sync.feedback(turn, "missing", "fact:f1").ref == Ref("fact", "f1")
    assert made.sync.feedback(turn, "missing", "p9").ref == Ref("passage", "p9")
    assert made.sync.feedback(turn, "missing").ref is None


def test_another_judgement_and_feedback_of_nobody_are_errors() -> None:
    made = engine()
    with pytest.raises(FeedbackError):
        made.sync.feedback(asked(made), "splendid")  # type: ignore[arg-type]
    with pytest.raises(StoreError):
        made.sync.feedback(asked(made, Utterance("what is the deposit?")), "useful")


def test_turns_are_counted_only_where_that_is_switched_on() -> None:
    silent, counting = engine(), engine(metrics=True)
    for made in (silent, counting):
        asked(made)
        asked(made, Utterance("thank you!"))
    assert run_blocking(silent.feedback_log.totals(IDA)) == {}
    totals = run_blocking(counting.feedback_log.totals(IDA))
    assert totals["turns"].sum == 2
    assert totals["coverage"].mean > 0
    assert totals["ms"].sum > 0


def test_feedback_changes_no_later_turn() -> None:
    made = engine()
    before = asked(made)
    for _ in range(3):
        made.sync.feedback(before, "wrong", "p1")
    after = asked(made)
    assert (after.results, after.context.messages) == (before.results, before.context.messages)


def test_the_figures_of_a_turn_come_from_its_messages() -> None:
    made = engine()
    figures = made.metrics(asked(made), "It ends on 31 May 2027, with a fee of 90 euros.")
    assert figures.data > 0
    assert figures.coverage is not None
    assert figures.statements[0].missing == ("90",)
    assert figures.ms > 0


def test_what_was_learned_counts_once_it_is_switched_on() -> None:
    made = engine(tuning=Tuning({"importance": -9.0}))
    first, second = asked(made).results[0].candidates
    assert (first.ref.id, second.ref.id) == ("p2", "p1")
    assert second.evidence[-1].lane == "tuned"


def test_shares_that_were_learned_count_once_they_are_switched_on() -> None:
    shares: dict[Part, float] = {"history": 0.2, "knowledge": 0.6, "system": 0.1, "reserve": 0.1}
    usual, learned = (asked(engine(**more)).context.usage for more in ({}, {"tuning": Tuning(shares=shares)}))
    assert usual is not None
    assert learned is not None
    assert learned["system"].total < usual["system"].total
    assert learned["reserve"].total > usual["reserve"].total


def test_what_a_person_said_of_turns_leaves_with_all_else_of_theirs() -> None:
    made, jo = engine(metrics=True), Scope(user="jo")
    for user in ("ida", "jo"):
        made.sync.feedback(asked(made, replace(ASKED, user=user)), "useful")
    (kept,) = json.loads("".join(made.sync.export("ida")))["feedback"]
    assert (kept["given"]["judged"], kept["given"]["account"]["query"]) == ("useful", ASKED.text)
    assert {"feedback", "accounts"} <= made.sync.forget("ida").removed.keys()
    assert not {"feedback", "accounts"} & json.loads("".join(made.sync.export("ida"))).keys()
    assert run_blocking(made.storage.counts.account(IDA)) is None
    assert len(run_blocking(made.storage.feedback.feedback(jo))) == 1
    assert run_blocking(made.storage.counts.account(jo)) is not None


def test_a_recent_turn_is_given_to_whoever_spoke_alone() -> None:
    made = engine()
    turn = asked(made)
    assert made.feedback_log.recent_turn(IDA, turn.id) == turn
    for other in (Scope(), Scope(user="bob"), Scope("other", user="ida")):
        assert made.feedback_log.recent_turn(other, turn.id) is None
    assert made.feedback_log.recent_turn(IDA, "unknown") is None
