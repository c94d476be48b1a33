"""What was deleted or changed is not given again in the session it was given in, whatever is said there."""

from __future__ import annotations

import gc
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


TEXTS = (
    "The keeper of my safe is {0}, who meditates.",
    "Actually {0} gave it to my sister. Make that {0}.",
    "我的保险箱由{0}看管。",
)
QUESTIONS = ("Who keeps my safe?", "谁看管我的保险箱？", "Tell me more about the safe.")


def tell_all(engine: Engine, name: str) -> None:
    told = [text.format(name) for text in TEXTS]
    engine.sync.add_messages([{"role": "user", "content": text} for text in told], user="ida")
    engine.sync.add_documents([{"id": "safe", "title": "Safe", "text": " ".join(told) + ROUND}], user="ida")
    engine.sync.add_facts(told, user="ida")


def held_texts(name: str) -> set[str]:
    """All that any object of this process holds with the name in it, as it was told."""
    gc.collect()
    held = (one for holder in gc.get_objects() for one in gc.get_referents(holder) if isinstance(one, str))
    return {one for one in held if name in one.casefold() and one is not name}


def forget_rows(engine: Engine) -> None:
    engine.sync.forget_messages(user="ida")
    engine.sync.forget_documents(user="ida")
    engine.sync.forget_facts(user="ida")


def forget_person(engine: Engine) -> None:
    engine.sync.forget("ida")


# Written in parts, so that the code of this test does not hold them
@pytest.mark.parametrize("parts", [("quill", "onby"), ("骆冰", "岩")])
@pytest.mark.parametrize("away", [forget_rows, forget_person])
def test_no_text_that_was_deleted_is_left_in_the_process(
    away: Callable[[Engine], None], parts: tuple[str, str]
) -> None:
    engine, name = winnow.open(), "".join(parts)
    tell_all(engine, name)
    assert any(name in answered(engine, text) for text in QUESTIONS)
    assert held_texts(name)
    away(engine)
    assert held_texts(name) == set()
