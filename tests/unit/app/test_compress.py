"""``winnow compress`` and ``winnow eval compress``."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
NOTES = (
    "The ferry leaves at nine. Dogs travel free of charge. The crossing takes forty minutes. Snacks are sold "
    "on board. A return ticket costs 18 euros. The lower deck is closed in winter."
)


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    path = tmp_path / "notes.txt"
    path.write_text(NOTES, "utf-8")
    return path


def test_the_answer_stays_and_the_account_is_told_apart(winnow: Run, notes: Path) -> None:
    ran = winnow("compress", str(notes), "--query", "What does a return ticket cost?", "--rate", "0.3")
    assert ran.code == 0
    assert "18 euros" in ran.out
    assert "Snacks" not in ran.out
    assert "heavy" in ran.err
    assert "notes.txt: sentences," in ran.err


def test_tokens_bound_what_is_kept(winnow: Run, notes: Path) -> None:
    ran = winnow("compress", str(notes), "--query", "When does the ferry leave?", "--tokens", "8", "--json")
    told = json.loads(ran.out)
    assert told["tokens"] <= 8
    assert told["reached"] <= told["asked"]
    assert "nine" in told["kept"][0]["text"]


def test_as_little_is_kept_as_the_support_takes(winnow: Run, notes: Path) -> None:
    ran = winnow(
        "compress", str(notes), "--query", "What does a return ticket cost?", "--keep", "0.5", "--json"
    )
    told = json.loads(ran.out)
    assert told["support"] >= 0.5
    assert told["reached"] < 1


def test_what_cannot_be_read_is_an_error_with_a_next_step(winnow: Run, tmp_path: Path) -> None:
    absent = winnow("compress", str(tmp_path / "nothing.txt"))
    assert absent.code == 2
    assert "nothing.txt" in absent.err
    (tmp_path / "picture.bin").write_bytes(bytes(range(256)) * 40)
    binary = winnow("compress", str(tmp_path / "picture.bin"))
    assert binary.code == 2
    assert "winnow knowledge add" in binary.err


def test_every_rate_is_a_line_of_the_predictions(winnow: Run, tmp_path: Path) -> None:
    case = {"id": "c", "lang": "en", "query": "What does a return ticket cost?"}
    passages = [{"id": "p", "text": NOTES}, {"id": "q", "text": "The museum opens at ten. It is small."}]
    (tmp_path / "c.jsonl").write_text(json.dumps({**case, "passages": passages}) + "\n", "utf-8")
    out = tmp_path / "p.jsonl"
    ran = winnow("eval", "compress", "--cases", str(tmp_path / "c.jsonl"), "--out", str(out))
    assert ran.code == 0
    lines = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert [line["rate"] for line in lines] == [0.75, 0.5, 0.25, 0.1]
    assert all("18 euros" in line["text"] for line in lines[:3])
    assert {kept["passage_id"] for line in lines for kept in line["kept"]} <= {"p", "q"}
