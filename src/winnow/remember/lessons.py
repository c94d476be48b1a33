"""What a turn teaches: words that were not understood by themselves, next to what turned out to be meant.

Kept where learning is on.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from winnow.language.normalise import is_han
from winnow.ports import Storage
from winnow.types.briefing import Retrieval
from winnow.types.catalog import Device
from winnow.types.lesson import Lesson, Slot, Source
from winnow.types.person import IsGone, drop_from
from winnow.types.query import CORRECTED, QueryIR, Reading
from winnow.types.scope import Scope
from winnow.types.verdict import Act, Refuse
from winnow.types.view import HomeView

SESSIONS = 256
"""Sessions whose last refused sentence is remembered, in one process."""
NOT_FOUND = frozenset({"no_device", "not_understood", "unplaced", "no_scene"})
"""Refusals after which a person says it again in other words."""
PLACES = frozenset({"room", "floor", "zone"})
NICKNAMES = "小大老阿"
"""Characters before a name that belong to it, though they also stand alone."""
LONGEST = 24
"""Characters of words that can be learned."""


@dataclass(frozen=True, slots=True)
class Before:
    """What the turn before said, where the next one may tell what it meant."""

    reading: Reading | None = None
    device_id: str = ""
    """What it acted on; empty: it was refused."""


NOTHING = Before()


class Learning:
    """Watches the turns of each person in each session and logs what they teach."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._before: OrderedDict[Scope, Before] = OrderedDict()

    async def heard(self, retrieval: Retrieval, view: HomeView) -> None:
        """One more turn."""
        scope = retrieval.scope
        before = self._before.pop(scope, NOTHING) if scope.session else NOTHING
        if scope.session and (last := _to_be_learned_from(retrieval, view)):
            self._before[scope] = last
            if len(self._before) > SESSIONS:
                self._before.popitem(last=False)
        if isinstance(retrieval.verdict, Refuse):
            return
        learned = lessons_of(retrieval, view, before)
        if learned:
            now, user = self._storage.clock.now(), scope.user
            told = [replace(lesson, at=now, user=user) for lesson in learned]
            await self._storage.lexicon.log(scope, told)

    def drop(self, is_gone: IsGone) -> None:
        """Forget the last turns of these persons."""
        drop_from(self._before, lambda scope, _: is_gone(scope))


def _to_be_learned_from(retrieval: Retrieval, view: HomeView) -> Before | None:
    """What of a turn may be put right by the next: a sentence that was refused, an act on one device."""
    if isinstance(retrieval.verdict, Refuse):
        missed = any(r.code in NOT_FOUND for r in retrieval.verdict.refusals)
        return Before(retrieval.reading) if missed else None
    device = _acted_on(retrieval, view)
    return Before(retrieval.reading, device.id) if device else None


def lessons_of(retrieval: Retrieval, view: HomeView, before: Before = NOTHING) -> list[Lesson]:
    """What an act on one device teaches.

    By an answered question, after a refusal or another act, or with an unknown word beside it.
    """
    device = _acted_on(retrieval, view)
    if device is None:
        return []
    reading, query = retrieval.reading, retrieval.reading.queries[0]
    made = Lesson("", "target", device.id, next(iter(device.kinds), ""), query.action)
    if retrieval.after and not reading.confirmed:
        return _taught(made, "choice", "target", [said(reading, query)])
    if before.reading is not None and _is_put_right(reading, device, before):
        # What the turn after a refusal or a wrong act tells of its words
        if not before.device_id:
            return _taught(made, "rephrased", *_missed(before.reading))
        return _taught(made, "corrected", "target", [said(before.reading, before.reading.queries[0])])
    return _taught(made, "unplaced", "target" if query.action else "action", unknown(query))


def _is_put_right(reading: Reading, device: Device, before: Before) -> bool:
    """Whether a turn tells what the one before meant, which was refused or did something else."""
    if before.reading is None or len(before.reading.queries) != 1:
        return False
    return not before.device_id or (CORRECTED in reading.moods and before.device_id != device.id)


def _acted_on(retrieval: Retrieval, view: HomeView) -> Device | None:
    """The one device that a single instruction acted on."""
    ids = retrieval.device_ids if isinstance(retrieval.verdict, Act) else ()
    if len(ids) != 1 or len(retrieval.reading.queries) != 1:
        return None
    return view.devices.get(ids[0])


def said(reading: Reading, query: QueryIR) -> str:
    """The words of the query's target as they stand in the sentence, without the place."""
    tokens = tuple(t for t in query.target.tokens if t.kind not in PLACES)
    if not tokens or tokens[0].start > tokens[-1].start:
        return ""
    start = tokens[0].start
    return reading.text[start - (start > 0 and reading.text[start - 1] in NICKNAMES) : tokens[-1].end]


def unknown(query: QueryIR) -> tuple[str, ...]:
    """Words of the query that nothing explains."""
    return tuple(dict.fromkeys((*query.unplaced, *(t.text for t in query.tokens if t.kind == "word"))))


def _missed(refused: Reading) -> tuple[Slot, Sequence[str]]:
    """The words a refused sentence failed by: its unknown verb when it had none, else what it named."""
    query = refused.queries[0]
    words = unknown(query)
    if words and not query.action:
        return "action", words
    return "target", [said(refused, query)]


def _taught(made: Lesson, source: Source, slot: Slot, words: Sequence[str]) -> list[Lesson]:
    """One lesson for each of the words that can be learned."""
    kept = (word for word in map(str.strip, words) if _worth(word))
    return [replace(made, surface=word, slot=slot, source=source) for word in kept]


def _worth(word: str) -> bool:
    """Neither too short to mean one thing nor too long to be a name."""
    if not word or word.isdigit():
        return False
    return (2 if is_han(word[0]) else 3) <= len(word) <= LONGEST
