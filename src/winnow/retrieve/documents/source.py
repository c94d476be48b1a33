"""Documents as a source: opened from their index, searched by words, read where they are good."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from winnow.errors import Phrase
from winnow.ports.services import Embedder, Source, run_aside
from winnow.ports.stores import Documents, Segment
from winnow.retrieve.documents.index import PassageIndex, readable, segment_of
from winnow.retrieve.documents.rank import data_of, fed_back, ranked
from winnow.retrieve.documents.reasons import first, reached
from winnow.retrieve.held import Held
from winnow.retrieve.sufficiency import graded
from winnow.types.candidate import Search, Shortlist, Step
from winnow.types.document import KnowledgeSettings, KnowledgeTier
from winnow.types.message import HistoryVersion
from winnow.types.scope import IsGone, Scope

# Indexes of documents that are held open, and brought up to date when the store's stamp says so.


MOST = 1_000
"""Indexes held open, at most."""
MOST_BYTES = 1024 * 1024 * 1024
"""What they may take together."""
LOOSE = ""
"""Passages that no segment of the store has."""


@dataclass(frozen=True, slots=True)
class OpenPassages:
    """The index of one tier as it was at that stamp."""

    stamp: HistoryVersion
    index: PassageIndex

    @property
    def bytes(self) -> int:
        """About what it takes in memory."""
        return self.index.bytes


class OpenIndexes:
    """The indexes asked for last, of all tenants; never one for another's user."""

    def __init__(
        self,
        documents: Documents,
        tier: KnowledgeTier,
        *,
        most: int = MOST,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        self._documents, self._tier = documents, tier
        self.held: Held[tuple[str, str], OpenPassages] = Held(most, most_bytes)

    async def opened(self, scope: Scope) -> tuple[PassageIndex, Step]:
        """The index of the scope's documents as they are now, and how it came to be. Raises StoreError."""
        # Whatever changes between the stamp and the segments is read again next time: the stamp is the older.
        stamp, key = await self._documents.stamp(scope, self._tier), self._key(scope)
        before = self.held.taken(key)
        if before is not None and before.stamp == stamp:
            return before.index, _step("reused", before.index)
        known = before.index if before is not None and not before.index.worn else PassageIndex()
        told = await self._told(scope, stamp, known)
        index = await run_aside(lambda: known.extended(told))
        self.held.keep(key, OpenPassages(stamp, index))
        return index, _step("extended" if known.rows else "built", index)

    async def _told(self, scope: Scope, stamp: HistoryVersion, known: PassageIndex) -> Sequence[Segment]:
        """All segments that there are, those of another version and what is in none made anew."""
        found = [one async for one in self._documents.segments(scope, self._tier, known.segments)]
        told = [
            one
            if one.id in known.segments or readable(one.data)
            else replace(one, data=await self._made(scope, one.id))
            for one in found
        ]
        loose = await self._made(scope, LOOSE)
        return [*told, Segment(f"{LOOSE}{stamp.count} {stamp.mark}", loose)] if loose else told

    async def _made(self, scope: Scope, segment: str) -> bytes:
        """A segment from the texts; empty where there are none."""
        passages = await self._documents.within(scope, self._tier, segment)
        if not passages and segment == LOOSE:
            return b""
        return await run_aside(lambda: segment_of(passages))

    def _key(self, scope: Scope) -> tuple[str, str]:
        """Public documents are those of everybody: opened once for a tenant."""
        return scope.tenant, scope.user if self._tier == "private" else ""


def _step(how: str, index: PassageIndex) -> Step:
    return Step("knowledge", how, Phrase("{count} passages", count=index.size))


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
        best = await run_aside(lambda: graded(search.text, ranking))
        return replace(best, source=self.name, steps=(opened, *best.steps))

    def drop(self, is_gone: IsGone) -> None:
        """Close the indexes of these persons."""
        self.indexes.held.drop(lambda key: is_gone(Scope(*key)))

    async def _ranked(self, search: Search, scope: Scope, index: PassageIndex, limit: int) -> Shortlist:
        """The best by their texts, of those that words find and those that these lead to."""
        found = await run_aside(lambda: first(search, index, READ, self.table))
        passages = dict(await self.documents.passages(scope, self.tier, found.ids))
        again = await run_aside(lambda: fed_back(found, index, passages, READ))
        if new := again.ids[len(found.ids) :]:
            passages |= await self.documents.passages(scope, self.tier, new)
        return await run_aside(lambda: ranked(search, again, passages, limit, self.table))

    async def current(self, scope: Scope, ids: Collection[str]) -> Mapping[str, Mapping[str, object]]:
        """Those of the passages that are still there, as they are now. Raises StoreError."""
        known = await self.documents.passages(scope, self.tier, list(ids))
        return {id_: data_of(passage) for id_, passage in known.items()}

    async def reached(self, scope: Scope, weights: Mapping[str, float]) -> float:
        """How well the best passage matches terms of these weights, 0..1; no text is read.

        Raises StoreError.
        """
        index, _ = await self.indexes.opened(scope)
        return await run_aside(lambda: float(reached(index, weights).max(initial=0.0)))


async def index_gap(
    sources: Mapping[str, Source], scope: Scope, weights: Mapping[str, float]
) -> float | None:
    """How much better private documents match a question of these terms than public ones.

    Their indexes alone tell; None where a host keeps either, so that only a search would. Raises StoreError.
    """
    given = (sources.get(name) for name in NAMES.values())
    private, public = (getattr(source, "source", source) for source in given)
    if not (isinstance(private, Knowledge) and isinstance(public, Knowledge)):
        return None
    return await private.reached(scope, weights) - await public.reached(scope, weights)


def _nothing(name: str, step: Step) -> Shortlist:
    return Shortlist(name, steps=(step,))
