"""A person's earlier messages as a source: opened, compared as the strategy says, and ranked."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from winnow.ports.services import CachedEmbedder, Embedder, HostVectors, run_aside
from winnow.ports.stores import Messages
from winnow.retrieve.background import InBackground
from winnow.retrieve.dense import Asked, Meaning, Outside, Warming, meaning, parted
from winnow.retrieve.history.rank import Tuning, data_of, recall_history
from winnow.retrieve.history.source import OpenHistories, OpenHistory, chosen, strategy
from winnow.types.candidate import Search, Shortlist, Step
from winnow.types.message import HistorySettings
from winnow.types.scope import IsGone, Scope

NAME = "history"


class History:
    """A ``Source`` over the messages of persons.

    ``table`` is the built-in embedder, which knows single words; ``vectoriser`` makes the vectors of
    messages, ``warming`` those of many without anybody waiting (default: in a thread of this process),
    ``neighbours`` are the host's own vectors.
    """

    waits = False
    """Without an event loop it blocks and never suspends."""

    def __init__(
        self,
        messages: Messages,
        table: Embedder,
        vectoriser: CachedEmbedder,
        settings: HistorySettings | None = None,
        *,
        warming: Warming | None = None,
        neighbours: HostVectors | None = None,
    ) -> None:
        self.settings = settings or HistorySettings()
        self.histories = OpenHistories(messages, table)
        self.outside = Outside(self.settings, vectoriser, warming or InBackground(vectoriser), neighbours)

    async def __call__(self, search: Search, scope: Scope, limit: int) -> Shortlist:
        """The best messages of the scope's user, at most ``limit`` and ``top_k``. Raises StoreError.

        A model that fails leaves what words find; ``steps`` say how it was searched.
        """
        if not scope.user:
            return _nothing(Step("user", "none", "nobody was named, so there are no messages to search"))
        history, opened = await self.histories.opened(scope)
        if not history.index.size:
            return _nothing(opened)
        step = strategy(self.settings, history.index.size)
        found = await meaning(Asked(search, scope, history, self.outside), chosen(step))
        ranked = await run_aside(lambda: self._ranked(search, history, found, limit))
        return replace(ranked, steps=(opened, step, *found.steps))

    def drop(self, is_gone: IsGone) -> None:
        """Close the histories of these persons, and forget the vectors of what they said and asked."""
        self.histories.held.drop(lambda key: is_gone(Scope(*key)))
        for part in (self.outside.warming, self.outside.vectoriser):
            if forgets := getattr(part, "drop", None):  # those of a host need not
                forgets(is_gone)

    async def current(self, scope: Scope, ids: Collection[str]) -> Mapping[str, Mapping[str, object]]:
        """Those of the messages that are still there, as they are now. Raises StoreError."""
        history, _ = await self.histories.opened(scope)
        rows = (history.rows[id_] for id_ in ids if id_ in history.rows)
        return {history.index.messages[row].id: data_of(history.index, row) for row in rows}

    def _ranked(self, search: Search, history: OpenHistory, found: Meaning, limit: int) -> Shortlist:
        """The best that are worth showing."""
        most, set_to = min(limit, self.settings.top_k), self.settings
        tuning = Tuning(set_to.similarity_threshold, set_to.diversity, set_to.half_life_days)
        wanted = most + len(search.seen)
        ranked = recall_history(search, history.index, found.cosines, wanted, tuning)
        kept, dropped = parted(NAME, ranked.candidates, search.seen, set_to.least_share)
        return replace(ranked, candidates=kept[:most], dropped=(*ranked.dropped, *dropped))


def _nothing(step: Step) -> Shortlist:
    return Shortlist(NAME, steps=(step,))
