"""Arguments of a wrong type are errors that say what to do, at the call that got them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import winnow
from winnow.app.config.checks import POLICY_CHECKS
from winnow.app.config.settings import load_settings
from winnow.engine.engine import Engine
from winnow.engine.policy import Policy
from winnow.errors import ArgumentError, ConfigError, MessageError, NoSuchRoom, StoreError, WinnowError
from winnow.types.scope import Scope
from winnow.types.utterance import Utterance
from winnow.types.verdict import Nothing

WRONG = (7, 1.5, None, b"ida", ["ida"], {"id": "ida"}, True)


@pytest.fixture(scope="module")
def engine() -> Engine:
    return winnow.open("example:cottage")


@pytest.mark.parametrize("value", WRONG)
@pytest.mark.parametrize("name", ["text", "home", "user", "session", "tenant", "summary"])
def test_every_text_of_an_utterance_is_a_string(name: str, value: object) -> None:
    with pytest.raises(ArgumentError, match=f"{name} must be a string, not {type(value).__name__}") as caught:
        Utterance(**{"text": "hello", name: value})
    assert isinstance(caught.value, TypeError)


@pytest.mark.parametrize(
    ("name", "value"), [("room", 4), ("language", "fr"), ("time", "now"), ("history", "hi"), ("history", 3)]
)
def test_what_else_an_utterance_holds_is_of_its_type(name: str, value: object) -> None:
    with pytest.raises(ArgumentError, match=name):
        Utterance("hello", **{name: value})


@pytest.mark.parametrize("value", [7, None, b"ida"])
@pytest.mark.parametrize("name", ["user", "home", "session", "tenant"])
def test_a_scope_holds_strings(name: str, value: object) -> None:
    with pytest.raises(ArgumentError, match=name):
        Scope(**{"tenant": "t", name: value})


CALLS: list[Callable[[Engine], Any]] = [
    lambda engine: engine.sync.retrieve(None),
    lambda engine: engine.sync.retrieve(b"hello"),
    lambda engine: engine.sync.retrieve("hello", user=7),
    lambda engine: engine.sync.retrieve("hello", session=7),
    lambda engine: engine.sync.understand(7),
    lambda engine: engine.sync.confirm("token", user=7),
    lambda engine: engine.sync.undo(user=7),
    lambda engine: engine.sync.undo(home=7),
]


@pytest.mark.parametrize("number", range(len(CALLS)))
def test_no_call_takes_them_for_a_fault_of_the_store(engine: Engine, number: int) -> None:
    with pytest.raises(ArgumentError, match="must be a string"):
        CALLS[number](engine)


def test_a_room_that_the_home_has_not_is_an_error_with_what_may_be_meant(engine: Engine) -> None:
    with pytest.raises(NoSuchRoom, match="has no room 'Kitchn'") as near:
        engine.sync.retrieve("turn off the lamp", room="Kitchn")
    assert (near.value.near, near.value.hint) == (("Kitchen",), "Did you mean Kitchen?")
    with pytest.raises(NoSuchRoom) as far:
        engine.sync.retrieve(Utterance("turn off the lamp", room="moon"))
    assert "Did you mean Sitting Room, " in far.value.hint
    assert engine.sync.retrieve("turn off the lamp", room="KITCHEN").utterance.room == "KITCHEN"


def test_where_there_is_no_home_a_room_is_nothing_to_check() -> None:
    assert isinstance(winnow.open().sync.retrieve("hello", room="Atic").verdict, Nothing)


def test_a_history_that_is_no_list_of_messages_is_refused(engine: Engine) -> None:
    with pytest.raises(MessageError, match="neither a message nor a turn"):
        engine.sync.retrieve("hello", history=[("user", "hi")])  # type: ignore[list-item]


@pytest.mark.parametrize("given", [{"budget": 3}, {"context": "many"}, {"found": 0}, {"language": "fr"}])
def test_what_is_given_to_open_is_checked_like_a_setting(given: dict[str, Any]) -> None:
    with pytest.raises(ConfigError) as caught:
        winnow.open("example:cottage", **given)
    (problem,) = caught.value.problems
    assert (problem.file, problem.path) == ("winnow.open", *given)
    assert repr(next(iter(given.values()))) in problem.message


def test_all_that_is_wrong_is_told_at_once_with_the_nearest_name() -> None:
    with pytest.raises(ConfigError) as caught:
        winnow.open("example:cottage", budgt=300, found=0, metrics="perhaps")
    assert [p.path for p in caught.value.problems] == ["budgt", "found", "metrics"]
    assert "budget is one" in caught.value.problems[0].message


def test_what_is_checked_are_fields_of_the_policy() -> None:
    assert POLICY_CHECKS.keys() <= {*Policy.__dataclass_fields__}
    policy = winnow.open(
        "example:cottage", budget=300, found=2, language=None, metrics=True, most={"facts": 3}
    ).policy
    assert policy.most == {"facts": 3}
    assert (policy.budget, policy.found, policy.language, policy.metrics) == (300, 2, None, True)


def test_a_key_in_the_place_of_the_name_of_its_variable_is_a_problem_that_does_not_repeat_it(
    tmp_path: Path,
) -> None:
    env = {"WINNOW_HOME": str(tmp_path), "WINNOW_MODEL_KEY_ENV": "sk-s3cret"}
    with pytest.raises(ConfigError, match="not what it holds") as caught:
        load_settings(env)
    assert "s3cret" not in str(caught.value)


@pytest.mark.parametrize("content", [b"no database", b"SQLite format 3\0" + b"\0" * 90])
def test_no_hint_tells_to_lose_what_is_stored(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "notes.db").write_bytes(content)
    with pytest.raises(StoreError) as caught:
        winnow.open(tmp_path / "notes.db").sync.retrieve("hello")
    told: WinnowError = caught.value
    assert "Keep a copy of the file" in told.hint
    assert (tmp_path / "notes.db").read_bytes() == content
