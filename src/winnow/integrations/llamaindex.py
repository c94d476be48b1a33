"""Winnow in LlamaIndex: a retriever, a postprocessor of nodes, and a block of memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from winnow.engine.engine import Engine
from winnow.errors import install_hint
from winnow.integrations.found import found_items, smaller
from winnow.types.candidate import Shortlist

try:
    from llama_index.core.base.base_retriever import BaseRetriever
    from llama_index.core.llms import ChatMessage
    from llama_index.core.memory import BaseMemoryBlock
    from llama_index.core.postprocessor.types import BaseNodePostprocessor
    from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
except ImportError as error:  # pragma: no cover - told once, with what to do
    raise ImportError(f"llama-index-core is missing. {install_hint('llamaindex')}") from error


class WinnowNodeRetriever(BaseRetriever):
    """Documents, messages and facts of ``user`` that answer a question; public ones where those do not do.

    A node's id is that of the passage, message or fact; its ``metadata`` hold ``kind``, ``found_in`` and what
    else is known of it.
    """

    def __init__(
        self, engine: Engine, user: str = "", tenant: str = "", similarity_top_k: int = 10, **more: Any
    ) -> None:
        self.engine, self.similarity_top_k = engine, similarity_top_k
        self._whose = {"user": user, "tenant": tenant}
        super().__init__(**more)

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        query, most = query_bundle.query_str, self.similarity_top_k
        return _nodes(self.engine.sync.search(query, limit=most, **self._whose), most)

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        query, most = query_bundle.query_str, self.similarity_top_k
        return _nodes(await self.engine.search(query, limit=most, **self._whose), most)


def _nodes(found: Sequence[Shortlist], limit: int) -> list[NodeWithScore]:
    items: list[Any] = found_items(found, limit)
    nodes = [TextNode(id_=item.id, text=item.text, metadata=item.data) for item in items]
    return [NodeWithScore(node=node, score=node.metadata["score"]) for node in nodes]


class WinnowNodePostprocessor(BaseNodePostprocessor):
    """Keeps of nodes what answers the question, in at most ``tokens``; ids, scores and metadata stay."""

    tokens: int = 1000

    @classmethod
    def class_name(cls) -> str:
        """The name under which a component is known."""
        return "WinnowNodePostprocessor"

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        query = query_bundle.query_str if query_bundle else ""
        kept = smaller(((one.node.get_content(), one) for one in nodes), query, self.tokens)
        found: list[tuple[Any, Any]] = [(one.item.data, one) for one in kept]
        return [
            NodeWithScore(
                node=TextNode(
                    id_=scored.node.node_id,
                    text=one.text,
                    metadata={**scored.node.metadata, "tokens": one.tokens, "method": one.method},
                ),
                score=scored.score,
            )
            for scored, one in found
        ]


class WinnowMemoryBlock(BaseMemoryBlock[str]):
    """What a person said in earlier talks, their facts and documents, as far as the last message asks for it.

    Messages that leave the short-term memory are kept for ``user``.
    """

    name: str = "winnow"
    engine: Engine
    user: str
    tenant: str = ""
    tokens: int = 500
    """Tokens of what is given, at most."""

    async def _aget(self, messages: list[ChatMessage] | None = None, **block_kwargs: Any) -> str:
        said = [one.content or "" for one in messages or () if one.role == "user"]
        if not said:
            return ""
        found = await self.engine.search(said[-1], user=self.user, tenant=self.tenant)
        texts = [(item.text, None) for item in found_items(found, 20)]
        return "\n".join(one.text for one in smaller(texts, said[-1], self.tokens) if one.text)

    async def _aput(self, messages: list[ChatMessage]) -> None:
        for one in messages:
            talk = str(one.additional_kwargs.get("session_id") or "")
            said = [{"role": str(getattr(one.role, "value", one.role)), "content": one.content or ""}]
            await self.engine.add_messages(said, user=self.user, tenant=self.tenant, conversation=talk)

    async def atruncate(self, content: str, tokens_to_truncate: int) -> str | None:
        """The content with so many tokens less, as far as it says something."""
        left = self.engine.contexts.counter.count(content) - tokens_to_truncate
        kept = smaller([(line, None) for line in content.splitlines()], "", left) if left > 0 else ()
        return "\n".join(one.text for one in kept) or None
