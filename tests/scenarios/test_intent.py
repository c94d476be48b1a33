"""The turns of ``intent/*.yaml``: is something looked up, where, and what do the words do?"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.known import parameters

from winnow.language.tables import parse_yaml
from winnow.types.query import Reading
from winnow.types.utterance import LanguageCode, Turn
from winnow.understand.intent.classify import intent_of

SIDES = {"u": "user", "a": "assistant"}


@dataclass(frozen=True)
class Said:
    say: str
    need: str
    language: LanguageCode
    act: str = ""
    after: tuple[str, ...] = ()
    home: str = ""
    unsolved: bool = False

    @property
    def history(self) -> tuple[Turn, ...]:
        return tuple(
            Turn(SIDES[side], text.strip()) for side, _, text in (t.partition(":") for t in self.after)
        )

    @property
    def reading(self) -> Reading | None:
        return Reading(self.say, self.language, self.home) if self.home else None


def collected() -> list[Said]:
    return [
        Said(**{**row, "language": language, "after": tuple(row.get("after", ()))})
        for language in ("zh", "en")
        for row in parse_yaml((Path(__file__).parent / "intent" / f"{language}.yaml").read_text("utf-8"))
    ]


TURNS = collected()


@pytest.mark.parametrize(
    "said", parameters("intent", TURNS, lambda t: t.say, lambda t: "looked up in vain" if t.unsolved else "")
)
def test_a_turn_is_looked_up_where_it_should_be(said: Said) -> None:
    found = intent_of(said.say, said.history, reading=said.reading)
    assert found.source == said.need, found
    assert not said.act or found.act == said.act, found


def test_what_is_not_solved_yet_errs_on_the_cheap_side() -> None:
    assert {t.need for t in TURNS if t.unsolved} == {"none"}


def test_both_languages_are_well_covered() -> None:
    for language in ("zh", "en"):
        own = [t for t in TURNS if t.language == language]
        assert len(own) >= 120
        assert len({(t.say, t.after) for t in own}) == len(own)
        assert {t.need for t in own} == {"devices", "history", "knowledge", "none"}
        assert sum(t.unsolved for t in own) <= 3
