"""``winnow audit``, and what other commands tell of the log."""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from winnow.app.cli.chat import open_chat
from winnow.app.config.settings import load_settings
from winnow.app.wiring.engine import open_engine, open_store, simulated_copy
from winnow.errors import StoreError
from winnow.types.receipt import Record
from winnow.types.scope import Scope

KEY = "k" * 20


@pytest.fixture
def acted(winnow: Callable[..., Any], payloads: Path) -> Callable[..., Any]:
    """The program, after ida switched two lamps of the flat and somebody began what never ended."""
    assert winnow("home", "import", str(payloads / "flat")).code == 0
    engine = open_engine()
    opened = engine.sync.load_home("flat")
    states = asyncio.run(engine.storage.states.read(Scope(home="flat")))
    engine.states.below = engine.acting.actuator = simulated_copy(opened.home, states)
    for said in ("turn on the desk lamp", "turn on the fan"):
        receipt = engine.sync.act(engine.sync.retrieve(said, user="ida"))
        assert receipt.status == "done"
    return winnow


def never_ended() -> None:
    begun = {"calls": [["hall.wall_lamp", "turn_on", {}]]}
    records = [Record(5.0, "jo", "begun", "lost", begun)]
    asyncio.run(open_store(load_settings()).storage.audit.append(Scope(home="flat"), records))


def tamper(statement: str) -> None:
    with sqlite3.connect(str(load_settings().store_location)) as db:
        db.execute(statement)
    db.close()


def test_acts_are_shown_one_a_line(acted: Callable[..., Any]) -> None:
    lines = acted("audit", "show").out.splitlines()
    assert lines[0].split() == ["When", "Who", "Done", "Outcome"]
    assert re.search(r"^\d{4}-\d\d-\d\d [\d:]{8}  ida  desk lamp turn_on +done$", lines[1])
    assert len(lines) == 3
    assert len(acted("audit", "show", "--last", "1").out.splitlines()) == 2
    assert "Nothing was done" in acted("audit", "show", "--user", "jo").out
    assert "做了什么" in acted("--language", "zh", "audit", "show").out


def test_one_act_is_shown_with_what_it_changed(acted: Callable[..., Any]) -> None:
    never_ended()
    came: dict[str, object] = {"device": "hall.wall_lamp", "command": "turn_on", "status": "failed"}
    came |= {"before": {"state": "off"}, "after": {"state": "on"}}
    records = [Record(6.0, "jo", "outcome", "lost", {"outcomes": [came]})]
    asyncio.run(open_store(load_settings()).storage.audit.append(Scope(home="flat"), records))
    one = json.loads(acted("audit", "show", "--last", "1", "--json").out)["acts"][0]
    shown = acted("audit", "show", "--act", one["act"]).out
    assert "wall lamp turn_on  FAILED  (state: off -> on)" in shown
    assert "[lost]" in shown


def test_a_log_that_holds_tells_its_last_hash_and_what_nobody_knows(acted: Callable[..., Any]) -> None:
    never_ended()
    looked = acted("audit", "verify")
    assert looked.code == 0
    head = re.search(r"the log holds, 7 entries.*:\n  ([0-9a-f]{64})\n", looked.out)
    assert head is not None
    assert " jo\n    nobody knows what came of: wall lamp turn_on" in looked.out
    assert acted("audit", "verify", "--expect", head[1]).code == 0
    assert acted("audit", "verify", "--home", "flat", "--expect", "0" * 64).code == 1


@pytest.mark.bulk
@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("UPDATE audit SET user = 'jo' WHERE number = 2", "entry 2: not what was written there"),
        ("DELETE FROM audit WHERE number IN (3, 4)", "entries 3 to 4: taken out"),
        ("DELETE FROM audit WHERE number = 6", "entry 6: cut off at the end"),
        ("DELETE FROM chains", "kept beside the log does not fit"),
    ],
)
def test_a_log_that_does_not_hold_ends_with_1_and_a_next_step(
    acted: Callable[..., Any], statement: str, told: str
) -> None:
    tamper(statement)
    looked = acted("audit", "verify")
    assert (looked.code, told in looked.out, "Keep a copy" in looked.out) == (1, True, True), looked.out
    assert json.loads(acted("audit", "verify", "--json").out)["logs"][0]["broken"]


def test_the_log_goes_into_an_archive_and_a_file(acted: Callable[..., Any], tmp_path: Path) -> None:
    assert "4 entries archived" in acted("audit", "rotate", "--keep", "2").out
    assert acted("audit", "verify").code == 0
    file = tmp_path / "log.jsonl"
    assert "6 entries written" in acted("audit", "export", str(file)).out
    rows = [json.loads(row) for row in file.read_text("utf-8").splitlines()]
    assert [row["number"] for row in rows] == [1, 2, 3, 4, 5, 6]
    assert acted("audit", "export", "-").out == file.read_text("utf-8")
    assert acted("audit", "export", str(tmp_path / "no" / "log")).code == 2


def test_a_key_seals_and_what_is_forged_without_it_is_told(
    acted: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WINNOW_AUDIT_KEY", KEY)
    assert "If the key is new" in acted("audit", "verify").out
    never_ended()
    assert acted("audit", "verify").code == 0
    assert "sealed with a key" in acted("doctor").out
    monkeypatch.delenv("WINNOW_AUDIT_KEY")
    never_ended()
    monkeypatch.setenv("WINNOW_AUDIT_KEY", KEY)
    assert "entry 8: written without the key" in acted("audit", "verify").out


def test_a_key_that_is_too_short_is_refused(
    winnow: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WINNOW_AUDIT_KEY", "short")
    ran = winnow("audit", "show")
    assert (ran.code, "at least 16" in ran.err, "short" in ran.err) == (2, True, False)


def test_a_deleted_home_leaves_its_log_unless_it_is_told_to_go_too(acted: Callable[..., Any]) -> None:
    assert acted("home", "delete", "flat").code == 0
    assert "fan" in acted("audit", "show", "--home", "flat").out
    assert "6 entries of the audit log deleted" in acted("home", "delete", "flat", "--with-audit").out
    assert "Nothing was done" in acted("audit", "verify").out


def test_doctor_and_metrics_tell_its_size(acted: Callable[..., Any]) -> None:
    assert "6 entries in flat, not sealed" in acted("doctor").out
    assert 'winnow_audit_entries_total{home="flat"} 6\n' in acted("metrics", "--prometheus").out


def test_a_chat_over_a_played_home_is_no_record_of_the_real_one(acted: Callable[..., Any]) -> None:
    before = acted("audit", "export", "-").out
    talk, _ = open_chat(open_engine(), "flat", "", "ida", "en", None)
    assert list(talk.lines("turn on the fan"))
    assert acted("audit", "export", "-").out == before


def test_where_nothing_can_be_put_on_record_nothing_is_sent(
    acted: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("winnow.adapters.stores.database.is_read_only", lambda path: path.is_file())
    engine = open_engine()
    home = engine.sync.load_home("flat").home
    states = asyncio.run(engine.storage.states.read(Scope(home="flat")))
    copy = engine.states.below = engine.acting.actuator = simulated_copy(home, states)
    found = engine.sync.retrieve("turn on the desk lamp")
    with pytest.raises(StoreError, match="nothing is done") as raised:
        engine.sync.act(found)
    assert raised.value.hint
    assert asyncio.run(copy.look(Scope(home="flat"))).value("study.desk_lamp", "state") == "off"


@pytest.mark.parametrize("damage", ["deleted", "emptied", "damaged"])
def test_without_its_archives_the_rest_is_exported_and_what_is_missing_is_named(
    acted: Callable[..., Any], tmp_path: Path, damage: str
) -> None:
    assert acted("audit", "rotate", "--keep", "2").code == 0
    for path in (load_settings().data / "audit").glob("*/*.gz"):
        path.unlink() if damage == "deleted" else path.write_bytes(b"" if damage == "emptied" else b"?")
    looked = acted("audit", "verify")
    assert (looked.code, "Traceback" in looked.out + looked.err) == (1, False)
    assert "entries 1 to 4: their archive is not here or cannot be read" in looked.out
    exported = acted("audit", "export", str(tmp_path / "log.jsonl"))
    assert exported.code == 1
    assert "entries 1 to 4: their archive" in exported.err
    lines = (tmp_path / "log.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["number"] for line in lines] == [5, 6]


def test_a_home_that_is_not_there_has_no_sound_log(acted: Callable[..., Any]) -> None:
    looked = acted("audit", "verify", "--home", "flatt")
    assert looked.code != 0
    assert "flatt" in looked.err
    assert "flat" in looked.err.replace("flatt", "")
