"""Checks values against the part of JSON Schema that a model is asked for, and puts them into the types it names.

Known: ``type`` (also a list), ``properties``, ``required``, ``additionalProperties: false``, ``items``,
``enum``, ``minimum``, ``maximum``,
``maxLength``, ``maxItems``; ``title``, ``description`` and ``default`` say nothing. Any other word is an
error of whoever wrote the schema.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Schema = Mapping[str, object]
Checked = tuple[Any, tuple[str, ...]]
"""The value in its type, and what is wrong with it (``path: problem``); nothing is when that is empty."""

KNOWN = frozenset(
    {
        "type",
        "properties",
        "required",
        "additionalProperties",
        "items",
        "enum",
        "minimum",
        "maximum",
        "maxLength",
        "maxItems",
    }
    | {"title", "description", "default"}
)
TRUTHS = {
    "true": True,
    "yes": True,
    "是": True,
    "真": True,
    "false": False,
    "no": False,
    "否": False,
    "假": False,
}
_WHOLE = re.compile(r"[-+]?\d{1,18}(?:\.0+)?")
_DECIMAL = re.compile(r"[-+]?\d{1,18}(?:\.\d{1,18})?")


class _Unfit(Exception):  # noqa: N818 - never leaves this module
    """The value is of another type."""


def conform(value: object, schema: Schema, path: str = "") -> Checked:
    """``value`` under ``schema``: coerced, and its problems.

    What an object does not declare is dropped or, if so said, wrong.

    Text that says a number or a truth becomes one where the schema asks for it. A null where it is not
    allowed counts as left out.
    Raises ValueError for a word of JSON Schema that is not known here.
    """
    if unknown := schema.keys() - KNOWN:
        raise ValueError(f"not checked here: {', '.join(sorted(unknown))}")
    kinds = _kinds(schema)
    for kind in kinds:
        try:
            fitting = _TYPES[kind](value)
        except _Unfit:
            continue
        return _INSIDE.get(kind, _scalar)(fitting, schema, path)
    return None, (_at(path, f"expected {' or '.join(kinds)}, found {_called(value)}"),)


def strict(schema: Schema) -> bool:
    """Whether every object of the schema requires all it declares and allows nothing else, as strict decoding demands."""
    inner = [*_declared(schema).values(), *_items(schema)]
    if "object" in _kinds(schema):
        required = schema.get("required", ())
        if (
            schema.get("additionalProperties") is not False
            or not isinstance(required, Sequence)
            or set(required) != set(_declared(schema))
        ):
            return False
    return all(map(strict, inner))


def _kinds(schema: Schema) -> tuple[str, ...]:
    kind = schema.get("type", ())
    named = (kind,) if isinstance(kind, str) else tuple(kind) if isinstance(kind, Sequence) else ()
    return named or (("object",) if "properties" in schema else tuple(_TYPES))


def _declared(schema: Schema) -> Mapping[str, Schema]:
    found = schema.get("properties")
    return found if isinstance(found, Mapping) else {}


def _items(schema: Schema) -> tuple[Schema, ...]:
    found = schema.get("items")
    return (found,) if isinstance(found, Mapping) else ()


def _object(value: Mapping[str, object], schema: Schema, path: str) -> Checked:
    declared, required = _declared(schema), schema.get("required", ())
    needed = tuple(required) if isinstance(required, Sequence) else ()
    given = {
        k: v for k, v in value.items() if v is not None or (k in declared and "null" in _kinds(declared[k]))
    }
    checked = {
        k: conform(given[k], declared[k], f"{path}.{k}" if path else k) for k in declared if k in given
    }
    missing = [_at(f"{path}.{k}" if path else k, "missing") for k in needed if k not in given]
    closed = schema.get("additionalProperties") is False
    extra = [_at(path, f"{k[:40]!r} is not known") for k in value if k not in declared] if closed else []
    inner = [p for _, problems in checked.values() for p in problems]
    return {k: v for k, (v, _) in checked.items()}, (*missing, *extra[:3], *inner)


def _array(value: Sequence[object], schema: Schema, path: str) -> Checked:
    most = schema.get("maxItems")
    if isinstance(most, int) and len(value) > most:
        return None, (_at(path, f"more than {most} items"),)
    checked = [
        conform(v, _items(schema)[0], f"{path}[{n}]") if _items(schema) else (v, ())
        for n, v in enumerate(value)
    ]
    return [v for v, _ in checked], tuple(p for _, problems in checked for p in problems)


def _scalar(value: object, schema: Schema, path: str) -> Checked:
    allowed = schema.get("enum")
    if isinstance(allowed, Sequence):
        for choice in allowed:
            if type(choice) is type(value) and _folded(choice) == _folded(value):
                return choice, ()
        return None, (_at(path, f"{str(value)[:40]!r} is none of {', '.join(map(str, allowed))}"),)
    least, most, longest = schema.get("minimum"), schema.get("maximum"), schema.get("maxLength")
    if isinstance(value, int | float) and isinstance(least, int | float) and value < least:
        return None, (_at(path, f"less than {least}"),)
    if isinstance(value, int | float) and isinstance(most, int | float) and value > most:
        return None, (_at(path, f"more than {most}"),)
    if isinstance(value, str) and isinstance(longest, int) and len(value) > longest:
        return None, (_at(path, f"longer than {longest} characters"),)
    return value, ()


def _folded(value: object) -> object:
    return unicodedata.normalize("NFKC", value).strip().casefold() if isinstance(value, str) else value


def _instance(kind: type) -> Callable[[Any], Any]:
    def fit(value: Any) -> Any:
        if not isinstance(value, kind):
            raise _Unfit
        return value

    return fit


def _boolean(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    said = TRUTHS.get(str(_folded(value))) if isinstance(value, str) else None
    if said is None:
        raise _Unfit
    return said


def _integer(value: Any) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str) and _WHOLE.fullmatch(value.strip()):
        return int(value.strip().partition(".")[0])
    raise _Unfit


def _number(value: Any) -> int | float:
    if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
        return value
    if isinstance(value, str) and _DECIMAL.fullmatch(value.strip()):
        return float(value.strip())
    raise _Unfit


def _null(value: Any) -> None:
    if value is not None:
        raise _Unfit


_TYPES: Mapping[str, Callable[[Any], Any]] = {
    "null": _null,
    "object": _instance(Mapping),
    "array": _instance(list),
    "boolean": _boolean,
    "integer": _integer,
    "number": _number,
    "string": _instance(str),
}
_INSIDE: Mapping[str, Callable[[Any, Schema, str], Checked]] = {"object": _object, "array": _array}
_NAMES = {
    dict: "object",
    list: "array",
    str: "text",
    bool: "boolean",
    int: "integer",
    float: "number",
    type(None): "null",
}


def _called(value: object) -> str:
    return _NAMES.get(type(value), type(value).__name__)


def _at(path: str, problem: str) -> str:
    return f"{path}: {problem}" if path else problem
