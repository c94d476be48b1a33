from __future__ import annotations

from typing import get_args

import pytest

from winnow import errors
from winnow.errors import (
    AccessError,
    ArgumentError,
    CaseError,
    ClusterError,
    ConfigError,
    DocumentsUnread,
    EmbedderError,
    FeedbackError,
    HomeImportError,
    HomeNotFound,
    LinkError,
    MessageError,
    MessagesUnread,
    ModelError,
    ModelFault,
    NoOpenQuestion,
    NoSuchFact,
    NoSuchRoom,
    NoSuchState,
    NoSuchThing,
    NoSuchWord,
    NotAName,
    NothingToPrecompute,
    OverBudget,
    Problem,
    StoreBusy,
    StoreError,
    TableError,
    TaxonomyError,
    WinnowError,
)

OWN = (
    AccessError,
    ArgumentError,
    HomeImportError,
    HomeNotFound,
    MessageError,
    StoreError,
    StoreBusy,
    NoOpenQuestion,
    NoSuchFact,
    NoSuchRoom,
    NoSuchState,
    NoSuchThing,
    NoSuchWord,
    NotAName,
    OverBudget,
    ConfigError,
    DocumentsUnread,
    EmbedderError,
    FeedbackError,
    CaseError,
    ClusterError,
    LinkError,
    MessagesUnread,
    ModelError,
    NothingToPrecompute,
    OverBudget,
    TableError,
    TaxonomyError,
)


def test_every_error_is_a_winnow_error() -> None:
    found = {e for e in vars(errors).values() if isinstance(e, type) and issubclass(e, Exception)}
    assert found == {WinnowError, *OWN}
    assert all(issubclass(e, WinnowError) for e in found)


def test_the_tree_in_the_docstring_names_every_error() -> None:
    for error in OWN:
        assert f"{error.__name__} " in str(errors.__doc__)


def test_only_a_busy_store_is_worth_trying_again() -> None:
    assert StoreBusy("busy").retryable
    assert not any(
        e.retryable for e in (WinnowError, HomeImportError, HomeNotFound, StoreError, ConfigError, CaseError)
    )


def test_an_import_error_lists_all_problems_with_their_places() -> None:
    error = HomeImportError([Problem("a.json", "items[0].id", "missing"), Problem("b.json", "", "not JSON")])
    assert "2 problems" in str(error)
    assert "a.json: items[0].id: missing" in str(error)
    assert "b.json: not JSON" in str(error)
    assert error.hint


@pytest.mark.parametrize(
    ("home_id", "known", "said", "hint"),
    [
        ("x", ["a"], "'x'", "a"),
        ("", ["a", "b"], "Several homes", "a, b"),
        ("", [], "No home is stored", "winnow home import"),
    ],
)
def test_a_missing_home_tells_what_there_is(home_id: str, known: list[str], said: str, hint: str) -> None:
    error = HomeNotFound(home_id, known)
    assert said in str(error)
    assert hint in error.hint


def test_a_case_error_names_file_line_and_field() -> None:
    error = CaseError("cases.jsonl", 7, "history[0].role", "expected user or assistant")
    assert (error.file, error.line, error.field) == ("cases.jsonl", 7, "history[0].role")
    assert str(error) == "cases.jsonl:7: history[0].role: expected user or assistant"


@pytest.mark.parametrize("code", get_args(ModelFault))
def test_a_fault_of_a_model_is_worth_another_try_unless_it_stays(code: ModelFault) -> None:
    error = ModelError(code, "no", hint="look", attempts=3)
    assert error.retryable is (code not in {"bad_answer", "refused", "unauthorised"})
    assert (error.code, error.attempts, error.hint) == (code, 3, "look")
