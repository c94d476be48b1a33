"""What sentences come to in the example homes, in the words that a person gets."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.homes import engine

from winnow.language.tables import parse_yaml
from winnow.types.home import HomeView
from winnow.types.verdict import Call, Clarify, Confirm, Nothing, Query, Refuse, Verdict, named_calls

TABLE: Mapping[str, Any] = parse_yaml(Path(__file__).with_name("sentences.yaml").read_text("utf-8"))
ROWS = [(home, said, told) for home, rows in TABLE.items() for said, told in rows.items()]


def thing(ref: str, view: HomeView) -> str:
    """What a thing is called; ids of Home Assistant say it themselves."""
    names = {d.id: d.name for d in view.home.devices} | {s.id: s.name for s in view.home.scenes}
    return ref if "." in ref else names[ref]


def command(call: Call, view: HomeView) -> str:
    given = ", ".join(f"{name}={value}" for name, value in call.arguments.items())
    return f"{thing(call.device_id, view)}: {call.command_id} {given}".rstrip()


def outcome(verdict: Verdict, view: HomeView) -> dict[str, Any]:
    """The verdict in the words of the table."""
    told: dict[str, Any] = {"does": [command(call, view) for call in named_calls(verdict)]}
    match verdict:
        case Clarify():
            told |= {"asks": verdict.question, "options": [option.label for option in verdict.options]}
        case Confirm():
            told |= {"confirms": verdict.question}
        case Refuse():
            told |= {"refuses": verdict.message}
        case Query():
            told |= {"reads": [f"{thing(r.device_id, view)}: {r.attribute_id}" for r in verdict.reads]}
        case Nothing():
            told |= {"nothing": verdict.reason}
    return {name: value for name, value in told.items() if value}


@pytest.mark.parametrize(("home", "said", "told"), ROWS, ids=[said for _, said, _ in ROWS])
def test_a_sentence_comes_to_what_the_table_says(home: str, said: str, told: Mapping[str, Any]) -> None:
    made = engine(home)
    assert outcome(made.sync.retrieve(said).verdict, made.sync.load_home().view) == told
