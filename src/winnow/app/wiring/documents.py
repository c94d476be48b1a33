"""Sources of documents and facts; adapters are imported where they are needed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from winnow.app.config.settings import Settings
from winnow.app.wiring.history import LazySource
from winnow.ports.services import Embedder, RefreshableSource, Source
from winnow.ports.stores import Documents, Facts, Storage
from winnow.retrieve.documents import DOCUMENT_ROWS
from winnow.retrieve.facts import FACTS
from winnow.types.document import KnowledgeSettings, KnowledgeTier

if TYPE_CHECKING:
    from winnow.retrieve.facts.source import FactExtractor


KnowledgeConfig = KnowledgeSettings | Mapping[str, Any] | Path | str
"""Settings, what ``knowledge.yaml`` would hold, or the path of such a file."""


def knowledge_settings(given: KnowledgeConfig | None, settings: Settings) -> KnowledgeSettings:
    """What is given, else what is configured, else the defaults. Raises ConfigError."""
    from winnow.app.config.files import knowledge_of, load_knowledge, read_knowledge

    if isinstance(given, KnowledgeSettings):
        return given
    if isinstance(given, str | Path):
        return read_knowledge(Path(given).expanduser())
    return load_knowledge(settings) if given is None else knowledge_of(given, origin="knowledge")


def open_knowledge_and_facts(
    storage: Storage, table: Callable[[], Embedder], settings: KnowledgeSettings | None = None
) -> Mapping[str, Source]:
    """The sources of documents and facts of a storage; ``table`` gives the built-in embedder."""
    return {**open_knowledge(storage.documents, table, settings), **open_facts(storage.facts, table)}


def open_knowledge(
    documents: Documents, table: Callable[[], Embedder], settings: KnowledgeSettings | None = None
) -> Mapping[str, Source]:
    """A source for each tier that is on; ``table`` gives the built-in embedder. Opened when first asked."""
    limits = settings or KnowledgeSettings()

    def open_source(tier: KnowledgeTier) -> RefreshableSource:
        from winnow.retrieve.documents.source import DocumentSource

        return DocumentSource(documents, tier, table(), limits)

    return {
        row.name: LazySource(partial(open_source, tier), limits)
        for tier, row in DOCUMENT_ROWS.items()
        if (limits.private if tier == "private" else limits.public)
    }


def open_facts(facts: Facts, table: Callable[[], Embedder]) -> Mapping[str, Source]:
    """The source of what is held to be true for persons, opened when asked for the first time."""

    def open_source() -> RefreshableSource:
        from winnow.retrieve.facts.source import FactSource

        return FactSource(facts, table())

    return {FACTS.name: LazySource(open_source, None)}


def open_fact_extractor(storage: Storage, table: Embedder) -> FactExtractor:
    """What reads facts from what persons say, and keeps them; ``table`` is the built-in embedder."""
    from winnow.retrieve.facts.source import FactExtractor

    return FactExtractor(storage.facts, table, storage.clock)
