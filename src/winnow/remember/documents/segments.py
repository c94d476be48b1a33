"""The index of documents in few parts: what no part has yet goes into one, small and worn ones are joined."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from winnow.ports import DocumentStore, Part
from winnow.types.document import KnowledgeTier, Passage
from winnow.types.scope import Scope

IndexOf = Callable[[Sequence[Passage]], bytes]
"""What makes a part of an index of passages."""
MANY = 12
"""Small parts from which on they are joined."""
SMALL, LARGE = 2_500, 5_000
"""Passages of a small part, and of one that is made of several: its texts are in memory while it is made."""
LOOSE = 2_000
"""Passages that no part has yet which are put into one at a time."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """Where documents are kept, whose they are, and what makes their index."""

    scope: Scope
    tier: KnowledgeTier
    store: DocumentStore
    index_of: IndexOf


async def tidied(shelf: Shelf) -> None:
    """Every passage is in a part, and parts are neither many nor worn out. Raises StoreError."""
    await _gathered(shelf)
    while chosen := to_join(await shelf.store.parts(shelf.scope, shelf.tier)):
        left = [
            passage for part in chosen for passage in await shelf.store.within(shelf.scope, shelf.tier, part)
        ]
        ids = [passage.id for passage in left]
        if not await shelf.store.join(shelf.scope, shelf.tier, chosen, ids, shelf.index_of(left)):
            return  # somebody else writes: the next one tidies


async def _gathered(shelf: Shelf) -> None:
    while loose := await shelf.store.within(shelf.scope, shelf.tier, "", LOOSE):
        ids = [passage.id for passage in loose]
        if not await shelf.store.join(shelf.scope, shelf.tier, [], ids, shelf.index_of(loose)):
            return


def to_join(parts: Sequence[Part]) -> list[str]:
    """Ids of parts that become one now; none where all is well."""
    worn = [part for part in parts if 2 * part.dead > part.passages]
    small = [part for part in parts if part.passages - part.dead < SMALL]
    chosen: list[str] = []
    total = 0
    for part in small if len(small) >= MANY else worn:
        total += part.passages - part.dead
        if total > LARGE and chosen:
            break
        chosen.append(part.id)
    return chosen
