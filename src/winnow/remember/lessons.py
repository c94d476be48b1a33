"""What a turn teaches: words that were not understood by themselves, next to what turned out to be meant.

Kept where learning is on.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace

from winnow.language.normalise import is_han
from winnow.ports import Storage
from winnow.types.briefing import Retrieval
from winnow.types.lesson import Lesson, Source
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
    ids = retrieval.device_ids if isinstance(retrieval.verdict, Act) else ()
    if len(ids) != 1 or len(retrieval.reading.queries) != 1 or ids[0] not in view.devices:
        return []
    query, kinds = retrieval.reading.queries[0], view.devices[ids[0]].kinds
    made = Lesson("", "target", ids[0], kinds[0] if kinds else "", query.action)
    if retrieval.after and not retrieval.reading.confirmed:
        return _taught(made, [(said(retrieval.reading, query), "target")], "choice")
    if refused is not None and len(refused.queries) == 1:
        return _taught(made, _missed(refused), "rephrased")
    return _taught(
        made, [(word, "target" if query.action else "action") for word in unknown(query)], "unplaced"
    )


def said(reading: Reading, query: QueryIR) -> str:
    """The words of the query's target as they stand in the sentence, without the place."""
    return _stretch(reading.text, tuple(t for t in query.target.tokens if t.kind not in PLACES))


def unknown(query: QueryIR) -> tuple[str, ...]:
    """Words of the query that nothing explains."""
    return tuple(dict.fromkeys((*query.unplaced, *(t.text for t in query.tokens if t.kind == "word"))))


def _missed(refused: Reading) -> list[tuple[str, str]]:
    """The words a refused sentence failed by: its unknown verb when it had none, else what it named."""
    query = refused.queries[0]
    words = unknown(query)
    if not query.action and words:
        return [(word, "action") for word in words]
    return [(said(refused, query), "target")]


def _stretch(text: str, tokens: tuple[Token, ...]) -> str:
    if not tokens or tokens[0].start > tokens[-1].start:
        return ""
    start = tokens[0].start
    return text[start - (start > 0 and text[start - 1] in NICKNAMES) : tokens[-1].end]


def _taught(made: Lesson, words: list[tuple[str, str]], source: Source) -> list[Lesson]:
    kept = [(w.strip(), slot) for w, slot in words if _worth(w.strip())]
    return [
        replace(made, surface=w, slot="action" if slot == "action" else "target", source=source)
        for w, slot in kept
    ]


def _worth(word: str) -> bool:
    """Neither too short to mean one thing nor too long to be a name."""
    return (
        bool(word)
        and len(word) <= LONGEST
        and not word.isdigit()
        and len(word) >= (2 if is_han(word[0]) else 3)
    )
