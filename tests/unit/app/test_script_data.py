"""What scripts get with ``--json``: one object of a named shape, whatever happens."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

import pytest

from winnow.app.output import error_data, script_data
from winnow.errors import HomeNotFound, ModelError

READS = [
    (("home", "list"), "homes"),
    (("home", "check"), "notes"),
    (("home", "show"), "home"),
    (("lexicon", "list"), "words"),
    (("facts", "--user", "ida"), "facts"),
    (("messages", "show", "--user", "ida"), "messages"),
    (("messages", "users"), "users"),
    (("knowledge", "list", "--user", "ida"), "documents"),
    (("audit", "show"), "acts"),
    (("audit", "verify"), "logs"),
    (("doctor",), "findings"),
    (("metrics",), "metrics"),
    (("intent", "hello"), "intent"),
    (("ask", "turn off the desk lamp"), "trace"),
    (("act", "turn off the desk lamp", "--simulate"), "receipt"),
]


@pytest.fixture
def cottage(winnow: Any) -> Any:
    assert winnow("home", "import", "example:cottage").code == 0
    return winnow


@pytest.mark.bulk
@pytest.mark.parametrize(("command", "kind"), READS, ids=[kind for _, kind in READS])
def test_every_command_prints_one_object_with_its_schema(cottage: Any, command: Any, kind: str) -> None:
    ran = cottage(*command, "--json")
    told = json.loads(ran.out)
    assert told["schema"] == f"winnow.{kind}/1"
    assert "home_id" not in ran.out


def test_a_receipt_tells_its_status_and_when_it_was_begun(cottage: Any) -> None:
    told = json.loads(cottage("act", "turn off the desk lamp", "--simulate", "--json").out)
    assert told["status"] == "done"
    assert datetime.fromisoformat(told["at"]).tzinfo is not None
    homes = json.loads(cottage("home", "list", "--json").out)["homes"]
    assert (homes[0]["home"], datetime.fromisoformat(homes[0]["imported_at"]).year > 2020) == (
        "cottage",
        True,
    )


def test_an_error_is_data_with_a_code_and_a_hint(cottage: Any) -> None:
    ran = cottage("ask", "hello", "--home", "castle", "--json")
    error = json.loads(ran.out)["error"]
    assert (ran.code, ran.err) == (2, "")
    assert (error["code"], error["retryable"]) == ("home_not_found", False)
    assert "castle" in error["message"]
    assert "cottage" in error["hint"]
    chinese = json.loads(cottage("--language", "zh", "ask", "hello", "--home", "castle", "--json").out)
    assert "没有" in chinese["error"]["message"]


def test_a_wrong_use_and_a_missing_file_are_data_too(cottage: Any) -> None:
    assert json.loads(cottage("home", "list", "--json", "--colour").out)["error"]["code"] == "usage"
    ran = cottage("knowledge", "add", "missing.md", "--user", "ida", "--json")
    assert (ran.code, json.loads(ran.out)["error"]["code"]) == (2, "winnow_error")


def test_codes_name_the_error_and_its_kind() -> None:
    assert error_data(HomeNotFound("x"), "en")["error"]["code"] == "home_not_found"
    slow = error_data(ModelError("timeout", "late", hint="wait"), "en")["error"]
    assert (slow["code"], slow["hint"]) == ("model_timeout", "wait")


def test_times_are_iso_and_a_home_is_called_home() -> None:
    told = script_data("things", [{"home_id": "flat", "at": 0.5, "deep": [{"read_at": None}]}])
    assert told == {
        "schema": "winnow.things/1",
        "things": [{"home": "flat", "at": "1970-01-01T00:00:00.500+00:00", "deep": [{"read_at": None}]}],
    }
