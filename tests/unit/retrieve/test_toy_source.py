"""A source is a folder and a row: given to an engine, it is gated, limited and quoted as ours are."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.retrieve.toy.source import BIRTHDAYS, BirthdaySource

import winnow
from winnow import Engine, Utterance
from winnow.app.config.settings import Settings
from winnow.retrieve.tiers import ASKED, SPARED

ENTRIES = {
    "ida": {
        "b1": "The birthday of uncle Henrik is on the third of May.",
        "b2": "The birthday of aunt Maren is on the ninth of June.",
        "b3": "The birthday of Pelle is in winter.",
    }
}
QUESTION = "When is the birthday of my uncle Henrik?"


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    return winnow.open(settings=Settings(tmp_path), sources={"birthdays": BirthdaySource(ENTRIES)})


def test_its_passages_stand_in_the_context_of_a_question(engine: Engine) -> None:
    found = engine.sync.retrieve(Utterance(QUESTION, user="ida"))
    said = "\n".join(str(message["content"]) for message in found.context.messages)
    assert ENTRIES["ida"]["b1"] in said
    assert '"from":"birthdays"' in said
    gate = {step.what: step.chosen for step in found.gate}
    assert gate[BIRTHDAYS.name] == gate["history"] == ASKED


def test_its_row_says_how_much_is_asked_of_it(engine: Engine) -> None:
    found = engine.sync.retrieve(Utterance(QUESTION, user="ida"))
    (offered,) = [shortlist for shortlist in found.results if shortlist.source == BIRTHDAYS.name]
    assert [candidate.ref.id for candidate in offered.candidates] == ["b1", "b2"]


def test_what_is_personal_is_not_asked_without_a_user(engine: Engine) -> None:
    gate = {step.what: step for step in engine.sync.retrieve(Utterance(QUESTION)).gate}
    assert (gate[BIRTHDAYS.name].chosen, gate[BIRTHDAYS.name].reason) == (SPARED, BIRTHDAYS.nobody)


def test_what_is_no_question_for_it_leaves_it_alone(engine: Engine) -> None:
    gate = {step.what: step.chosen for step in engine.sync.retrieve(Utterance("thanks", user="ida")).gate}
    assert gate[BIRTHDAYS.name] == SPARED
