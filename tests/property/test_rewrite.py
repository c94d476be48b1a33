"""Laws of rewriting, on talks put together at random."""

from __future__ import annotations

import re

from hypothesis import example, given, settings
from hypothesis import strategies as st

from winnow.language.normalize import is_han
from winnow.types.utterance import Turn
from winnow.understand.rewrite.rewrite import rewrite

WORDS = [
    *(
        "红烧肉",
        "麻婆豆腐",
        "西安",
        "兵马俑",
        "周杰伦",
        "小米手环",
        "空气净化器",
        "明天",
        "后天",
        "盐",
        "hello",
        "TV",
        "3",
        "😀",
        "饿了",
        "谢谢",
    ),
    *(
        "第一个",
        "第二步",
        "最后一个",
        "前者",
        "后者",
        "上一道菜",
        "这个",
        "那个",
        "它",
        "他",
        "她",
        "那里",
        "这部剧",
        "那",
        "我",
        "你",
    ),
    *(
        "怎么做",
        "怎么样",
        "多少钱",
        "是谁",
        "多少",
        "要",
        "放",
        "好吃",
        "喜欢",
        "知道",
        "去",
        "看",
        "推荐",
        "是",
        "不是",
        "不对",
        "我说的是",
    ),
    *("呢", "吗", "的", "了", "和", "、", "，", "。", "？", "1.", "2.", "\n", "《", "》", "\u3000"),
]
text = st.one_of(st.lists(st.sampled_from(WORDS), min_size=1, max_size=8).map("".join), st.text(max_size=30))
history = st.lists(st.builds(Turn, st.sampled_from(["user", "assistant"]), text), max_size=12)
GLUE = {"的", "是"}


@given(text, history)
@settings(max_examples=300, deadline=None)
def test_a_rewrite_says_nothing_that_was_not_said(query: str, turns: list[Turn]) -> None:
    found = rewrite(query, turns)
    said = query + "".join(turn.content for turn in turns[-10:])
    assert {c for c in found.query if is_han(c) or c.isalnum()} <= set(said) | GLUE
    words = {
        word
        for text in (query, *(turn.content for turn in turns))
        for word in re.findall(r"[A-Za-z0-9]+", text)
    }
    assert words.issuperset(re.findall(r"[A-Za-z0-9]+", found.query))
    for span in found.spans:
        assert span.text in turns[span.turn].content
        assert query[span.at : span.at + len(span.replaced)] == span.replaced or len(found.spans) > 1


@given(text, history)
@settings(max_examples=300, deadline=None)
def test_rewriting_what_was_rewritten_changes_nothing(query: str, turns: list[Turn]) -> None:
    found = rewrite(query, turns)
    assert rewrite(found.query, turns).query == found.query


@given(text, history)
@example("谢谢红烧肉", [Turn("user", "谢谢红烧肉")])
@settings(max_examples=150, deadline=None)
def test_a_rewrite_is_one_line_and_an_unchanged_query_has_no_evidence(query: str, turns: list[Turn]) -> None:
    found = rewrite(query, turns)
    assert found.changed is (found.query != query)
    assert found.changed or not found.spans
    assert 0 <= found.confidence <= 1
    assert found.query.count("\n") <= query.count("\n")


def test_thanks_copied_from_the_history_are_not_read_as_thanks_of_the_query() -> None:
    turns = [Turn("user", "谢谢红烧肉")]
    found = rewrite("那个麻婆豆腐", turns)
    assert rewrite(found.query, turns).query == found.query
