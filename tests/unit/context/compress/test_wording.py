"""Texts in fewer words: what reads shorter, and what may never be lost or changed."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as some

from winnow.context.compress.compress import compress, cut_items
from winnow.context.compress.wording import brief_rules, brief_text, single_names, whole_clause
from winnow.language.registry import LANGUAGES, own_table
from winnow.language.scope_words import limited_spans, limits
from winnow.language.sentences import TextSpan, phrases_of
from winnow.language.tokens import count_tokens
from winnow.types.context import Item


@pytest.mark.parametrize(
    ("text", "brief"),
    [
        ("In order to climb it you pay a total of 12 euros.", "To climb it you pay 12 euros."),
        ("It should be noted that the shop is closed.", "The shop is closed."),
        ("It is really quite a lovely place.", "It is a lovely place."),
        ("She lives in a very old mill.", "She lives in an old mill."),
        ("众所周知，这座塔非常高。", "这座塔很高。"),
        ("这是非常重要的文件。", "这是重要的文件。"),
        ("由于下雨的缘故，桥关了。", "由于下雨，桥关了。"),
        ("如果他来的话，我们走。", "如果他来，我们走。"),
        ("师傅对设备进行了检查。", "师傅对设备检查了。"),
        # what is no such word, is quoted, or says how much
        ("It is extremely hot and very few came.", "It is extremely hot and very few came."),
        ('He said "in order to win" twice.', 'He said "in order to win" twice.'),
        ("十分钟后到，他买了非常多的书。", "十分钟后到，他买了非常多的书。"),
        ("他看《非常时期》。", "他看《非常时期》。"),
        # a word less could say the opposite
        ("He is not very tall in order to win.", "He is not very tall in order to win."),
        ("他不是非常高。", "他不是非常高。"),
        ("Only in the event that it rains.", "Only in the event that it rains."),
    ],
)
def test_wordy_phrases_are_shortened_and_nothing_else_is(text: str, brief: str) -> None:
    assert brief_text(text) == brief


@pytest.mark.parametrize(
    ("text", "brief"),
    [
        ("You need: a rope; two pots; and salt.", "You need:\na rope\ntwo pots\nsalt"),
        ("要带：毯子；火柴和蜡烛；以及盐。", "要带：\n毯子\n火柴和蜡烛\n盐"),
        (
            "To rinse it: First, fill the tank. Second, wait 3 minutes. Finally, empty it. It beeps.",
            "To rinse it:\n1. fill the tank\n2. wait 3 minutes\n3. empty it\nIt beeps.",
        ),
        ("步骤：第一，放水；第二，拆下滤网；第三，冲洗。", "步骤：\n1、放水\n2、拆下滤网\n3、冲洗"),
        # two things are no list, nor is what a word limits
        ("You need: a rope; and salt.", "You need: a rope; and salt."),
        ("Never bring: a rope; two pots; and salt.", "Never bring: a rope; two pots; and salt."),
        ("First, he came. Second, he ate. He left.", "First, he came. Second, he ate. He left."),
    ],
)
def test_what_enumerates_becomes_a_list(text: str, brief: str) -> None:
    assert brief_text(text) == brief


def test_an_entry_of_what_was_prose_stands_under_what_introduces_it() -> None:
    listed = "For the hut you need: a warm blanket; matches and candles; two pots; and salt."
    text = f"We had a nice trip to the lake in May. {listed}"
    found = compress([Item("a", text)], "Do I need candles at the hut?", 13)
    assert found.text == "For the hut you need:\nmatches and candles\nsalt"


@pytest.mark.parametrize(
    ("texts", "single"),
    [
        (
            ["The National Park Service (NPS) runs it.", "In 1999 the National Park Service shut it."],
            ["The National Park Service (NPS) runs it.", "In 1999 the NPS shut it."],
        ),
        (
            ["他毕业于上海交通大学（以下简称上交大），后来在上海交通大学任教。"],
            ["他毕业于上海交通大学（以下简称上交大），后来在上交大任教。"],
        ),
        # before it is said what the short name is of, in quotation marks, or a short name of two things
        (["The Big Red Bus stops. The Big Red Bus (BRB) goes."], None),
        (["Big Red Bus (BRB).", "“Big Red Bus” is painted on it."], None),
        (["Big Red Bus (BRB).", "Bold Royal Boat (BRB). The Bold Royal Boat sank."], None),
        # nor where the short name begins within a word of the long one
        (["上海自来水公司（以下简称“水司”）管理这里。上海自来水公司成立于1916年。"], None),
        (["The firm of the Smiths (NPS) is here.", "The firm of the Smiths is there."], None),
    ],
)
def test_a_thing_of_two_names_is_given_under_one(texts: list[str], single: list[str] | None) -> None:
    assert single_names(texts) == (single or texts)


@pytest.mark.parametrize(
    ("text", "begins", "ends", "reads"),
    [
        ("However, the mill stands.", True, True, "The mill stands."),
        ("and the wheel stands still", False, True, "the wheel stands still"),
        ("In winter the river freezes,", True, False, "In winter the river freezes"),
        ("Although it is old, ", True, False, "It is old"),
        ("但是，磨坊还在。", True, True, "磨坊还在。"),
        ("虽然它很旧，", True, False, "它很旧"),
        ("而且轮子停了。", False, True, "轮子停了。"),
        # "or" is no connective that may go, nor what a name begins with
        ("or call Ida", False, True, "or call Ida"),
        ("But for the rain", True, True, "But for the rain"),
        ("但丁写了它。", False, True, "但丁写了它。"),
    ],
)
def test_what_is_cut_out_reads_by_itself(text: str, begins: bool, ends: bool, reads: str) -> None:
    assert whole_clause(text, begins, ends, follows=True) == reads


def test_a_connective_stays_where_what_it_points_at_does() -> None:
    assert whole_clause("However, it stands.", begins=True, ends=True, follows=False) == "However, it stands."


EN = (
    "In order to reach {n} metres you need a very long rope",
    "It should be noted that Ida Holm paid a total of {n} euros",
    "The door is not very wide, only {n} cm",
    "You need: {n} kg of flour; really good salt; and {m} eggs",
    "First, heat it to {n} degrees. Second, wait {m} minutes. Third, serve it",
    "Prior to {n} the Old Town Museum (OTM) never opened",
    "However, the Old Town Museum has {n} rooms and it costs from {n} to {m} euros, which is quite a lot",
    "Although it rained for a period of {n} days, the river did not rise by {m} cm",
)
ZH = (
    "众所周知，这座桥非常长，大约{n}米",
    "由于下雨的缘故，张伟等了{n}分钟",
    "如果温度超过{n}度的话，请勿打开",
    "清洗：第一，放{n}升水；第二，等{m}分钟；第三，冲洗干净",
    "他不是非常高，只有{n}厘米",
    "但是，老城博物馆（以下简称老博馆）有{n}个展厅",
    "老城博物馆非常重要的展品有{n}件，而且每件重{m}公斤，并且全部来自河边的村子",
    "要带：{n}条毯子；{m}个苹果；以及非常好的盐",
)


@some.composite
def told(draw: some.DrawFn) -> str:
    """A text of sentences that hold numbers with units, names, and words like ``not``."""
    which, stop = draw(some.sampled_from([(EN, ". "), (ZH, "。")]))
    number = some.integers(2, 9999).map(str)
    said = draw(some.lists(some.sampled_from(which), min_size=1, max_size=7))
    return "".join(one.format(n=draw(number), m=draw(number)) + stop for one in said).strip()


def counted(text: str) -> list[str]:
    """The numbers of a text with what follows each, without those that number a list."""
    bare = re.sub(r"(?m)^\d[.、]\s*", "", text)
    return re.findall(r"\d+(?: ?[a-zA-Z]+|[\u4e00-\u9fff])?", bare)


def names(text: str) -> set[str]:
    return {one for one in ("Ida Holm", "Old Town Museum", "张伟", "老城博物馆") if one in text}


@given(told())
def test_no_number_unit_name_or_denial_is_lost_and_twice_is_once(text: str) -> None:
    brief = brief_text(text)
    assert brief_text(brief) == brief
    (used,) = cut_items([Item("a", text)], "clause", count_tokens).texts
    assert used in (text, brief)
    assert count_tokens(used) <= count_tokens(text)
    assert counted(brief) == counted(text)
    assert limits(brief) == limits(text)
    assert names(brief) == names(text)
    (single,) = single_names([brief])
    assert single_names([single]) == [single]
    assert (counted(single), limits(single), names(single)) == (counted(text), limits(text), names(text))
    assert len(single) <= len(brief)


@given(told(), some.integers(4, 90))
def test_a_compressed_text_keeps_numbers_with_their_units_and_denials_whole(text: str, most: int) -> None:
    found = compress([Item("a", text)], "How long, how much? 多少？", most)
    assert found.tokens == count_tokens(found.text) <= most
    if found.kept and found.kept[0].method != "keywords":
        assert set(counted(found.text)) <= set(counted(text))
        every = (*limited_spans(text), *limited_spans(brief_text(text)))
        whole = {one.text.strip(" .。,，") for one in every}
        for one in limited_spans(found.text):
            # Of a sentence the clause before may be left out where the gap is shown
            _, gap, end = one.text.rpartition("…")
            cut = end.strip(" .。,，") if gap else one.text
            assert any(said in one.text or said.endswith(cut) for said in whole), one.text


@pytest.mark.parametrize(
    ("text", "query", "whole"),
    [
        ("后来他又在另外一个赛季里为这家俱乐部一共攻入29个球并且拿到奖杯", "他攻入多少球？", r"29个球"),
        (
            "Visitors who come by the old ferry from Aldera have to pay 18 euros at the gate of the town",
            "What do visitors pay?",
            r"18 euros",
        ),
    ],
)
def test_a_number_is_cut_off_with_what_it_counts(text: str, query: str, whole: str) -> None:
    for most in range(3, count_tokens(text)):
        kept = compress([Item("a", text)], query, most).kept
        if kept and kept[0].method == "clauses":
            assert ("29" in kept[0].text or "18" in kept[0].text) == (whole in kept[0].text), kept[0].text


def test_a_range_of_numbers_is_one_phrase() -> None:
    said = "The ticket for the ferry costs nearly 55 to 70 euros for each of the children"
    phrases = [one.text for one in phrases_of(TextSpan(said, 0, len(said)))]
    assert any("55 to 70 euros" in one for one in phrases), phrases


def test_the_rules_themselves_change_no_denial_and_are_shorter() -> None:
    for language in LANGUAGES:
        for long, short in own_table(language, "brief.yaml").get("shorter", {}).items():
            assert len(short) < len(long)
            assert count_tokens(f" {short}") <= count_tokens(f" {long}")
            assert limits(short) == limits(long) == []
            assert not re.search(r"\d", short + long)
        assert brief_rules(language).numbered
