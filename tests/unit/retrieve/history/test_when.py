"""Of things that happen again and again, a question means those of the time it names."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.unit.retrieve.history.talks import TABLE

from winnow.language.tables import parse_yaml
from winnow.retrieve.history.index import HistoryIndex, build_history
from winnow.retrieve.history.rank import clause_scores, history_weights
from winnow.types.candidate import Search
from winnow.types.message import Message

DIARIES: Mapping[str, Any] = parse_yaml(Path(__file__).with_name("diaries.yaml").read_text("utf-8"))
ASKED_AT = datetime.fromisoformat("2024-06-20T12:00")
ASKED = [(name, text, answer) for name, diary in DIARIES.items() for text, answer in diary["questions"]]


@cache
def diary(name: str) -> HistoryIndex:
    told = sorted(DIARIES[name]["messages"].items(), key=lambda row: str(row[1][0]))
    at = [datetime.fromisoformat(f"{day}T20:00") for _, (day, _) in told]
    return build_history(
        [Message(number, "user", text, when) for (number, (_, text)), when in zip(told, at, strict=True)],
        TABLE,
    )


def place(name: str, text: str, answer: str, without: tuple[str, ...] = ()) -> int:
    """How many messages come before the one that answers, when these reasons are left out."""
    index = diary(name)
    found = clause_scores(Search(text, ASKED_AT), index)[0].reasons
    kept = [weight * found[reason] for reason, weight in history_weights().items() if reason not in without]
    total = np.sum(kept, axis=0)
    row = [message.id for message in index.messages].index(answer)
    return int(np.sum(total > total[row]))


@pytest.mark.parametrize("name", DIARIES)
def test_what_happened_then_is_found_first_because_of_its_time(name: str) -> None:
    rows = [row for row in ASKED if row[0] == name]
    assert len(rows) >= 40
    places = [place(*row) for row in rows]
    timeless = [place(*row, without=("when", "date")) for row in rows]
    assert sum(n < 3 for n in places) >= 0.95 * len(rows)
    assert sum(n == 0 for n in places) >= sum(n == 0 for n in timeless) + len(rows) // 3
