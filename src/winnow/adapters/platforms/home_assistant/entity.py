"""An entity of Home Assistant with all that its state and the registries say, its names and its kind."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from winnow.act.effects.danger import danger_of_names
from winnow.adapters.platforms.home_assistant.export import HomeAssistantExport, Registry
from winnow.adapters.platforms.json_rows import JsonRow, build_rows
from winnow.adapters.platforms.traits import home_assistant_kinds, kinds_by_name, platform_table, with_parents
from winnow.errors import Phrase
from winnow.language.kinds import CARRIERS, only_powers
from winnow.types.home import Note

# What an entity is called, and which part of that is its own beside its device's name.

_BETWEEN = " -_·:：/"


def device_name(device: JsonRow) -> str:
    """What its owner calls the device, else its maker; empty when neither does."""
    return device.text("name_by_user") or device.text("name")


def full_name(entity_id: str, entry: JsonRow, device: JsonRow, friendly: str) -> str:
    """The name a person sees: the state's, else what Home Assistant would make of the registries."""
    named = entry.text("name")
    if friendly or named:
        return friendly or named
    original, of_device = entry.text("original_name"), device_name(device)
    if entry.data.get("has_entity_name") and of_device:
        return f"{of_device} {original}".strip()
    return original or entity_id.partition(".")[2].replace("_", " ")


def own_name(name: str, entry: JsonRow, device: JsonRow) -> str:
    """What the name says beyond the device's; empty for the entity that the device is known as."""
    unnamed = "original_name" in entry.data and not entry.text("original_name")
    if entry.data.get("has_entity_name") and unnamed:
        return ""
    of_device = device_name(device)
    if not of_device or not name.casefold().startswith(of_device.casefold()):
        return name
    rest = name[len(of_device) :]
    # Lampshade is no part of a Lamp.
    return name if rest[:1].isascii() and rest[:1].isalnum() else rest.strip(_BETWEEN)


STATE_TIMES = ("last_reported", "last_updated", "last_changed")
"""Where a state says when it was heard of."""


@dataclass(frozen=True, slots=True)
class HomeAssistantEntity:
    """``entry``, ``device`` and ``row`` are empty where the export has no such row."""

    id: str
    name: str
    own_name: str
    """What the name says beyond that of the device; empty: it is what the device is known as."""
    room_id: str | None
    attributes: Mapping[str, object]
    """Those of its state; what that lacks as the registry has it."""
    entry: JsonRow
    device: JsonRow
    row: JsonRow
    stale_reason: str = ""
    """Why nothing tells of it any more, if so."""

    @property
    def domain(self) -> str:
        """``light`` of ``light.hall``."""
        return self.id.partition(".")[0]

    @property
    def device_id(self) -> str:
        """Id of the physical device it belongs to; empty when it belongs to none."""
        return self.device.text("id")

    @property
    def device_class(self) -> str:
        """What its integration, or its owner, says it is: ``outlet``."""
        return str(self.attributes.get("device_class") or "")

    @property
    def category(self) -> str:
        """``config`` or ``diagnostic``; empty for what a person uses."""
        return self.entry.text("entity_category")

    @property
    def aliases(self) -> tuple[str, ...]:
        """Other names its owner gave it."""
        return self.entry.strings("aliases")

    @property
    def state(self) -> str:
        """As it was told; empty when it was not."""
        return self.row.text("state")

    @property
    def is_scene(self) -> bool:
        """Whether it is run as a whole."""
        return self.domain in platform_table("services")["scenes"]

    @property
    def is_device(self) -> bool:
        """Whether it is something by itself: no scene, and no mere list of others."""
        return not self.is_scene and self.domain not in platform_table("services")["groups"]

    @property
    def members(self) -> tuple[str, ...]:
        """Entities this one stands for."""
        listed = self.attributes.get("entity_id")
        return tuple(x for x in listed if isinstance(x, str)) if isinstance(listed, list) else ()

    @property
    def telling_names(self) -> tuple[str, ...]:
        """What may tell what it is, the best first.

        What the device is called, and its model, tell of what it is known as and not of the rest of it.
        """
        of_device = () if self.own_name else (device_name(self.device), self.device.text("model"))
        return tuple(dict.fromkeys(filter(None, (self.name, *self.aliases, *of_device))))


def entities_in_use(
    export: HomeAssistantExport, registry: Registry, notes: list[Note]
) -> list[HomeAssistantEntity]:
    """The entities in use, in the order of their registry, others by id. What is left out is noted."""
    states = _states_by_entity(export)
    told = bool(export.rows_of("state"))
    nothing = JsonRow({}, "", "", export.problems)
    found = []
    for entity_id in (*registry.entities, *sorted(states.keys() - registry.entities.keys())):
        entry = registry.entities.get(entity_id, nothing)
        device = registry.devices.get(entry.text("device_id"), nothing)
        entity = _entity(entity_id, entry, device, states.get(entity_id, nothing), registry)
        disabled = {"": entry.text("disabled_by"), "device ": device.text("disabled_by")}
        if why := next((f"{of}disabled_by {by}" for of, by in disabled.items() if by), ""):
            notes.append(Note("ignored", entity_id, entity.name, why))
        else:
            found.append(_mark_stale(entity, notes, told=told))
    return found


def _mark_stale(entity: HomeAssistantEntity, notes: list[Note], *, told: bool) -> HomeAssistantEntity:
    """The same; a ghost, and noted, when only a record of old times tells of it.

    ``told``: whether there are states, so that one without a state is nobody's any more.
    """
    restored = "restored" if entity.attributes.get("restored") else ""
    why = "no state" if told and not entity.row.data else restored
    if not why:
        return entity
    notes.append(Note("restored", entity.id, entity.name, why))
    return replace(entity, stale_reason=why)


def _states_by_entity(export: HomeAssistantExport) -> dict[str, JsonRow]:
    """States by entity; those of an earlier run only where no others were exported."""
    rows = export.rows_of("state") or [row.row("state") for row in export.rows_of("restored")]
    found: dict[str, JsonRow] = {}
    for entity_id, row in build_rows(rows, lambda row: (row.id("entity_id"), row)):
        if "." not in entity_id:
            row.note("entity_id", Phrase("{id!r} is not domain.name", id=entity_id))
            continue
        if _friendly_name(found.setdefault(entity_id, row)) != _friendly_name(row):
            row.note("entity_id", Phrase("repeats {id!r} under another name", id=entity_id))
    return found


def _friendly_name(row: JsonRow) -> str:
    return row.row("attributes").text("friendly_name")


def _entity(
    entity_id: str, entry: JsonRow, device: JsonRow, row: JsonRow, registry: Registry
) -> HomeAssistantEntity:
    name = full_name(entity_id, entry, device, _friendly_name(row))
    told = _without_empty(row.row("attributes").data)
    known: dict[str, object] = dict(entry.row("capabilities").data)
    known["device_class"] = entry.text("device_class") or entry.text("original_device_class")
    known["unit_of_measurement"] = entry.text("unit_of_measurement")
    known["supported_features"] = entry.data.get("supported_features")
    return HomeAssistantEntity(
        id=entity_id,
        name=name,
        own_name=own_name(name, entry, device),
        room_id=registry.area_of(entry, device),
        attributes={**_without_empty(known), **told},
        entry=entry,
        device=device,
        row=row,
    )


def _without_empty(attributes: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in attributes.items() if value is not None and value != ""}


def button_deed(entity: HomeAssistantEntity) -> tuple[str, str]:
    """The appliance that a button is named after and what it does to it: ``("Dryer", "Run.Start")``.

    Two empty texts for what is no button, or is named otherwise.
    """
    deeds: Mapping[str, Sequence[str]] = platform_table("services")["button_deeds"]
    for trait, words in deeds.items() if entity.domain in BUTTONS else ():
        deed = "|".join(words)
        named = re.fullmatch(rf"(?i)(?:{deed})?\s*(.+?)\s*(?:{deed})?", entity.name)
        if named and named[1] != entity.name and kinds_by_name([named[1]])[0]:
            return named[1], trait
    return "", ""


# What an entity is and what it risks, by evidence: domain, class, names, device, model.

BUTTONS = frozenset({"button", "input_button"})
"""Domains of what can only be pressed."""
SETTING_KIND = "setting"
"""Kind of a switch that sets how another thing works: a beep, a child lock, a mode."""


@dataclass(frozen=True, slots=True)
class EntityKind:
    """What was concluded. ``device_class`` decides which commands there are; ``guessed`` is the evidence."""

    kinds: tuple[str, ...]
    device_class: str
    reasons: tuple[str, ...]
    danger: str = ""
    guessed: str = ""


def entity_kind(entity: HomeAssistantEntity, whole: HomeAssistantEntity | None) -> EntityKind:
    """What the entity is. ``whole``: what it is a part of."""
    plain = home_assistant_kinds(entity.domain, entity.device_class)
    kinds, device_class, guessed = _kind_by_name(entity, plain)
    of_part = entity.own_name if device_name(entity.device) else ""
    danger, why = danger_of_names(plain, entity.telling_names, of_part)
    if not danger and _is_setting(entity, whole):
        kinds = (SETTING_KIND,)
    told = f"device_class {entity.device_class}" if entity.device_class else f"domain {entity.domain}"
    reasons = tuple(dict.fromkeys(reason for reason in (told, guessed, why) if reason))
    return EntityKind(kinds, device_class, reasons, danger, guessed)


def _kind_by_name(entity: HomeAssistantEntity, plain: tuple[str, ...]) -> tuple[tuple[str, ...], str, str]:
    """(kinds, device class, reason) that the names tell, where the domain leaves it open."""
    rules: Mapping[str, Mapping[str, str]] = platform_table("services")["by_name"]
    known = rules.get(entity.domain, {})
    told, why = kinds_by_name(entity.telling_names) if known else ((), "")
    kind = told[0] if told else ""
    if kind not in known or (entity.device_class and known[kind]):
        return plain, entity.device_class, ""
    if not known[kind]:  # a thing of its own, whatever it moves with
        return with_parents([kind]), "", why
    return home_assistant_kinds(entity.domain, known[kind]), known[kind], why


def _is_setting(entity: HomeAssistantEntity, whole: HomeAssistantEntity | None) -> bool:
    """Whether a switch sets how another thing works, and switches nothing a person would call a switch."""
    if entity.domain != "switch" or entity.device_class == "outlet":
        return False
    if entity.category:
        return True
    if whole is not None:
        return whole.domain != "switch"
    if not entity.own_name:
        return False
    # Where its device does more than to switch, what does not power it only sets how it works.
    kinds, _ = kinds_by_name([device_name(entity.device)])
    return bool(kinds) and kinds[0] not in CARRIERS | {"light"} and not only_powers(entity.own_name)
