"""What was deleted or changed is not given again in the session it was given in, whatever is said there."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import winnow
from winnow import Engine

ROUND = "It stands in the study behind the globe, and nobody has opened it for years. " * 20
ASKED = "What is the code of the safe?"
LATER = ("And what is it again?", "Tell me more about the safe.", ASKED, "How old is the globe?")


def keep(engine: Engine, code: int) -> None:
    row = {"id": "safe", "title": "Safe", "text": f"The code of the safe is {code}. {ROUND}"}
    engine.sync.add_documents([row], user="ida")


def change(engine: Engine) -> None:
    keep(engine, 8822)


def forget(engine: Engine) -> None:
    engine.sync.forget_documents(["safe"], user="ida")


def answered(engine: Engine, text: str) -> str:
    return str(engine.sync.retrieve(text, user="ida", session="s").context.messages)


@pytest.mark.parametrize("away", [change, forget])
@settings(max_examples=3, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    before=st.lists(st.sampled_from(LATER), max_size=2), after=st.lists(st.sampled_from(LATER), min_size=1)
)
def test_a_document_that_was_changed_or_deleted(
    away: Callable[[Engine], None], before: list[str], after: list[str]
) -> None:
    engine = winnow.open()
    engine.sync.forget_documents(user="ida")
    keep(engine, 4711)
    assert "4711" in answered(engine, ASKED)
    for text in before:
        answered(engine, text)
    away(engine)
    assert not any("4711" in answered(engine, text) for text in after[:3])


def test_a_fact_that_was_deleted() -> None:
    engine = winnow.open()
    (fact,) = engine.sync.add_facts("The code of my safe is 4711.", user="ida")
    assert "4711" in answered(engine, ASKED)
    engine.sync.forget_facts([fact.id], user="ida")
    assert not any("4711" in answered(engine, text) for text in LATER)
