"""The shares of a context as bars, and the one call on the command line."""

from __future__ import annotations

from winnow.app.explanation import BAR_WIDTH, share_lines, sufficiency_line, usage_bar
from winnow.types.candidate import Dropped, Step
from winnow.types.context import Context, Use
from winnow.types.document import Sufficiency

TOLD = Context(
    messages=({"role": "user", "content": "when?"},),
    token_count=300,
    total=4000,
    counted_by="o200k_base",
    usage={"history": Use(600, 1200), "knowledge": Use(2000, 2000), "reserve": Use(0, 0)},
    stable=120,
    shared=80,
    warnings=("knowledge holds 2000 of its 2000 tokens",),
    trimmed=tuple(Dropped(f"p{n}", "knowledge", "no room") for n in range(10)),
    steps=(Step("shares", "as set", "nothing speaks for others"),),
)


def test_a_bar_is_as_full_as_its_share() -> None:
    lines = list(share_lines(TOLD))
    half, full, none = (line.split("[")[1].split("]")[0] for line in lines[1:4])
    assert (half.count("#"), full.count("#"), none.count("#")) == (BAR_WIDTH // 2, BAR_WIDTH, 0)
    assert {len(half), len(full), len(none)} == {BAR_WIDTH}
    assert usage_bar(Use(5000, 4000)) == "#" * BAR_WIDTH


def test_what_was_trimmed_is_named_and_the_rest_is_counted() -> None:
    lines = list(share_lines(TOLD))
    assert "- p0 knowledge: no room" in lines
    assert "- ... +2" in lines
    assert "- p9 knowledge: no room" not in lines
    assert "! knowledge holds 2000 of its 2000 tokens" in lines
    assert lines[-1] == "shares: as set (nothing speaks for others)"
    assert any("120 tokens, 80 of them" in line for line in lines)


def test_whether_it_was_enough_is_told_with_its_figures() -> None:
    line = sufficiency_line(
        Sufficiency(enough=False, results=1, coverage=0.4, confidence=0.31, reason="too little")
    )
    assert line == "enough that is private: no (1 results, coverage 0.40, confidence 0.31): too little"
