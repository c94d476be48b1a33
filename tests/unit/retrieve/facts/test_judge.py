"""What a later statement is to an earlier one."""

from __future__ import annotations

import pytest

from winnow.app.wiring.engine import open_builtin_embedder
from winnow.retrieve.facts.extract import parse_fact, parse_statement
from winnow.retrieve.facts.judge import (
    RELATIONS,
    judge_relation,
    reason_features,
    relation_features,
    relation_reason,
    relation_shares,
    relation_weights,
)

TABLE = open_builtin_embedder()
CASES = [
    ("update", "The choir meets on Mondays.", "Choir moved to Wednesdays, the hall is taken."),
    ("update", "I rent a garage from Mr. Abel.", "No, sorry, wrong name: the garage is Mrs. Abbot's."),
    ("update", "合唱团周一排练", "合唱团改到周三排练了"),
    ("update", "我家用的是燃气热水器", "燃气的坏了，换成电热水器了"),
    ("duplicate", "My aunt keeps bees.", "As I said, my aunt keeps bees"),
    ("duplicate", "我姑姑养蜜蜂", "说过的，我姑姑是养蜜蜂的"),
    ("compatible", "I collect stamps.", "I also collect old coins."),
    ("compatible", "我收集邮票", "我还收集老硬币"),
    ("compatible", "My aunt keeps bees.", "My brother repairs clocks."),
]


@pytest.mark.parametrize(("relation", "old", "new"), CASES)
def test_news_repetitions_and_what_stands_beside_are_told_apart(relation: str, old: str, new: str) -> None:
    told = judge_relation(parse_fact(old), parse_fact(new), TABLE)
    assert told.relation == relation
    assert told.reason in {*reason_features()[told.relation], "same words"}
    assert 1 / 3 < told.confidence <= 1


def test_the_same_words_are_the_same_for_sure() -> None:
    told = judge_relation(parse_fact("I collect stamps."), parse_fact("i collect stamps"), TABLE)
    assert (told.relation, told.confidence) == ("duplicate", 1.0)


def test_where_too_little_tells_nothing_is_said() -> None:
    old, new = parse_fact("I collect stamps."), parse_fact("The kettle whistles.")
    assert judge_relation(old, new, TABLE, least=0.999).relation == "unsure"


def test_shares_are_of_one_whole_and_every_feature_has_a_weight() -> None:
    told = relation_features(
        parse_statement("I collect stamps."), parse_statement("I stopped collecting stamps."), TABLE
    )
    assert sum(relation_shares(told).values()) == pytest.approx(1)
    assert {name for name in told if name[0] != "+"} | {"bias"} == {
        n for n in relation_weights()["update"] if n[0] != "+"
    }
    assert relation_shares({}, {relation: {} for relation in RELATIONS}) == pytest.approx(
        dict.fromkeys(RELATIONS, 1 / 3)
    )


def test_every_reason_rests_on_features_there_are() -> None:
    named = {name for whys in reason_features().values() for names in whys.values() for name in names}
    assert named <= relation_weights()["update"].keys()


def test_the_reason_is_the_rule_that_says_most() -> None:
    assert (
        relation_reason(
            {**dict.fromkeys(relation_weights()["update"], 0.0), "new_further": 1.0}, "compatible"
        )
        == "one more"
    )
