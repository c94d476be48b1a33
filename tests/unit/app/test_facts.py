"""Facts of persons on the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Run = Callable[..., Any]


def added(winnow: Run, text: str) -> str:
    told = winnow("facts", "add", text, "--user", "ida", "--json")
    return str(json.loads(told.out)["facts"][-1]["id"])


def test_nothing_known_says_how_to_tell(winnow: Run) -> None:
    assert "winnow facts add" in winnow("facts", "--user", "ida").out


def test_a_fact_is_shown_after_what_it_replaced_and_why(winnow: Run) -> None:
    old = added(winnow, "My size is 42")
    assert winnow("facts", "correct", old, "My size is 43", "--user", "ida").code == 0
    first, second = winnow("facts", "--user", "ida").out.splitlines()
    assert "My size is 42" in first
    assert "corrected by the person" in first
    assert "My size is 43" in second
    assert "本人更正" in winnow("--language", "zh", "facts", "--user", "ida").out


def test_what_is_known_is_not_added_again(winnow: Run) -> None:
    added(winnow, "My size is 42")
    assert "known already" in winnow("facts", "add", "my size is 42.", "--user", "ida").out


def test_a_changed_dose_says_what_it_took_the_place_of_and_why(winnow: Run) -> None:
    old = added(winnow, "I take 5 mg of ramipril.")
    kept, replaced = winnow("facts", "add", "I take 10 mg of ramipril.", "--user", "ida").out.splitlines()
    assert kept.endswith("I take 10 mg of ramipril.")
    assert replaced == f"  in place of {old}: I take 5 mg of ramipril. (another value of the same)"
    again = winnow("--language", "zh", "facts", "add", "I take 20 mg of ramipril.", "--user", "ida").out
    assert "取代" in again
    assert "同一件事有了另一个值" in again
    before, after = json.loads(
        winnow("facts", "add", "I don't take 20 mg of ramipril.", "--user", "ida", "--json").out
    )["facts"]
    assert (before["status"], before["replaced_by"]) == ("superseded", after["id"])
    assert after["replaces"] == [
        {"id": before["id"], "text": "I take 20 mg of ramipril.", "reason": "now the opposite"}
    ]
    *gone, _ = winnow("facts", "--user", "ida").out.splitlines()
    assert ["replaced by" in line for line in gone] == [True] * 3


def test_an_unknown_id_is_an_error_with_a_next_step(winnow: Run) -> None:
    told = winnow("facts", "correct", "f9", "x", "--user", "ida")
    assert told.code != 0
    assert "winnow facts --user" in told.err


def test_facts_are_forgotten_only_with_a_yes(winnow: Run) -> None:
    added(winnow, "My size is 42")
    assert winnow("facts", "forget", "--all", "--user", "ida").code != 0
    assert winnow("facts", "forget", "--user", "ida").code != 0
    assert "1 facts of ida deleted." in winnow("facts", "forget", "--all", "--user", "ida", "--yes").out


def test_stored_messages_are_read_for_facts_once(winnow: Run, tmp_path: Path) -> None:
    said = [
        {"id": "m1", "role": "user", "content": "My dentist is Dr. Cole.", "created_at": "2026-01-02T10:00"},
        {"id": "m2", "role": "assistant", "content": "My name is Max.", "created_at": "2026-01-02T10:01"},
        {"id": "m3", "role": "user", "content": "What is the time?", "created_at": "2026-01-03T10:00"},
    ]
    talk = tmp_path / "talk.jsonl"
    talk.write_text("\n".join(map(json.dumps, said)))
    winnow("messages", "import", str(talk), "--user", "ida")
    (fact,) = json.loads(winnow("facts", "read", "--user", "ida", "--json").out)["facts"]
    assert (fact["text"], fact["source"], fact["at"]) == (
        "My dentist is Dr. Cole.",
        "message:m1",
        "2026-01-02T10:00:00",
    )
    assert json.loads(winnow("facts", "read", "--user", "ida", "--json").out)["facts"] == []
