"""What is dangerous about a thing by what it can do, and by what it is called (``danger.yaml``)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, cast

from winnow.language.kinds import NameHint, group_of, only_tells_apart, words_of
from winnow.language.tables import table
from winnow.types.home import Command

_COVER = "cover"
_FLUIDS = frozenset({"fluid", "irrigation"})


@cache
def danger_of_command(trait: str) -> str:
    """The danger of a command whatever has it: ``unlock`` of ``Lock.Unlock``; else empty."""
    return cast("Mapping[str, str]", _table()["commands"]).get(trait, "")


@lru_cache(maxsize=4096)
def danger_of_kinds(kinds: tuple[str, ...]) -> str:
    """The danger of starting or opening a thing of these kinds: ``heat`` of an oven; else empty.

    What is plainly a lamp, first of all, is none of the other kinds that its name brings along.
    """
    if set(kinds[:1]) & _table_set("plain") - _table_set("open"):
        return ""
    known = _by_kind()
    return next((known[kind] for kind in kinds if kind in known), "")


def danger_of_names(kinds: Collection[str], names: Iterable[str], own: str = "") -> tuple[str, str]:
    """The danger that the names of a thing of these kinds tell, and the reason: ``name kettle``.

    ``("", "")`` where none tells, and where the kinds leave nothing open. Of a part of a device only what it
    is called by itself tells (``own``), unless that says no more than which part it is.
    """
    if not _table_set("open").issuperset(kinds):
        return "", ""
    alone = bool(own) and not only_tells_apart(own)
    for name in (own,) if alone else names:
        danger, word = _danger_of_name(name, is_cover=_COVER in kinds, is_part=alone)
        if danger:
            return danger, f"name {word}"
    return "", ""


@lru_cache(maxsize=4096)
def danger_of_thing(kinds: tuple[str, ...], names: tuple[str, ...]) -> str:
    """The danger that the names tell, remembered: an order asks for every command of every candidate."""
    return danger_of_names(kinds, names)[0]


@lru_cache(maxsize=4096)
def _danger_of_name(name: str, *, is_cover: bool, is_part: bool) -> tuple[str, str]:
    """What the last word of the name that is a danger, or plainly none, tells; and the word."""
    words = words_of(name)
    for word in reversed(words):
        if word.what in _table_set("plain"):
            return "", ""
        # Whether it is what hangs before a window, and not what may also roll up before a garage
        if is_cover and word.what in _table_set("hangings") and word.word not in _table_set("rolling"):
            return "", ""
        if danger := _danger_of_word(word, words, is_cover=is_cover, is_part=is_part):
            return danger, word.word
    return "", ""


def _danger_of_word(word: NameHint, beside: Sequence[NameHint], *, is_cover: bool, is_part: bool) -> str:
    """The danger of what the word says a thing is, among the words beside it."""
    if word.what == "way_out":
        return "open_door" if is_cover else ""
    if word.what == "supply":
        return "" if _FLUIDS.isdisjoint(told.what for told in beside) else "open_valve"
    return "" if is_part and word.what in _table_set("settings") else _by_word().get(word.what, "")


def danger_of_abilities(kinds: Collection[str], commands: Sequence[Command]) -> str:
    """``heat`` of what keeps a climate by modes of which one heats and none does more; else empty."""
    return "heat" if "climate" in kinds and _only_heats(commands) else ""


def heats(mode: str) -> bool:
    """Whether something may heat in this mode: not where it cools, dries, only blows, or rests."""
    groups, idle = _groups(mode), _table_set("does_more") | _table_set("rests")
    return not _table_set("heats").isdisjoint(groups) or idle.isdisjoint(groups)


def _only_heats(commands: Sequence[Command]) -> bool:
    taken = {c.trait.partition(".")[2].lower() for c in commands if c.trait.startswith("Mode.")}
    choices = (x.value for c in commands if c.trait == "Mode.Set" for p in c.parameters for x in p.choices)
    groups = {group for mode in (*taken, *choices) for group in _groups(str(mode))}
    return not groups.isdisjoint(_table_set("heats")) and groups.isdisjoint(_table_set("does_more"))


def _groups(mode: str) -> frozenset[str]:
    """The groups of the mode and of the words it is made of: ``heat_cool`` cools as well."""
    return frozenset(map(group_of, (mode, *re.split(r"[_\s]", mode))))


def _table() -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", table("winnow.act.effects", "danger.yaml"))


@cache
def _table_set(name: str) -> frozenset[str]:
    return frozenset(_table()[name])


@cache
def _by_kind() -> Mapping[str, str]:
    return {kind: danger for danger, row in _table()["dangers"].items() for kind in row["kinds"]}


@cache
def _by_word() -> Mapping[str, str]:
    named = {word: danger for danger, row in _table()["dangers"].items() for word in row.get("named", ())}
    return {**_by_kind(), **named}
