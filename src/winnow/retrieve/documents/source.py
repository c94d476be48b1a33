"""Documents as a source: opened from their index, searched by words, read where they are good."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from winnow.errors import Phrase
from winnow.ports.services import Embedder, Source, run_aside
from winnow.ports.stores import Documents, Segment
from winnow.retrieve.bearing import passage_bearings
from winnow.retrieve.documents import DOCUMENT_ROWS
from winnow.retrieve.documents.features import find_passages, reach_scores
from winnow.retrieve.documents.index import PassageIndex, readable, segment_of
from winnow.retrieve.documents.rank import apply_feedback, passage_data, rank_passages
from winnow.retrieve.sufficiency import calibrate_scores
from winnow.types.candidate import Search, Shortlist, Step
from winnow.types.document import KnowledgeSettings, KnowledgeTier
from winnow.types.lru import LruCache
from winnow.types.message import HistoryVersion
from winnow.types.scope import IsGone, Scope

# Indexes of documents that are held open, and brought up to date when the store's stamp says so.


MAX_OPEN_INDEXES = 1_000
"""Indexes held open, at most."""
MAX_INDEX_BYTES = 1024 * 1024 * 1024
"""What they may take together."""
LOOSE_SEGMENT = ""
"""Passages that no segment of the store has."""


@dataclass(frozen=True, slots=True)
class OpenIndex:
    """The index of one tier as it was at that stamp."""

    stamp: HistoryVersion
    index: PassageIndex


class IndexCache:
    """The indexes asked for last, of all tenants; never one for another's user."""

    def __init__(
        self,
        documents: Documents,
        tier: KnowledgeTier,
        *,
        most: int = MAX_OPEN_INDEXES,
        most_bytes: int = MAX_INDEX_BYTES,
    ) -> None:
        self._documents, self._tier = documents, tier
        self.cache: LruCache[tuple[str, str], OpenIndex] = LruCache(
            most, most_bytes, lambda one: one.index.bytes
        )

    async def current_index(self, scope: Scope) -> tuple[PassageIndex, Step]:
        """The index of the scope's documents as they are now, and how it came to be. Raises StoreError."""
        # Whatever changes between the stamp and the segments is read again next time: the stamp is the older.
        # Public documents are those of everybody: opened once for a tenant
        stamp, key = (
            await self._documents.stamp(scope, self._tier),
            (scope.tenant, scope.user if self._tier == "private" else ""),
        )
        before = self.cache.get(key)
        if before is not None and before.stamp == stamp:
            return before.index, _step("reused", before.index)
        known = before.index if before is not None and not before.index.is_mostly_dead else PassageIndex()
        told = await self._segments(scope, stamp, known)
        index = await run_aside(lambda: known.extend(told))
        self.cache.put(key, OpenIndex(stamp, index))
        return index, _step("extended" if known.rows else "built", index)

    async def _segments(self, scope: Scope, stamp: HistoryVersion, known: PassageIndex) -> Sequence[Segment]:
        """All segments that there are, those of another version and what is in none made anew."""
        found = [one async for one in self._documents.segments(scope, self._tier, known.segments)]
        told = [
            one
            if one.id in known.segments or readable(one.data)
            else replace(one, data=await self._build_segment(scope, one.id))
            for one in found
        ]
        loose = await self._build_segment(scope, LOOSE_SEGMENT)
        return [*told, Segment(f"{LOOSE_SEGMENT}{stamp.count} {stamp.mark}", loose)] if loose else told

    async def _build_segment(self, scope: Scope, segment: str) -> bytes:
        """A segment from the texts; empty where there are none."""
        passages = await self._documents.within(scope, self._tier, segment)
        if not passages and segment == LOOSE_SEGMENT:
            return b""
        return await run_aside(lambda: segment_of(passages))


def _step(how: str, index: PassageIndex) -> Step:
    return Step("knowledge", how, Phrase("{count} passages", count=index.size))


MAX_READ_PASSAGES = 20
"""Passages whose texts are read for one question."""


class DocumentSource:
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
        self.row = DOCUMENT_ROWS[tier]
        self.indexes = IndexCache(documents, tier)

    async def __call__(self, search: Search, scope: Scope, limit: int) -> Shortlist:
        """The best passages of the tier, at most ``limit`` and what the settings allow. Raises StoreError."""
        if self.tier == "private" and not scope.user:
            return _nothing(
                self.row.name, Step("user", "none", "nobody was named, so there is nothing to search")
            )
        index, opened = await self.indexes.current_index(scope)
        if not index.size:
            return _nothing(self.row.name, opened)
        # The best by their texts, of those that words find and those that these lead to
        found = await run_aside(lambda: find_passages(search, index, MAX_READ_PASSAGES, self.table))
        passages = dict(await self.documents.passages(scope, self.tier, found.ids))
        again = await run_aside(lambda: apply_feedback(found, index, passages, MAX_READ_PASSAGES))
        if new := again.ids[len(found.ids) :]:
            passages |= await self.documents.passages(scope, self.tier, new)
        ranking = await run_aside(lambda: rank_passages(search, again, passages, limit, self.table))
        scored = await run_aside(lambda: calibrate_scores(search.text, ranking))
        best = await run_aside(lambda: passage_bearings(search.text, scored, self.table))
        return replace(best, source=self.row.name, steps=(opened, *best.steps))

    def drop(self, is_gone: IsGone) -> None:
        """Close the indexes of these persons."""
        self.indexes.cache.drop(lambda key, _: is_gone(Scope(*key)))

    async def current(self, scope: Scope, ids: Collection[str]) -> Mapping[str, Mapping[str, object]]:
        """Those of the passages that are still there, as they are now. Raises StoreError."""
        known = await self.documents.passages(scope, self.tier, list(ids))
        return {id_: passage_data(passage) for id_, passage in known.items()}

    async def best_reach(self, scope: Scope, weights: Mapping[str, float]) -> float:
        """How well the best passage matches terms of these weights, 0..1; no text is read.

        Raises StoreError.
        """
        index, _ = await self.indexes.current_index(scope)
        return await run_aside(lambda: float(reach_scores(index, weights).max(initial=0.0)))


async def index_gap(
    sources: Mapping[str, Source], scope: Scope, weights: Mapping[str, float]
) -> float | None:
    """How much better private documents match a question of these terms than public ones.

    Their indexes alone tell; None where a host keeps either, so that only a search would. Raises StoreError.
    """
    given = (sources.get(row.name) for row in DOCUMENT_ROWS.values())
    private, public = (getattr(source, "source", source) for source in given)
    if not (isinstance(private, DocumentSource) and isinstance(public, DocumentSource)):
        return None
    return await private.best_reach(scope, weights) - await public.best_reach(scope, weights)


def _nothing(name: str, step: Step) -> Shortlist:
    return Shortlist(name, steps=(step,))
