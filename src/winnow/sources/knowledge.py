"""Documents as a source: opened from their index, searched by words, read where they are good."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from winnow.bridge import aside
from winnow.ports import Documents, Embedder, Source
from winnow.recall.passages import PassageIndex, fed_back, first, ranked, reached
from winnow.recall.passages.rank import data_of
from winnow.recall.sufficiency import graded
from winnow.sources.passages import OpenIndexes
from winnow.sources.tiers import Reach
from winnow.types.document import KnowledgeTier
from winnow.types.knowledge import KnowledgeSettings
from winnow.types.person import IsGone
from winnow.types.scope import Scope
from winnow.types.search import Search
from winnow.types.shortlist import Shortlist, Step

NAMES = {"private": "knowledge", "public": "public"}
READ = 20
"""Passages whose texts are read for one question."""


class Knowledge:
    """A ``Source`` over the documents of a person (``private``) or of a tenant (``public``).

    ``table`` is the built-in embedder, which knows words of both languages.
    """

    waits = False
    """Without an event loop it blocks and never suspends."""

    def __init__(
        self,
        documents: Documents,
        tier: KnowledgeTier,
        table: Embedder,
        settings: KnowledgeSettings | None = None,
    ) -> None:
        self.documents, self.tier, self.table = documents, tier, table
        self.settings = settings or KnowledgeSettings()
        self.name = NAMES[tier]
        self.indexes = OpenIndexes(documents, tier)

    async def __call__(self, search: Search, scope: Scope, limit: int) -> Shortlist:
        """The best passages of the tier, at most ``limit`` and what the settings allow. Raises StoreError."""
        if self.tier == "private" and not scope.user:
            return _nothing(
                self.name, Step("user", "none", "nobody was named, so there is nothing to search")
            )
        index, opened = await self.indexes.opened(scope)
        if not index.size:
            return _nothing(self.name, opened)
        ranking = await self._ranked(search, scope, index, limit)
        best = await aside(lambda: graded(search.text, ranking))
        return replace(best, source=self.name, steps=(opened, *best.steps))

    def drop(self, is_gone: IsGone) -> None:
        """Close the indexes of these persons."""
        self.indexes.held.drop(lambda key: is_gone(Scope(*key)))

    async def _ranked(self, search: Search, scope: Scope, index: PassageIndex, limit: int) -> Shortlist:
        """The best by their texts, of those that words find and those that these lead to."""
        found = await aside(lambda: first(search, index, READ, self.table))
        passages = dict(await self.documents.passages(scope, self.tier, found.ids))
        again = await aside(lambda: fed_back(found, index, passages, READ))
        if new := again.ids[len(found.ids) :]:
            passages |= await self.documents.passages(scope, self.tier, new)
        return await aside(lambda: ranked(search, again, passages, limit, self.table))

    async def current(self, scope: Scope, ids: Collection[str]) -> Mapping[str, Mapping[str, object]]:
        """Those of the passages that are still there, as they are now. Raises StoreError."""
        known = await self.documents.passages(scope, self.tier, list(ids))
        return {id_: data_of(passage) for id_, passage in known.items()}

    async def reached(self, scope: Scope, weights: Mapping[str, float]) -> float:
        """How well the best passage matches terms of these weights, 0..1; no text is read.

        Raises StoreError.
        """
        index, _ = await self.indexes.opened(scope)
        return await aside(lambda: float(reached(index, weights).max(initial=0.0)))


def reach(sources: Mapping[str, Source], scope: Scope) -> Reach:
    """How much better the private documents match than the public ones; None where a host keeps either."""

    async def by(weights: Mapping[str, float]) -> float | None:
        given = (sources.get(name) for name in NAMES.values())
        private, public = (getattr(source, "source", source) for source in given)
        if not (isinstance(private, Knowledge) and isinstance(public, Knowledge)):
            return None
        return await private.reached(scope, weights) - await public.reached(scope, weights)

    return by


def _nothing(name: str, step: Step) -> Shortlist:
    return Shortlist(name, steps=(step,))
