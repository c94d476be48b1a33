"""Orders carried out in a copy of a home, and taken back: what a person is asked and told."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests import homes

from winnow.adapters.platforms.simulated.home import SimulatedHome
from winnow.adapters.testing.fakes import FrozenClock
from winnow.app.verdict_text import receipt_lines
from winnow.engine.engine import Engine
from winnow.language.tables import parse_yaml
from winnow.types.plan import ActingRules
from winnow.types.receipt import Receipt
from winnow.types.utterance import LanguageCode

TABLE: Mapping[str, Any] = parse_yaml(Path(__file__).with_name("orders.yaml").read_text("utf-8"))
ROWS = [(home, row) for home, rows in TABLE.items() for row in rows]
NOTHING = {
    "en": ["Nothing done: There is nothing to take back."],
    "zh": ["什么也没做: 没有可以撤销的。"],
}
PERSON = {"user": "lin", "session": "talk"}


def acting(home: str) -> Engine:
    """An engine that acts on a copy of that home in memory."""
    made, engine = homes.imported(home), homes.fresh(home, acting=ActingRules(seen_seconds=0.02))
    copy = SimulatedHome(made.home, made.states, FrozenClock(engine.storage.clock.now()))
    engine.states.below = engine.acting.actuator = copy
    return engine


def came(engine: Engine, receipt: Receipt, language: LanguageCode) -> tuple[str, list[str]]:
    """What was asked first, and what is told once a yes was said."""
    asked = ""
    if receipt.waiting is not None:
        asked = receipt.waiting.question
        receipt = engine.sync.confirm(receipt.waiting.token, user=PERSON["user"])
    view = engine.sync.load_home().view
    return asked, [
        re.sub(r", read \d+ s ago", "", line.strip()) for line in receipt_lines(receipt, view, language)
    ]


@pytest.mark.parametrize(("home", "row"), ROWS, ids=[row["order"] for _, row in ROWS])
def test_an_order_is_carried_out_and_taken_back(home: str, row: Mapping[str, Any]) -> None:
    engine = acting(home)
    found = engine.sync.retrieve(row["order"], **PERSON)
    language = found.reading.language
    assert came(engine, engine.sync.act(found), language) == (row.get("asks", ""), row["done"])
    back = row.get("back", NOTHING[language])
    assert came(engine, engine.sync.undo(**PERSON), language) == (row.get("asks back", ""), back)
