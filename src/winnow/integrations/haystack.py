"""Winnow in Haystack: components that find, shorten, remember, and put the messages of a turn together.

A pipeline with them runs as it is; it cannot be written as YAML, since an engine cannot.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from winnow.engine.engine import Engine
from winnow.errors import install_hint
from winnow.integrations.found import found_items, smaller
from winnow.types.candidate import Shortlist
from winnow.types.retrieval import Retrieval

try:
    from haystack import Document, component
    from haystack.dataclasses import ChatMessage
except ImportError as error:  # pragma: no cover - told once, with what to do
    raise ImportError(f"haystack-ai is missing. {install_hint('haystack')}") from error


@component
class WinnowDocumentRetriever:
    """Documents, messages and facts of a person that answer a question; public ones where those do not do.

    A document's ``id`` is that of the passage, message or fact; its ``meta`` hold ``kind``, ``found_in`` and
    what else is known of it.
    """

    def __init__(self, engine: Engine, user: str = "", tenant: str = "", top_k: int = 10) -> None:
        self.engine, self.user, self.tenant, self.top_k = engine, user, tenant, top_k

    @component.output_types(documents=list[Document])
    def run(self, query: str, user: str = "") -> dict[str, list[Document]]:
        """``user``: whose, in the place of the one the component was made for."""
        whose = {"user": user or self.user, "tenant": self.tenant}
        return self._documents(self.engine.sync.search(query, limit=self.top_k, **whose))

    @component.output_types(documents=list[Document])
    async def run_async(self, query: str, user: str = "") -> dict[str, list[Document]]:
        """The same in an event loop."""
        whose = {"user": user or self.user, "tenant": self.tenant}
        return self._documents(await self.engine.search(query, limit=self.top_k, **whose))

    def _documents(self, found: Sequence[Shortlist]) -> dict[str, list[Document]]:
        items: list[Any] = found_items(found, self.top_k)
        told = [Document(id=i.id, content=i.text, meta=i.data, score=i.data["score"]) for i in items]
        return {"documents": told}


@component
class WinnowDocumentCompressor:
    """Keeps of documents what answers the question, in at most ``tokens``; ids, scores and meta stay."""

    def __init__(self, tokens: int = 1000) -> None:
        self.tokens = tokens

    @component.output_types(documents=list[Document])
    def run(self, query: str, documents: list[Document]) -> dict[str, list[Document]]:
        """The documents that are left, in their order, with ``tokens`` and ``method`` in their meta."""
        kept = smaller(((one.content or "", one) for one in documents), query, self.tokens)
        found: list[tuple[Any, Any]] = [(one.item.data, one) for one in kept]
        told = [({**d.meta, "tokens": one.tokens, "method": one.method}, d, one) for d, one in found]
        return {"documents": [replace(d, content=one.text, meta=meta) for meta, d, one in told]}


@component
class WinnowMessageWriter:
    """Keeps messages of a person's talk, to be found in later ones."""

    def __init__(self, engine: Engine, user: str = "", tenant: str = "") -> None:
        self.engine, self.user, self.tenant = engine, user, tenant

    @component.output_types(messages_written=int)
    def run(self, messages: list[ChatMessage], user: str = "", conversation: str = "") -> dict[str, int]:
        """How many are new."""
        whose = {"user": user or self.user, "tenant": self.tenant, "conversation": conversation}
        return {"messages_written": self.engine.sync.add_messages(_as_messages(messages), **whose)}

    @component.output_types(messages_written=int)
    async def run_async(
        self, messages: list[ChatMessage], user: str = "", conversation: str = ""
    ) -> dict[str, int]:
        """The same in an event loop."""
        whose = {"user": user or self.user, "tenant": self.tenant, "conversation": conversation}
        return {"messages_written": await self.engine.add_messages(_as_messages(messages), **whose)}


def _as_messages(messages: Sequence[ChatMessage]) -> list[dict[str, str]]:
    return [{"role": str(one.role.value), "content": one.text or ""} for one in messages]


@component
class WinnowPromptBuilder:
    """The messages of a turn within their budget, for any chat generator: what a question needs, no more."""

    def __init__(self, engine: Engine, system: str = "", tenant: str = "") -> None:
        self.engine, self.system, self.tenant = engine, system, tenant

    @component.output_types(prompt=list[ChatMessage], retrieval=Retrieval)
    def run(self, query: str, user: str = "", session: str = "") -> dict[str, Any]:
        """``prompt``: the messages. ``retrieval``: the turn, for ``replied`` and the like."""
        who: Any = {"user": user, "session": session, "tenant": self.tenant, "system": self.system}
        return _prompt(self.engine.sync.retrieve(query, **who))

    @component.output_types(prompt=list[ChatMessage], retrieval=Retrieval)
    async def run_async(self, query: str, user: str = "", session: str = "") -> dict[str, Any]:
        """The same in an event loop."""
        who: Any = {"user": user, "session": session, "tenant": self.tenant, "system": self.system}
        return _prompt(await self.engine.retrieve(query, **who))


def _prompt(retrieval: Retrieval) -> dict[str, Any]:
    messages: list[Any] = [dict(message) for message in retrieval.context.messages]
    return {"prompt": list(map(ChatMessage.from_openai_dict_format, messages)), "retrieval": retrieval}
