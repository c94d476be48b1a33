"""Every follow-up of the file becomes what is written beside it, out of words that were said."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.known import parameters

from winnow.language.normalize import fold
from winnow.language.tables import parse_yaml
from winnow.types.utterance import Turn
from winnow.understand.rewrite.rewrite import rewrite

FILE = Path(__file__).parent / "rewrites" / "zh.yaml"


@dataclass(frozen=True, slots=True)
class Talk:
    said: tuple[Turn, ...]
    ask: str
    becomes: tuple[str, ...]
    missed: str = ""


def turns(said: list[str]) -> tuple[Turn, ...]:
    return tuple(Turn("assistant" if n % 2 else "user", text) for n, text in enumerate(said))


def talks() -> list[Talk]:
    rows = parse_yaml(FILE.read_text("utf-8"))
    return [
        Talk(turns(row["said"]), row["ask"], tuple(row["becomes"] or ()), row.get("missed", ""))
        for row in rows
    ]


def missed(talk: Talk) -> str:
    return talk.missed and f"becomes {talk.missed}"


@pytest.mark.parametrize("talk", parameters("rewrites", talks(), lambda talk: talk.ask, missed))
def test_follow_up(talk: Talk) -> None:
    found = rewrite(talk.ask, talk.said)
    assert found.changed is bool(talk.becomes), found
    assert fold(found.query) in map(fold, talk.becomes or (talk.ask,)), found


def test_most_of_them_are_right() -> None:
    every = talks()
    assert sum(not talk.missed for talk in every) >= 0.8 * len(every)
