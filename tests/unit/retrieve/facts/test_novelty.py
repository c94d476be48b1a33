"""What makes a later statement news beside an earlier one."""

from __future__ import annotations

from datetime import datetime

import pytest

from winnow.app.wiring.engine import open_builtin_embedder
from winnow.retrieve.facts.extract import parse_fact, parse_statement
from winnow.retrieve.facts.merge import merge_fact
from winnow.retrieve.facts.novelty import is_of_another, is_of_same, novelty_rule
from winnow.types.fact import Fact

TABLE = open_builtin_embedder()


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("I take 5 mg of ramipril.", "I take 10 mg of ramipril.", "another value of the same"),
        ("I eat fish.", "I don't eat fish.", "now the opposite"),
        ("I don't eat meat, I eat fish.", "I eat meat, I don't eat fish.", "now the opposite"),
        ("My meeting is with Ana.", "My meeting is with Ben.", "another name"),
        ("I am a nurse.", "I am a baker.", "another value of the same"),
        ("I am allergic to sesame.", "I have an allergy to walnuts.", "another value of the same"),
        ("后端用Go写的", "后端用Rust写的", "another name"),
        ("我对花生过敏", "我对花生不过敏", "now the opposite"),
        ("I take 5 mg of ramipril.", "The ramipril I take: five milligrams.", ""),
        ("The shop is closed on Mondays.", "On Mondays the shop isn't open.", ""),
        ("我每天五点跑步", "雷打不动，我每天五点跑步", ""),
        ("I live in Ghent.", "Don't forget, I live in Ghent.", ""),
        ("I take 5 mg of ramipril at 8 am.", "I take ramipril.", ""),
    ],
)
def test_the_rule_that_makes_news(old: str, new: str, rule: str) -> None:
    assert novelty_rule(parse_statement(old), parse_statement(new), TABLE) == rule


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("I take 5 mg of ramipril.", "I take 10 mg of ramipril.", True),
        ("我会游泳。", "我不会游泳。", True),
        ("I can swim.", "I can't swim.", True),
        ("I take 5 mg of ramipril.", "He takes 10 mg of ramipril.", False),
        ("I run 5 km on Monday.", "I run 8 km on Thursday.", False),
        ("I take 5 mg of ramipril.", "I take 10 mg of aspirin.", False),
    ],
)
def test_whether_all_else_is_the_same(old: str, new: str, same: bool) -> None:
    assert is_of_same(parse_statement(old), parse_statement(new)) is same


@pytest.mark.parametrize(
    ("old", "new", "another"),
    [
        ("Bus 5 leaves at noon.", "Bus 6 leaves at noon.", True),
        ("3号楼周一停水", "5号楼周一停水", True),
        ("Room A costs 50 euros.", "Room B costs 60 euros.", True),
        ("方案A要3天。", "方案B要5天。", True),
        ("年费是240元。", "年费是260元。", False),
        ("I live in flat 3.", "I live in flat 5.", False),
    ],
)
def test_whether_a_number_tells_which_of_several_is_meant(old: str, new: str, another: bool) -> None:
    assert is_of_another(parse_statement(old), parse_statement(new)) is another


@pytest.mark.parametrize(
    "does", ["drink coffee", "eat meat", "smoke", "have a cat", "play the cello", "work on Sundays"]
)
def test_what_is_done_again_or_no_longer_takes_the_place_of_its_opposite(does: str) -> None:
    told = [f"I {does}.", f"I no longer {does}.", f"I {does} again.", f"I don't {does}.", f"I {does} now."]
    known: tuple[Fact, ...] = ()
    for day, text in enumerate(told, 1):
        changed = merge_fact(known, parse_fact(text, datetime(2026, 1, day)), TABLE)  # noqa: DTZ001
        known = (*(one for one in known if one.id not in {new.id for new in changed}), *changed)
        assert [one.text for one in known if one.status == "current"] == [text]
