"""The part of JSON Schema that ``trace.schema.json`` uses, checked strictly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

KNOWN = {"type", "const", "enum", "oneOf", "$ref", "properties", "required", "additionalProperties", "items"}
KNOWN |= {"minimum", "maximum"}
SILENT = {"$schema", "$defs", "title", "description"}
TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "null": (type(None),),
    "integer": (int,),
    "number": (int, float),
}


def problems(value: Any, schema: Mapping[str, Any], root: Mapping[str, Any], at: str = "") -> Iterator[str]:
    """What is wrong with the value, each with its path."""
    assert schema.keys() <= KNOWN | SILENT, f"not checked here: {schema.keys() - KNOWN - SILENT}"
    if "$ref" in schema:
        schema = root["$defs"][schema["$ref"].removeprefix("#/$defs/")]
    if "oneOf" in schema:
        fitting = [choice for choice in schema["oneOf"] if not any(problems(value, choice, root))]
        if len(fitting) != 1:
            yield f"{at}: fits {len(fitting)} of {len(schema['oneOf'])} shapes"
    if "const" in schema and value != schema["const"]:
        yield f"{at}: {value!r} is not {schema['const']!r}"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{at}: {value!r} is none of {schema['enum']}"
    if "type" in schema and not _is_one_of(value, schema["type"]):
        yield f"{at}: {value!r} is no {schema['type']}"
        return
    if isinstance(value, int | float) and not schema.get("minimum", value) <= value <= schema.get(
        "maximum", value
    ):
        yield f"{at}: {value!r} is out of range"
    yield from _inside(value, schema, root, at)


def _inside(value: Any, schema: Mapping[str, Any], root: Mapping[str, Any], at: str) -> Iterator[str]:
    if isinstance(value, list) and "items" in schema:
        for n, item in enumerate(value):
            yield from problems(item, schema["items"], root, f"{at}[{n}]")
    if not isinstance(value, dict):
        return
    declared = schema.get("properties", {})
    yield from (f"{at}.{name}: missing" for name in schema.get("required", ()) if name not in value)
    if schema.get("additionalProperties") is False:
        yield from (f"{at}.{name}: not known" for name in value if name not in declared)
    for name, inner in declared.items():
        if name in value:
            yield from problems(value[name], inner, root, f"{at}.{name}")


def _is_one_of(value: Any, kinds: str | list[str]) -> bool:
    names = [kinds] if isinstance(kinds, str) else kinds
    if isinstance(value, bool):  # a bool is an int to Python, not to JSON
        return "boolean" in names
    return any(isinstance(value, TYPES[name]) for name in names)
