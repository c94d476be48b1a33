"""Acts in a person's words: what is done to which devices, before it is done and afterwards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from winnow.act.effects.thing import command_of
from winnow.language.encode import encode_text
from winnow.language.messages import join_items
from winnow.language.naming import placed_name
from winnow.language.registry import rows_for
from winnow.language.tables import table
from winnow.types.home import Command, HomeView
from winnow.types.utterance import LanguageCode
from winnow.types.verdict import Call

MAX_NAMED_DEVICES = 5
"""Things named one by one; of more it is told how many of which kind."""
UNITS = {"%": "%", "C": " °C", "F": " °F", "K": " K"}


def to_do(
    calls: Sequence[Call], view: HomeView, language: LanguageCode, most: int = MAX_NAMED_DEVICES
) -> list[str]:
    """``turn off Study Desk Lamp``: one for each act; of more things than ``most`` it is told how many."""
    return [_summary_text(acts, 0, view, language, most) for acts in _alike(calls, view, language)]


def was_done(calls: Sequence[Call], view: HomeView, language: LanguageCode) -> list[str]:
    """``Turned off 45 lights``: the same, done."""
    return [_summary_text(acts, 1, view, language) for acts in _alike(calls, view, language)]


def things(ids: Sequence[str], view: HomeView, language: LanguageCode, most: int = MAX_NAMED_DEVICES) -> str:
    """The things with their rooms; of many how many of which kind."""
    if len(ids) > most:
        return join_items(list(kind_counts(ids, view, language)), language)
    return join_items([encode_text(placed_name(i, view, language)) for i in ids], language)


def kind_counts(ids: Iterable[str], view: HomeView, language: LanguageCode) -> Iterator[str]:
    """``30 lights``, ``16 plugs``: the things by their kinds, the largest part first."""
    kinds = rows_for(_words(), language)["kinds"]
    found: dict[str, int] = {}
    for thing_id in ids:
        own = view.devices[thing_id].kinds if thing_id in view.devices else ()
        kind = "light" if "light" in own else next((k for k in own if k in kinds), "device")
        found[kind] = found.get(kind, 0) + 1
    for kind, count in sorted(found.items(), key=lambda part: -part[1]):
        yield kinds[kind].format(count=count)


def value_of(call: Call, command: Command | None) -> str:
    """What a call sets, as a person would say it; empty where it sets nothing."""
    if command is None:
        return ""
    units = {p.name: (p.unit, p.scale) for p in command.parameters}
    given = ((name, value) for name, value in call.arguments.items() if name not in command.fixed)
    return ", ".join(_value_text(value, *units.get(name, ("", 1.0))) for name, value in given)


def _alike(calls: Sequence[Call], view: HomeView, language: LanguageCode) -> list[list[Call]]:
    """The calls, those together that are told with one sentence."""
    parts: dict[str, list[Call]] = {}
    for call in calls:
        parts.setdefault(_template(call, 0, view, language), []).append(call)
    return list(parts.values())


def _summary_text(
    calls: Sequence[Call], done: int, view: HomeView, language: LanguageCode, most: int = MAX_NAMED_DEVICES
) -> str:
    ids = list(dict.fromkeys(call.device_id for call in calls))
    return _template(calls[0], done, view, language).replace("{names}", things(ids, view, language, most))


def _template(call: Call, done: int, view: HomeView, language: LanguageCode) -> str:
    """The words of a call, its value in them; the things are still open."""
    acts: Mapping[str, Sequence[str]] = rows_for(_words(), language)["acts"]
    if call.device_id in view.scenes:
        return acts["scene"][done]
    command = command_of(call, view.profile(call.device_id)) if call.device_id in view.devices else None
    value = value_of(call, command)
    names = [*_names(command.trait if command else ""), "value" if value else "*"]
    words = (acts[name][done] for name in names if name in acts)
    return next(w for w in words if value or "{value}" not in w).replace("{value}", encode_text(value))


def _names(trait: str) -> list[str]:
    """Under what the words of a trait may stand, its own before those of its action."""
    return [trait, f"*.{trait.partition('.')[2]}"] if trait else []


def _value_text(value: object, unit: str, scale: float) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    return f"{round(value / scale, 2):g}{UNITS.get(unit, f' {unit}' if unit else '')}"


def _words() -> Mapping[LanguageCode, Mapping[str, Any]]:
    found: Mapping[LanguageCode, Mapping[str, Any]] = table("winnow.act.effects", "words.yaml")
    return found
