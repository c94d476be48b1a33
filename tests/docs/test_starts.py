"""The transcripts of the start pages are of what stands on these pages now."""

from __future__ import annotations

import re

import pytest
from scripts.starts import CHINESE, MOST_SECONDS, PAGE, STARTS, Start, commands
from tests.docs.runner import blocks


def transcripts(start: Start) -> tuple[str, str]:
    """What was played, and the mistakes."""
    text = PAGE.read_text("utf-8")
    found = [b.text for b in blocks(PAGE) if b.line > text[: text.index(f"**{start.title}**\n")].count("\n")]
    return found[0], found[1]


@pytest.mark.parametrize("start", STARTS, ids=lambda start: start.name)
def test_what_was_played_are_the_commands_of_the_pages(start: Start) -> None:
    played, _ = transcripts(start)
    assert re.findall(r"^\$ (.*)", played, re.MULTILINE) == commands(start), "play them anew: make starts"


@pytest.mark.parametrize("start", STARTS, ids=lambda start: start.name)
def test_a_start_took_less_than_five_minutes(start: Start) -> None:
    played, _ = transcripts(start)
    took = sum(float(seconds) for seconds in re.findall(r"^\(([\d.]+) s\)$", played, re.MULTILINE))
    assert 0 < took < MOST_SECONDS
    for page, title in ((PAGE, start.title), (CHINESE, start.in_chinese)):
        told = re.search(
            rf"^\| {title} \|.*\| \d+ \| (\d+) \| \d+ \|$", page.read_text("utf-8"), re.MULTILINE
        )
        assert told
        assert abs(int(told[1]) - took) < 2


@pytest.mark.parametrize("start", STARTS, ids=lambda start: start.name)
def test_each_mistake_was_told_with_what_to_do_next(start: Start) -> None:
    _, mistakes = transcripts(start)
    assert re.findall(r"^\$ (.*)", mistakes, re.MULTILINE) == [start.order, *start.slips]
    parts = re.split(r"^\$ .*\n", mistakes, flags=re.MULTILINE)[1:]
    for said in parts:
        assert re.search(r"\(wrong \w+; exit code [1-9]\d*\)", said)
        assert re.search(r"Hint:|Try '|Possible options|Did you mean", said), said
