"""SmartThings' public capabilities as a table: ``capabilities.json``, read when the first home is imported.

A capability has ``commands`` and ``attributes`` by name, each with a text in Chinese
and English and what it
takes or tells: ``type``, ``range``, ``unit``, ``values``. Where a device narrows that in its own status, the
table names the attribute: ``values_in``, ``range_in``, ``unit_in``, and ``commands_in`` of a capability.
``fixed`` are arguments that always go with a command; ``arguments`` names several in their order. ``values``
are the words for values; ``silent`` are capabilities that have no command and that nobody asks for by name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, cast

from winnow.adapters.platforms.traits import platform_table

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
