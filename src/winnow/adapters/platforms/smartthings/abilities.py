"""What a component can do and tell: by the capability table and its status, or by a command specification.

Commands are never invented: a capability the table does not know has none, but its attributes can be read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, cast

from winnow.adapters.platforms.bundle import ImportOptions, UnreadableText, decode_text, parse_json
from winnow.adapters.platforms.json_rows import (
    ImportProblems,
    JsonRow,
    build_rows,
    object_rows,
    unreadable_file,
)
from winnow.adapters.platforms.smartthings.export import MAIN_COMPONENT, MAX_VALUE_CHARS, DeviceComponent
from winnow.adapters.platforms.traits import (
    platform_table,
    smartthings_by_value,
    smartthings_quantity,
    smartthings_trait,
    with_plausible_limits,
)
from winnow.types.home import HOUSEKEEPING, Attribute, Choice, Command, Parameter, ParameterKind

PARAMETER_KINDS: Mapping[str, ParameterKind] = {
    "integer": "number",
    "number": "number",
    "enum": "choice",
    "string": "text",
    "boolean": "boolean",
    "object": "object",
    "color": "color",
}
_NO_READING = ("supported", "available", "settable", "min", "max", "disabled")
"""Attributes that begin so say what may be, not what is."""


@dataclass(frozen=True, slots=True)
class ComponentAbilities:
    """The commands and attributes of one component."""

    commands: tuple[Command, ...] = ()
    attributes: tuple[Attribute, ...] = ()

    @property
    def is_of_use(self) -> bool:
        """Whether a person has anything of it: a command, or a reading that means something."""
        offered = any(command.trait != HOUSEKEEPING for command in self.commands)
        return offered or any(attribute.quantity for attribute in self.attributes)


def table_abilities(component: DeviceComponent, kinds: Collection[str], language: str) -> ComponentAbilities:
    """What the component can do and tell. ``language`` comes first in every text."""
    offered = [c for c in component.capabilities if not is_housekeeping(c)]
    commands = (c for name in offered for c in _capability_commands(name, component, kinds, language))
    readable = (a for name in offered for a in _capability_attributes(name, component, language))
    return ComponentAbilities(with_value_commands(tuple(commands), component.capabilities), tuple(readable))


def unknown_capabilities(component: DeviceComponent) -> tuple[str, ...]:
    """The declared capabilities that no table knows."""
    return tuple(c for c in component.capabilities if not is_known(c))


def with_value_commands(commands: tuple[Command, ...], siblings: Collection[str]) -> tuple[Command, ...]:
    """The commands, and what the value of one does where no command of its own does it: start, dock."""
    done = {command.trait for command in commands}
    deeds: list[Command] = []
    for command in commands:
        _, capability, name = split_entry_id(command.id)
        for value, trait in smartthings_by_value(capability, name).items():
            takes_it = (not p.choices or value in {c.value for c in p.choices} for p in command.parameters)
            if trait not in done and any(takes_it):
                done.add(trait)
                text = value_text(value, "zh")
                deeds.append(Command(command.id, trait, text, fixed={"value": value}))
    return (*commands, *deeds)


def split_entry_id(entry: str) -> tuple[str, str, str]:
    """``main-switch-on`` -> ``("main", "switch", "on")``; a component may hold dashes: ``icemaker-02``."""
    head, _, member = entry.rpartition("-")
    component, _, capability = head.rpartition("-")
    return component, capability, member


def _capability_commands(
    name: str, component: DeviceComponent, kinds: Collection[str], language: str
) -> Iterator[Command]:
    supported = component.names_in(name, capability_definition(name).get("commands_in", ""))
    for command, definition in command_definitions(name).items():
        trait = smartthings_trait(name, command, component.capabilities)
        if trait == HOUSEKEEPING or (supported and command not in supported):
            continue
        found = command_parameter(name, definition, component, language)
        yield Command(
            id=f"{component.id}-{name}-{command}",
            trait=trait,
            text=bilingual_text(definition, language),
            parameters=(with_plausible_limits(found, trait, kinds),) if found else (),
            fixed=definition.get("fixed", {}),
        )


def command_parameter(
    name: str, definition: Definition, component: DeviceComponent, language: str
) -> Parameter | None:
    """The only argument of a command of the capability ``name``; None when it takes none."""
    declared = definition.get("type")
    if declared is None:
        return None
    choices = parameter_choices(name, definition, component, language)
    low, high = _parameter_range(name, definition, component)
    kind = "choice" if choices else PARAMETER_KINDS.get(declared, "object")
    return Parameter(
        name="value",
        kind="text" if kind == "choice" and not choices else kind,
        minimum=low,
        maximum=high,
        unit=component.unit(name, definition.get("unit_in", "")) or definition.get("unit", ""),
        choices=choices,
    )


def parameter_choices(
    name: str, definition: Definition, component: DeviceComponent, language: str
) -> tuple[Choice, ...]:
    """The values a command takes: those the device says it supports, else all that the table knows."""
    supported = component.names_in(name, definition.get("values_in", ""))
    if definition.get("type") == "integer":  # a number with a list of its own: the steps of a cooker hood
        return ()
    values = supported or tuple(definition.get("values", ()))
    return tuple(Choice(value, value_text(value, language)) for value in values)


def _parameter_range(
    name: str, definition: Definition, component: DeviceComponent
) -> tuple[float | None, float | None]:
    """The device's own limits, else the table's. It has none for setpoints: these depend on the kind."""
    # The status may tell ``{"minimum": 16, "maximum": 30, "step": 1}``.
    told = component.value(name, definition.get("range_in", ""))
    ends = told if isinstance(told, dict) else {}
    low, high = _number(ends.get("minimum")), _number(ends.get("maximum"))
    if low is None and high is None and "unit_in" in definition:
        low, high = (
            _number(component.value("custom.thermostatSetpointControl", f"{end}Setpoint"))
            for end in ("minimum", "maximum")
        )
    if low is not None and high is not None and low < high:
        return low, high
    pair = definition.get("range")
    return (pair[0], pair[1]) if pair else (None, None)


def _number(value: object) -> float | None:
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _capability_attributes(name: str, component: DeviceComponent, language: str) -> Iterator[Attribute]:
    """Those of the table, and what else the status tells that a person could ask for."""
    known = attribute_definitions(name)
    for attribute, definition in known.items():
        unit, values = definition.get("unit", ""), tuple(definition.get("values", ()))
        found = _capability_attribute(name, attribute, component, bilingual_text(definition, language))
        yield replace(found, unit=found.unit or unit, values=values)
    for attribute in component.readings.get(name, {}):
        if attribute not in known and _is_reading(attribute, component.value(name, attribute)):
            words = f"{words_of_name(name)} {words_of_name(attribute)}".split()
            yield _capability_attribute(name, attribute, component, " ".join(dict.fromkeys(words)))


def _capability_attribute(name: str, attribute: str, component: DeviceComponent, text: str) -> Attribute:
    return Attribute(
        id=f"{component.id}-{name}-{attribute}",
        quantity=smartthings_quantity(name, attribute),
        text=text,
        unit=component.unit(name, attribute),
    )


def _is_reading(attribute: str, value: object) -> bool:
    """Whether it is one value, short enough to be told."""
    if attribute.startswith(_NO_READING) or attribute.endswith("Range"):
        return False
    return isinstance(value, (int, float)) or (isinstance(value, str) and 0 < len(value) <= MAX_VALUE_CHARS)


# SmartThings command specifications: profile id -> what such a device can do and tell.

CommandSpec = Mapping[str, tuple[JsonRow, ...]]
"""Profile id -> its row in each language, the preferred language first."""

Descriptions = Mapping[str, str]
"""Entry id, or entry id and value (``ID=value``) -> its descriptions in all languages."""


def read_specs(
    found: Mapping[str, list[JsonRow]], options: ImportOptions, problems: ImportProblems
) -> CommandSpec:
    """The specification that was named, else that of the export, else one in the folder above it."""
    if options.spec is not None:
        return _by_profile([_profile_rows(options.spec, problems)])
    languages = (options.language, *(x for x in ("zh", "en") if x != options.language))
    if found:
        return _by_profile(
            found[name] for name in sorted(found, key=lambda name: _language_rank(name, languages))
        )
    return _by_profile(_profile_rows(path, problems) for path in _spec_files_above(options.folder, languages))


def _spec_files_above(folder: Path | None, languages: Sequence[str]) -> list[Path]:
    """The files of a specification in the folder above the home's."""
    if folder is None:
        return []
    names = (*(f"spec.{language}.jsonl" for language in languages), "spec.jsonl")
    return [path for name in names if (path := folder.parent / name).is_file()]


def _language_rank(name: str, languages: Sequence[str]) -> int:
    """The place of a file's language among the languages, ``spec.zh.jsonl``."""
    parts = name.split(".")
    return next((i for i, language in enumerate(languages) if language in parts[1:-1]), len(languages))


def _by_profile(files: Iterable[Iterable[JsonRow]]) -> CommandSpec:
    profiles: dict[str, tuple[JsonRow, ...]] = {}
    for rows in files:
        for profile_id, row in build_rows(rows, lambda row: (row.id("profileId"), row)):
            profiles[profile_id] = (*profiles.get(profile_id, ()), row)
    return profiles


def _profile_rows(path: Path, problems: ImportProblems) -> list[JsonRow]:
    """The profiles of one file."""
    try:
        data = parse_json(decode_text(path.read_bytes())[0], lines=path.suffix == ".jsonl")
    except OSError as error:
        problems.add_fatal(path.name, "", unreadable_file(error))
        return []
    except UnreadableText as error:
        problems.add_fatal(path.name, error.path, str(error))
        return []
    return list(object_rows(data if isinstance(data, list) else [data], path.name, "", problems))


def spec_abilities(
    rows: tuple[JsonRow, ...], component: DeviceComponent, others: Collection[str], kinds: Collection[str]
) -> ComponentAbilities:
    """What the specification says of the component, described in every language given.

    ``others`` are the ids of the device's components; ``kinds`` limit what the specification leaves open.
    """
    entries = _usable_entries(rows[0].rows("capabilities"), component.id, others)
    readable = rows[0].rows("attributes") or rows[0].rows("conditions")
    attributes = _usable_entries(readable, component.id, others)
    texts = _descriptions(rows)
    siblings = {_split_entry(row, component)[0] for row in (*entries, *attributes)}
    about = _SpecEntries(component, texts, siblings, tuple(kinds))
    commands = tuple(command for row in entries for command in about.commands(row))
    return ComponentAbilities(
        with_value_commands(commands, siblings), tuple(about.attribute(row) for row in attributes)
    )


def _usable_entries(rows: Iterable[JsonRow], component: str, others: Collection[str]) -> list[JsonRow]:
    """The entries of the component that are there to be used, each id once."""
    longer = tuple(f"{other}-" for other in others if other.startswith(f"{component}-"))
    kept: dict[str, JsonRow] = {}
    for entry, row in build_rows(rows, lambda row: (row.id("id"), row)):
        if not entry.startswith(f"{component}-") or entry.endswith("NotAvailable"):
            continue
        if not (longer and entry.startswith(longer)):
            kept.setdefault(entry, row)
    return list(kept.values())


def declared_capabilities(rows: tuple[JsonRow, ...]) -> set[str]:
    """The capabilities of which the specification says something for the main component."""
    entries = (*rows[0].rows("capabilities"), *rows[0].rows("attributes"))
    ids = (entry.text("id") for entry in entries)
    return {entry.split("-")[1] for entry in ids if entry.startswith(f"{MAIN_COMPONENT}-")}


def _split_entry(row: JsonRow, component: DeviceComponent) -> tuple[str, str]:
    """``main-switch-on`` -> ``("switch", "on")``, ``main-switch`` -> ``("switch", "")``."""
    capability, _, member = row.text("id").removeprefix(f"{component.id}-").partition("-")
    return capability, member


def _descriptions(rows: tuple[JsonRow, ...]) -> Descriptions:
    """Descriptions in all languages, ``zh / en``."""
    said: dict[str, list[str]] = {}
    for row in rows:
        for entry in (*row.rows("capabilities"), *row.rows("attributes"), *row.rows("conditions")):
            said.setdefault(entry.text("id"), []).append(entry.text("description"))
            for value in _listed_choices(entry):
                said.setdefault(f"{entry.text('id')}={value.value}", []).append(value.text)
    return {key: " / ".join(dict.fromkeys(text for text in texts if text)) for key, texts in said.items()}


_WORDS = ("", "string", "enum")
"""Types whose value is a word."""


class _SpecEntries:
    """The entries of one component as commands and attributes."""

    def __init__(
        self,
        component: DeviceComponent,
        texts: Descriptions,
        siblings: Collection[str],
        kinds: tuple[str, ...],
    ) -> None:
        self._component, self._texts = component, texts
        self._siblings, self._kinds = siblings, kinds

    def commands(self, row: JsonRow) -> Iterator[Command]:
        """One command; of an entry that is a whole capability, all that the table says it does."""
        capability, member = _split_entry(row, self._component)
        known = command_definitions(capability)
        if member not in known and (not member or member in attribute_definitions(capability)):
            yield from self._all(row, known, capability)
        else:
            yield self._command(row, member, known.get(member, {}))

    def _all(self, row: JsonRow, known: Definition, capability: str) -> Iterator[Command]:
        """``main-switch`` of type string: switched on by the value ``on``, off by ``off``."""
        deeds = [name for name, definition in known.items() if "type" not in definition]
        if deeds and row.text("type") in _WORDS:
            for name in deeds:
                trait = smartthings_trait(capability, name, self._siblings)
                yield Command(
                    row.text("id"),
                    trait,
                    bilingual_text(known[name], "zh"),
                    fixed={"value": name},
                )
        else:
            taking = next((name for name in known if name not in deeds), "")
            yield self._command(row, taking, known.get(taking, {}))

    def _command(self, row: JsonRow, member: str, known: Definition) -> Command:
        entry = row.text("id")
        trait = smartthings_trait(_split_entry(row, self._component)[0], member, self._siblings)
        found = self._argument(row, known, trait)
        return Command(
            id=entry,
            trait=trait,
            text=self._texts.get(entry, "") or bilingual_text(known, "zh"),
            parameters=(with_plausible_limits(found, trait, self._kinds),) if found else (),
        )

    def _argument(self, row: JsonRow, known: Definition, trait: str) -> Parameter | None:
        """The command's only argument, called ``value``; None when it takes none."""
        values = self._choices(row, known)
        if values or row.data.get("value_range") is not None:
            return self._parameter(row, known, trait, values)
        given = row.text("type")
        if known and not given:
            return command_parameter(_split_entry(row, self._component)[0], known, self._component, "zh")
        # A bare string may stand for a command that the platform gives no argument.
        takes_none = given in ("", "none") or (given == "string" and known and "type" not in known)
        return None if takes_none else self._parameter(row, known, trait, values)

    def _parameter(
        self, row: JsonRow, known: Definition, trait: str, values: tuple[Choice, ...]
    ) -> Parameter:
        """The argument by its declared type, its values and its limits."""
        low, high = _value_range(row)
        if (low, high) == (None, None):
            low, high = known.get("range", (None, None))
        kind = "choice" if values else PARAMETER_KINDS.get(row.text("type"), "object")
        if kind == "object" and row.data.get("value_range") is not None:
            kind = "number"
        if kind == "object" and trait == "Color.Set":
            kind = "color"
        return Parameter("value", kind, low, high, row.text("unit"), values)

    def _choices(self, row: JsonRow, known: Definition) -> tuple[Choice, ...]:
        """The values of the list; of a bare string those that the device or the table knows."""
        entry = row.text("id")
        listed = _listed_choices(row)
        if not listed and row.text("type") in ("string", "enum"):
            return parameter_choices(_split_entry(row, self._component)[0], known, self._component, "zh")
        return tuple(Choice(v.value, self._texts.get(f"{entry}={v.value}", v.text)) for v in listed)

    def attribute(self, row: JsonRow) -> Attribute:
        """What an entry of the readable ones tells."""
        values = row.strings("values") or tuple(str(v.value) for v in _listed_choices(row))
        entry = row.text("id")
        quantity = smartthings_quantity(*_split_entry(row, self._component))
        return Attribute(entry, quantity, self._texts.get(entry, ""), row.text("unit"), values)


def _listed_choices(row: JsonRow) -> list[Choice]:
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
            text = item.get("description") if isinstance(item, dict) else ""
            choices.append(Choice(value, text if isinstance(text, str) else ""))
        else:
            row.note(f"value_list[{i}]", "has no value")
    return choices


def _value_range(row: JsonRow) -> tuple[float | None, float | None]:
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


# SmartThings' public capabilities as a table: ``capabilities.json``, read when the first home is imported.

Definition = Mapping[str, Any]
"""What the table says of one command or attribute."""

_NOTHING: Definition = {}
_WORD = re.compile("[A-Z]?[a-z0-9]+|[A-Z0-9]+(?![a-z])")
_INTERNAL = ("sec.", "samsungce.driver", "samsungce.software", "samsungim.", "tag.", "ocf")
"""Capabilities that begin so serve the maker."""


@cache
def _capability_table() -> Definition:
    text = (files("winnow.adapters.platforms.smartthings") / "capabilities.json").read_text("utf-8")
    return cast("Definition", json.loads(text))


@cache
def _silent_capabilities() -> frozenset[str]:
    return frozenset(_capability_table()["silent"])


def capability_definition(name: str) -> Definition:
    """What the table says of the capability; empty when it does not know it."""
    return cast("Definition", _capability_table()["capabilities"].get(name, _NOTHING))


def command_definitions(name: str) -> Definition:
    """The capability's commands by name."""
    return cast("Definition", capability_definition(name).get("commands", _NOTHING))


def attribute_definitions(name: str) -> Definition:
    """The capability's attributes by name."""
    return cast("Definition", capability_definition(name).get("attributes", _NOTHING))


def is_housekeeping(name: str) -> bool:
    """Whether the capability serves the installation and not a person."""
    return name in platform_table()["smartthings"]["housekeeping"] or name.startswith(_INTERNAL)


def is_known(name: str) -> bool:
    """Whether the platform's own tables hold the capability, with or without commands."""
    return bool(capability_definition(name)) or name in _silent_capabilities() or is_housekeeping(name)


def bilingual_text(definition: Definition, language: str) -> str:
    """The text of a definition in both languages, ``language`` first: ``开关状态 / switch state``."""
    other = "en" if language == "zh" else "zh"
    texts = (str(definition.get(key, "")) for key in (language, other))
    return " / ".join(dict.fromkeys(text for text in texts if text))


def value_text(value: object, language: str) -> str:
    """The words for a value, its own where the table has none: ``quick wash`` for ``quickWash``."""
    words = _capability_table()["values"].get(str(value))
    return bilingual_text(words, language) if words else words_of_name(str(value))


@cache
def words_of_name(name: str) -> str:
    """The words a name was put together from: ``pet door`` for ``catnap12345.petDoor``."""
    return " ".join(_WORD.findall(name.rpartition(".")[2])).lower()
