"""Indexes of documents that are held open, and brought up to date when the store's stamp says so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from winnow.bridge import aside
from winnow.errors import Phrase
from winnow.ports import Documents, Segment
from winnow.recall.passages import PassageIndex, readable, segment_of
from winnow.sources.held import Held
from winnow.types.document import KnowledgeTier
from winnow.types.message import Stamp
from winnow.types.scope import Scope
from winnow.types.shortlist import Step

MOST = 1_000
"""Indexes held open, at most."""
MOST_BYTES = 1024 * 1024 * 1024
"""What they may take together."""
LOOSE = ""
"""Passages that no segment of the store has."""


@dataclass(frozen=True, slots=True)
class OpenPassages:
    """The index of one tier as it was at that stamp."""

    stamp: Stamp
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
        index = await aside(lambda: known.extended(told))
        self.held.keep(key, OpenPassages(stamp, index))
        return index, _step("extended" if known.rows else "built", index)

    async def _told(self, scope: Scope, stamp: Stamp, known: PassageIndex) -> Sequence[Segment]:
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
        return await aside(lambda: segment_of(passages))

    def _key(self, scope: Scope) -> tuple[str, str]:
        """Public documents are those of everybody: opened once for a tenant."""
        return scope.tenant, scope.user if self._tier == "private" else ""


def _step(how: str, index: PassageIndex) -> Step:
    return Step("knowledge", how, Phrase("{count} passages", count=index.size))
