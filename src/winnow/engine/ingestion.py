"""What an application adds of its own, looks at and deletes again: documents, messages, facts."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from winnow.engine.persons import HostTexts, PersonData
from winnow.engine.policy import Policy
from winnow.errors import ArgumentError, MessageError, Phrase, WinnowError
from winnow.language.clocks import LOCAL, Clocks
from winnow.ports.services import Embedder
from winnow.ports.stores import Storage
from winnow.retrieve.history.export_formats import ExportForms, MessageIds
from winnow.retrieve.history.ingest import all_messages, forget_messages
from winnow.types.candidate import wall_clock
from winnow.types.context import ChatMessage
from winnow.types.document import AddReport, Document, KnowledgeTier
from winnow.types.fact import Fact
from winnow.types.home import Note
from winnow.types.message import Message
from winnow.types.scope import Memory, Scope
from winnow.types.utterance import Turn
from winnow.types.vector import text_key

if TYPE_CHECKING:
    from winnow.retrieve.documents.ingest import DocumentLibrary, IngestRequest
    from winnow.retrieve.facts.source import FactExtractor

COLLECTION = "documents"
"""What texts belong to that are added without a name for them."""
RECORDS_NAME = "documents.jsonl"
DocumentsToAdd = Path | str | Iterable[str | Mapping[str, Any]]
"""A path of a file or folder; or texts; or records: ``text``, and as known ``id``, ``title``, ``source``,
``at``, ``domain``, ``importance``, ``credibility``, ``kind``."""


class Ingestion:
    """The part of an engine through which an application adds what its sources search.

    Whose it is is always said: ``user``, and ``tenant`` where it is not the engine's own. Documents may be
    everybody's of the tenant instead: ``public=True``.
    """

    storage: Storage
    policy: Policy
    host: HostTexts | None = None
    """Where a host keeps messages of its own."""
    embedder: Embedder
    _memories: Callable[[], Iterable[Memory]]
    """What remembers anything of persons between two turns."""
    open_extractor: Callable[[], FactExtractor] | None = None
    """What reads statements as facts, made when it is needed; None: with the engine's own embedder."""

    @cached_property
    def persons(self) -> PersonData:
        """What is known of persons: exported, forgotten."""
        return PersonData(self.storage, self._memories, self.host)

    async def add_documents(
        self,
        documents: DocumentsToAdd,
        *,
        user: str = "",
        tenant: str = "",
        public: bool = False,
        collection: str = "",
    ) -> AddReport:
        """Keep documents, cut into passages that are found from the next question on.

        What is there as it was is left alone; a record of a known ``id`` takes the place of the old one; a
        text without an id is known by what it says. Raises DocumentsUnread where nothing could be read,
        StoreError, OSError.
        """
        from winnow.retrieve.documents.ingest import add_documents

        library = self._library(user, tenant, public=public)
        return await add_documents(library, _ingest_request(documents, collection))

    async def documents(
        self, *, user: str = "", tenant: str = "", public: bool = False
    ) -> Mapping[str, Document]:
        """Documents by id, in the order they came, without their texts. Raises StoreError."""
        library = self._library(user, tenant, public=public)
        return await library.store.documents(library.scope, library.tier)

    async def forget_documents(
        self,
        ids: Collection[str] | None = None,
        *,
        user: str = "",
        tenant: str = "",
        public: bool = False,
        collection: str = "",
    ) -> int:
        """Delete these documents, or those of a collection, or all; how many there were.

        So does what this process remembers of those who may have been given them. Raises StoreError.
        """
        from winnow.retrieve.documents.ingest import forget_documents

        library = self._library(user, tenant, public=public)
        if collection:
            known = await library.store.documents(library.scope, library.tier, ids)
            ids = [id_ for id_, one in known.items() if one.collection == collection]
        return await self._forget(forget_documents(library, ids), library.scope, of_all=public)

    async def add_messages(
        self,
        messages: Iterable[ChatMessage | Message | Turn],
        *,
        user: str,
        tenant: str = "",
        conversation: str = "",
    ) -> int:
        """Keep messages of the person's talks, to be found in later ones; how many are new.

        A message has ``role`` and ``content``; as known ``id``, ``created_at``, ``conversation``. Without a
        time it was said now; one of a known ``id`` takes the place of the old one. What a system or a tool
        said is no part of a talk. Raises MessageError, StoreError, and WinnowError where messages are
        read from a table of the host's.
        """
        if self.host is not None:
            raise WinnowError(
                Phrase(
                    "The messages that are searched lie in {where}, which is only read.",
                    where=self.host.where,
                ),
                hint="Write them there: they are found from the next question on.",
            )
        scope, now = self._person(user, tenant), wall_clock(self.storage.clock.now())
        ids, clocks, kept = MessageIds(), Clocks(LOCAL), list[Message]()
        for number, one in enumerate(messages):
            for read in _read_message(one, clocks, number):
                dated = replace(read, at=read.at or now, conversation=read.conversation or conversation)
                kept.append(replace(dated, id=ids.id_of(dated)))
        return await self.storage.messages.add(scope, kept)

    async def messages(self, *, user: str, tenant: str = "", conversation: str = "") -> tuple[Message, ...]:
        """The person's messages, oldest first, of all talks or one. Raises StoreError."""
        held = self.host.messages if self.host is not None else self.storage.messages
        said: AsyncIterator[Message] = all_messages(held, self._person(user, tenant))
        return tuple([one async for one in said if conversation in ("", one.conversation)])

    async def forget_messages(
        self,
        ids: Collection[str] | None = None,
        *,
        user: str,
        tenant: str = "",
        conversation: str = "",
    ) -> int:
        """Delete these messages, or those of a talk, or all, with what was made of them; how many there were.

        Those of a table of the host's are not touched. Raises StoreError.
        """
        scope = self._person(user, tenant)
        if conversation:
            said = all_messages(self.storage.messages, scope)
            of_talk = {one.id async for one in said if one.conversation == conversation}
            ids = of_talk if ids is None else of_talk.intersection(ids)
        return await self._forget(forget_messages(scope, self.storage, ids), scope)

    async def add_facts(
        self, statements: str | Sequence[str], *, user: str, tenant: str = ""
    ) -> tuple[Fact, ...]:
        """Keep statements as the person's own; what changed: the new facts, and those they took the place of.

        Empty: all of it is known. Raises StoreError.
        """
        from winnow.retrieve.facts.source import FactExtractor

        scope, opened = self._person(user, tenant), self.open_extractor
        extractor = (
            opened() if opened else FactExtractor(self.storage.facts, self.embedder, self.storage.clock)
        )
        changed: dict[str, Fact] = {}
        for text in [statements] if isinstance(statements, str) else statements:
            changed |= {fact.id: fact for fact in await extractor.add(scope, text, extractor.now())}
        return tuple(changed.values())

    async def facts(self, *, user: str, tenant: str = "") -> tuple[Fact, ...]:
        """What is held to be true of the person, superseded ones included. Raises StoreError."""
        return tuple(await self.storage.facts.facts(self._person(user, tenant)))

    async def forget_facts(self, ids: Collection[str] | None = None, *, user: str, tenant: str = "") -> int:
        """Delete these facts of the person, or all; how many there were. Raises StoreError."""
        scope = self._person(user, tenant)
        return await self._forget(self.storage.facts.forget(scope, ids), scope)

    async def _forget(self, deletion: Awaitable[int], scope: Scope, *, of_all: bool = False) -> int:
        """Delete, and forget what this process remembers of the person, or of everybody of the tenant."""
        gone = await deletion
        self.persons.let_go(lambda one: one.tenant == scope.tenant and (of_all or one.user == scope.user))
        return gone

    def _person(self, user: str, tenant: str) -> Scope:
        if not user:
            raise ArgumentError("user", "must name a person", user)
        return Scope(tenant or self.policy.tenant, user)

    def _library(self, user: str, tenant: str, *, public: bool) -> DocumentLibrary:
        """Whose documents are meant: a person's or everybody's, said and not guessed."""
        from winnow.retrieve.documents.index import segment_of
        from winnow.retrieve.documents.ingest import DocumentLibrary

        if bool(user) == public:
            raise WinnowError(
                "It is not said whose documents are meant.",
                hint="Name a person (user=...), or say public=True: everybody's of the tenant.",
            )
        tier: KnowledgeTier = "public" if public else "private"
        scope = Scope(tenant or self.policy.tenant, user)
        return DocumentLibrary(scope, tier, self.storage.documents, segment_of)


def _ingest_request(documents: DocumentsToAdd, collection: str) -> IngestRequest:
    """What is to be added, as a path or as lines of JSON."""
    from winnow.retrieve.documents.document_reader import DocumentDefaults
    from winnow.retrieve.documents.files import document_path
    from winnow.retrieve.documents.ingest import STDIN, IngestRequest

    if isinstance(documents, str | Path):
        path = document_path(str(documents))
        Path(path).stat()
        return IngestRequest(path, DocumentDefaults(collection))
    lines = [json.dumps(_record(one, collection or COLLECTION), default=str) for one in documents]
    given = BytesIO("\n".join(lines).encode())
    return IngestRequest(STDIN, DocumentDefaults(collection or COLLECTION), RECORDS_NAME, given=given)


def _record(document: str | Mapping[str, Any], collection: str) -> Mapping[str, Any]:
    """A document as a line of JSON; one that names its collection keeps its own id."""
    if isinstance(document, str):
        return {
            "id": text_key(document)[:16],
            "text": document,
            "source": collection,
            "collection": collection,
        }
    belongs = document.get("collection") or collection
    return {"source": document.get("title") or belongs, **document, "collection": belongs}


MESSAGE_FAULTS = {
    "not_message": "it is neither a message nor a turn",
    "no_role": "says nothing of who said it",
}
"""What is told rather than left out: the caller would take the message for kept."""


def _read_message(said: ChatMessage | Message | Turn, clocks: Clocks, number: int) -> Iterable[Message]:
    """The message, if anybody said anything in it; its id is still its own. Raises MessageError."""
    if isinstance(said, Message):
        return [said]
    if isinstance(said, Turn):
        return [Message("", said.role, said.content)]
    found = list(ExportForms(clocks).messages_in(said, str(number)))
    for one in found:
        if isinstance(one, Note) and one.code in MESSAGE_FAULTS:
            raise MessageError(number, MESSAGE_FAULTS[one.code])
    return [one for one in found if isinstance(one, Message)]
