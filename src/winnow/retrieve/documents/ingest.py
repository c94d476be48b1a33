"""Ingest of documents in batches, so that an interrupted run can be resumed; export and deletion."""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from winnow.errors import DocumentsUnread, Phrase, Problem
from winnow.language.clocks import Clocks
from winnow.language.content_words import content_terms
from winnow.language.normalize import normalise
from winnow.ports.stores import DocumentStore, DuplicateMarks, IndexPart, StoredDocument
from winnow.retrieve.documents.conversion import Converter, IngestLimits, UnreadableDocument, check_size
from winnow.retrieve.documents.document_reader import DocumentDefaults, DocumentReader
from winnow.retrieve.documents.files import (
    FILE_KINDS,
    IngestItem,
    SkippedFile,
    SourceFile,
    digest,
    document_files,
    file_items,
    identity,
    record_items,
)
from winnow.types.document import (
    AddedDocument,
    AddReport,
    Document,
    IngestOutcome,
    KnowledgeTier,
    Passage,
    Read,
)
from winnow.types.lru import clear_text_caches
from winnow.types.scope import Scope

# Which passages nearly say the same, and which of two stands for the other.


Longs = npt.NDArray[np.uint64]
SHINGLE_CHARS = 8
"""Characters of a shingle."""
BANDS, ROWS = 5, 7
MIN_SHINGLE_OVERLAP = 0.85
"""Least share of common shingles."""
MIN_FOLDED_CHARS = 20
"""Characters below which nothing is folded: what is as short is often said anew and meant anew."""
MAX_COMPARED_PASSAGES = 8
"""Passages that each one is compared with, at most."""
_RANDOM = np.random.default_rng(20)
_FACTORS = _RANDOM.integers(1, 2**63, (BANDS * ROWS, 1), np.uint64) | np.uint64(1)
_POWERS = np.uint64(1099511628211) ** np.arange(SHINGLE_CHARS, dtype=np.uint64)
_PLACES = np.uint64(14695981039346656037) ** np.arange(1, ROWS + 1, dtype=np.uint64)
_BETWEEN = re.compile(r"[\W_]+")
UNDATED = datetime.min  # noqa: DTZ901 - a wall clock has no zone


def shingles(text: str) -> Longs:
    """A number for each run of characters of the text, spelt in one way; every one once."""
    said = _BETWEEN.sub("", normalise(text, len(text)))
    codes = np.frombuffer(said.encode("utf-32-le", "replace"), np.uint32).astype(np.uint64)
    if codes.size < SHINGLE_CHARS:
        return codes[:0]
    windows = np.lib.stride_tricks.sliding_window_view(codes, SHINGLE_CHARS)
    mixed = (windows * _POWERS).sum(1, dtype=np.uint64)
    return np.unique(mixed ^ (mixed >> np.uint64(29)))


def minhash_bands(found: Longs) -> tuple[int, ...]:
    """What passages of nearly the same shingles have one of in common; nothing for very short ones."""
    if found.size + SHINGLE_CHARS <= MIN_FOLDED_CHARS:
        return ()
    least = (found * _FACTORS).min(1).reshape(BANDS, ROWS)
    bands = (least * _PLACES).sum(1, dtype=np.uint64) + np.arange(BANDS, dtype=np.uint64)
    return tuple(bands.view(np.int64).tolist())


def shingle_overlap(one: Longs, other: Longs) -> float:
    """Share of common shingles among all of both."""
    common = np.intersect1d(one, other, assume_unique=True).size
    return common / max(1, one.size + other.size - common)


class DuplicateSearch:
    """Passages of a batch, compared with each other and with what is there."""

    def __init__(self, fresh: Sequence[Passage]) -> None:
        self._fresh = [passage.id for passage in fresh]
        self._passages: dict[str, Passage] = {}
        self._shingles: dict[str, Longs] = {}
        self._alike: dict[int, list[str]] = defaultdict(list)
        self.marks: dict[str, tuple[int, ...]] = {}
        for passage in fresh:
            self._take(passage)

    def duplicates(self, there: Iterable[Passage]) -> dict[str, str]:
        """Id of each passage that another says whole -> id of that one, which stands for itself."""
        for passage in there:
            for mark in self._take(passage):
                self._alike[mark].append(passage.id)
        folded: dict[str, str] = {}
        for id_ in self._fresh:
            for other in self._near(id_, folded):
                self._fold(id_, other, folded)
            for mark in self.marks[id_]:
                self._alike[mark].append(id_)
        return folded

    def _take(self, passage: Passage) -> tuple[int, ...]:
        """Know a passage; its marks."""
        said = shingles(passage.text)
        self._passages[passage.id], self._shingles[passage.id] = passage, said
        self.marks[passage.id] = minhash_bands(said)
        return self.marks[passage.id]

    def _near(self, id_: str, folded: Collection[str]) -> list[str]:
        """What has a mark in common with it and stands for itself, some of it."""
        # Bounded: boilerplate shares a band with thousands of passages.
        known = dict.fromkeys(other for mark in self.marks[id_] for other in self._alike[mark])
        return [other for other in known if other not in folded and other != id_][:MAX_COMPARED_PASSAGES]

    def _fold(self, fresh: str, known: str, folded: dict[str, str]) -> None:
        """Fold one of two into the other, if either may be."""
        if (
            fresh in folded
            or shingle_overlap(self._shingles[fresh], self._shingles[known]) < MIN_SHINGLE_OVERLAP
        ):
            return
        one, other = self._passages[fresh], self._passages[known]
        # Which may stand for which: who is believed more, what is more important, newer, then what says
        # more
        first, second = _precedence(one), _precedence(other)
        if first == second:
            orders: Sequence[tuple[Passage, Passage]] = (other, one), (one, other)
        else:
            orders = ((one, other),) if first > second else ((other, one),)
        for kept, left in orders:
            if contains_all_terms(kept.text, left.text):
                folded.update({id_: kept.id for id_, into in folded.items() if into == left.id})
                folded[left.id] = kept.id
                return


def contains_all_terms(kept: str, left: str) -> bool:
    """Whether one passage says every word and number that the other says: nothing is lost with that one."""
    return set(content_terms(left)) <= set(content_terms(kept))


def _precedence(passage: Passage) -> tuple[float, float, datetime]:
    about = passage.document
    return about.credibility, about.importance, about.at or UNDATED


# The index has few parts: loose passages are indexed, small and worn parts are merged.


IndexOf = Callable[[Sequence[Passage]], bytes]
"""What makes a part of an index of passages."""
MAX_SMALL_PARTS = 12
"""Small parts from which on they are joined."""
SMALL_PART_PASSAGES, LARGE_PART_PASSAGES = 2_500, 5_000
"""Passages of a small part, and of one that is made of several: its texts are in memory while it is made."""
LOOSE_BATCH_PASSAGES = 2_000
"""Passages that no part has yet which are put into one at a time."""


@dataclass(frozen=True, slots=True)
class DocumentLibrary:
    """Where documents are kept, whose they are, and what makes their index."""

    scope: Scope
    tier: KnowledgeTier
    store: DocumentStore
    index_of: IndexOf


async def tidy_index(shelf: DocumentLibrary) -> None:
    """Every passage is in a part, and parts are neither many nor worn out. Raises StoreError."""
    await _index_loose_passages(shelf)
    while chosen := parts_to_join(await shelf.store.parts(shelf.scope, shelf.tier)):
        left = [
            passage for part in chosen for passage in await shelf.store.within(shelf.scope, shelf.tier, part)
        ]
        ids = [passage.id for passage in left]
        if not await shelf.store.join(shelf.scope, shelf.tier, chosen, ids, shelf.index_of(left)):
            return  # somebody else writes: the next one tidies


async def _index_loose_passages(shelf: DocumentLibrary) -> None:
    while loose := await shelf.store.within(shelf.scope, shelf.tier, "", LOOSE_BATCH_PASSAGES):
        ids = [passage.id for passage in loose]
        if not await shelf.store.join(shelf.scope, shelf.tier, [], ids, shelf.index_of(loose)):
            return


def parts_to_join(parts: Sequence[IndexPart]) -> list[str]:
    """Ids of parts that become one now; none where all is well."""
    worn = [part for part in parts if 2 * part.dead > part.passages]
    small = [part for part in parts if part.passages - part.dead < SMALL_PART_PASSAGES]
    chosen: list[str] = []
    total = 0
    for part in small if len(small) >= MAX_SMALL_PARTS else worn:
        total += part.passages - part.dead
        if total > LARGE_PART_PASSAGES and chosen:
            break
        chosen.append(part.id)
    return chosen


MAX_BATCH_DOCUMENTS = 100
"""Documents that are stored at a time, at most."""
MAX_BATCH_CHARS = 2_000_000
"""Characters that are stored at a time, about; one document may be longer."""
BATCHES_PER_TIDY = 8
"""Batches between two looks at the parts of the index."""
MAX_REPORT_ROWS = 1_000
"""Documents and problems that a report names."""
STDIN = "-"


@dataclass(frozen=True, slots=True)
class IngestRequest:
    """What is to be added, and how."""

    path: str
    """A file, a folder, or ``-``: the standard input."""
    defaults: DocumentDefaults = field(default_factory=DocumentDefaults)
    name: str = ""
    """Of the standard input, as a file would be called."""
    prune: bool = False
    """Whether documents go whose files are gone from the folder."""
    zone: str = "local"
    limits: IngestLimits = field(default_factory=IngestLimits)
    given: IO[bytes] | None = None
    """What is read in the place of the standard input."""


@dataclass(slots=True)
class _IngestCounts:
    """What happened so far."""

    outcomes: dict[IngestOutcome, int] = field(default_factory=dict)
    passages: int = 0
    folded: int = 0
    others: int = 0
    rows: list[AddedDocument] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    """Ids that are there, whether they could be read or not."""
    closed: list[str] = field(default_factory=list)
    """Names that could not be looked into."""

    def one(self, outcome: IngestOutcome) -> None:
        """Count it."""
        self.outcomes[outcome] = self.outcomes.get(outcome, 0) + 1

    def refuse(self, name: str, why: str) -> None:
        """Count something that is not kept, and say why."""
        self.one("refused")
        if len(self.problems) < MAX_REPORT_ROWS:
            self.problems.append(Problem(name, "", why))

    def leave(self, left: SkippedFile) -> None:
        """Count something that is not read."""
        if left.why:
            self.closed.append(left.name)
            self.refuse(left.name, left.why)
        else:
            self.others += 1

    def keep(self, row: AddedDocument) -> None:
        """Count a document that is kept."""
        self.one(row.outcome)
        self.passages, self.folded = self.passages + row.passages, self.folded + row.folded
        if len(self.rows) < MAX_REPORT_ROWS:
            self.rows.append(row)

    def report(
        self, tier: KnowledgeTier, collection: str, gone: tuple[str, ...], pruned: int, total: int
    ) -> AddReport:
        """What happened; ``gone``: documents whose files are no longer there."""
        outcomes: tuple[IngestOutcome, ...] = ("added", "changed", "unchanged", "refused")
        return AddReport(
            tier,
            collection,
            **{name: self.outcomes.get(name, 0) for name in outcomes},
            passages=self.passages,
            folded=self.folded,
            rows=tuple(self.rows),
            problems=tuple(self.problems),
            others=self.others,
            gone=gone,
            pruned=pruned,
            total=total,
        )


def ignore_progress(done: int, size: int) -> None:
    """A progress that nobody follows."""


async def add_documents(
    shelf: DocumentLibrary, adding: IngestRequest, progress: Read = ignore_progress
) -> AddReport:
    """Keep what is at the path; what is there as it was is left alone.

    Each batch is stored whole and can be found at once. Raises DocumentsUnread where nothing could be read,
    StoreError, OSError.
    """
    collection, within = _names(adding)
    count = _IngestCounts()
    files = _files(adding, within, count)
    with Converter(adding.limits) as converter:
        reader = DocumentReader(adding.defaults, adding.limits, Clocks(adding.zone), converter)
        await _IngestRun(shelf, reader, collection, adding, count).add(files, progress)
    await tidy_index(shelf)
    if count.problems and not count.outcomes.keys() - {"refused"}:
        raise DocumentsUnread(count.problems)
    gone = (
        await _documents_without_file(shelf, collection, within, count) if Path(adding.path).is_dir() else []
    )
    pruned = 0
    if adding.prune and gone:
        pruned = await shelf.store.forget(shelf.scope, shelf.tier, gone)
        await tidy_index(shelf)
    if pruned or "changed" in count.outcomes:
        clear_text_caches()  # what is no longer kept is no longer remembered
    total = (await shelf.store.stamp(shelf.scope, shelf.tier)).count
    return count.report(shelf.tier, collection, tuple(gone), pruned, total)


def _names(adding: IngestRequest) -> tuple[str, str]:
    """What documents belong to, and what their names begin with.

    Where nobody says a collection it is the folder that was named, or that of the file. Of several folders
    that go into one collection, each stands before the names of its files.
    """
    if adding.path == STDIN:
        return adding.defaults.collection or "stdin", ""
    path = Path(adding.path).absolute()
    if not path.is_dir():
        return adding.defaults.collection or path.parent.name, ""
    return adding.defaults.collection or path.name, f"{path.name}/" if adding.defaults.collection else ""


def _files(adding: IngestRequest, within: str, count: _IngestCounts) -> list[SourceFile]:
    if adding.path == STDIN:
        kind = FILE_KINDS.get(Path(adding.name).suffix.lower(), "text")
        return [SourceFile(adding.name, Path(STDIN), kind, 0, 0.0)]
    files = []
    for one in document_files(Path(adding.path)):
        named = replace(one, name=within + one.name)
        if isinstance(named, SourceFile):
            files.append(named)
        else:
            count.leave(named)
    return files


class _IngestRun:
    """One run: reads, compares and stores."""

    def __init__(
        self,
        shelf: DocumentLibrary,
        reader: DocumentReader,
        collection: str,
        adding: IngestRequest,
        count: _IngestCounts,
    ) -> None:
        self._shelf, self._reader, self._collection, self._count = shelf, reader, collection, count
        self._told = (collection, adding.defaults)
        self._limits, self._stdin, self._rounds = adding.limits, adding.path == STDIN, 0
        self._given = adding.given

    async def add(self, files: Sequence[SourceFile], progress: Read) -> None:
        """Keep what is in the files."""
        shelf, done, size = self._shelf, 0, sum(file.size for file in files)
        for batch in item_batches(self._items(files)):
            known = await shelf.store.documents(shelf.scope, shelf.tier, [item.id for item in batch])
            await self._add(batch, known)
            done += sum(item.size for item in batch)
            progress(min(done, size) if size else done, size)

    async def _add(self, batch: Sequence[IngestItem], known: Mapping[str, Document]) -> None:
        fresh: dict[str, StoredDocument] = {}
        names = {item.id: item.name for item in batch}
        for item in batch:
            if (entry := self._entry(item, known.get(item.id))) is not None:
                fresh[item.id] = entry
            # A batch is one transaction and one index part: it has to fit into memory.
            if sum(len(one.text) for one in fresh.values()) >= MAX_BATCH_CHARS:
                await self._keep(fresh, names, known)
                fresh = {}
        await self._keep(fresh, names, known)

    def _items(self, files: Iterable[SourceFile]) -> Iterator[IngestItem]:
        for file in files:
            try:
                for each in self._of(file):
                    if isinstance(each, SkippedFile):
                        self._count.leave(each)
                    else:
                        self._count.seen.add(each.id)
                        yield each
            except OSError as error:
                self._count.leave(SkippedFile(file.name, _unreadable(error)))

    def _of(self, file: SourceFile) -> Iterator[IngestItem | SkippedFile]:
        collection, limits = self._collection, self._limits
        if not self._stdin:
            return file_items(file, collection, limits)
        if file.kind == "records":
            return record_items(self._given or sys.stdin.buffer, file.name, collection, limits)
        raw = (self._given or sys.stdin.buffer).read(limits.file + 1)
        return iter([IngestItem(identity(collection, file.name), file.name, file.kind, collection, raw=raw)])

    def _entry(self, item: IngestItem, known: Document | None) -> StoredDocument | None:
        """The document; None: it is there as it was, or is none."""
        try:
            raw = item.bytes(self._limits)
            check_size(len(raw), self._limits.file)
            # The digest covers the metadata given by the caller: changed metadata is a changed document.
            mark = digest(raw, self._told)
            if known is not None and known.digest == mark:
                self._count.one("unchanged")
                return None
            return self._reader.entry(item, raw, mark)
        except UnreadableDocument as error:
            self._count.refuse(item.name, error.why)
        except OSError as error:
            self._count.refuse(item.name, _unreadable(error))
        return None

    async def _keep(
        self, fresh: Mapping[str, StoredDocument], names: Mapping[str, str], known: Mapping[str, Document]
    ) -> None:
        """Store these as one batch with their part of the index."""
        if not fresh:
            return
        shelf, entries = self._shelf, list(fresh.values())
        likeness = await self._likeness(entries)
        index = shelf.index_of([p for e in entries for p in e.passages if p.id not in likeness.folded])
        await shelf.store.put(shelf.scope, shelf.tier, entries, index, likeness)
        for id_, entry in fresh.items():
            folded = sum(passage.id in likeness.folded for passage in entry.passages)
            outcome: IngestOutcome = "changed" if id_ in known else "added"
            self._count.keep(AddedDocument(names[id_], outcome, len(entry.passages), folded))
        self._rounds += 1
        # Many small index parts slow every search down; merging each time would cost more.
        if self._rounds % BATCHES_PER_TIDY == 0:
            await tidy_index(shelf)

    async def _likeness(self, entries: Sequence[StoredDocument]) -> DuplicateMarks:
        """Which of their passages say the same as others, or as what is there of other documents."""
        shelf, given = self._shelf, {entry.document.id for entry in entries}
        compared = DuplicateSearch([passage for entry in entries for passage in entry.passages])
        marks = dict(compared.marks)
        there = await shelf.store.alike(shelf.scope, shelf.tier, {m for each in marks.values() for m in each})
        return DuplicateMarks(compared.duplicates(p for p in there if p.document.id not in given), marks)


def item_batches(found: Iterable[IngestItem]) -> Iterator[list[IngestItem]]:
    """So many as are looked up and stored together, and no more than fit into memory."""
    batch: list[IngestItem] = []
    held = 0
    for item in found:
        batch.append(item)
        held += len(item.raw)
        if len(batch) == MAX_BATCH_DOCUMENTS or held >= MAX_BATCH_CHARS:
            yield batch
            batch, held = [], 0
    if batch:
        yield batch


def _unreadable(error: OSError) -> Phrase:
    return Phrase("cannot be read: {why}", why=error.strerror or str(error))


async def _documents_without_file(
    shelf: DocumentLibrary, collection: str, within: str, count: _IngestCounts
) -> list[str]:
    """Documents of the folder whose files are no longer there. Raises StoreError."""
    # What could not be looked into is not gone: it must not be pruned.
    closed = tuple(identity(collection, name) for name in count.closed)
    known = await shelf.store.documents(shelf.scope, shelf.tier)
    return [
        id_
        for id_, document in known.items()
        if (document.collection == collection and document.source.startswith(within))
        and not (id_ in count.seen or id_.startswith(closed))
    ]


# Export as records that can be added again, and deletion.


Record = Mapping[str, Any]


async def document_records(shelf: DocumentLibrary) -> AsyncIterator[Record]:
    """Each document of the tier with its text. Added again, it is the same document. Raises StoreError."""
    for id_, document in (await shelf.store.documents(shelf.scope, shelf.tier)).items():
        text = await shelf.store.text(shelf.scope, shelf.tier, id_)
        known = {**asdict(document), "at": document.at.isoformat() if document.at else ""}
        yield {**{name: value for name, value in known.items() if name != "digest"}, "text": text}


async def forget_documents(shelf: DocumentLibrary, ids: Collection[str] | None = None) -> int:
    """Delete these documents or all of the tier; how many there were.

    What was folded into theirs can be found again at once. Raises StoreError.
    """
    gone = await shelf.store.forget(shelf.scope, shelf.tier, ids)
    if ids is not None:
        await tidy_index(shelf)
    return gone
