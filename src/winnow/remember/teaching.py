"""A name that a person gives a thing -> the words of the home. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from winnow.errors import NoSuchWord, NotAName
from winnow.language import lexicon
from winnow.language.normalise import fold, is_han, normalise
from winnow.types.catalog import Home
from winnow.types.lesson import LexiconEntry

LONGEST = 24
"""Characters of a name that can be taught."""
LENGTH = "{word!r} is too short or too long for a name."
TAKEN = "{word!r} is already the name of {by!r}."
LANGUAGE = "{word!r} means something already: {by!r} is a word of the language."
GONE = "What {word!r} meant is not in this home."
UNCLEAR = "It is not clear which one thing {word!r} is: {by!r} means none or several."
FILE = "winnow-lexicon"
"""What an exported file calls itself."""


def named(
    entries: Sequence[LexiconEntry], word: str, device_id: str, home: Home, user: str = ""
) -> tuple[LexiconEntry, ...]:
    """The words of the home with one more name of a device, which ``user`` gave it. Raises NotAName."""
    surface = normalise(word)
    if reason := _why_not(surface, home, entries):
        raise NotAName(word, *reason)
    number = max((entry.number for entry in entries), default=0) + 1
    others = [e for e in entries if _key(e) != (surface, "alias", device_id)]
    return (*others, LexiconEntry(number, surface, "alias", device_id, "accepted", count=1, user=user))


def unnamed(entries: Sequence[LexiconEntry], word: str, home_id: str) -> tuple[LexiconEntry, ...]:
    """The words of the home without that taught name. Raises NoSuchWord."""
    kept = tuple(e for e in entries if not is_taught(e, word))
    if len(kept) == len(entries):
        raise NoSuchWord(home_id, word)
    return kept


def is_taught(entry: LexiconEntry, word: str) -> bool:
    """Whether it is an accepted word of that surface."""
    return entry.status == "accepted" and fold(entry.surface) == fold(normalise(word))


def exported(entries: Iterable[LexiconEntry], home: Home) -> dict[str, Any]:
    """The accepted words as data; a device goes by its id and its name, so that another home can take it."""
    called = {device.id: device.name for device in home.devices}
    words = [
        {"word": e.surface, "kind": e.kind, "means": e.target, "name": called.get(e.target, "")}
        for e in entries
        if e.status == "accepted"
    ]
    return {"format": FILE, "version": 1, "words": words}


def imported(
    entries: Sequence[LexiconEntry], data: Mapping[str, Any], home: Home
) -> tuple[tuple[LexiconEntry, ...], tuple[str, ...]]:
    """The words of the home with those of a file, and the words that could not be taken."""
    ids = {device.id for device in home.devices}
    by_name = {device.name: device.id for device in home.devices}
    left: list[str] = []
    known = tuple(entries)
    for row in data["words"]:
        target = row["means"] if row["means"] in ids else by_name.get(row.get("name", ""), "")
        try:
            known = _taken(known, row, target, home)
        except NotAName:
            left.append(str(row["word"]))
    return known, tuple(left)


def _taken(
    entries: tuple[LexiconEntry, ...], row: Mapping[str, Any], target: str, home: Home
) -> tuple[LexiconEntry, ...]:
    """With one row of a file. Raises NotAName."""
    if row["kind"] != "alias":
        new = LexiconEntry(0, normalise(row["word"]), row["kind"], str(row["means"]))
        others = tuple(e for e in entries if _key(e) != _key(new))
        number = max((entry.number for entry in entries), default=0) + 1
        return (*others, replace(new, number=number, status="accepted"))
    if not target:
        raise NotAName(str(row["word"]), GONE)
    if any(is_taught(entry, row["word"]) and entry.target == target for entry in entries):
        return entries
    return named(entries, row["word"], target, home)


def _key(entry: LexiconEntry) -> tuple[str, str, str]:
    return entry.surface, entry.kind, entry.target


def _why_not(surface: str, home: Home, entries: Iterable[LexiconEntry]) -> tuple[str, str] | None:
    """Why a word can be no name: (a sentence, what has it already)."""
    least = 2 if is_han(surface[:1] or " ") else 3
    if not least <= len(surface) <= LONGEST or surface.isdigit():
        return LENGTH, ""
    key = fold(surface)
    if owner := _called_so(home).get(key):
        return TAKEN, owner
    if any(is_taught(entry, surface) for entry in entries):
        return TAKEN, surface
    return (LANGUAGE, surface) if any(fold(e.surface) == key for e in lexicon.entries()) else None


def _called_so(home: Home) -> dict[str, str]:
    """Folded name or alias of anything of the home -> the name of that."""
    parts = (home.devices, home.rooms, home.floors, home.scenes, home.groups)
    named = ((thing.name, thing.aliases) for part in parts for thing in part)
    return {fold(normalise(text)): name for name, others in named for text in (name, *others)}
