"""Lessons -> suggestions, and accepted words -> the home they belong to. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from winnow.errors import NoSuchWord
from winnow.language import lexicon
from winnow.language.gazetteer import Entry
from winnow.language.normalise import fold, normalise
from winnow.types.catalog import Home
from winnow.types.lesson import Lesson, LexiconEntry, Status, WordKind

LEAST = 2
"""Times the same words must have ended in the same place before they are suggested."""
MARGIN = 3
"""How many times as often there as elsewhere."""
Key = tuple[str, WordKind, str]
"""A word, what it is, and what it stands for: the fields of an entry."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """How often a word ended in one act, kind or device, and how often elsewhere."""

    count: int
    against: int
    user: str = ""
    """Who alone said the word."""

    @property
    def speaks(self) -> bool:
        """Whether it is enough to suggest the word."""
        return self.count >= LEAST and self.count >= MARGIN * self.against


def suggested(
    lessons: Iterable[Lesson], known: Sequence[LexiconEntry], home: Home
) -> tuple[LexiconEntry, ...]:
    """All words of the home by number.

    Those known, with their evidence counted anew, and what the lessons suggest besides.
    """
    evidence = _evidence(lessons, home)
    numbered = {(e.surface, e.kind, e.target): e for e in known}
    kept = [_counted(e, evidence.get(key)) for key, e in numbered.items()]
    best = sorted(evidence.items(), key=lambda item: (-item[1].count, item[0]))
    fresh = [key for key, found in best if key not in numbered and found.speaks]
    start = max((e.number for e in known), default=0)
    return (
        *kept,
        *(_counted(LexiconEntry(n, *key), evidence[key]) for n, key in enumerate(fresh, start + 1)),
    )


def _counted(entry: LexiconEntry, found: Evidence | None) -> LexiconEntry:
    if found is None:
        return entry
    user = found.user if entry.status == "suggested" else entry.user
    return replace(entry, count=found.count, against=found.against, user=user)


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
    devices = (
        replace(d, aliases=tuple(dict.fromkeys((*d.aliases, *aliases[d.id])))) if d.id in aliases else d
        for d in home.devices
    )
    return replace(home, devices=tuple(devices))


def words_of(entries: Iterable[LexiconEntry]) -> tuple[Entry, ...]:
    """Accepted verbs and types as gazetteer entries, for ``build_vocabulary``."""
    accepted = (e for e in entries if e.status == "accepted" and e.kind != "alias")
    return tuple(Entry(e.surface, e.kind, {"is": e.target}) for e in accepted)


def _evidence(lessons: Iterable[Lesson], home: Home) -> dict[Key, Evidence]:
    """What speaks for each word; words the home or the language has already are left out."""
    taken, devices = _taken(home), {d.id for d in home.devices}
    new = [each for each in lessons if fold(each.surface) not in taken and each.device_id in devices]
    counts = _counts(new)
    totals: Counter[str] = Counter()
    for (surface, _, _), count in counts.items():
        totals[surface] += count
    # Word -> who said it; empty where several did
    speakers: dict[str, str] = {}
    for lesson in new:
        same = speakers.setdefault(lesson.surface, lesson.user) == lesson.user
        speakers[lesson.surface] = lesson.user if same else ""
    return {key: Evidence(count, totals[key[0]] - count, speakers[key[0]]) for key, count in counts.items()}


def _counts(lessons: Sequence[Lesson]) -> Counter[Key]:
    counts: Counter[Key] = Counter()
    targets: dict[str, list[Lesson]] = defaultdict(list)
    for lesson in lessons:
        if lesson.slot == "target":
            targets[lesson.surface].append(lesson)
        elif lesson.action:
            counts[lesson.surface, "verb", lesson.action] += 1
    for said in targets.values():
        counts.update(_meant(said))
    return counts


def _meant(said: Sequence[Lesson]) -> Iterator[Key]:
    """What each lesson of one word says it means: its device.

    Words said of several devices of one kind name the kind, not the devices.
    """
    kinds = {lesson.device_kind for lesson in said}
    of_a_kind = len(kinds) == 1 and kinds <= lexicon.type_words().keys()
    several = of_a_kind and len({lesson.device_id for lesson in said}) > 1
    for lesson in said:
        if several:
            yield lesson.surface, "type", lesson.device_kind
        else:
            yield lesson.surface, "alias", lesson.device_id


def _taken(home: Home) -> frozenset[str]:
    """What already means something: names and aliases of the home, words of the language."""
    parts = (home.devices, home.rooms, home.floors, home.scenes, home.groups)
    named = [(x.name, *x.aliases) for part in parts for x in part]
    ours = {fold(normalise(text)) for texts in named for text in texts}
    return frozenset(ours | {fold(e.surface) for e in lexicon.entries()})
