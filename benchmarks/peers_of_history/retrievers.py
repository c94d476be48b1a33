"""The peers as their documentation sets them up: BM25 and vectors of one embedder, fused, ten results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from winnow.ports.services import Embedder
from winnow.types.message import Message

Retrieve = Callable[[str], list[str]]
"""A question -> ids, best first."""
DEPTH = 10


def langchain(messages: Sequence[Message], embedder: Embedder) -> Retrieve:
    """``EnsembleRetriever`` over ``BM25Retriever`` and FAISS."""
    from langchain_classic.retrievers import EnsembleRetriever
    from langchain_community.retrievers import BM25Retriever
    from langchain_community.vectorstores import FAISS
    from langchain_core.documents import Document
    from langchain_core.embeddings import Embeddings

    class Table(Embeddings):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return embedder.embed(texts).tolist()

        def embed_query(self, text: str) -> list[float]:
            return embedder.embed([text])[0].tolist()

    documents = [Document(page_content=m.content, metadata={"id": m.id}) for m in messages]
    words = BM25Retriever.from_documents(documents, k=DEPTH)
    vectors = FAISS.from_documents(documents, Table()).as_retriever(search_kwargs={"k": DEPTH})
    fused = EnsembleRetriever(retrievers=[words, vectors], weights=[0.5, 0.5], id_key="id")
    return lambda question: [d.metadata["id"] for d in fused.invoke(question)[:DEPTH]]


def llama_index(messages: Sequence[Message], embedder: Embedder) -> Retrieve:
    """``QueryFusionRetriever`` over ``BM25Retriever`` and ``VectorStoreIndex``; no questions are made up."""
    from llama_index.core import VectorStoreIndex
    from llama_index.core.llms import MockLLM
    from llama_index.core.retrievers import QueryFusionRetriever
    from llama_index.core.schema import TextNode
    from llama_index.retrievers.bm25 import BM25Retriever

    rows = embedder.embed([m.content for m in messages])
    nodes = [
        TextNode(id_=m.id, text=m.content, embedding=r.tolist()) for m, r in zip(messages, rows, strict=True)
    ]
    vectors = VectorStoreIndex(nodes, embed_model=_table(embedder)).as_retriever(similarity_top_k=DEPTH)
    words = BM25Retriever.from_defaults(nodes=nodes, similarity_top_k=DEPTH)
    fused: Any = QueryFusionRetriever(
        [words, vectors],
        llm=MockLLM(),
        similarity_top_k=DEPTH,
        num_queries=1,
        mode="reciprocal_rerank",
        use_async=False,
    )
    return lambda question: [found.node.node_id for found in fused.retrieve(question)]


def _table(embedder: Embedder) -> Any:
    """The embedder in the shape LlamaIndex expects."""
    from llama_index.core.embeddings import BaseEmbedding

    class Table(BaseEmbedding):
        def _get_query_embedding(self, query: str) -> list[float]:
            return embedder.embed([query])[0].tolist()

        async def _aget_query_embedding(self, query: str) -> list[float]:
            return self._get_query_embedding(query)

        def _get_text_embedding(self, text: str) -> list[float]:
            return self._get_query_embedding(text)

    return Table()
