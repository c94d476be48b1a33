"""What a refusal names for being near is no answer and no antecedent: it takes an order that names it."""

from __future__ import annotations

import pytest
from benchmarks.places import example_home
from tests.unit.retrieve.home.test_nearness import HUMIDIFIER, Angles

from winnow.adapters.stores.store import memory_storage
from winnow.adapters.testing.fakes import FrozenClock
from winnow.engine.engine import Engine
from winnow.engine.replies import verdict_reply
from winnow.ports.services import run_blocking
from winnow.types.scope import Scope
from winnow.types.utterance import Utterance
from winnow.types.verdict import Act, Refuse, Verdict, named_calls


@pytest.fixture
def engine() -> Engine:
    return Engine(
        memory_storage(FrozenClock(), example_home("cottage")), Angles({"mist maker": 0, "humidifier": 40})
    )


def said(engine: Engine, *sentences: str) -> Verdict:
    """The verdict on the last of the sentences."""
    found = [engine.sync.retrieve(Utterance(text, session="s")) for text in sentences]
    return found[-1].verdict


@pytest.mark.parametrize(
    "answer", ["yes", "yes, that one", "that one", "do it", "turn it on", "ok, turn that on then"]
)
def test_nothing_is_done_on_a_yes_or_a_pronoun(engine: Engine, answer: str) -> None:
    assert named_calls(said(engine, "turn on the mist maker", answer)) == ()


def test_naming_it_works_as_ever(engine: Engine) -> None:
    verdict = said(engine, "turn on the mist maker", "turn on the humidifier")
    assert isinstance(verdict, Act)
    assert [c.device_id for c in verdict.calls] == [HUMIDIFIER]


def test_the_person_hears_what_the_session_does_not_keep(engine: Engine) -> None:
    found = engine.sync.retrieve(Utterance("turn on the mist maker", session="s"))
    assert isinstance(found.verdict, Refuse)
    assert "Humidifier" in verdict_reply(found, engine.sync.load_home().view)
    session = run_blocking(engine.storage.sessions.session(Scope(home="cottage", session="s")))
    assert session.turns[-1].content == 'No device "mist maker".'
