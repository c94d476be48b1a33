"""Which passages answer a question: the predictions of the task ``knowledge``.

The documents lie beside the cases, or in a folder ``docs`` beside theirs or the one above:
``name.docs.jsonl`` (``id, title, text``) for ``name.queries.jsonl`` or ``name.jsonl``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from time import perf_counter
from typing import Any

from winnow.errors import Phrase
from winnow.ports import Segment
from winnow.recall.passages import PassageIndex, fed_back, first, ranked, segment_of
from winnow.sources.knowledge import READ
from winnow.surfaces.cases import QuestionCase, Row, question_case, rows
from winnow.types.document import Document, Passage
from winnow.types.search import Search
from winnow.understand.rewrite import rewrite
from winnow.understand.rewrite.talk import turns_on
from winnow.wiring import open_table

LIMIT = 20
"""Passages that are predicted, at most."""
AT_ONCE = 500
"""Passages that are indexed together."""


@dataclass(frozen=True, slots=True)
class KnowledgeCase:
    """A question with the talk before it, and the file of the documents it is about."""

    id: str
    asked: QuestionCase
    documents: Path


@dataclass(frozen=True, slots=True)
class Shelf:
    """Documents of one file, each a passage of its own."""

    passages: dict[str, Passage]
    index: PassageIndex


def knowledge_case(row: Row) -> KnowledgeCase:
    """``id, query``, and where there are any ``lang, history``. Raises CaseError."""
    asked = question_case(row)
    return KnowledgeCase(asked.id, asked, _documents(row))


def _documents(row: Row) -> Path:
    name = Path(row.file).name.removesuffix(".jsonl").removesuffix(".queries") + ".docs.jsonl"
    above = [row.folder, *row.folder.resolve().parents[:2]]
    for path in (row.folder / name, *(folder / "docs" / name for folder in above)):
        if path.is_file():
            return path
    raise row.wrong("query", Phrase("its documents are not there: {name}", name=name))


@lru_cache(maxsize=2)
def shelf(path: Path) -> Shelf:
    """The documents of a file, indexed. Raises CaseError."""
    passages = {passage.id: passage for passage in _passages(path)}
    every = list(passages.values())
    parts = (every[at : at + AT_ONCE] for at in range(0, len(every), AT_ONCE))
    return Shelf(passages, PassageIndex.of([Segment(str(n), segment_of(p)) for n, p in enumerate(parts)]))


def _passages(path: Path) -> Iterator[Passage]:
    for row in rows(path):
        document = Document(row.need("id"), row.get("title", str, ""))
        yield Passage(document.id, document, row.get("text", str, None))


class Shelves:
    """Answers cases; the documents of each file are indexed once."""

    def __init__(self) -> None:
        self.table = open_table()

    def predict(self, case: KnowledgeCase) -> dict[str, Any]:
        """The best passages, the question they were looked up by, and how long it took."""
        held = shelf(case.documents)
        start = perf_counter()
        said = case.asked.utterance
        alone = rewrite(said.text, said.history)
        about, seen = turns_on(alone.query, said.history), tuple(turn.content for turn in said.history)
        search = Search(alone.query, language=said.language, seen=seen, context=about)
        found = fed_back(first(search, held.index, READ, self.table), held.index, held.passages, READ)
        best = ranked(search, found, held.passages, LIMIT, self.table).candidates
        took = (perf_counter() - start) * 1000
        return {"ids": [c.ref.id for c in best], "query": alone.query, "ms": round(took, 3)}
