"""What an entity is and what it risks, by evidence: domain, class, names, device, model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from winnow.effects.danger import danger_of_names
from winnow.homes.evidence import kinds_by_name
from winnow.homes.home_assistant.entity import Entity
from winnow.homes.home_assistant.naming import device_name
from winnow.homes.traits import home_assistant_kinds, table, with_parents
from winnow.language.heads import CARRIERS, only_powers

SETTING = "setting"
"""Kind of a switch that sets how another thing works: a beep, a child lock, a mode."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What was concluded. ``device_class`` decides which commands there are; ``guessed`` is the evidence."""

    kinds: tuple[str, ...]
    device_class: str
    reasons: tuple[str, ...]
    danger: str = ""
    guessed: str = ""


def judged(entity: Entity, whole: Entity | None) -> Judgement:
    """What the entity is. ``whole``: what it is a part of."""
    plain = home_assistant_kinds(entity.domain, entity.device_class)
    kinds, device_class, guessed = _by_name(entity, plain)
    of_part = entity.own_name if device_name(entity.device) else ""
    danger, why = danger_of_names(plain, entity.evidence, of_part)
    if not danger and _is_setting(entity, whole):
        kinds = (SETTING,)
    told = f"device_class {entity.device_class}" if entity.device_class else f"domain {entity.domain}"
    reasons = tuple(dict.fromkeys(reason for reason in (told, guessed, why) if reason))
    return Judgement(kinds, device_class, reasons, danger, guessed)


def _by_name(entity: Entity, plain: tuple[str, ...]) -> tuple[tuple[str, ...], str, str]:
    """(kinds, device class, reason) that the names tell, where the domain leaves it open."""
    rules: Mapping[str, Mapping[str, str]] = table("services")["by_name"]
    known = rules.get(entity.domain, {})
    told, why = kinds_by_name(entity.evidence) if known else ((), "")
    kind = told[0] if told else ""
    if kind not in known or (entity.device_class and known[kind]):
        return plain, entity.device_class, ""
    if not known[kind]:  # a thing of its own, whatever it moves with
        return with_parents([kind]), "", why
    return home_assistant_kinds(entity.domain, known[kind]), known[kind], why


def _is_setting(entity: Entity, whole: Entity | None) -> bool:
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
