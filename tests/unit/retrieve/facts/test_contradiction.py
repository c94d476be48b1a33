"""Whether two statements of unknown order can both be true."""

from __future__ import annotations

import pytest

from winnow.app.wiring.engine import open_builtin_embedder
from winnow.retrieve.facts.extract import parse_fact
from winnow.retrieve.facts.novelty import judge_contradiction

TABLE = open_builtin_embedder()


def told(one: str, other: str) -> tuple[str, str]:
    found = judge_contradiction(parse_fact(one), parse_fact(other), TABLE)
    assert found == judge_contradiction(parse_fact(other), parse_fact(one), TABLE)
    return found.relation, found.reason


@pytest.mark.parametrize(
    ("rule", "one", "other"),
    [
        ("another number of the same", "The silo holds 40 tonnes.", "The silo holds 55 tonnes."),
        ("another number of the same", "粮仓能装40吨", "粮仓能装55吨"),
        ("another day of the same", "The market is held on Fridays.", "The market is held on Sundays."),
        ("one denies what the other says", "The ferry takes bicycles.", "The ferry does not take bicycles."),
        ("one denies what the other says", "渡轮载自行车", "渡轮不载自行车"),
        (
            "one says the opposite",
            "Barbecues are allowed at the lake.",
            "Barbecues at the lake are forbidden.",
        ),
    ],
)
def test_what_cannot_both_be_is_told_with_its_rule(rule: str, one: str, other: str) -> None:
    assert told(one, other) == ("contradiction", rule)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The silo holds 40 tonnes.", "The silo weighs 55 tonnes when it stands empty beside the barn."),
        ("The silo holds 40 tonnes.", "The silo holds about 39 tonnes."),
        ("The market is held on Fridays in summer.", "The market is held on Sundays in winter."),
        ("The ferry takes bicycles.", "The bus does not take bicycles."),
        ("Invoice 7 is for 80 euros.", "Invoice 8 is for 95 euros."),
        ("粮仓能装40吨", "水塔能装55吨"),
    ],
)
def test_where_both_may_be_true_nothing_is_said(one: str, other: str) -> None:
    assert told(one, other)[0] == "unsure"


def test_the_same_words_are_the_same() -> None:
    assert told("The silo holds 40 tonnes.", "the silo holds 40 tonnes")[0] == "duplicate"
