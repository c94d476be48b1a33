"""The peers, each at the best setting its documentation knows, over Winnow's own embedder and terms.

What splits texts by itself is given the terms with spaces between them, so that all search the same words;
stems and Chinese pairs are Winnow's. Ten results of words and ten of vectors are fused, which found more than
twenty or a hundred of each, or as many.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from winnow.adapters.models.embedders import StaticEmbedder
from winnow.retrieve.bm25 import LexicalIndex, VectorIndex, lexical_terms
from winnow.retrieve.history.index import build_history
from winnow.retrieve.history.rank import question_texts, search_history
from winnow.types.candidate import Search
from winnow.types.message import Message

EMBEDDER = StaticEmbedder()
DEPTH = 10
"""Results that are asked for; the peers fuse as many of words with as many of vectors."""


class Peer(Protocol):
    """A retriever of messages."""

    def build(self, messages: Sequence[Message]) -> None:
        """Index the messages, oldest first."""

    def search(self, query: str, k: int) -> list[str]:
        """Up to ``k`` ids, best first."""


class Winnow:
    """The whole ranking of a history: neighbours, talks, second hop, dates, speakers, words alike."""

    def build(self, messages: Sequence[Message]) -> None:
        self.index = build_history(messages, EMBEDDER)
        self.vectors = VectorIndex(_vectors(messages), EMBEDDER.name, EMBEDDER.version)

    def search(self, query: str, k: int) -> list[str]:
        search = Search(query)
        asked = EMBEDDER.embed(question_texts(search, self.index))
        cosines = np.stack([self.vectors.scores(row) for row in asked])
        return [found.ref.id for found in search_history(search, self.index, cosines, k).candidates]


class WordsAndVectors:
    """Winnow's parts doing what the peers do and no more: both scores as shares of the best, added."""

    def build(self, messages: Sequence[Message]) -> None:
        self.ids = [m.id for m in messages]
        self.words = LexicalIndex.build([m.content for m in messages])
        self.vectors = VectorIndex(_vectors(messages), EMBEDDER.name, EMBEDDER.version)

    def search(self, query: str, k: int) -> list[str]:
        lexical = self.words.scores(query)
        fused = lexical / max(float(lexical.max()), 1e-6) + self.vectors.scores(EMBEDDER.embed([query])[0])
        top = np.argpartition(-fused, min(k, len(fused) - 1))[:k]
        return [self.ids[row] for row in top[np.argsort(-fused[top], kind="stable")]]


class RankBm25:
    """``rank_bm25.BM25Okapi``: words alone."""

    def build(self, messages: Sequence[Message]) -> None:
        from rank_bm25 import BM25Okapi

        self.ids = [m.id for m in messages]
        self.words = BM25Okapi([lexical_terms(m.content) for m in messages])

    def search(self, query: str, k: int) -> list[str]:
        scores = self.words.get_scores(lexical_terms(query))
        return [self.ids[row] for row in np.argsort(-scores, kind="stable")[:k]]


class LangChain:
    """``EnsembleRetriever`` over ``BM25Retriever`` and FAISS."""

    def build(self, messages: Sequence[Message]) -> None:
        from langchain_classic.retrievers import EnsembleRetriever
        from langchain_community.retrievers import BM25Retriever
        from langchain_community.vectorstores import FAISS
        from langchain_core.documents import Document
        from langchain_core.embeddings import Embeddings

        class Table(Embeddings):
            def embed_documents(self, texts: list[str]) -> list[list[float]]:
                return EMBEDDER.embed(texts).tolist()

            def embed_query(self, text: str) -> list[float]:
                return EMBEDDER.embed([text])[0].tolist()

        documents = [Document(page_content=m.content, metadata={"id": m.id}) for m in messages]
        words = BM25Retriever.from_documents(documents, k=DEPTH, preprocess_func=lexical_terms)
        vectors = FAISS.from_documents(documents, Table()).as_retriever(search_kwargs={"k": DEPTH})
        self.fused = EnsembleRetriever(retrievers=[words, vectors], weights=[0.5, 0.5], id_key="id")

    def search(self, query: str, k: int) -> list[str]:
        return [found.metadata["id"] for found in self.fused.invoke(query)[:k]]


class LlamaIndex:
    """``QueryFusionRetriever`` over ``BM25Retriever`` and FAISS in a ``VectorStoreIndex``."""

    def build(self, messages: Sequence[Message]) -> None:
        import faiss
        from llama_index.core import StorageContext, VectorStoreIndex
        from llama_index.core.embeddings import BaseEmbedding
        from llama_index.core.llms import MockLLM
        from llama_index.core.retrievers import QueryFusionRetriever
        from llama_index.core.schema import TextNode
        from llama_index.retrievers.bm25 import BM25Retriever
        from llama_index.vector_stores.faiss import FaissVectorStore

        class Table(BaseEmbedding):
            def _get_query_embedding(self, query: str) -> list[float]:
                return EMBEDDER.embed([query])[0].tolist()

            async def _aget_query_embedding(self, query: str) -> list[float]:
                return self._get_query_embedding(query)

            def _get_text_embedding(self, text: str) -> list[float]:
                return self._get_query_embedding(text)

        # Nodes of one text are one to the fusion: what tells them apart is not searched.
        nodes = [
            TextNode(
                id_=m.id,
                text=_terms(m.content),
                embedding=row.tolist(),
                metadata={"id": m.id},
                excluded_embed_metadata_keys=["id"],
            )
            for m, row in zip(messages, _vectors(messages), strict=True)
        ]
        store = FaissVectorStore(faiss_index=faiss.IndexFlatIP(EMBEDDER.dimension))
        context = StorageContext.from_defaults(vector_store=store)
        vectors = VectorStoreIndex(nodes, storage_context=context, embed_model=Table())
        self.fused: Any = QueryFusionRetriever(
            [
                BM25Retriever.from_defaults(
                    nodes=nodes, similarity_top_k=DEPTH, skip_stemming=True, language=[], token_pattern=r"\S+"
                ),
                vectors.as_retriever(similarity_top_k=DEPTH),
            ],
            llm=MockLLM(),
            similarity_top_k=DEPTH,
            num_queries=1,
            mode="reciprocal_rerank",
            use_async=False,
        )

    def search(self, query: str, k: int) -> list[str]:
        from llama_index.core.schema import QueryBundle

        asked = QueryBundle(_terms(query), embedding=EMBEDDER.embed([query])[0].tolist())
        return [found.node.node_id for found in self.fused.retrieve(asked)[:k]]


class Haystack:
    """``DocumentJoiner`` by reciprocal ranks over the in-memory BM25 and embedding retrievers."""

    def build(self, messages: Sequence[Message]) -> None:
        from haystack import Document
        from haystack.components.joiners import DocumentJoiner
        from haystack.components.retrievers.in_memory import (
            InMemoryBM25Retriever,
            InMemoryEmbeddingRetriever,
        )
        from haystack.document_stores.in_memory import InMemoryDocumentStore

        store = InMemoryDocumentStore(
            embedding_similarity_function="cosine", shared=False, bm25_tokenization_regex=r"\S+"
        )
        store.write_documents(
            [
                Document(id=m.id, content=_terms(m.content), embedding=row.tolist())
                for m, row in zip(messages, _vectors(messages), strict=True)
            ]
        )
        self.words = InMemoryBM25Retriever(store, top_k=DEPTH)
        self.vectors = InMemoryEmbeddingRetriever(store, top_k=DEPTH)
        self.joiner = DocumentJoiner(join_mode="reciprocal_rank_fusion")

    def search(self, query: str, k: int) -> list[str]:
        words = self.words.run(query=_terms(query))["documents"]
        vectors = self.vectors.run(query_embedding=EMBEDDER.embed([query])[0].tolist())["documents"]
        return [found.id for found in self.joiner.run(documents=[words, vectors], top_k=k)["documents"]]


class Txtai:
    """``Embeddings(hybrid=True)``, which needs no torch where its vectors come from outside."""

    def build(self, messages: Sequence[Message]) -> None:
        from txtai import Embeddings
        from txtai.scoring.bm25 import BM25

        BM25.loadtokenizer = lambda _: lexical_terms
        self.found = Embeddings(
            method="external",
            transform=_embedded,
            backend="faiss",
            faiss={"components": "IDMap,Flat"},
            hybrid=True,
        )
        self.found.index((m.id, m.content, None) for m in messages)

    def search(self, query: str, k: int) -> list[str]:
        return [id_ for id_, _ in self.found.search(query, k)]


class Mem0:
    """``Memory.add(infer=False)`` into a local Qdrant: nothing is extracted, messages stay as they are."""

    def build(self, messages: Sequence[Message]) -> None:
        os.environ["MEM0_TELEMETRY"] = "False"
        from mem0 import Memory
        from qdrant_client import QdrantClient

        class Table:
            def embed(self, text: str, *_: str) -> list[float]:
                return EMBEDDER.embed([text])[0].tolist()

        outside = {"provider": "openai", "config": {"api_key": "never used"}}
        qdrant = {"client": QdrantClient(":memory:"), "embedding_model_dims": EMBEDDER.dimension}
        self.memory: Any = Memory.from_config(
            {
                "llm": outside,
                "embedder": outside,
                "vector_store": {"provider": "qdrant", "config": qdrant},
                "history_db_path": ":memory:",
            }
        )
        self.memory.embedding_model = Table()
        for m in messages:
            told = [{"role": "user", "content": m.content}]
            self.memory.add(told, user_id="one", metadata={"message": m.id}, infer=False)

    def search(self, query: str, k: int) -> list[str]:
        found = self.memory.search(query, filters={"user_id": "one"}, top_k=k, threshold=0.0)["results"]
        return [each["metadata"]["message"] for each in found]


def _vectors(messages: Sequence[Message]) -> Any:
    return EMBEDDER.embed([m.content for m in messages])


def _embedded(texts: Sequence[str]) -> Any:
    return EMBEDDER.embed(list(texts))


def _terms(text: str) -> str:
    return " ".join(lexical_terms(text))


PEERS: Mapping[str, Callable[[], Peer]] = {
    "winnow": Winnow,
    "winnow words+vectors": WordsAndVectors,
    "rank_bm25": RankBm25,
    "langchain": LangChain,
    "llamaindex": LlamaIndex,
    "haystack": Haystack,
    "txtai": Txtai,
    "mem0": Mem0,
}
