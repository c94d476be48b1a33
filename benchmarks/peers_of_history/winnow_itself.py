"""Winnow in the same shape as its peers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from benchmarks.peers_of_history.retrievers import DEPTH, Retrieve
from winnow.ports.services import Embedder
from winnow.retrieve.bm25 import Floats, LexicalIndex, VectorIndex
from winnow.retrieve.history.index import build_history
from winnow.retrieve.history.rank import question_texts, search_history
from winnow.types.candidate import Search
from winnow.types.message import Message


def recipe(messages: Sequence[Message], embedder: Embedder) -> Retrieve:
    """The whole ranking of a history: neighbours, talks, second hop, dates, speakers, words alike."""
    index = build_history(messages, embedder)
    vectors = VectorIndex(embedder.embed([m.content for m in messages]), embedder.name, embedder.version)

    def retrieve(question: str) -> list[str]:
        search = Search(question)
        asked = embedder.embed(question_texts(search, index))
        cosines = np.stack([vectors.scores(row) for row in asked])
        found = search_history(search, index, cosines, DEPTH)
        return [candidate.ref.id for candidate in found.candidates]

    return retrieve


def words_and_vectors(messages: Sequence[Message], embedder: Embedder) -> Retrieve:
    """What the peers do and no more: BM25 and cosines of the whole text, fused by their share of the best."""
    texts, ids = [m.content for m in messages], [m.id for m in messages]
    words = LexicalIndex.build(texts)
    vectors = VectorIndex(embedder.embed(texts), embedder.name, embedder.version)

    def retrieve(question: str) -> list[str]:
        lexical = words.scores(question)
        fused = lexical / max(float(lexical.max()), 1e-6) + vectors.scores(embedder.embed([question])[0])
        return [ids[row] for row in _best(fused)]

    return retrieve


def _best(scores: Floats) -> list[int]:
    top = np.argpartition(-scores, DEPTH)[:DEPTH]
    return [int(row) for row in top[np.argsort(-scores[top], kind="stable")]]
