"""What commands print for programs: data under a name of its own, whatever there is."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

Run = Callable[..., Any]


def data(run: Run, *args: str) -> dict[str, Any]:
    ran = run(*args)
    assert (ran.code, ran.err) == (0, "")
    found = json.loads(ran.out)
    assert isinstance(found, dict)
    return found


def test_advice_is_data_with_its_steps_and_the_settings_to_keep(winnow: Run) -> None:
    told = data(winnow, "advise", "--json")
    assert told["schema"] == "winnow.advice/1"
    assert [step["what"] for step in told["steps"]] == [
        "vectors of yours",
        "messages",
        "strategy",
        "embedder",
    ]
    assert told["advice"] == []
    assert told["history.yaml"]["vector_search"]["type"] == "dynamic"


def test_a_table_that_cannot_be_read_is_data_too(winnow: Run) -> None:
    ran = winnow("advise", "--url", "sqlite:///nowhere/app.db", "--json")
    assert ran.code != 0
    assert json.loads(ran.out)


def test_keys_are_data_without_their_secrets(winnow: Run) -> None:
    assert data(winnow, "keys", "list", "--json") == {"schema": "winnow.keys/1", "keys": []}
    secret = next(word for word in winnow("keys", "add", "panel").out.split() if word.startswith("wk_"))
    (key,) = data(winnow, "keys", "list", "--json")["keys"]
    assert (key["name"], key["users"], key["homes"], key["ends_at"]) == ("panel", [], [], None)
    assert secret not in json.dumps(key)


def test_the_schema_of_the_neutral_format_names_what_a_home_needs(winnow: Run) -> None:
    schema = data(winnow, "home", "schema")
    assert schema["required"] == ["id", "devices"]
    assert {"floors", "rooms", "devices"} <= schema["properties"].keys()


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("act", "--simulate"), "SENTENCE|PLAN"),
        (
            ("home", "import", "--url", "http://127.0.0.1:9", "--token-env", "T", "--platform", "acme"),
            "--platform",
        ),
        (("keys", "revoke", "nobody"), ""),
    ],
)
def test_what_is_asked_wrongly_is_told_by_its_name(flat: Run, args: tuple[str, ...], said: str) -> None:
    ran = flat(*args)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
