"""How Chinese follow-ups are made to stand alone, rule by rule."""

from __future__ import annotations

import numpy as np
import pytest

from winnow.types.query import CopiedSpan
from winnow.types.utterance import Turn
from winnow.understand.rewrite.rewrite import rewrite
from winnow.understand.rewrite.zh.candidates import SPANS, list_items, slots, sources, spans
from winnow.understand.rewrite.zh.ranker import PAIR, PAIRED, encode, load_ranker, pairs
from winnow.understand.rewrite.zh.topics import (
    correct_question,
    explains,
    repeat_question,
    scene_of,
    topic_edits,
)
from winnow.understand.rewrite.zh.vocabulary import cut, is_vague, rewrite_vocabulary, subject


def talk(*said: str) -> tuple[Turn, ...]:
    return tuple(Turn("assistant" if n % 2 else "user", text) for n, text in enumerate(said))


STEW = talk("番茄牛腩怎么做", "牛腩切块焯水，番茄炒出汁，一起炖一个半小时。")


def test_without_history_nothing_is_rewritten() -> None:
    assert rewrite("它要炖多久").reason == "no_history"


def test_the_span_names_its_turn_its_place_and_what_it_replaced() -> None:
    found = rewrite("这个要炖多久", STEW)
    assert (found.query, found.spans) == ("番茄牛腩要炖多久", (CopiedSpan("番茄牛腩", 0, 0, "这个"),))


def test_turns_that_were_not_read_still_count() -> None:
    found = rewrite("这个要炖多久", talk(*["你好", "您好"] * 6) + STEW)
    assert [(span.text, span.turn) for span in found.spans] == [("番茄牛腩", 12)]


def test_only_the_last_ten_turns_are_read() -> None:
    assert not rewrite("这个要炖多久", STEW + talk(*["谢谢", "不客气"] * 5)).changed


@pytest.mark.parametrize(
    "query", ["我饿了", "吃点啥", "好的谢谢", "晚安", "随便", "今天晚上吃什么好呢？", "知道了"]
)
def test_what_is_vague_stays_vague(query: str) -> None:
    assert is_vague(query)
    assert rewrite(query, STEW).query == query


@pytest.mark.parametrize(
    "query", ["鱼香肉丝怎么做", "打开客厅的灯", "北京明天会下雨吗", "番茄牛腩能不能用高压锅"]
)
def test_a_complete_question_after_an_explanation_is_left_alone(query: str) -> None:
    assert rewrite(query, STEW).query == query


def test_thanks_in_between_do_not_hide_the_topic() -> None:
    assert rewrite("第二步要多久", STEW + talk("好的谢谢", "不客气！")).query == "番茄牛腩第二步要多久"


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("1. 爬长城\n2. 逛胡同\n3. 看升旗", ["爬长城", "逛胡同", "看升旗"]),
        ("第一，备份；第二，重装；第三，恢复。", ["备份", "重装", "恢复"]),
        ("推荐《活着》和《边城》。", ["《活着》", "《边城》"]),
        ("可以试试蒸蛋、豆腐汤和凉拌黄瓜，都很快。", ["蒸蛋", "豆腐汤", "凉拌黄瓜"]),
        ("苏州和无锡哪个近", ["苏州", "无锡"]),
        ("没有什么好推荐的。", []),
    ],
)
def test_things_told_one_after_the_other(text: str, items: list[str]) -> None:
    assert list(list_items(text).values()) == items


@pytest.mark.parametrize(
    ("query", "meant"),
    [
        ("第一个远吗", "拙政园远吗"),
        ("最后一个要门票吗", "虎丘要门票吗"),
        ("第四个要门票吗", None),
        ("第2个要门票吗", "平江路要门票吗"),
    ],
)
def test_an_ordinal_means_a_thing_of_the_latest_list(query: str, meant: str | None) -> None:
    found = rewrite(query, talk("苏州有什么好玩的", "推荐拙政园、平江路、虎丘。"))
    assert found.query == meant if meant else "拙政园" not in found.query


def test_former_and_latter_need_a_pair() -> None:
    pair = talk("蓝牙耳机和有线耳机哪个音质好", "各有各的好。")
    assert rewrite("后者要充电吗", pair).query == "有线耳机要充电吗"
    assert rewrite("前者要充电吗", pair).query == "蓝牙耳机要充电吗"


@pytest.mark.parametrize(
    ("query", "before", "after"),
    [
        ("那南京呢", "苏州今天下雨吗", "南京今天下雨吗"),
        ("明天呢", "苏州今天下雨吗", "苏州明天下雨吗"),
        ("价格呢", "苏州今天下雨吗", None),
        ("好吃呢", "苏州今天下雨吗", None),
        ("那南京呢", "我到家了", None),
    ],
)
def test_the_same_question_about_something_else(query: str, before: str, after: str | None) -> None:
    found = repeat_question(query, before)
    assert (found and "".join(found)) == after


@pytest.mark.parametrize(
    "query",
    ["不对，是南京", "我说的是南京", "不是苏州，是南京", "错了，应该是南京", "我问的是南京，不是苏州"],
)
def test_a_correction_asks_the_question_again(query: str) -> None:
    found = correct_question(query, "苏州今天下雨吗")
    assert found == ("", "南京", "今天下雨吗")


def test_a_question_asked_again_is_asked_in_full_and_cites_both_turns() -> None:
    history = talk("苏州今天下雨吗", "不下。", "那南京呢", "南京下小雨。")
    found = rewrite("明天呢", history)
    assert found.query == "南京明天下雨吗"
    assert {span.turn for span in found.spans} == {0, 2} or {span.turn for span in found.spans} == {0, 3}


def test_the_topic_before_this_one() -> None:
    history = STEW + talk("蒜蓉油麦菜怎么做", "油麦菜洗净，蒜爆香，大火快炒，加盐出锅。")
    assert rewrite("上一道菜要放多少盐", history).query == "番茄牛腩要放多少盐"
    assert [name for name, _ in topic_edits(history, 0)] == ["蒜蓉油麦菜", "番茄牛腩"]


@pytest.mark.parametrize(
    ("text", "thing"),
    [
        ("教我做蛋挞", "蛋挞"),
        ("请问加湿器怎么清洗", "加湿器"),
        ("今晚想吃火锅，怎么弄", "火锅"),
        ("可以放糖吗", ""),
        ("它贵吗", ""),
        ("谢谢", ""),
    ],
)
def test_what_a_sentence_is_about(text: str, thing: str) -> None:
    assert subject(text) == thing


def test_small_talk_explains_nothing() -> None:
    assert explains(STEW)
    assert not explains(talk("你喜欢猫吗", "喜欢呀"))


def test_candidates_are_bounded() -> None:
    long = talk(*["牛腩、番茄、土豆和洋葱各切一块再炖一个小时加盐" * 20] * 10)
    found = spans(sources(long, 0))
    assert 0 < len(found) <= SPANS
    assert all("、" not in s.text for s in found)


def test_slots_replace_what_points_back_and_nothing_else() -> None:
    words = cut("这部电影好看吗")
    replaced = {"".join(w.text for w in words[s.first : s.last]) for s in slots(words)}
    assert "这部电影" in replaced
    assert "好看" not in replaced


def test_pairs_have_the_shape_they_promise() -> None:
    scene = scene_of("他唱过什么", talk("你听过李健的歌吗", "听过"))
    encoded = encode(scene)
    found = pairs(encoded.stretches, encoded.places, scene)
    assert found.shape == (len(encoded.stretches), len(encoded.places), len(PAIR))
    assert set(np.unique(found)) <= {0.0, 1.0}


def test_the_network_prefers_the_person_for_a_person() -> None:
    best = load_ranker().best(scene_of("他唱过什么", talk("你听过李健的歌吗", "听过")))
    assert best.stretch is not None
    assert (best.stretch.text, best.complete < 0.5) == ("李健", True)


def test_a_query_without_anything_to_copy_is_complete() -> None:
    assert load_ranker().best(scene_of("他唱过什么", talk("啊", "嗯"))).complete == 1.0


def test_only_closed_classes_are_named_by_features() -> None:
    known = rewrite_vocabulary().words
    named = [
        name.partition("=")[2]
        for name in (*load_ranker().stretch_names, *load_ranker().slot_names)
        if "=" in name
    ]
    assert named
    assert set(named) <= known


def test_the_network_looks_closely_at_few_spans() -> None:
    assert PAIRED <= 40
