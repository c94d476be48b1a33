"""What a turn teaches: words that were not understood by themselves, next to what turned out to be meant.

Kept where learning is on.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace

from winnow.language.normalise import is_han
from winnow.ports import Storage
from winnow.types.briefing import Retrieval
from winnow.types.catalog import Device
from winnow.types.lesson import Lesson, Slot, Source
from winnow.types.query import QueryIR, Reading, Token
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


class Learning:
    """Watches the turns of each session and logs what they teach."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._refused: OrderedDict[tuple[str, str, str], Reading] = OrderedDict()

    async def heard(self, retrieval: Retrieval, view: HomeView) -> None:
        """One more turn."""
        scope = retrieval.scope
        key = scope.tenant, scope.home, scope.session
        refused = self._refused.pop(key, None) if scope.session else None
        if isinstance(retrieval.verdict, Refuse):
            if scope.session and any(r.code in NOT_FOUND for r in retrieval.verdict.refusals):
                self._refused[key] = retrieval.reading
                if len(self._refused) > SESSIONS:
                    self._refused.popitem(last=False)
            return
        learned = lessons_of(retrieval, view, refused)
        if learned:
            now = self._storage.clock.now()
            await self._storage.lexicon.log(scope, [replace(lesson, at=now) for lesson in learned])


def lessons_of(retrieval: Retrieval, view: HomeView, refused: Reading | None = None) -> list[Lesson]:
    """What an act on one device teaches.

    By an answered question, after ``refused``, or with an unknown word beside it.
    """
    device = _acted_on(retrieval, view)
    if device is None:
        return []
    reading, query = retrieval.reading, retrieval.reading.queries[0]
    made = Lesson("", "target", device.id, next(iter(device.kinds), ""), query.action)
    if retrieval.after and not reading.confirmed:
        return _taught(made, "choice", "target", [said(reading, query)])
    if refused is not None and len(refused.queries) == 1:
        return _taught(made, "rephrased", *_missed(refused))
    return _taught(made, "unplaced", "target" if query.action else "action", unknown(query))


def _acted_on(retrieval: Retrieval, view: HomeView) -> Device | None:
    """The one device that a single instruction acted on."""
    ids = retrieval.device_ids if isinstance(retrieval.verdict, Act) else ()
    if len(ids) != 1 or len(retrieval.reading.queries) != 1:
        return None
    return view.devices.get(ids[0])


def said(reading: Reading, query: QueryIR) -> str:
    """The words of the query's target as they stand in the sentence, without the place."""
    return _stretch(reading.text, tuple(t for t in query.target.tokens if t.kind not in PLACES))


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


def _stretch(text: str, tokens: tuple[Token, ...]) -> str:
    if not tokens or tokens[0].start > tokens[-1].start:
        return ""
    start = tokens[0].start
    return text[start - (start > 0 and text[start - 1] in NICKNAMES) : tokens[-1].end]


def _taught(made: Lesson, source: Source, slot: Slot, words: Sequence[str]) -> list[Lesson]:
    """One lesson for each of the words that can be learned."""
    kept = (word for word in map(str.strip, words) if _worth(word))
    return [replace(made, surface=word, slot=slot, source=source) for word in kept]


def _worth(word: str) -> bool:
    """Neither too short to mean one thing nor too long to be a name."""
    if not word or word.isdigit():
        return False
    return (2 if is_han(word[0]) else 3) <= len(word) <= LONGEST
