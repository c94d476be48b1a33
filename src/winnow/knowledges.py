"""The sources of documents; each part is imported where it is needed."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from winnow.histories import Later
from winnow.ports import Documents, Embedder, Source
from winnow.types.document import KnowledgeTier
from winnow.types.knowledge import KnowledgeSettings

TIERS: Mapping[str, KnowledgeTier] = {"knowledge": "private", "public": "public"}


def open_knowledge(
    documents: Documents, table: Callable[[], Embedder], settings: KnowledgeSettings | None = None
) -> Mapping[str, Source]:
    """A source for each tier; ``table`` gives the built-in embedder. Opened when asked for the first time."""
    return {name: _later(documents, tier, table, settings) for name, tier in TIERS.items()}


def _later(
    documents: Documents,
    tier: KnowledgeTier,
    table: Callable[[], Embedder],
    settings: KnowledgeSettings | None,
) -> Source:
    def made() -> Source:
        from winnow.sources.knowledge import Knowledge

        return Knowledge(documents, tier, table(), settings)

    return Later(made, settings or KnowledgeSettings())
