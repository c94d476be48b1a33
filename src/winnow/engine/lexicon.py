"""Learned words: lessons from turns, suggestions from lessons, and accepted words in their home."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from winnow.errors import NoSuchWord
from winnow.language import lexicon
from winnow.language.gazetteer import GazetteerEntry
from winnow.language.normalize import fold, is_han, normalise
from winnow.ports.stores import Storage
from winnow.types.home import (
    Device,
    Home,
    HomeView,
    Lesson,
    LessonSlot,
    LessonSource,
    LexiconEntry,
    WordKind,
    WordStatus,
)
from winnow.types.lru import LruCache
from winnow.types.query import MOOD_CORRECTION, QueryIR, Reading
from winnow.types.retrieval import Retrieval
from winnow.types.scope import IsGone, Scope
from winnow.types.verdict import Act, Confirm, Refuse

# What a turn teaches: words that were not understood by themselves, next to what turned out to be meant.


MAX_SESSIONS = 256
"""Sessions whose last refused sentence is remembered, in one process."""
NOT_FOUND_CODES = frozenset({"no_device", "not_understood", "unplaced", "no_scene"})
"""Refusals after which a person says it again in other words."""
PLACE_TOKENS = frozenset({"room", "floor", "zone"})
NAME_PREFIXES = "小大老阿"
"""Characters before a name that belong to it, though they also stand alone."""
MAX_LEARNED_CHARS = 24
"""Characters of words that can be learned."""
_AROUND = " ,.;:!?、，。；：！？"
LEARNED_REMARK_CHARS = range(4, 81)
"""Characters of a remark that can be learned."""


@dataclass(frozen=True, slots=True)
class PreviousTurn:
    """What the turn before said, where the next one may tell what it meant."""

    reading: Reading | None = None
    device_id: str = ""
    """What it acted on; empty: it was refused."""


NO_PREVIOUS_TURN = PreviousTurn()


class LessonLog:
    """Watches the turns of each person in each session and logs what they teach."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._before: LruCache[Scope, PreviousTurn] = LruCache(MAX_SESSIONS)

    async def record_turn(self, retrieval: Retrieval, view: HomeView) -> None:
        """One more turn."""
        scope = retrieval.scope
        before = (self._before.pop(scope) if scope.session else None) or NO_PREVIOUS_TURN
        if scope.session and (last := _correctable_turn(retrieval, view)):
            self._before.put(scope, last)
        if isinstance(retrieval.verdict, Refuse):
            return
        learned = turn_lessons(retrieval, view, before)
        if learned:
            now, user = self._storage.clock.now(), scope.user
            told = [replace(lesson, at=now, user=user) for lesson in learned]
            await self._storage.lexicon.log(scope, told)

    def drop(self, is_gone: IsGone) -> None:
        """Forget the last turns of these persons."""
        self._before.drop(lambda scope, _: is_gone(scope))


def _correctable_turn(retrieval: Retrieval, view: HomeView) -> PreviousTurn | None:
    """What of a turn the next may settle: a refused sentence, an act on one device, an island asked about."""
    if isinstance(retrieval.verdict, Confirm) and retrieval.reading.island:
        return PreviousTurn(retrieval.reading)
    if isinstance(retrieval.verdict, Refuse):
        missed = any(r.code in NOT_FOUND_CODES for r in retrieval.verdict.refusals)
        return PreviousTurn(retrieval.reading) if missed else None
    device = _acted_device(retrieval, view)
    return PreviousTurn(retrieval.reading, device.id) if device else None


def turn_lessons(
    retrieval: Retrieval, view: HomeView, before: PreviousTurn = NO_PREVIOUS_TURN
) -> list[Lesson]:
    """What an act on one device teaches.

    By an answered question, after a refusal or another act, with an unknown word beside it, or by a yes to
    an order among words that nothing read.
    """
    device = _acted_device(retrieval, view)
    if device is None:
        return []
    reading, query = retrieval.reading, retrieval.reading.queries[0]
    made = Lesson("", "target", device.id, next(iter(device.kinds), ""), query.action)
    if reading.confirmed and before.reading is not None and before.reading.island:
        return [replace(made, surface=r, slot="remark", source="confirmed") for r in remarks(before.reading)]
    if retrieval.after and not reading.confirmed:
        return _word_lessons(made, "choice", "target", [target_words(reading, query)])
    if before.reading is not None and _is_correction(reading, device, before):
        return _lessons_of_previous(made, before.reading, acted=bool(before.device_id))
    return _word_lessons(made, "unplaced", "target" if query.action else "action", unknown_words(query))


def _lessons_of_previous(made: Lesson, before: Reading, *, acted: bool) -> list[Lesson]:
    """What the turn after a refusal or a wrong act tells of its words."""
    missed = before.queries[0]
    if acted:
        return _word_lessons(made, "corrected", "target", [target_words(before, missed)])
    # The words a refused sentence failed by: its unknown verb when it had none, else what it named
    words = unknown_words(missed)
    if words and not missed.action:
        return _word_lessons(made, "rephrased", "action", words)
    return _word_lessons(made, "rephrased", "target", [target_words(before, missed)])


def _is_correction(reading: Reading, device: Device, before: PreviousTurn) -> bool:
    """Whether a turn tells what the one before meant, which was refused or did something else."""
    if before.reading is None or len(before.reading.queries) != 1:
        return False
    return not before.device_id or (MOOD_CORRECTION in reading.moods and before.device_id != device.id)


def _acted_device(retrieval: Retrieval, view: HomeView) -> Device | None:
    """The one device that a single instruction acted on."""
    ids = retrieval.device_ids if isinstance(retrieval.verdict, Act) else ()
    if len(ids) != 1 or len(retrieval.reading.queries) != 1:
        return None
    return view.devices.get(ids[0])


def target_words(reading: Reading, query: QueryIR) -> str:
    """The words of the query's target as they stand in the sentence, without the place."""
    tokens = tuple(t for t in query.target.tokens if t.kind not in PLACE_TOKENS)
    if not tokens or tokens[0].start > tokens[-1].start:
        return ""
    start = tokens[0].start
    return reading.text[start - (start > 0 and reading.text[start - 1] in NAME_PREFIXES) : tokens[-1].end]


def remarks(reading: Reading) -> list[str]:
    """What stands before and behind an order that was read among other words, without the marks."""
    words = [token for query in reading.queries for token in query.tokens]
    start, end = min(t.start for t in words), max(t.end for t in words)
    around = (text.strip(_AROUND) for text in (reading.text[:start], reading.text[end:]))
    return [text for text in around if len(text) in LEARNED_REMARK_CHARS]


def unknown_words(query: QueryIR) -> tuple[str, ...]:
    """Words of the query that nothing explains."""
    return tuple(dict.fromkeys((*query.unplaced, *(t.text for t in query.tokens if t.kind == "word"))))


def _word_lessons(made: Lesson, source: LessonSource, slot: LessonSlot, words: Sequence[str]) -> list[Lesson]:
    """One lesson for each of the words that can be learned."""
    kept = (word for word in map(str.strip, words) if _is_learnable(word))
    return [replace(made, surface=word, slot=slot, source=source) for word in kept]


def _is_learnable(word: str) -> bool:
    """Neither too short to mean one thing nor too long to be a name."""
    if not word or word.isdigit():
        return False
    return (2 if is_han(word[0]) else 3) <= len(word) <= MAX_LEARNED_CHARS


MIN_OCCURRENCES = 2
"""Times the same words must have ended in the same place before they are suggested."""
MIN_RATIO = 3
"""How many times as often there as elsewhere."""
WordKey = tuple[str, WordKind, str]
"""A word, what it is, and what it stands for: the fields of an entry."""


@dataclass(frozen=True, slots=True)
class WordEvidence:
    """How often a word ended in one act, kind or device, and how often elsewhere."""

    count: int
    against: int
    user: str = ""
    """Who alone said the word."""

    @property
    def is_enough(self) -> bool:
        """Whether it is enough to suggest the word."""
        return self.count >= MIN_OCCURRENCES and self.count >= MIN_RATIO * self.against


def suggest_words(
    lessons: Iterable[Lesson], known: Sequence[LexiconEntry], home: Home
) -> tuple[LexiconEntry, ...]:
    """All words of the home by number.

    Those known, with their evidence counted anew, and what the lessons suggest besides.
    """
    evidence = _word_evidence(lessons, home)
    numbered = {(e.surface, e.kind, e.target): e for e in known}
    kept = [_with_evidence(e, evidence.get(key)) for key, e in numbered.items()]
    best = sorted(evidence.items(), key=lambda item: (-item[1].count, item[0]))
    fresh = [key for key, found in best if key not in numbered and found.is_enough]
    start = max((e.number for e in known), default=0)
    return (
        *kept,
        *(_with_evidence(LexiconEntry(n, *key), evidence[key]) for n, key in enumerate(fresh, start + 1)),
    )


def _with_evidence(entry: LexiconEntry, found: WordEvidence | None) -> LexiconEntry:
    if found is None:
        return entry
    user = found.user if entry.status == "suggested" else entry.user
    return replace(entry, count=found.count, against=found.against, user=user)


def mark_word(
    entries: Sequence[LexiconEntry], number: int, status: WordStatus, home_id: str
) -> tuple[LexiconEntry, ...]:
    """The entries with one of them accepted or rejected. Raises NoSuchWord."""
    if all(e.number != number for e in entries):
        raise NoSuchWord(home_id, number)
    return tuple(replace(e, status=status) if e.number == number else e for e in entries)


def with_learned_names(home: Home, entries: Iterable[LexiconEntry]) -> Home:
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


def gazetteer_entries(entries: Iterable[LexiconEntry]) -> tuple[GazetteerEntry, ...]:
    """Accepted verbs, types and remarks as gazetteer entries, for ``build_vocabulary``."""
    accepted = (e for e in entries if e.status == "accepted" and e.kind != "alias")
    section = {"remark": "comment"}
    return tuple(GazetteerEntry(e.surface, section.get(e.kind, e.kind), {"is": e.target}) for e in accepted)


def _word_evidence(lessons: Iterable[Lesson], home: Home) -> dict[WordKey, WordEvidence]:
    """What speaks for each word; words the home or the language has already are left out."""
    taken, devices = _known_words(home), {d.id for d in home.devices}
    new = [each for each in lessons if fold(each.surface) not in taken and each.device_id in devices]
    counts = _lesson_counts(new)
    totals: Counter[str] = Counter()
    for (surface, _, _), count in counts.items():
        totals[surface] += count
    # Word -> who said it; empty where several did
    speakers: dict[str, str] = {}
    for lesson in new:
        same = speakers.setdefault(lesson.surface, lesson.user) == lesson.user
        speakers[lesson.surface] = lesson.user if same else ""
    return {
        key: WordEvidence(count, totals[key[0]] - count, speakers[key[0]]) for key, count in counts.items()
    }


def _lesson_counts(lessons: Sequence[Lesson]) -> Counter[WordKey]:
    counts: Counter[WordKey] = Counter()
    targets: dict[str, list[Lesson]] = defaultdict(list)
    for lesson in lessons:
        if lesson.slot == "target":
            targets[lesson.surface].append(lesson)
        elif lesson.slot == "remark":
            counts[lesson.surface, "remark", ""] += 1
        elif lesson.action:
            counts[lesson.surface, "verb", lesson.action] += 1
    for said in targets.values():
        counts.update(_target_keys(said))
    return counts


def _target_keys(said: Sequence[Lesson]) -> Iterator[WordKey]:
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


def _known_words(home: Home) -> frozenset[str]:
    """What already means something: names and aliases of the home, words of the language."""
    parts = (home.devices, home.rooms, home.floors, home.scenes, home.groups)
    named = [(x.name, *x.aliases) for part in parts for x in part]
    ours = {fold(normalise(text)) for texts in named for text in texts}
    return frozenset(ours | {fold(e.surface) for e in lexicon.entries()})
