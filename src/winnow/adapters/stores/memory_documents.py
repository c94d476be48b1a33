"""Documents of one process."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from winnow.adapters.stores.validation import check_tier, shelved
from winnow.ports.stores import UNLIKE, Entry, Likeness, Part, Segment
from winnow.types.document import Document, KnowledgeTier, Passage
from winnow.types.message import Stamp
from winnow.types.scope import Scope

ALIKE = 1000
"""Passages that are compared with those of one batch, at most."""


@dataclass(slots=True)
class _Row:
    """A passage, and where it stands."""

    passage: Passage
    position: int
    segment: str
    marks: tuple[int, ...]
    folded: str = ""
    also: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class _Segment:
    data: bytes
    count: int
    dead: set[str] = field(default_factory=set)


@dataclass(slots=True)
class _Shelf:
    """All documents of one tier of one scope."""

    mark: str = ""
    texts: dict[str, str] = field(default_factory=dict)
    documents: dict[str, Document] = field(default_factory=dict)
    rows: dict[str, _Row] = field(default_factory=dict)
    segments: dict[str, _Segment] = field(default_factory=dict)

    def remove(self, ids: Collection[str]) -> int:
        """Drop these documents and all made of them; how many there were."""
        gone = self.documents.keys() & ids
        rows = {id_: row for id_, row in self.rows.items() if row.passage.document.id in gone}
        for id_ in gone:
            del self.documents[id_], self.texts[id_]
        for id_, row in rows.items():
            self.bury(id_, row)
            del self.rows[id_]
        for id_, row in rows.items():
            for freed in row.also.keys() & self.rows.keys():
                self.rows[freed].folded = ""
            if row.folded in self.rows:
                del self.rows[row.folded].also[id_]
        return len(gone)

    def take(self, entry: Entry, segment: str, likeness: Likeness) -> None:
        """Keep a document and its passages, which are in that segment."""
        about = shelved(entry.document)
        self.documents[about.id], self.texts[about.id] = about, entry.text
        for position, passage in enumerate(entry.passages):
            place = "" if passage.id in likeness.folded else segment
            marks = tuple(likeness.marks.get(passage.id, ()))
            self.rows[passage.id] = _Row(replace(passage, document=about), position, place, marks)

    def bury(self, id_: str, row: _Row) -> None:
        """Note in its segment that the passage no longer is there."""
        segment = self.segments.get(row.segment)
        if segment is None:
            return
        segment.dead.add(id_)
        if len(segment.dead) == segment.count:
            del self.segments[row.segment]

    def fold(self, id_: str, into: str) -> None:
        """Let one passage stand for the other, and for all that this one stood for."""
        row, kept = self.rows.get(id_), self.rows.get(into)
        if row is None or kept is None or kept.folded:
            return
        kept.also |= {id_: row.passage.document.id, **row.also}
        for other in row.also:
            self.rows[other].folded = into
        self.bury(id_, row)
        row.folded, row.segment, row.also = into, "", {}

    def shown(self, row: _Row) -> Passage:
        """With the documents that say the same."""
        return replace(row.passage, also=tuple(dict.fromkeys(row.also.values())))

    def standing(self, segment: str) -> list[Passage]:
        """What stands for itself and is of that segment, by document and place."""
        rows = [r for r in self.rows.values() if r.segment == segment and not r.folded]
        return [self.shown(r) for r in sorted(rows, key=lambda r: (r.passage.document.id, r.position))]


class MemoryDocuments:
    """``DocumentStore`` of one process."""

    def __init__(self) -> None:
        self._shelves: dict[tuple[str, str, KnowledgeTier], _Shelf] = {}
        self._numbers = count(1)

    async def stamp(self, scope: Scope, tier: KnowledgeTier) -> Stamp:
        """Their number, and a mark that is never given twice."""
        shelf = self._shelf(scope, tier)
        return Stamp(len(shelf.documents), shelf.mark if shelf.documents else "")

    async def segments(
        self, scope: Scope, tier: KnowledgeTier, known: Collection[str] = ()
    ) -> AsyncIterator[Segment]:
        """All parts of the index, oldest first; the known ones without their data."""
        for id_, segment in list(self._shelf(scope, tier).segments.items()):
            yield Segment(id_, b"" if id_ in known else segment.data, frozenset(segment.dead))

    async def within(
        self, scope: Scope, tier: KnowledgeTier, segment: str, most: int = 100_000
    ) -> Sequence[Passage]:
        """The passages that still are of that segment; of ``""``: those that no segment has yet."""
        return self._shelf(scope, tier).standing(segment)[:most]

    async def passages(self, scope: Scope, tier: KnowledgeTier, ids: Sequence[str]) -> Mapping[str, Passage]:
        """Those of the passages that stand for themselves, with their texts."""
        shelf = self._shelf(scope, tier)
        rows = {id_: shelf.rows[id_] for id_ in ids if id_ in shelf.rows}
        return {id_: shelf.shown(row) for id_, row in rows.items() if not row.folded}

    async def documents(
        self, scope: Scope, tier: KnowledgeTier, ids: Collection[str] | None = None
    ) -> Mapping[str, Document]:
        """These documents, or all, without their texts."""
        there = self._shelf(scope, tier).documents
        return dict(there) if ids is None else {id_: there[id_] for id_ in ids if id_ in there}

    async def put(
        self,
        scope: Scope,
        tier: KnowledgeTier,
        entries: Sequence[Entry],
        index: bytes = b"",
        likeness: Likeness = UNLIKE,
    ) -> int:
        """Keep these whole or not at all, in the place of those of the same ids; how many are new."""
        given = {entry.document.id: entry for entry in entries}
        if not given:
            return 0
        ids = [passage.id for entry in given.values() for passage in entry.passages]
        check_tier(scope, tier, [*given, *ids])
        shelf = self._shelf(scope, tier)
        known = shelf.remove(given)
        indexed = sum(id_ not in likeness.folded for id_ in ids)
        segment = self._segment(shelf, indexed, index)
        for entry in given.values():
            shelf.take(entry, segment, likeness)
        for id_, into in likeness.folded.items():
            shelf.fold(id_, into)
        self._changed(shelf)
        return len(given) - known

    async def forget(self, scope: Scope, tier: KnowledgeTier, ids: Collection[str] | None = None) -> int:
        """Delete these documents and all made of them, or all of the tier; how many there were."""
        shelf = self._shelf(scope, tier)
        gone = shelf.remove(list(shelf.documents) if ids is None else ids)
        if gone:
            self._changed(shelf)
        return gone

    async def passages_of(self, scope: Scope, tier: KnowledgeTier, id_: str) -> Sequence[Passage]:
        """The passages of one document in order, without those that others stand for."""
        shelf = self._shelf(scope, tier)
        rows = [r for r in shelf.rows.values() if r.passage.document.id == id_ and not r.folded]
        return [shelf.shown(row) for row in sorted(rows, key=lambda row: row.position)]

    async def text(self, scope: Scope, tier: KnowledgeTier, id_: str) -> str:
        """The text of one document; empty: there is none."""
        return self._shelf(scope, tier).texts.get(id_, "")

    async def alike(self, scope: Scope, tier: KnowledgeTier, marks: Collection[int]) -> Sequence[Passage]:
        """Passages that have any of these marks and are folded into no other, at most a thousand."""
        shelf, wanted = self._shelf(scope, tier), set(marks)
        rows = [r for r in shelf.rows.values() if not r.folded and wanted.intersection(r.marks)]
        return [shelf.shown(row) for row in rows[:ALIKE]]

    async def parts(self, scope: Scope, tier: KnowledgeTier) -> Sequence[Part]:
        """What the index is made of, oldest first."""
        there = self._shelf(scope, tier).segments
        return [Part(id_, segment.count, len(segment.dead)) for id_, segment in there.items()]

    async def join(
        self, scope: Scope, tier: KnowledgeTier, parts: Collection[str], ids: Collection[str], index: bytes
    ) -> bool:
        """Put one segment, made of these passages, in the place of the parts."""
        shelf, wanted = self._shelf(scope, tier), set(ids)
        there = {p.id for part in parts if part for p in shelf.standing(part)}
        loose = wanted & {p.id for p in shelf.standing("")}
        if there | loose != wanted or not wanted:
            return False
        segment = self._segment(shelf, len(wanted), index)
        for id_ in wanted:
            shelf.rows[id_].segment = segment
        for part in parts:
            shelf.segments.pop(part, None)
        self._changed(shelf)
        return True

    def _shelf(self, scope: Scope, tier: KnowledgeTier) -> _Shelf:
        user = scope.user if tier == "private" else ""
        return self._shelves.setdefault((scope.tenant, user, tier), _Shelf())

    def _segment(self, shelf: _Shelf, passages: int, index: bytes) -> str:
        """The id of a new segment; empty where there is nothing in it."""
        if not (index and passages):
            return ""
        id_ = str(next(self._numbers))
        shelf.segments[id_] = _Segment(index, passages)
        return id_

    def _changed(self, shelf: _Shelf) -> None:
        shelf.mark = str(next(self._numbers))
