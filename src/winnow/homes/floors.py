"""What people call floors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from winnow.homes.traits import table
from winnow.types.catalog import Floor


def _names(level: int, language: str) -> list[str]:
    """The usual names of a level in one language, the proper one first."""
    known: Mapping[str, list[str]] = table()["floors"].get(level, {})
    if language in known:
        return list(known[language])
    if language == "zh":
        return [f"{level}楼", f"{level}层"] if level > 0 else [f"地下{-level}层", f"负{-level}楼"]
    return [f"floor {level}"]


def floor_of_level(level: int, language: str) -> Floor:
    """The floor ``floor:<level>`` with its usual names in both languages, that of ``language`` first."""
    other = "en" if language == "zh" else "zh"
    name, *rest = _names(level, language)
    return Floor(id=f"floor:{level}", name=name, aliases=(*rest, *_names(level, other)), level=level)


def level_of_name(name: str) -> int | None:
    """The level a floor of this name is on: 2 for ``Second Floor``, ``二楼`` and ``二樓``.

    None when the name does not say.
    """
    said = name.strip().lower().replace("樓", "楼").replace("層", "层")
    for level in table()["floors"]:
        names = [n.lower() for language in ("zh", "en") for n in _names(level, language)]
        if said in names or (len(said) == 1 and f"{said}楼" in names):
            return int(level)
    return None


def with_usual_names(floors: Iterable[Floor]) -> tuple[Floor, ...]:
    """The floors with the levels their names tell, and the usual other names that no other floor has."""
    levelled = [f if f.level is not None else replace(f, level=level_of_name(f.name)) for f in floors]
    taken = {name.lower() for f in levelled for name in (f.name, *f.aliases)}
    return tuple(_with_aliases(f, taken) for f in levelled)


def _with_aliases(floor: Floor, taken: set[str]) -> Floor:
    """The floor with the usual names of the level its own name says.

    A floor called otherwise keeps only its own names.
    """
    level = level_of_name(floor.name)
    if level is None:
        return floor
    usual = [
        name for language in ("zh", "en") for name in _names(level, language) if name.lower() not in taken
    ]
    return replace(floor, aliases=(*floor.aliases, *usual))
