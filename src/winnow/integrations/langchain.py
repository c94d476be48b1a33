"""Winnow in LangChain: a retriever, a compressor of documents, and the history of a chat."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from winnow.engine.engine import Engine
from winnow.errors import install_hint
from winnow.integrations.found import found_items, smaller
from winnow.types.candidate import Shortlist
from winnow.types.message import Message

try:
    from langchain_core.chat_history import BaseChatMessageHistory
    from langchain_core.documents import Document
    from langchain_core.documents.compressor import BaseDocumentCompressor
    from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
    from langchain_core.retrievers import BaseRetriever
except ImportError as error:  # pragma: no cover - told once, with what to do
    raise ImportError(f"langchain-core is missing. {install_hint('langchain')}") from error

ROLES = {"human": "user", "ai": "assistant"}
"""Type of LangChain's message -> role. Other messages are no part of a talk."""


class WinnowRetriever(BaseRetriever):
    """Documents, messages and facts of ``user`` that answer a question; public ones where those do not do.

    A document's ``id`` is that of the passage, message or fact; its ``metadata`` hold ``kind``, ``found_in``,
    ``score`` and what else is known of it.
    """

    engine: Engine
    user: str = ""
    tenant: str = ""
    k: int = 10
    """Documents, at most."""

    def _get_relevant_documents(self, query: str, *, run_manager: Any = None) -> list[Document]:
        found = self.engine.sync.search(query, user=self.user, tenant=self.tenant, limit=self.k)
        return _documents(found, self.k)

    async def _aget_relevant_documents(self, query: str, *, run_manager: Any = None) -> list[Document]:
        found = await self.engine.search(query, user=self.user, tenant=self.tenant, limit=self.k)
        return _documents(found, self.k)


def _documents(found: Sequence[Shortlist], limit: int) -> list[Document]:
    items = found_items(found, limit)
    return [Document(id=item.id, page_content=item.text, metadata=item.data) for item in items]


class WinnowCompressor(BaseDocumentCompressor):
    """Keeps of documents what answers the question, in at most ``tokens``; ids and metadata stay."""

    tokens: int = 1000

    def compress_documents(
        self, documents: Sequence[Document], query: str, callbacks: Any = None
    ) -> Sequence[Document]:
        """The documents that are left, in their order, with ``tokens`` and ``method`` in their metadata."""
        kept = smaller(((one.page_content, one) for one in documents), query, self.tokens)
        found: list[tuple[Any, Any]] = [(one.item.data, one) for one in kept]
        return [
            Document(
                id=document.id,
                page_content=one.text,
                metadata={**document.metadata, "tokens": one.tokens, "method": one.method},
            )
            for document, one in found
        ]


class WinnowChatMessageHistory(BaseChatMessageHistory):
    """One talk of a person in Winnow's store, where later turns of any talk find it.

    ``conversation``: the talk; ``clear`` deletes it, and nothing else of the person.
    """

    def __init__(self, engine: Engine, conversation: str, user: str, tenant: str = "") -> None:
        self.engine, self.conversation = engine, conversation
        self._whose = {"user": user, "tenant": tenant, "conversation": conversation}

    @property
    def messages(self) -> list[BaseMessage]:
        """What was said, oldest first."""
        return list(map(_said, self.engine.sync.messages(**self._whose)))

    async def aget_messages(self) -> list[BaseMessage]:
        """What was said, oldest first."""
        return list(map(_said, await self.engine.messages(**self._whose)))

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        """Keep what the person and the assistant said."""
        self.engine.sync.add_messages(_as_messages(messages), **self._whose)

    async def aadd_messages(self, messages: Sequence[BaseMessage]) -> None:
        """Keep what the person and the assistant said."""
        await self.engine.add_messages(_as_messages(messages), **self._whose)

    def clear(self) -> None:
        """Delete the talk."""
        self.engine.sync.forget_messages(**self._whose)

    async def aclear(self) -> None:
        """Delete the talk."""
        await self.engine.forget_messages(**self._whose)


def _said(message: Message) -> BaseMessage:
    kind = AIMessage if message.role == "assistant" else HumanMessage
    return kind(content=message.content, id=message.id)


def _as_messages(messages: Sequence[BaseMessage]) -> Iterable[dict[str, Any]]:
    talk = [one for one in messages if one.type in ROLES]
    return [{"role": ROLES[one.type], "content": one.content, "id": one.id or ""} for one in talk]
