"""Checks values against the part of JSON Schema that models are asked for, and puts them into its types.

Known: ``type`` (also a list), ``properties``, ``required``, ``additionalProperties: false``, ``items``,
``enum``, ``minimum``, ``maximum``, ``maxLength``, ``maxItems``; ``title``, ``description`` and ``default``
say nothing. Any other word is an error of whoever wrote the schema.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Schema = Mapping[str, object]
CheckedValue = tuple[Any, tuple[str, ...]]
"""The value in its type, and what is wrong with it (``path: problem``); nothing is when that is empty."""

_CHECKED_KEYWORDS = (
    "type properties required additionalProperties items enum minimum maximum maxLength maxItems"
    " title description default"
)
KNOWN_KEYWORDS = frozenset(_CHECKED_KEYWORDS.split())
"""Words of JSON Schema that may stand in a schema."""
BOOLEAN_WORDS = {
    **dict.fromkeys(("true", "yes", "是", "真"), True),
    **dict.fromkeys(("false", "no", "否", "假"), False),
}
_WHOLE = re.compile(r"[-+]?\d{1,18}(?:\.0+)?")
_DECIMAL = re.compile(r"[-+]?\d{1,18}(?:\.\d{1,18})?")


class _WrongType(Exception):  # noqa: N818 - never leaves this module
    """The value is of another type."""


def conform_to_schema(value: object, schema: Schema, path: str = "") -> CheckedValue:
    """``value`` under ``schema``: coerced, and its problems.

    What an object does not declare is dropped or, if so said, wrong. Text that says a number or a truth
    becomes one where the schema asks for it. A null where it is not allowed counts as left out. Raises
    ValueError for a word of JSON Schema that is not known here.
    """
    if unknown := schema.keys() - KNOWN_KEYWORDS:
        raise ValueError(f"not checked here: {', '.join(sorted(unknown))}")
    kinds = _kinds(schema)
    for kind in kinds:
        try:
            fitting = _TYPES[kind](value)
        except _WrongType:
            continue
        return _INSIDE.get(kind, _scalar)(fitting, schema, path)
    return None, (
        _problem_at(
            path, f"expected {' or '.join(kinds)}, found {_NAMES.get(type(value), type(value).__name__)}"
        ),
    )


def is_strict(schema: Schema) -> bool:
    """Whether strict decoding takes it: every object requires all it declares and allows nothing else."""
    if "object" in _kinds(schema):
        complete = set(_required_names(schema)) == set(_properties(schema))
        if not complete or schema.get("additionalProperties") is not False:
            return False
    return all(map(is_strict, [*_properties(schema).values(), *_items(schema)]))


def _kinds(schema: Schema) -> tuple[str, ...]:
    """The types it allows; all of them when it names none."""
    kind = schema.get("type", ())
    if isinstance(kind, str):
        return (kind,)
    named = tuple(kind) if isinstance(kind, Sequence) else ()
    return named or (("object",) if "properties" in schema else tuple(_TYPES))


def _properties(schema: Schema) -> Mapping[str, Schema]:
    found = schema.get("properties")
    return found if isinstance(found, Mapping) else {}


def _items(schema: Schema) -> tuple[Schema, ...]:
    found = schema.get("items")
    return (found,) if isinstance(found, Mapping) else ()


def _required_names(schema: Schema) -> tuple[str, ...]:
    found = schema.get("required")
    return tuple(found) if isinstance(found, Sequence) else ()


def _object(value: Mapping[str, object], schema: Schema, path: str) -> CheckedValue:
    declared = _properties(schema)
    given = {name for name in value if _is_present(value[name], declared.get(name))}
    checked = {
        k: conform_to_schema(value[k], own, _member_path(path, k))
        for k, own in declared.items()
        if k in given
    }
    missing = [
        _problem_at(_member_path(path, name), "missing")
        for name in _required_names(schema)
        if name not in given
    ]
    inner = [problem for _, problems in checked.values() for problem in problems]
    members = {name: member for name, (member, _) in checked.items()}
    return members, (*missing, *_extra_members(value, schema, path), *inner)


def _extra_members(value: Mapping[str, object], schema: Schema, path: str) -> list[str]:
    """The first three members that a closed object must not have."""
    if schema.get("additionalProperties") is not False:
        return []
    return [
        _problem_at(path, f"{name[:40]!r} is not known") for name in value if name not in _properties(schema)
    ][:3]


def _is_present(member: object, schema: Schema | None) -> bool:
    """Whether the member counts: a null only where it is allowed."""
    return member is not None or (schema is not None and "null" in _kinds(schema))


def _array(value: Sequence[object], schema: Schema, path: str) -> CheckedValue:
    most = schema.get("maxItems")
    if isinstance(most, int) and len(value) > most:
        return None, (_problem_at(path, f"more than {most} items"),)
    each = _items(schema)
    checked = [
        conform_to_schema(v, each[0], f"{path}[{n}]") if each else (v, ()) for n, v in enumerate(value)
    ]
    return [v for v, _ in checked], tuple(p for _, problems in checked for p in problems)


def _scalar(value: object, schema: Schema, path: str) -> CheckedValue:
    allowed = schema.get("enum")
    if isinstance(allowed, Sequence):
        for choice in allowed:
            if type(choice) is type(value) and _fold_text(choice) == _fold_text(value):
                return choice, ()
        return None, (_problem_at(path, f"{str(value)[:40]!r} is none of {', '.join(map(str, allowed))}"),)
    problem = _beyond(value, schema)
    return (None, (_problem_at(path, problem),)) if problem else (value, ())


def _beyond(value: object, schema: Schema) -> str:
    """Which limit of the schema the value goes beyond; empty when none."""
    least, most, longest = schema.get("minimum"), schema.get("maximum"), schema.get("maxLength")
    if isinstance(value, str):
        too_long = isinstance(longest, int) and len(value) > longest
        return f"longer than {longest} characters" if too_long else ""
    if not isinstance(value, int | float):
        return ""
    if isinstance(least, int | float) and value < least:
        return f"less than {least}"
    return f"more than {most}" if isinstance(most, int | float) and value > most else ""


def _fold_text(value: object) -> object:
    return unicodedata.normalize("NFKC", value).strip().casefold() if isinstance(value, str) else value


def _instance(kind: type) -> Callable[[Any], Any]:
    def fit(value: Any) -> Any:
        if not isinstance(value, kind):
            raise _WrongType
        return value

    return fit


def _boolean(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    said = BOOLEAN_WORDS.get(str(_fold_text(value))) if isinstance(value, str) else None
    if said is None:
        raise _WrongType
    return said


def _integer(value: Any) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str) and _WHOLE.fullmatch(value.strip()):
        return int(value.strip().partition(".")[0])
    raise _WrongType


def _number(value: Any) -> int | float:
    if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
        return value
    if isinstance(value, str) and _DECIMAL.fullmatch(value.strip()):
        return float(value.strip())
    raise _WrongType


def _null(value: Any) -> None:
    if value is not None:
        raise _WrongType


_TYPES: Mapping[str, Callable[[Any], Any]] = {
    "null": _null,
    "object": _instance(Mapping),
    "array": _instance(list),
    "boolean": _boolean,
    "integer": _integer,
    "number": _number,
    "string": _instance(str),
}
_INSIDE: Mapping[str, Callable[[Any, Schema, str], CheckedValue]] = {"object": _object, "array": _array}
_NAMES = {
    dict: "object",
    list: "array",
    str: "text",
    bool: "boolean",
    int: "integer",
    float: "number",
    type(None): "null",
}


def _member_path(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _problem_at(path: str, problem: str) -> str:
    return f"{path}: {problem}" if path else problem
