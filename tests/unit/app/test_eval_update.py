"""The task ``update``: what a later statement is to an earlier one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from benchmarks.evaluation.cases import CaseRow
from benchmarks.evaluation.text_tasks import update_case, update_predictor

PREDICT = update_predictor()


def told(data: dict[str, Any]) -> dict[str, Any]:
    return PREDICT(update_case(CaseRow("c.jsonl", 1, {"id": "1", **data}, Path())))


def test_two_statements_get_a_label_and_the_rule_that_decided() -> None:
    found = told({"old": "My aunt's phone is 07700 900111.", "new": "My aunt's phone is 07700 900222 now."})
    assert (found["label"], found["reason"]) == ("update", "another value of the same")


@pytest.mark.parametrize(
    ("label", "happened"),
    [("delete", "He stopped collecting stamps."), ("modify", "He began to collect rare stamps of Peru.")],
)
def test_an_event_modifies_or_deletes_what_was_held(label: str, happened: str) -> None:
    held = [{"type": "hobby", "item": "stamps", "reason": "calm evenings"}]
    assert told({"before": held, "description": happened}) == {"label": label}
