"""Lines of data that hold many phrases."""

from __future__ import annotations

from winnow.language.content_words import phrases


def test_a_line_says_every_way() -> None:
    assert list(phrases("[right] to (the top|the max)")) == [
        "right to the top",
        "right to the max",
        "to the top",
        "to the max",
    ]
    assert list(phrases("(到|至)顶")) == ["到顶", "至顶"]
    assert list(phrases("plain")) == ["plain"]
