"""Stored rows as protocols: homes, sessions, messages, documents, facts, vectors, plans and persons."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from winnow.ports.services import (
    Audit,
    Plans,
)
from winnow.types.document import Document, KnowledgeTier, Passage
from winnow.types.fact import Fact
from winnow.types.feedback import Account, Feedback, Total
from winnow.types.home import Home, Lesson, LexiconEntry, Override
from winnow.types.message import HistoryChanges, HistoryVersion, Message
from winnow.types.scope import AccessKey, Elsewhere, Purge, Row, Scope
from winnow.types.state import EMPTY_SNAPSHOT, HomeEvent, HomeInfo, ReadProgress, Snapshot, no_read_progress
from winnow.types.utterance import Question, Session, Turn, Usage
from winnow.types.vector import Claim, Space, Tally

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

# What people say of what they were given, and what is counted of turns.


class FeedbackStore(Protocol):
    """Feedback of the scope's user; where none is named, of all users of the tenant. Kept, never used."""

    async def keep(self, scope: Scope, given: Feedback) -> None:
        """Keep it for the scope's user, who must be named. Raises StoreError."""

    async def feedback(self, scope: Scope) -> Sequence[Feedback]:
        """All of it, oldest first. Raises StoreError."""

    async def forget(self, scope: Scope, ids: Collection[str] | None = None) -> int:
        """Delete these, or all; how many there were. Raises StoreError."""


class TurnCounts(Protocol):
    """What is counted of a tenant's turns, and the accounts of its last ones."""

    async def count(self, scope: Scope, figures: Mapping[str, float], account: Account | None = None) -> None:
        """Add one turn to the totals; its account takes the place of the oldest of the user, at most 50.

        Raises StoreError.
        """

    async def totals(self, scope: Scope) -> Mapping[str, Total]:
        """Name of a figure -> what was counted of it, of all users of the tenant. Raises StoreError."""

    async def account(self, scope: Scope, retrieval: str = "") -> Account | None:
        """The user's account of that retrieval, or of the last one. Raises StoreError."""

    async def forget(self, scope: Scope) -> int:
        """Delete the accounts of the scope's user, or all the tenant's and the totals; how many accounts.

        Raises StoreError.
        """


# Keys of programs.


class AccessKeys(Protocol):
    """Keys that programs come with, each known by the digest of its secret."""

    async def keys(self, scope: Scope) -> Sequence[AccessKey]:
        """All of the tenant, oldest first, those that ended as well. Raises StoreError."""

    async def key(self, scope: Scope, digest: str) -> AccessKey | None:
        """The tenant's key of that digest, even if it ended. Raises StoreError."""

    async def add(self, scope: Scope, key: AccessKey) -> None:
        """Keep it for the scope's tenant. Raises StoreError."""

    async def end(self, scope: Scope, digest: str, at: float) -> bool:
        """Let it end at that time, seconds since the epoch; False: it is not there, or ends sooner.

        Raises StoreError.
        """


# Homes and everything remembered about them, as the rest of Winnow sees it.


class Catalog(Protocol):
    """Where imported homes are kept."""

    async def save_home(self, scope: Scope, home: Home, states: Snapshot = EMPTY_SNAPSHOT) -> int:
        """Replace the tenant's home of that id as a whole, or leave the old one untouched; its new version.

        The home is kept under its own id, and beside it what its devices reported: read now, where
        ``states`` tell no moment. Raises StoreError.
        """

    async def load_home(self, scope: Scope) -> Home:
        """The scope's home with its version set. Raises HomeNotFound, StoreError."""

    async def list_homes(self, scope: Scope) -> tuple[HomeInfo, ...]:
        """All homes of the tenant by id, without their contents. Raises StoreError."""

    async def delete_home(self, scope: Scope) -> None:
        """Forget the scope's home and all that was remembered about it. Raises HomeNotFound, StoreError."""


class States(Protocol):
    """What the devices of a home report."""

    async def read(self, scope: Scope, refs: Collection[str] = ()) -> Snapshot:
        """The states of these devices of the scope's home, as they are now; of all, where none is named.

        What cannot be read is not in it. Raises HomeNotFound, StoreError.
        """


class LiveHome(Protocol):
    """The server of one home, only ever read. Every method raises LinkError."""

    async def documents(self, progress: ReadProgress = no_read_progress) -> Mapping[str, object]:
        """What the home consists of and how it is: the server's answers, by what they are called."""

    async def read(self, refs: Collection[str] = ()) -> Snapshot:
        """The states of these devices, or of all, as they are now, each with its own moment."""

    def news(self) -> AsyncIterator[HomeEvent]:
        """What happens to the home, for as long as one listens; a lost connection is made again."""


class Sessions(Protocol):
    """What each person said in each session of each home.

    A talk is known only by its tenant, its home, its user and the id of its session together; an empty user
    is one more user.
    """

    async def session(self, scope: Scope) -> Session:
        """Its turns and its open question; empty when there was none yet. Raises StoreError."""

    async def note(
        self, scope: Scope, turns: Sequence[Turn], question: Question | None = None, *, answered: str = ""
    ) -> bool:
        """Add turns, keep the last 20, and put ``question`` in the place of the one that was open.

        ``answered``: the id of the question that the turns answer. Where it is open no more for the scope's
        user, in whatever home and session, another answer came first: nothing is kept, and False is returned.
        Raises StoreError.
        """

    async def set_reply(self, scope: Scope, said: str, reply: str) -> bool:
        """Let ``reply`` be what was answered to the last turn in which the person said ``said``.

        It takes the place of what stands there as an answer, and is about the same devices; an open question
        stays open. False, and nothing is kept: there is no such turn, or the person spoke again before
        anything answered it. Raises StoreError.
        """

    async def question(self, scope: Scope, question_id: str) -> Question | None:
        """The tenant's open question of that id, whoever was asked; it stays open. Raises StoreError."""


class Habits(Protocol):
    """What each person of a home uses."""

    async def use(self, scope: Scope, device_ids: Sequence[str]) -> None:
        """Count one more use of each device by the scope's user, now. Raises StoreError."""

    async def usage(self, scope: Scope) -> Usage:
        """All counts of the scope's user. Raises StoreError."""


class Lexicon(Protocol):
    """The words a home learned, and what they were learned from."""

    async def entries(self, scope: Scope) -> tuple[LexiconEntry, ...]:
        """All words by number, whatever their status. Raises StoreError."""

    async def save_entries(self, scope: Scope, entries: Sequence[LexiconEntry]) -> None:
        """Put these in the place of all words; the home's version rises when the accepted ones changed.

        Raises StoreError, HomeNotFound.
        """

    async def log(self, scope: Scope, lessons: Sequence[Lesson]) -> None:
        """Keep what a turn taught; of each home the last 5,000. Raises StoreError."""

    async def lessons(self, scope: Scope) -> tuple[Lesson, ...]:
        """What was kept, oldest first. Raises StoreError."""


class Overrides(Protocol):
    """What the people of a home say its things are."""

    async def overrides(self, scope: Scope) -> tuple[Override, ...]:
        """What was said of the scope's home, by the id of the thing. Raises StoreError."""

    async def save_overrides(self, scope: Scope, said: Sequence[Override]) -> None:
        """Put these in the place of all that was said; the home's version rises when they differ.

        Raises StoreError, HomeNotFound.
        """


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A document as it is stored."""

    document: Document
    text: str
    passages: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of the index of documents, made when they were added, so that opening need not read texts."""

    id: str
    data: bytes
    """What ``recall.passages`` made of it; of another version it is made anew. Empty: known already."""
    dead: frozenset[str] = frozenset()
    """Ids of passages in it that no longer are. One may stand in a later segment, as it is now."""


@dataclass(frozen=True, slots=True)
class IndexPart:
    """How much of a segment is still needed."""

    id: str
    passages: int
    """That it was made of."""
    dead: int = 0


@dataclass(frozen=True, slots=True)
class DuplicateMarks:
    """What is known of passages that say the same as others."""

    folded: Mapping[str, str] = field(default_factory=dict)
    """Id of a passage, given or kept -> id of the one, given or kept, that stands for it from now on."""
    marks: Mapping[str, Sequence[int]] = field(default_factory=dict)
    """Id of a given passage -> numbers (64 bits, signed); what nearly says the same has one in common."""


NO_DUPLICATES = DuplicateMarks()


class Documents(Protocol):
    """Documents of a person (``private``) or of everybody of the tenant (``public``), cut into passages.

    Private rows are reached with the scope's tenant and user, public ones with its tenant.
    """

    async def stamp(self, scope: Scope, tier: KnowledgeTier) -> HistoryVersion:
        """What tells whether anything changed since it was read last; documents are counted.

        Raises StoreError.
        """

    def segments(
        self, scope: Scope, tier: KnowledgeTier, known: Collection[str] = ()
    ) -> AsyncIterator[Segment]:
        """All parts of the index, oldest first; those that are known come without their data.

        A known one that does not come is no longer needed. Raises StoreError.
        """

    async def within(
        self, scope: Scope, tier: KnowledgeTier, segment: str, most: int = 100_000
    ) -> Sequence[Passage]:
        """The passages that still are of that segment; of ``""``: those that no segment has yet.

        Raises StoreError.
        """

    async def passages(self, scope: Scope, tier: KnowledgeTier, ids: Sequence[str]) -> Mapping[str, Passage]:
        """Those of the passages that are still there, with their texts. Raises StoreError."""

    async def documents(
        self, scope: Scope, tier: KnowledgeTier, ids: Collection[str] | None = None
    ) -> Mapping[str, Document]:
        """These documents, or all, by id in the order they came, without their texts. Raises StoreError."""


class DocumentStore(Documents, Protocol):
    """Documents that Winnow keeps."""

    async def put(
        self,
        scope: Scope,
        tier: KnowledgeTier,
        entries: Sequence[StoredDocument],
        index: bytes = b"",
        likeness: DuplicateMarks = NO_DUPLICATES,
    ) -> int:
        """Keep these whole or not at all, in the place of those of the same ids; how many are new.

        ``index``: what ``recall.passages`` made of their passages, without the folded ones. Without it they
        are found once ``join`` puts them into a segment. Raises StoreError.
        """

    async def forget(self, scope: Scope, tier: KnowledgeTier, ids: Collection[str] | None = None) -> int:
        """Delete these documents and all made of them, or all of the tier; how many there were.

        What was folded into a passage of theirs stands for itself again, in no segment. Raises StoreError.
        """

    async def passages_of(self, scope: Scope, tier: KnowledgeTier, id_: str) -> Sequence[Passage]:
        """The passages of one document in order, without those that others stand for. Raises StoreError."""

    async def text(self, scope: Scope, tier: KnowledgeTier, id_: str) -> str:
        """The text of one document, as it was when it was added; empty: there is none. Raises StoreError."""

    async def alike(self, scope: Scope, tier: KnowledgeTier, marks: Collection[int]) -> Sequence[Passage]:
        """Passages that have any of these marks and are folded into no other. Raises StoreError."""

    async def parts(self, scope: Scope, tier: KnowledgeTier) -> Sequence[IndexPart]:
        """What the index is made of, oldest first. Raises StoreError."""

    async def join(
        self, scope: Scope, tier: KnowledgeTier, parts: Collection[str], ids: Collection[str], index: bytes
    ) -> bool:
        """Put one segment, made of these passages, in the place of the parts.

        False, and nothing is changed: the passages are no longer all that still are of those parts, and of
        none. Raises StoreError.
        """


class Facts(Protocol):
    """What is held to be true for one person. Nothing is overwritten: what is superseded stays, marked."""

    async def facts(self, scope: Scope) -> Sequence[Fact]:
        """All facts of the scope's user, in the order they came. Raises StoreError."""

    async def keep(self, scope: Scope, facts: Sequence[Fact]) -> None:
        """Add these; of a known id only status, ``replaced_by`` and ``reason`` change. Raises StoreError."""

    async def forget(self, scope: Scope, ids: Collection[str] | None = None) -> int:
        """Delete these facts of the user, or all; how many there were. Raises StoreError."""


# Messages of persons, as the rest of Winnow sees them.


class Messages(Protocol):
    """What the persons of a tenant said in earlier talks: a host's own table, or a store's.

    Nothing but the rows of the scope's user is ever reached. A scope without a user has no messages.
    """

    async def stamp(self, scope: Scope) -> HistoryVersion:
        """What tells whether anything changed since it was read last. Raises StoreError."""

    def stream(self, scope: Scope, size: int = 1000) -> AsyncIterator[Sequence[Message]]:
        """All messages of the user, oldest first, at most ``size`` at a time. Raises StoreError.

        Those whose time nobody knows come first, in the order they came in.
        """


@runtime_checkable
class MessageChanges(Protocol):
    """``Messages`` that can tell what happened since they were read; all others are read again."""

    async def changes(self, scope: Scope, since: HistoryVersion) -> HistoryChanges | None:
        """What was added, changed and deleted; None: it cannot be told. Raises StoreError."""


class Persons(Protocol):
    """Whose messages there are."""

    async def users(self, scope: Scope) -> Mapping[str, int]:
        """User -> number of messages, of the whole tenant. Raises StoreError."""


class MessageStore(Messages, MessageChanges, Persons, Protocol):
    """Messages that Winnow keeps for a host that has no table of its own."""

    async def add(self, scope: Scope, messages: Sequence[Message]) -> int:
        """Keep these for the scope's user, in the place of those of the same ids; how many are new."""

    async def forget(self, scope: Scope, ids: Collection[str] | None = None) -> int:
        """Delete these messages of the user, or all of them; how many there were.

        Sessions of the user in which one of them is a turn are forgotten with it. Raises StoreError.
        """


# All that is stored of one person, as the rest of Winnow sees it.


class PersonRows(Protocol):
    """Every row that belongs to the scope's user, of whatever kind and home."""

    async def counts(self, scope: Scope, texts: Collection[str] = ()) -> Mapping[str, int]:
        """Kind -> number of rows, of those kinds there are any of.

        ``texts``: keys of what the person said elsewhere, whose vectors count too. Raises StoreError.
        """

    async def elsewhere(self, scope: Scope) -> Sequence[Elsewhere]:
        """What is kept of the person and stays. Raises StoreError."""

    def rows(self, scope: Scope, size: int = 500) -> AsyncIterator[tuple[str, Sequence[Row]]]:
        """Kind and rows, at most ``size`` at a time; what is made of other rows is left out.

        Raises StoreError.
        """

    async def forget(self, scope: Scope, texts: Collection[str] = ()) -> Mapping[str, int]:
        """Delete all of it, and tell other processes; kind -> number of rows. Raises StoreError."""

    async def purge(self, scope: Scope, kinds: Collection[str]) -> Purge:
        """See to it that no byte of deleted rows of these kinds stays in the files. Raises StoreError."""

    async def removals(self, scope: Scope, after: int) -> Sequence[tuple[int, str]]:
        """Number and hash (``person_key``) of those of the tenant who were forgotten after that number."""


# Vectors that are kept, as the rest of Winnow sees them.


class Vectors(Protocol):
    """Vectors kept from one run to the next, by what they were made of: keys are ``key_of`` texts."""

    async def get(self, scope: Scope, space: Space, keys: Sequence[str]) -> Mapping[str, Floats | None]:
        """Those of the keys that are there; None for one that is damaged. Raises StoreError."""

    async def stored_keys(self, scope: Scope, space: Space, keys: Sequence[str]) -> Collection[str]:
        """Which of the keys are there, without reading their vectors. Raises StoreError."""

    async def put(self, scope: Scope, space: Space, vectors: Mapping[str, Floats]) -> None:
        """Keep these, in the place of those of the same keys. Raises StoreError."""

    async def forget(self, scope: Scope, keys: Collection[str] | None = None) -> int:
        """Delete these vectors of the tenant in every space, or all and their spaces; how many there were."""

    async def spaces(self, scope: Scope) -> Mapping[Space, Tally]:
        """Each space the tenant has vectors of, and what was counted of it. Raises StoreError."""

    async def tell(self, scope: Scope, space: Space, tally: Tally) -> bool:
        """Add to what is counted of a space; False: the tenant has no vectors of it. Raises StoreError."""

    async def size(self, scope: Scope, space: Space) -> int:
        """How many vectors of the space the tenant has. Raises StoreError."""

    def keys(self, scope: Scope, space: Space, size: int = 10_000) -> AsyncIterator[Sequence[str]]:
        """Every key of a space, at most ``size`` at a time. Raises StoreError."""


class Claims(Protocol):
    """What is being embedded at this moment, by whatever process, or was when one was killed.

    Vectors that are put end the claims to their keys. The dimension of a space is not looked at: before the
    first answer of a model nobody knows it.
    """

    async def take(self, scope: Scope, space: Space, keys: Sequence[str], until: float) -> Claim:
        """Claim those of the keys that nobody else has claimed, in their order. Raises StoreError."""

    async def active_claims(self, scope: Scope, space: Space) -> Sequence[Claim]:
        """All claims of the tenant. Raises StoreError."""

    async def renew(self, scope: Scope, claim: Claim, until: float) -> bool:
        """Prolong a claim; whether it was still as it is given, so that only one takes it over."""

    async def drop(self, scope: Scope, claim: Claim) -> None:
        """Leave the texts that it names to whoever wants them. Raises StoreError."""


# The outside, as the rest of Winnow sees it: protocols of a few methods each.


class Clock(Protocol):
    """What time it is."""

    def now(self) -> float:
        """Seconds since the epoch."""


CLOCK_DIFFERENCE = 5.0
"""Seconds by which the clocks of two machines over one store may differ."""


def seconds_since(moment: float, now: float) -> float:
    """Seconds since that moment; infinitely many where it is still to come: the clock was set back.

    Nobody knows how much time passed then, so whatever waits for something is over.
    """
    return now - moment if moment <= now + CLOCK_DIFFERENCE else inf


class SystemClock:
    """The machine's clock."""

    def now(self) -> float:
        """Seconds since the epoch."""
        return time.time()


@dataclass(frozen=True, slots=True)
class Storage:
    """Homes and everything remembered about them, each behind its port; ``wiring`` fills it."""

    clock: Clock
    """What the times of its rows are taken from."""
    homes: Catalog
    states: States
    """What the devices reported when their home was imported."""
    sessions: Sessions
    """Turns and open questions."""
    habits: Habits
    """Use by person."""
    lexicon: Lexicon
    """Learned words."""
    overrides: Overrides
    """What people said of their things."""
    messages: MessageStore
    """What persons said in earlier talks."""
    vectors: Vectors
    claims: Claims
    """What texts were turned into."""
    facts: Facts
    """What is held to be true for persons."""
    documents: DocumentStore
    """What persons wrote or keep, and what everybody may read."""
    feedback: FeedbackStore
    """What people say of what they were given."""
    counts: TurnCounts
    """What is counted of turns, where that is switched on."""
    audit: Audit
    """What was done."""
    plans: Plans
    """What may be done, and waits for being done or for a yes."""
    persons: PersonRows
    """All rows of one person, to be exported or deleted."""
    access: AccessKeys
    """Who may come in."""
