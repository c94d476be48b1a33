"""Lessons -> suggestions, and accepted words -> the home they belong to. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from winnow.errors import NoSuchWord
from winnow.language import lexicon
from winnow.language.gazetteer import Entry
from winnow.language.normalise import fold, normalise
from winnow.types.catalog import Device, Home
from winnow.types.lesson import Lesson, LexiconEntry, Status, WordKind

LEAST = 2
"""Times the same words must have ended in the same place before they are suggested."""
MARGIN = 3
"""How many times as often there as elsewhere."""
Key = tuple[str, WordKind, str]


def suggested(
    lessons: Iterable[Lesson], known: Sequence[LexiconEntry], home: Home
) -> tuple[LexiconEntry, ...]:
    """All words of the home by number.

    Those known, with their evidence counted anew, and what the lessons suggest besides.
    """
    counts = _evidence(lessons, home)
    totals: Counter[str] = Counter()
    for (surface, _, _), count in counts.items():
        totals[surface] += count
    numbers = {(e.surface, e.kind, e.target): e for e in known}
    kept = [
        replace(e, count=counts[key], against=totals[e.surface] - counts[key]) if key in counts else e
        for key, e in numbers.items()
    ]
    fresh = [
        LexiconEntry(0, surface, kind, target, count=count, against=totals[surface] - count)
        for (surface, kind, target), count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        if (surface, kind, target) not in numbers
        and count >= LEAST
        and count >= MARGIN * (totals[surface] - count)
    ]
    start = max((e.number for e in known), default=0)
    return (*kept, *(replace(e, number=start + n) for n, e in enumerate(fresh, 1)))


def marked(
    entries: Sequence[LexiconEntry], number: int, status: Status, home_id: str
) -> tuple[LexiconEntry, ...]:
    """The entries with one of them accepted or rejected. Raises NoSuchWord."""
    if all(e.number != number for e in entries):
        raise NoSuchWord(home_id, number)
    return tuple(replace(e, status=status) if e.number == number else e for e in entries)


def taught(home: Home, entries: Iterable[LexiconEntry]) -> Home:
    """The home with its accepted aliases as names of their devices; the same home when there are none."""
    aliases: dict[str, list[str]] = defaultdict(list)
    for entry in entries:
        if entry.status == "accepted" and entry.kind == "alias":
            aliases[entry.target].append(entry.surface)
    if not aliases:
        return home
    return replace(
        home, devices=tuple(_called(d, aliases[d.id]) if d.id in aliases else d for d in home.devices)
    )


def words_of(entries: Iterable[LexiconEntry]) -> tuple[Entry, ...]:
    """Accepted verbs and types as gazetteer entries, for ``build_vocabulary``."""
    return tuple(
        Entry(e.surface, e.kind, {"is": e.target})
        for e in entries
        if e.status == "accepted" and e.kind != "alias"
    )


def _called(device: Device, aliases: Sequence[str]) -> Device:
    return replace(device, aliases=tuple(dict.fromkeys((*device.aliases, *aliases))))


def _evidence(lessons: Iterable[Lesson], home: Home) -> dict[Key, int]:
    """How often each word ended in each act, kind or device; words the home or the language has already are left out.

    Words said of several devices of one kind name the kind, not the devices.
    """
    taken, devices = _taken(home), {d.id for d in home.devices}
    targets: dict[str, list[Lesson]] = defaultdict(list)
    counts: Counter[Key] = Counter()
    for lesson in lessons:
        if fold(lesson.surface) in taken or lesson.device_id not in devices:
            continue
        if lesson.slot == "action":
            counts[lesson.surface, "verb", lesson.action] += bool(lesson.action)
        else:
            targets[lesson.surface].append(lesson)
    kinds = set(lexicon.type_words())
    for surface, found in targets.items():
        of = {lesson.device_kind for lesson in found}
        several = len({lesson.device_id for lesson in found}) > 1 and len(of) == 1 and of <= kinds
        counts.update(
            (surface, "type", lesson.device_kind) if several else (surface, "alias", lesson.device_id)
            for lesson in found
        )
    return {key: count for key, count in counts.items() if count}


def _taken(home: Home) -> frozenset[str]:
    """What already means something: names and aliases of the home, words of the language."""
    parts = (home.devices, home.rooms, home.floors, home.scenes, home.groups)
    named = [(x.name, *x.aliases) for part in parts for x in part]
    surfaces = {e.surface for e in lexicon.entries()}
    return frozenset(fold(normalise(text)) for texts in named for text in texts) | frozenset(
        fold(s) for s in surfaces
    )
