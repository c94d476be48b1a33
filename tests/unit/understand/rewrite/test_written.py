"""A query in written language: what dialect and haste leave out is put right, and nothing is added."""

from __future__ import annotations

import pytest

from winnow.types.utterance import Turn
from winnow.understand.rewrite.rewrite import MAX_QUERY_CHARS, MAX_TURNS, rewrite, written_form

TALK = (Turn("user", "咋做红烧肉"), Turn("assistant", "先焯水。"))


@pytest.mark.parametrize(
    ("spoken", "written"),
    [
        ("咋做红烧肉", "怎么做红烧肉"),
        ("Gonna rain tomorrow", "going to rain tomorrow"),
        ("dunno when it ends", "do not know when it ends"),
        ("dunnock nests", "dunnock nests"),
        ("my wanna-be band", "my want to-be band"),
        ("红烧肉 做法", "红烧肉的做法"),
        ("糖醋 排骨 热量", "糖醋排骨的热量"),
        ("红烧肉 怎么做", "红烧肉 怎么做"),
        ("红烧肉 abc", "红烧肉 abc"),
        ("红烧肉超级好吃的那种呀 做法", "红烧肉超级好吃的那种呀 做法"),
        ("红烧肉", "红烧肉"),
        ("boiler service", "boiler service"),
        ("  ", "  "),
    ],
)
def test_a_query_as_it_would_be_written(spoken: str, written: str) -> None:
    assert written_form(spoken) == written
    assert written_form(written) == written


@pytest.mark.parametrize(("length", "changed"), [(MAX_QUERY_CHARS, True), (MAX_QUERY_CHARS + 1, False)])
def test_whoever_writes_much_writes_already(length: int, changed: bool) -> None:
    query = "gonna ".ljust(length, "x")
    assert (written_form(query) != query) is changed


@pytest.mark.parametrize(
    ("query", "talk", "found", "reason"),
    [
        ("要多久", TALK, "红烧肉要多久", "topic"),
        ("要多久呀", TALK, "红烧肉要多久", "topic+written"),
        ("红烧肉 热量", TALK, "红烧肉的热量", "written"),
        ("红烧肉的热量", TALK, "红烧肉的热量", "complete"),
        ("gonna rain", (), "going to rain", "written"),
        ("it will rain", (), "it will rain", "no_history"),
    ],
)
def test_a_rewrite_tells_whether_the_talk_or_the_style_changed_it(
    query: str, talk: tuple[Turn, ...], found: str, reason: str
) -> None:
    written = rewrite(query, talk, "written")
    assert (written.query, written.reason, written.changed) == (found, reason, found != query)
    assert "written" not in rewrite(query, talk).reason


def test_only_the_last_turns_of_a_talk_are_read() -> None:
    filler = (Turn("assistant", "好的。"),) * MAX_TURNS
    assert "红烧肉" in rewrite("要多久", (*TALK, *filler[:-2])).query
    assert "红烧肉" not in rewrite("要多久", (*TALK, *filler)).query
