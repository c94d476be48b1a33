"""Earlier messages as a source of retrieval: opened, compared as the strategy says, ranked."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from winnow.ports.services import CachedEmbedder, Embedder, HostVectors, run_aside
from winnow.ports.stores import Messages
from winnow.retrieve.history import HISTORY
from winnow.retrieve.history.dense import (
    BackgroundEmbedder,
    BackgroundEmbedding,
    DenseScores,
    DenseServices,
    HistoryCache,
    HistoryQuestion,
    OpenHistory,
    apply_cutoff,
    choose_strategy,
    dense_scores,
    strategy_of,
)
from winnow.retrieve.history.rank import RankTuning, message_bearings, message_data, search_history
from winnow.types.candidate import Search, Shortlist, Step
from winnow.types.message import HistorySettings
from winnow.types.scope import IsGone, Scope


class HistorySource:
    """A ``Source`` over the messages of persons.

    ``table`` is the built-in embedder, which knows single words; ``vectoriser`` makes the vectors of
    messages, ``warming`` those of many without anybody waiting (default: in a thread of this process),
    ``neighbours`` are the host's own vectors.
    """

    row = HISTORY
    waits = False
    """Without an event loop it blocks and never suspends."""

    def __init__(
        self,
        messages: Messages,
        table: Embedder,
        vectoriser: CachedEmbedder,
        settings: HistorySettings | None = None,
        *,
        warming: BackgroundEmbedding | None = None,
        neighbours: HostVectors | None = None,
    ) -> None:
        self.settings = settings or HistorySettings()
        self.histories = HistoryCache(messages, table)
        self.outside = DenseServices(
            self.settings, vectoriser, warming or BackgroundEmbedder(vectoriser), neighbours
        )

    async def __call__(self, search: Search, scope: Scope, limit: int) -> Shortlist:
        """The best messages of the scope's user, at most ``limit`` and ``top_k``. Raises StoreError.

        A model that fails leaves what words find; ``steps`` say how it was searched.
        """
        if not scope.user:
            return _nothing(Step("user", "none", "nobody was named, so there are no messages to search"))
        history, opened = await self.histories.current_history(scope)
        if not history.index.size:
            return _nothing(opened)
        step = choose_strategy(self.settings, history.index.size)
        found = await dense_scores(HistoryQuestion(search, scope, history, self.outside), strategy_of(step))
        ranked = await run_aside(lambda: self._rank(search, history, found, limit))
        return replace(ranked, steps=(opened, step, *found.steps, *ranked.steps))

    def drop(self, is_gone: IsGone) -> None:
        """Close the histories of these persons, and forget the vectors of what they said and asked."""
        self.histories.cache.drop(lambda key, _: is_gone(Scope(*key)))
        for part in (self.outside.warming, self.outside.vectoriser):
            if forgets := getattr(part, "drop", None):  # those of a host need not
                forgets(is_gone)

    async def current(self, scope: Scope, ids: Collection[str]) -> Mapping[str, Mapping[str, object]]:
        """Those of the messages that are still there, as they are now. Raises StoreError."""
        history, _ = await self.histories.current_history(scope)
        rows = (history.rows[id_] for id_ in ids if id_ in history.rows)
        return {history.index.messages[row].id: message_data(history.index, row) for row in rows}

    def _rank(self, search: Search, history: OpenHistory, found: DenseScores, limit: int) -> Shortlist:
        """The best that are worth showing."""
        most, set_to = min(limit, self.settings.top_k), self.settings
        own_model = bool(set_to.embedding_model) or set_to.type == "pgvector"
        bent = set_to.similarity_threshold, set_to.diversity, set_to.half_life_days
        tuning = RankTuning(*bent, has_noise=not own_model)
        wanted = most + len(search.seen)
        ranked = search_history(search, history.index, found.cosines, wanted, tuning)
        kept, dropped = apply_cutoff(HISTORY.name, ranked.candidates, search.seen, set_to.least_share)
        shown = replace(ranked, candidates=kept[:most], dropped=(*ranked.dropped, *dropped))
        # Fitted on the built-in table: a model that knows more finds what none of its figures speaks for
        return shown if own_model else message_bearings(search, history.index, shown)


def _nothing(step: Step) -> Shortlist:
    return Shortlist(HISTORY.name, steps=(step,))
