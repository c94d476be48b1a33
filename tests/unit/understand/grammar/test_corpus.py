"""What is said in several ways comes to one thing, and what is no order does nothing."""

from __future__ import annotations

import pytest
from tests.unit.understand.grammar.corpus import Group, groups, none, waiting
from tests.unit.understand.grammar.homes import LANGUAGES, meant
from tests.unit.understand.grammar.judged import DOING, judged

from winnow.types.utterance import LanguageCode

GROUPS = [(language, group) for language in LANGUAGES for group in groups(language)]
SAID = [(language, group, said) for language, group in GROUPS for said in group.say]
NONE = [
    (language, kind, said)
    for language in LANGUAGES
    for kind, said_so in none(language).items()
    for said in said_so
]


@pytest.mark.bulk
@pytest.mark.parametrize(
    ("language", "group", "said"),
    [pytest.param(*row, id=row[2]) for row in SAID if row[2] not in row[1].late],
)
def test_ways_of_saying_one_thing_come_to_one_thing(language: LanguageCode, group: Group, said: str) -> None:
    kind, calls = judged(said, language)
    assert kind == group.kind
    assert calls == judged(group.say[0], language)[1]


@pytest.mark.bulk
@pytest.mark.parametrize(("language", "group"), [pytest.param(*row, id=row[1].means) for row in GROUPS])
def test_a_group_does_something_exactly_if_it_is_to(language: LanguageCode, group: Group) -> None:
    kind, calls = judged(group.say[0], language)
    assert bool(calls) == (kind in DOING)
    assert set(group.late) <= set(group.say[1:])


@pytest.mark.bulk
@pytest.mark.parametrize(
    ("language", "said"),
    [pytest.param(row[0], row[2], id=row[2]) for row in NONE if row[2] not in waiting(row[0])],
)
def test_what_looks_like_an_order_and_is_none_does_nothing(language: LanguageCode, said: str) -> None:
    assert judged(said, language)[0] not in DOING


@pytest.mark.bulk
@pytest.mark.parametrize(
    ("language", "said"),
    [
        pytest.param(language, said, id=said)
        for language, group, said in SAID
        if not group.ambiguous and said not in group.late
    ],
)
def test_no_two_parses_that_are_as_good_mean_different_things(language: LanguageCode, said: str) -> None:
    assert len(meant(said, language).orders) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_corpus_is_as_large_as_it_was(language: LanguageCode) -> None:
    assert len(groups(language)) >= 60
    assert all(len(group.say) >= 3 for group in groups(language))
    assert sum(map(len, none(language).values())) >= 120
    assert sum(len(group.late) for group in groups(language)) <= 12
