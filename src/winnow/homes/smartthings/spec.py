"""SmartThings command specifications: profile id -> what such a device can do and tell."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from winnow.errors import Phrase
from winnow.homes.fields import Problems, Row, each, unreadable
from winnow.homes.traits import limited, smartthings_quantity, smartthings_trait
from winnow.types.catalog import Attribute, Choice, Command, Parameter, ParameterKind, Profile

COMPONENT = "main"
"""Only this component is offered: the others repeat it (outlets of a strip, shelves of a fridge) under no
name a person knows."""

Spec = Mapping[str, tuple[Row, ...]]
"""Profile id -> its row in each language, the preferred language first."""

_KINDS: Mapping[str, ParameterKind] = {
    "integer": "number",
    "number": "number",
    "enum": "choice",
    "string": "text",
    "boolean": "boolean",
    "object": "object",
}


def find_specs(folder: Path, language: str, explicit: Path | None) -> tuple[Path, ...]:
    """The files to read: the explicit one alone, else those in the home's folder, else those in its parent.

    ``language`` first.
    """
    if explicit is not None:
        return (explicit,)
    languages = (language, *(x for x in ("zh", "en") if x != language))
    for place in (folder, folder.parent):
        found = [
            place / name
            for name in (*(f"spec.{x}.jsonl" for x in languages), "spec.jsonl")
            if (place / name).is_file()
        ]
        if found:
            return tuple(found)
    return ()


def read_specs(paths: Iterable[Path], problems: Problems) -> Spec:
    """All files together. A file holds one profile a line, or one JSON array of them."""
    profiles: dict[str, tuple[Row, ...]] = {}
    for path in paths:
        for row in _rows(path, problems):
            profile_id = row.id("profileId")
            profiles[profile_id] = (*profiles.get(profile_id, ()), row)
    return profiles


def _rows(path: Path, problems: Problems) -> list[Row]:
    """The profiles of one file."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        problems.note(path.name, "", unreadable(error))
        return []
    if text.lstrip().startswith("["):
        return list(each(_parsed(text, path.name, "", problems) or [], path.name, "", problems))
    lines = ((i, line) for i, line in enumerate(text.splitlines(), 1) if line.strip())
    parsed = ((f"line {i}", _parsed(f"[{line}]", path.name, f"line {i}", problems)) for i, line in lines)
    return [row for at, items in parsed for row in each(items or [], path.name, at, problems)]


def _parsed(text: str, file: str, at: str, problems: Problems) -> list[object] | None:
    """The JSON array, None with a problem noted."""
    try:
        data: list[object] = json.loads(text)
    except json.JSONDecodeError as error:
        problems.note(file, at, Phrase("not JSON: {why}", why=error.msg))
        return None
    return data


def build_profile(profile_id: str, rows: tuple[Row, ...], kinds: Iterable[str]) -> Profile:
    """The profile, described in every language given.

    ``kinds`` of its devices decide limits the specification leaves open.
    """
    commands = _offered(rows[0].rows("capabilities"))
    readable = rows[0].rows("attributes") or rows[0].rows("conditions")
    texts = _texts(rows)
    siblings = frozenset(_split(row)[0] for row in (*commands, *_offered(readable)))
    kinds = tuple(kinds)
    return Profile(
        id=profile_id,
        commands=tuple(_command(row, texts, siblings, kinds) for row in commands),
        attributes=tuple(_attribute(row, texts) for row in _offered(readable)),
    )


def _offered(rows: Iterable[Row]) -> list[Row]:
    """The entries of the main component that are there to be used, each id once."""
    kept: dict[str, Row] = {}
    for row in rows:
        entry = row.id("id")
        if entry.startswith(f"{COMPONENT}-") and not entry.endswith("NotAvailable"):
            kept.setdefault(entry, row)
    return list(kept.values())


def _split(row: Row) -> tuple[str, str]:
    """``main-switch-on`` -> ``("switch", "on")``."""
    _, _, rest = row.text("id").partition("-")
    capability, _, member = rest.partition("-")
    return capability, member


def _texts(rows: tuple[Row, ...]) -> dict[str, str]:
    """Entry id, or entry id and value -> descriptions in all languages, ``zh / en``."""
    said: dict[str, list[str]] = {}
    for row in rows:
        for entry in (*row.rows("capabilities"), *row.rows("attributes"), *row.rows("conditions")):
            said.setdefault(entry.text("id"), []).append(entry.text("description"))
            for value in _values(entry):
                said.setdefault(f"{entry.text('id')}={value.value}", []).append(value.text)
    return {key: " / ".join(dict.fromkeys(text for text in texts if text)) for key, texts in said.items()}


def _command(row: Row, texts: Mapping[str, str], siblings: frozenset[str], kinds: tuple[str, ...]) -> Command:
    entry = row.text("id")
    trait = smartthings_trait(*_split(row), siblings)
    parameter = _parameter(row, texts, trait)
    return Command(
        id=entry,
        trait=trait,
        text=texts.get(entry, ""),
        parameters=(limited(parameter, trait, kinds),) if parameter else (),
    )


def _parameter(row: Row, texts: Mapping[str, str], trait: str) -> Parameter | None:
    """The command's only argument, called ``value``; None when it takes none."""
    declared = row.text("type") or "none"
    values = _values(row)
    if declared == "none" and not values and row.data.get("value_range") is None:
        return None
    kind = (
        "choice"
        if values
        else _KINDS.get(declared, "number" if row.data.get("value_range") is not None else "object")
    )
    if kind == "object" and trait == "Color.Set":
        kind = "color"
    low, high = _range(row)
    choices = tuple(Choice(v.value, texts.get(f"{row.text('id')}={v.value}", v.text)) for v in values)
    return Parameter(
        name="value", kind=kind, minimum=low, maximum=high, unit=row.text("unit"), choices=choices
    )


def _values(row: Row) -> list[Choice]:
    """``value_list``: objects with value and description, or bare values."""
    listed = row.data.get("value_list")
    if listed is None:
        return []
    if not isinstance(listed, list):
        row.note("value_list", "expected a list")
        return []
    choices = []
    for i, item in enumerate(listed):
        value = item.get("value") if isinstance(item, dict) else item
        if isinstance(value, (str, int, float)):
            choices.append(
                Choice(value, str(item.get("description") or "") if isinstance(item, dict) else "")
            )
        else:
            row.note(f"value_list[{i}]", "has no value")
    return choices


def _range(row: Row) -> tuple[float | None, float | None]:
    """``value_range``: ``[low, high]`` or an object with ``min``/``minimum`` and ``max``/``maximum``."""
    given = row.data.get("value_range")
    if given is None:
        return None, None
    if isinstance(given, dict):
        pair = [given.get("min", given.get("minimum")), given.get("max", given.get("maximum"))]
    else:
        pair = list(given[:2]) if isinstance(given, list) and len(given) >= 2 else ["", ""]
    if any(isinstance(x, bool) or not isinstance(x, (int, float, type(None))) for x in pair):
        row.note("value_range", "expected two numbers")
        return None, None
    low, high = pair
    return low, high


def _attribute(row: Row, texts: Mapping[str, str]) -> Attribute:
    values = row.strings("values") or tuple(str(v.value) for v in _values(row))
    entry = row.text("id")
    return Attribute(
        id=entry,
        quantity=smartthings_quantity(*_split(row)),
        text=texts.get(entry, ""),
        unit=row.text("unit"),
        values=values,
    )
