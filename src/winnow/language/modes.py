"""Modes, levels and programmes by what people call them: groups of one meaning (``words/modes.yaml``)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, cast

from winnow.language.lexicon import surfaces
from winnow.language.normalise import fold, normalise
from winnow.text.tables import table


@lru_cache(maxsize=1)
def _table() -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", table("winnow.language", "words/modes.yaml"))


def near(group: str) -> tuple[str, ...]:
    """The groups that may stand for one where a device takes none of its own, nearest first."""
    return tuple(_table()["groups"].get(group, {}).get("near", ()))


@lru_cache(maxsize=1)
def _named() -> Mapping[str, str]:
    groups = _table()["groups"].items()
    makers = {fold(str(word)): name for name, row in groups for word in row.get("named", ())}
    return {**{fold(word): name for word, name in surfaces("mode").items()}, **makers}


def group_of(choice: str) -> str:
    """The group of a choice as a maker writes it (``energy_saving``); empty when it is in none."""
    return _named().get(fold(choice), "")


@lru_cache(maxsize=128)
def said(group: str) -> tuple[str, ...]:
    """Every way to say a group, as ``normalise`` leaves it."""
    return tuple(dict.fromkeys(_said(group)))


@lru_cache(maxsize=128)
def told(group: str) -> tuple[str, ...]:
    """The words of a group that also tell how people and things are: they count only behind what sets."""
    return tuple(map(normalise, _table()["groups"].get(group, {}).get("told", ())))


def _said(group: str) -> Iterator[str]:
    row = _table()["groups"].get(group, {})
    for part, endings in _table()["endings"].items():
        for word in map(normalise, row.get(part, ())):
            yield from (word + ending for ending in endings if _fits(word, ending))


def _fits(word: str, ending: str) -> bool:
    """An ending goes with words of its own language; a single character needs one."""
    return (word.isascii() == ending.isascii() or not ending) and (len(word) > 1 or bool(ending))


@lru_cache(maxsize=128)
def wanted_for(group: str) -> tuple[str, ...]:
    """The groups whose words may mean a choice of this one: itself and those it stands for."""
    groups = _table()["groups"]
    return (group, *(name for name in groups if group in near(name) and name != group))
