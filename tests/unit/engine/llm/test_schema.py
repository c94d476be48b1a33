"""Values are checked against a schema and put into its types."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.engine.llm.schema import KNOWN_KEYWORDS, conform_to_schema, is_strict


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        *(("boolean", "Yes", True), ("boolean", "否", False), ("boolean", False, False)),
        *(("integer", "3", 3), ("integer", 3.0, 3), ("integer", " -7 ", -7), ("integer", "2.0", 2)),
        *(("number", "2.5", 2.5), ("number", 4, 4), ("string", "x", "x")),
        *(("null", None, None), ("array", [1, "a"], [1, "a"])),
    ],
)
def test_what_says_a_type_becomes_one(kind: str, value: object, expected: object) -> None:
    found, problems = conform_to_schema(value, {"type": kind})
    assert (found, problems) == (expected, ())
    assert type(found) is type(expected)


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        *(("boolean", 1), ("boolean", "maybe"), ("number", float("nan")), ("number", False)),
        *(("integer", True), ("integer", 2.5), ("integer", "two"), ("integer", float("inf"))),
        *(("string", 5), ("string", None), ("object", []), ("array", "abc"), ("array", {})),
    ],
)
def test_what_is_of_another_type_is_a_problem(kind: str, value: object) -> None:
    found, problems = conform_to_schema(value, {"type": kind})
    assert found is None
    assert problems[0].startswith(f"expected {kind}")


@pytest.mark.parametrize(
    ("schema", "value", "problem"),
    [
        ({"type": "integer", "minimum": 1}, 0, "less than 1"),
        ({"type": "number", "maximum": 1}, 1.5, "more than 1"),
        ({"type": "string", "maxLength": 2}, "abc", "longer than 2 characters"),
        ({"type": "array", "maxItems": 1}, [1, 2], "more than 1 items"),
        ({"type": "string", "enum": ["a", "b"]}, "c", "'c' is none of a, b"),
        ({"enum": [1]}, True, "'True' is none of 1"),
        ({"type": "array", "items": {"type": "string"}}, ["a", 2], "[1]: expected string, found integer"),
        (
            {"properties": {"a": {"properties": {"b": {"type": "string"}}}}},
            {"a": {"b": 1}},
            "a.b: expected string, found integer",
        ),
        ({"properties": {}, "additionalProperties": False}, {"x": 1}, "'x' is not known"),
        ({"properties": {"a": {"type": "string"}}, "required": ["a"]}, {"a": None}, "a: missing"),
        ({"type": ["string", "null"]}, 1, "expected string or null, found integer"),
    ],
)
def test_each_limit_is_named_with_its_path(schema: dict[str, Any], value: object, problem: str) -> None:
    assert conform_to_schema(value, schema)[1] == (problem,)


def test_a_choice_is_found_whatever_its_case_and_width() -> None:
    assert conform_to_schema(" ＯＮ ", {"enum": ["on", "off"]}) == ("on", ())


def test_what_is_not_declared_is_dropped() -> None:
    assert conform_to_schema({"a": "x", "b": 1}, {"properties": {"a": {"type": "string"}}}) == (
        {"a": "x"},
        (),
    )


def test_null_is_left_out_unless_it_is_allowed() -> None:
    schema = {"properties": {"a": {"type": "string"}, "b": {"type": ["string", "null"]}}}
    assert conform_to_schema({"a": None, "b": None}, schema) == ({"b": None}, ())


def test_a_schema_with_words_nobody_checks_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="oneOf, pattern"):
        conform_to_schema({}, {"pattern": "x", "oneOf": []})


@given(
    st.dictionaries(st.text(), st.none() | st.booleans() | st.text() | st.integers() | st.lists(st.text()))
)
def test_checking_twice_is_checking_once(value: dict[str, Any]) -> None:
    schema = {
        "properties": {k: {"type": ["boolean", "integer", "string"]} for k in list(value)[:3]},
        "required": list(value)[:1],
    }
    found, problems = conform_to_schema(value, schema)
    if not problems:
        assert conform_to_schema(found, schema) == (found, ())


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "string"}, True),
        ({"properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": False}, True),
        ({"properties": {"a": {"type": "string"}}, "additionalProperties": False}, False),
        ({"properties": {"a": {"type": "string"}}, "required": ["a"]}, False),
        ({"type": "array", "items": {"properties": {}}}, False),
    ],
)
def test_strict_decoding_needs_everything_required_and_nothing_else(
    schema: dict[str, Any], expected: bool
) -> None:
    assert is_strict(schema) is expected


def test_the_docstring_names_every_word() -> None:
    from winnow.engine.llm import schema as module

    assert all(f"``{word}" in str(module.__doc__) for word in KNOWN_KEYWORDS)
