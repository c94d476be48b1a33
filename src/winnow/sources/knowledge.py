"""Documents as a source: opened from their index, searched by words, read where they are good."""

from __future__ import annotations

from dataclasses import replace

from winnow.bridge import aside
from winnow.ports import Documents, Embedder
from winnow.recall.passages import first, ranked
from winnow.sources.passages import OpenIndexes
from winnow.types.document import KnowledgeTier
from winnow.types.knowledge import KnowledgeSettings
from winnow.types.scope import Scope
from winnow.types.search import Search
from winnow.types.shortlist import Shortlist, Step

NAMES = {"private": "knowledge", "public": "public"}
READ = 50
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
        found = await aside(lambda: first(search, index, READ))
        passages = await self.documents.passages(scope, self.tier, found.ids)
        best = await aside(lambda: ranked(search, found, passages, limit))
        return replace(best, source=self.name, steps=(opened, *best.steps))


def _nothing(name: str, step: Step) -> Shortlist:
    return Shortlist(name, steps=(step,))
