"""How the figures of earlier messages are counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from benchmarks import messages
from tests.unit.retrieve.history.talks import NEIGHBOURS


@pytest.fixture
def file(tmp_path: Path) -> Path:
    told = [
        {"id": m.id, "role": m.role, "content": m.content, "created_at": m.at.isoformat() if m.at else None}
        for m in NEIGHBOURS
    ]
    case = {"source": "x", "lang": "en", "user_id": "n", "category": "07_two_parts", "history": told}
    cases = [
        {**case, "id": "a", "query": "Which club did Tom join?", "evidence_ids": ["4"]},
        {**case, "id": "b", "query": "What is Anika's new job?", "evidence_ids": ["10", "11"]},
    ]
    path = tmp_path / "x.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in cases), "utf-8")
    return path


def test_shares_are_of_the_messages_that_answer(file: Path) -> None:
    first, second = messages.asked(file)
    assert first.category == "07_two"
    found = messages.figures([first, second], lambda _: {"speaker": 0.1, "window": 4.0, "talk": 1.0})
    assert found["R@10"] == 100.0
    assert found["R@1"] <= 75.0
    assert found["R@10 07_two"] == found["R@10"]


def test_talks_are_counted_once_in_the_order_of_their_first_message(file: Path) -> None:
    first = next(messages.asked(file))
    assert messages.sessions(first, [0, 1, 2, 3, 8], most=2) == 0.0
    assert messages.sessions(first, [0, 1, 2, 3, 5], most=2) == 1.0


def test_every_split_halves_the_users_and_four_are_halved_in_three_ways() -> None:
    users = ["a", "b", "c", "d"]
    found = {messages.halves(users, split) for split in range(messages.SPLITS)}
    assert len(found) == 3
    assert {len(half) for half in found} == {2}


def test_without_its_data_it_says_where_they_come_from(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WINNOW_BENCH", str(tmp_path))
    messages.main()
    assert capsys.readouterr().out.count("left out") == len(messages.NAMES)
