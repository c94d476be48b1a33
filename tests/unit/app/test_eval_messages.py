"""The evaluation of histories: cases with their messages inside or in a file beside them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from benchmarks.evaluation.run import evaluate_cases
from benchmarks.evaluation.text_tasks import with_times

from winnow.errors import CaseError
from winnow.types.message import Message

LINES = ("The boiler man comes on Thursday.", "Nadia lent me her drill.", "I parked behind the library.")


def written(path: Path, rows: Sequence[Mapping[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def told(user: str = "u") -> list[dict[str, Any]]:
    return [
        {
            "user_id": user,
            "id": f"{user}{n}",
            "role": "user",
            "content": text,
            "created_at": f"2025-02-0{n + 1}T08:00:00",
        }
        for n, text in enumerate(LINES)
    ]


def predictions(cases: Path, tmp_path: Path) -> list[dict[str, Any]]:
    out = tmp_path / "out.jsonl"
    evaluate_cases("messages", cases, out)
    return [json.loads(line) for line in out.read_text("utf-8").splitlines()]


def test_a_history_inside_the_case_is_ranked(tmp_path: Path) -> None:
    cases = written(tmp_path / "a.jsonl", [{"id": "1", "query": "Whose drill do I have?", "history": told()}])
    (found,) = predictions(cases, tmp_path)
    assert found["ids"][0] == "u1"
    assert found["superseded"] == []
    assert found["ms"] > 0


def test_histories_lie_in_the_file_beside_by_user_or_by_ids(tmp_path: Path) -> None:
    written(tmp_path / "a.messages.jsonl", told() + told("v"))
    cases = written(
        tmp_path / "a.jsonl",
        [
            {"id": "1", "query": "Where did I park?", "user_id": "v"},
            {"id": "2", "query": "Where did I park?", "user_id": "v", "history_ids": ["u1", "u2"]},
        ],
    )
    first, second = predictions(cases, tmp_path)
    assert first["ids"][0] == "v2"
    assert set(first["ids"]) <= {"v0", "v1", "v2"}
    assert second["ids"][0] == "u2"


@pytest.mark.parametrize(
    ("case", "field"),
    [
        ({"history_ids": ["u9"]}, "history_ids"),
        ({"history": [{"id": "m", "content": "x", "created_at": "soon"}]}, "created_at"),
        ({}, "user_id"),
    ],
)
def test_a_mistake_is_named_with_its_field(case: Mapping[str, Any], field: str, tmp_path: Path) -> None:
    written(tmp_path / "a.messages.jsonl", told())
    cases = written(tmp_path / "a.jsonl", [{"id": "1", "query": "Where?", **case}])
    with pytest.raises(CaseError) as error:
        predictions(cases, tmp_path)
    assert field in str(error.value)


def test_who_tells_no_time_stands_between_those_who_do() -> None:
    def at(hour: int) -> datetime:
        return datetime.fromisoformat(f"2025-02-01T{hour:02d}:00:00")

    known = {1: at(8), 3: at(10)}
    found = [m.at for m in with_times([Message(str(n), "user", "x", known.get(n)) for n in range(5)])]
    assert found[1:4] == [at(8), at(9), at(10)]
    assert all(moment is not None for moment in found)
    assert found == sorted(found, key=str)


def test_where_nobody_tells_a_time_there_is_none() -> None:
    assert [m.at for m in with_times([Message("a", "user", "x")])] == [None]
