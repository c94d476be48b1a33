"""The files of ways: each line is one the grammar reads and means one thing; none was kept apart."""

from __future__ import annotations

from hashlib import sha256

import pytest
from tests.said.audit import acting, both, unread
from tests.said.lines import HELD, LEARNED, is_held, lines
from tests.said.reach import LANGUAGES

from winnow.language.ways.templates import ParaphraseTemplate, acts, parse_templates, ways
from winnow.understand.grammar.rulebook import load_rulebook

SAMPLED = 60
"""One way in so many is said in full here; ``make lexicon-audit`` says them all."""


def is_sampled(way: ParaphraseTemplate) -> bool:
    return int(sha256(way.text.encode()).hexdigest(), 16) % SAMPLED == 0


def test_a_line_is_an_act_a_kind_and_a_way() -> None:
    way, other = parse_templates(
        "# a list\n== on light\nlet there be light in {p}\tab\n\ngive {t} some juice\n"
    )
    assert (way.act, way.kind, way.hands) == ("on", "light", "ab")
    assert (way.shape, way.words) == ("_p", ("let there be light in",))
    assert (other.shape, other.words) == ("_t_", ("give", "some juice"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_way_is_of_a_known_act_and_of_a_shape_the_grammar_reads(language: str) -> None:
    known = load_rulebook(language).ids
    kinds = {"any", *acts()["kinds"]}
    for way in ways(language):
        assert way.words, f"{way} says nothing"
        assert way.meaning
        assert way.kind in kinds
        assert f"W{way.shape}0" in known, f"no line of the grammar reads {way.shape}: {way.text}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_way_stands_under_two_acts_that_undo_each_other(language: str) -> None:
    assert not list(both(language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_ways_are_carried_out_in_three_orders_and_never_where_none_is(language: str) -> None:
    assert not list(unread(language, is_sampled))
    assert not list(acting(language, is_sampled))


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_kept_apart_was_never_learned(language: str) -> None:
    held = {(way.act, way.kind, way.text) for way in lines(language, HELD)}
    assert held
    assert not [way for way in lines(language, LEARNED) if (way.act, way.kind, way.text) in held]
    assert all(is_held(way) for way in lines(language, HELD))
