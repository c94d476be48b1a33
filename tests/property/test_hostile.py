"""Hostile and broken input: never an exception, never an act, never an offer to act."""

from __future__ import annotations

from random import Random

import pytest
from benchmarks.hostile import (
    ACTS,
    CONTROL,
    EMOJI,
    HEAPED,
    KINDS,
    SYMBOLS,
    TEMPLATES,
    forbidden,
    names_of,
)
from hypothesis import assume, given
from hypothesis import strategies as st
from tests import homes
from tests.property.houses import times

from winnow import Engine
from winnow.language.normalize import normalise
from winnow.understand.words.tokens import tag_text

pytestmark = pytest.mark.slow

HOME_NAMES = ("home40", "home150", "cottage")


def target(name: str) -> tuple[Engine, tuple[str, ...]]:
    return homes.engine(name), names_of(homes.home(name))


@pytest.mark.parametrize("kind", sorted(KINDS))
@times(90)
@given(seed=st.integers(0, 2**32), home=st.sampled_from(HOME_NAMES))
def test_nothing_is_done_about(kind: str, seed: int, home: str) -> None:
    engine, names = target(home)
    assert not forbidden(engine.sync.retrieve(KINDS[kind](Random(seed), names)).verdict)


@times(180)
@given(text=st.text(max_size=200), home=st.sampled_from(HOME_NAMES))
def test_any_text_gets_an_answer(text: str, home: str) -> None:
    assert target(home)[0].sync.retrieve(text).reading.intent in {
        "command",
        "query",
        "none",
        "hostile",
        "empty",
    }


@times(120)
@given(text=st.text(alphabet=SYMBOLS + EMOJI + CONTROL, max_size=120), home=st.sampled_from(HOME_NAMES))
def test_marks_and_pictures_ask_for_nothing(text: str, home: str) -> None:
    assert not forbidden(target(home)[0].sync.retrieve(text).verdict)


@times(120)
@given(text=st.text(alphabet=st.characters(categories=("Lu", "Ll", "Lo", "Nd", "So")), max_size=40))
def test_letters_that_make_no_word_are_never_an_order(text: str) -> None:
    engine, _ = target("home150")
    assume(
        {t.kind for t in tag_text(normalise(text), engine.sync.load_home().vocabulary)}
        <= {"word", "number", "mark", "filler"}
    )
    assert not forbidden(engine.sync.retrieve(text).verdict)


@pytest.mark.parametrize("template", TEMPLATES)
@times(8)
@given(data=st.data(), home=st.sampled_from(HOME_NAMES))
def test_an_order_in_disguise_is_not_followed(template: str, data: st.DataObject, home: str) -> None:
    engine, names = target(home)
    text = template.format(name=data.draw(st.sampled_from(names)), act=data.draw(st.sampled_from(ACTS)))
    assert not forbidden(engine.sync.retrieve(text).verdict), text


@pytest.mark.parametrize("word", HEAPED)
def test_a_hundred_kilobytes_of_one_word(word: str) -> None:
    engine, _ = target("home40")
    retrieval = engine.sync.retrieve(word * (100_000 // len(word)))
    assert not forbidden(retrieval.verdict)
    assert (retrieval.reading.reason, len(retrieval.reading.text)) == ("too_long", 1000)


@pytest.mark.parametrize("home", HOME_NAMES)
def test_ids_and_names_alone_are_no_orders(home: str) -> None:
    engine, names = target(home)
    acting = [n for n in names if "." not in n and forbidden(engine.sync.retrieve(n).verdict)]
    assert acting == []
