"""What a thing is called tells what it is, and what a command is called tells how it is asked for."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import lru_cache

from winnow.language import lexicon
from winnow.language.lexicon import holds_word
from winnow.language.normalize import is_han, normalise
from winnow.types.home import Command, Device, Home

CARRIER_KINDS = frozenset({"plug", "switch"})
"""Kinds that are reached by the name of what hangs on them."""
GARAGE_DOOR = "garage_door"
_TRAILING = "0123456789一二三四五六七八九十左右上下ab号 "


@lru_cache(maxsize=1)
def _type_surfaces() -> dict[str, str]:
    short = {"灯", "扇", "帘", "窗", "阀"}
    return {word: name for word, name in lexicon.surfaces("type").items() if len(word) > 1 or word in short}


@lru_cache(maxsize=1)
def _needles() -> tuple[tuple[str, str, str], ...]:
    """(what a padded name holds where it holds the word, the word, its type); Latin words only whole."""
    rows = _type_surfaces().items()
    return tuple((word if is_han(word[0]) else f" {word} ", word, kind) for word, kind in rows)


@lru_cache(maxsize=4096)
def types_in(name: str) -> tuple[frozenset[str], frozenset[str]]:
    """(type words the name holds, those it ends with), canonical."""
    text = normalise(name)
    padded = f" {text} "
    held = [
        (word, kind)
        for needle, word, kind in _needles()
        if needle in padded and (not is_han(word[0]) or holds_word(text, word))
    ]
    return frozenset(kind for _, kind in held), _final_kinds(text.rstrip(_TRAILING) or text, held)


def _final_kinds(name: str, held: Sequence[tuple[str, str]]) -> frozenset[str]:
    """What the longest of the words means that a name ends with."""
    ends = [(len(word), kind) for word, kind in held if name.endswith(word)]
    longest = max((length for length, _ in ends), default=0)
    return frozenset(kind for length, kind in ends if length == longest)


def refine_kinds(home: Home) -> Home:
    """The home with the kinds its names reveal.

    A plug called 床头灯 is a lamp, a thermostat called 浴霸 a bath heater; but a fan called 吊扇灯 is no lamp
    beside the light that is a part of it. A group is its members: what the source keeps as a device for it
    is none beside them.
    """
    groups = {g.id for g in home.groups}
    parts: dict[str, set[str]] = {}
    for part in home.devices:
        if part.part_of:
            parts.setdefault(part.part_of, set()).update(part.kinds[:1])
    kept = (d for d in home.devices if d.id not in groups)
    return replace(home, devices=tuple(_refine_device(d, parts.get(d.id, frozenset())) for d in kept))


def _refine_device(device: Device, of_parts: Collection[str]) -> Device:
    words = lexicon.type_words()
    # further names of a part count it out of the whole: 浴霸第三路 is no bath heater
    names = (device.name, *device.aliases[: 1 if device.part_of else None])
    final = {t for name in names for t in _final_types(name, device)}
    extra = [kind for t in sorted(final) for kind in words[t].kinds[:1] if kind not in {"*", *of_parts}]
    if not extra or "sensor" in device.kinds:
        return device
    return replace(device, kinds=tuple(dict.fromkeys((*_source_kinds(device, extra), *extra))))


def _source_kinds(device: Device, extra: Collection[str]) -> Collection[str]:
    """Its kinds by its source; what is called a gate is no garage door, as some platforms call it."""
    return [kind for kind in device.kinds if kind != GARAGE_DOOR] if "gate" in extra else device.kinds


def _final_types(name: str, device: Device) -> frozenset[str]:
    """What a name ends with; that of a plug the lamp that hangs there, too: ``Guest Lamp Socket``.

    A ``Light Switch`` stays one: it may be for anything that gives light. A television is not its outlet.
    """
    final = types_in(name)[1]
    if "plug" not in device.kinds[:1]:
        return final
    text = normalise(name).rstrip(_TRAILING)
    carrier = next((word for word in _carriers() if text.endswith(word)), "")
    if not carrier:
        return final
    types = lexicon.type_words()
    return final | {t for t in types_in(text.removesuffix(carrier).strip())[1] if "light" in types[t].kinds}


@lru_cache(maxsize=1)
def _carriers() -> tuple[str, ...]:
    """The words that only say how a thing gets its power, the longest first."""
    types = lexicon.type_words()
    words = (w for w, name in lexicon.surfaces("type").items() if CARRIER_KINDS.issuperset(types[name].kinds))
    return tuple(sorted(words, key=len, reverse=True))


def command_document(command: Command) -> str:
    """The text a command is found by: its description, the verbs of its trait and the words of its values.

    No ids and no categories (seed 001 §D3).
    """
    verbs = _verbs_of().get(command.trait, ())
    values = [c.text for p in command.parameters for c in p.choices]
    return normalise(" ".join((command.text, *verbs, *values)), 4000)


@lru_cache(maxsize=1)
def _verbs_of() -> dict[str, tuple[str, ...]]:
    """Trait -> the words of the verbs and properties that mean it first."""
    tables = lexicon.clusters()
    words: dict[str, list[str]] = {}
    for section, part, first in (("verb", "actions", 4), ("property", "properties", 2)):
        # Canonical word of a section -> how it is said, in both languages
        said: dict[str, list[str]] = {}
        for surface, word in lexicon.surfaces(section).items():
            said.setdefault(word, []).append(surface)
        for canonical, traits in tables[part].items():
            for trait in traits[:first]:
                words.setdefault(trait, []).extend(said.get(canonical, ())[:12])
    return {trait: tuple(dict.fromkeys(found)) for trait, found in words.items()}
