"""The tasks on texts: compress, knowledge, messages, need_retrieval, json, rewrite and update.

Messages and documents of a case may lie in files beside it (``name.messages.jsonl``, ``name.docs.jsonl``).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache, lru_cache
from math import ceil, log
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.evaluation.cases import CaseRow, QuestionCase, case_rows, question_case
from winnow.adapters.models.embedders import StaticEmbedder
from winnow.app.wiring.engine import open_builtin_embedder
from winnow.context.compress.compress import compress
from winnow.context.compress.features import word_embedder
from winnow.engine.llm.json_repair import parse_output
from winnow.errors import Phrase
from winnow.language.content_words import content_terms
from winnow.ports.services import Embedder
from winnow.ports.stores import Segment
from winnow.retrieve.documents.features import find_passages
from winnow.retrieve.documents.index import PassageIndex, segment_of
from winnow.retrieve.documents.rank import apply_feedback, rank_passages
from winnow.retrieve.documents.source import MAX_READ_PASSAGES
from winnow.retrieve.facts.extract import parse_fact, parse_statement
from winnow.retrieve.facts.judge import judge_relation
from winnow.retrieve.history.index import HistoryIndex, build_history
from winnow.retrieve.history.rank import question_texts, search_history
from winnow.types.candidate import Search
from winnow.types.context import Compressed, Item
from winnow.types.document import Document, Passage
from winnow.types.message import Message
from winnow.understand.intent.taxonomy import taxonomy
from winnow.understand.rewrite.rewrite import rewrite, turns_on
from winnow.understand.turn import TurnReader

# ``compress``: what is left of passages at several sizes.


TOKEN_RATES = (0.75, 0.5, 0.25, 0.1)
"""Shares of the passages' tokens that may stay."""
_WIDE = re.compile(r"[\u3000-\u9fff\uff00-\uffef]")


@dataclass(frozen=True, slots=True)
class PassagesCase:
    """A question and the passages it is to be answered from."""

    id: str
    query: str
    items: tuple[Item, ...]
    weights: Mapping[str, float]
    """How rare the terms of the question are in all passages of the file."""


def passages_case(row: CaseRow) -> PassagesCase:
    """``id, query, passages``. Raises CaseError."""
    query: str = row.get("query", str, None)
    told: list[dict[str, Any]] = row.get("passages", list, [])
    items = tuple(Item(str(one.get("id", at)), str(one.get("text", ""))) for at, one in enumerate(told))
    rare = rareness(row.folder / row.file)
    return PassagesCase(
        row.required_text("id"), query, items, {term: rare(term) for term in content_terms(query)}
    )


@dataclass(frozen=True, slots=True)
class Rareness:
    """How rare terms are in a number of passages."""

    holding: Mapping[str, int]
    size: int

    def __call__(self, term: str) -> float:
        """Inverse document frequency, as BM25 has it."""
        holding = self.holding.get(term, 0)
        return log(1 + (self.size - holding + 0.5) / (holding + 0.5))


@lru_cache(maxsize=4)
def rareness(cases: Path) -> Rareness:
    """How rare terms are in the passages of a case file, each passage counted once."""
    told = (one for row in case_rows(cases) for one in row.get("passages", list, []))
    texts = {str(one.get("id")): str(one.get("text", "")) for one in told}
    return Rareness(Counter(term for text in texts.values() for term in set(content_terms(text))), len(texts))


def scored_tokens(text: str) -> int:
    """Tokens as such cases are scored: three quarters a Chinese character, a third any other, rounded up."""
    wide = len(_WIDE.findall(text))
    return ceil(wide * 0.75 + (len(text) - wide) / 3)


class CompressPredictor:
    """Answers cases with the words of the built-in table."""

    def __init__(self) -> None:
        self.meaning = word_embedder(open_builtin_embedder())

    def predict(self, case: PassagesCase) -> list[dict[str, Any]]:
        """What is left at each rate, and how long that took."""
        out: list[dict[str, Any]] = []
        for rate in TOKEN_RATES:
            start = perf_counter()
            found = self.compress_case(case, rate)
            took = round((perf_counter() - start) * 1000, 3)
            kept = [{"passage_id": one.item.id, "text": one.text} for one in found.kept]
            out.append({"rate": rate, "text": found.text, "kept": kept, "level": found.level, "ms": took})
        return out

    def compress_case(self, case: PassagesCase, rate: float) -> Compressed:
        """What is left of a case within a share of its tokens."""
        most = int(rate * sum(scored_tokens(item.text) for item in case.items))
        return compress(
            case.items, case.query, most, weights=case.weights, count=scored_tokens, meaning=self.meaning
        )


# ``knowledge``: which passages answer a question.


MAX_PREDICTIONS = 20
"""Passages that are predicted, at most."""
MAX_INDEXED_PASSAGES = 500
"""Passages that are indexed together."""


@dataclass(frozen=True, slots=True)
class KnowledgeCase:
    """A question with the talk before it, and the file of the documents it is about."""

    id: str
    asked: QuestionCase
    documents: Path


@dataclass(frozen=True, slots=True)
class IndexedDocuments:
    """Documents of one file, each a passage of its own."""

    passages: dict[str, Passage]
    index: PassageIndex


def knowledge_case(row: CaseRow) -> KnowledgeCase:
    """``id, query``, and where there are any ``lang, history``. Raises CaseError."""
    asked = question_case(row)
    name = Path(row.file).name.removesuffix(".jsonl").removesuffix(".queries") + ".docs.jsonl"
    above = [row.folder, *row.folder.resolve().parents[:2]]
    for path in (row.folder / name, *(folder / "docs" / name for folder in above)):
        if path.is_file():
            return KnowledgeCase(asked.id, asked, path)
    raise row.error("query", Phrase("its documents are not there: {name}", name=name))


@lru_cache(maxsize=2)
def indexed_documents(path: Path) -> IndexedDocuments:
    """The documents of a file, indexed. Raises CaseError."""
    found: list[Passage] = []
    for row in case_rows(path):
        document = Document(row.required_text("id"), row.get("title", str, ""))
        found.append(Passage(document.id, document, row.get("text", str, None)))
    passages = {passage.id: passage for passage in found}
    every = list(passages.values())
    parts = (every[at : at + MAX_INDEXED_PASSAGES] for at in range(0, len(every), MAX_INDEXED_PASSAGES))
    return IndexedDocuments(
        passages, PassageIndex.of([Segment(str(n), segment_of(p)) for n, p in enumerate(parts)])
    )


class KnowledgePredictor:
    """Answers cases; the documents of each file are indexed once."""

    def __init__(self) -> None:
        self.table = open_builtin_embedder()

    def predict(self, case: KnowledgeCase) -> dict[str, Any]:
        """The best passages, the question they were looked up by, and how long it took."""
        held = indexed_documents(case.documents)
        start = perf_counter()
        said = case.asked.utterance
        alone = rewrite(said.text, said.history)
        about, seen = turns_on(alone.query, said.history), tuple(turn.content for turn in said.history)
        search = Search(alone.query, language=said.language, seen=seen, context=about)
        found = apply_feedback(
            find_passages(search, held.index, MAX_READ_PASSAGES, self.table),
            held.index,
            held.passages,
            MAX_READ_PASSAGES,
        )
        best = rank_passages(search, found, held.passages, MAX_PREDICTIONS, self.table).candidates
        took = (perf_counter() - start) * 1000
        return {"ids": [c.ref.id for c in best], "query": alone.query, "ms": round(took, 3)}


DEFAULT_GAP = timedelta(minutes=7)
"""Between messages whose time nobody told."""


@dataclass(frozen=True, slots=True)
class HistoryCase:
    """A question and the history it is about, oldest first."""

    id: str
    search: Search
    messages: tuple[Message, ...]


class HistoryPredictor:
    """Answers cases, each history indexed once for the cases that follow each other."""

    def __init__(self) -> None:
        self.table: Embedder = open_builtin_embedder()
        self.messages: tuple[Message, ...] = ()
        self.index: HistoryIndex = build_history((), self.table)
        self.vectors = self.table.embed([])

    def predict(self, case: HistoryCase) -> dict[str, Any]:
        """The best messages, those of them that are outdated, and how long the question took."""
        if case.messages is not self.messages:
            self._open(case.messages)
        start = perf_counter()
        cosines = self.table.embed(question_texts(case.search, self.index)) @ self.vectors.T
        found = search_history(case.search, self.index, cosines, MAX_PREDICTIONS).candidates
        took = (perf_counter() - start) * 1000
        old = [c.ref.id for c in found if isinstance(c.data, Mapping) and "superseded_by" in c.data]
        return {"ids": [c.ref.id for c in found], "superseded": old, "ms": round(took, 3)}

    def _open(self, messages: tuple[Message, ...]) -> None:
        self.messages = messages
        self.index = build_history(messages, self.table)
        self.vectors = self.table.embed([message.content for message in messages])


@dataclass(frozen=True, slots=True)
class MessagesOfFile:
    """The messages of one file."""

    by_id: Mapping[str, Message]
    by_user: Mapping[str, tuple[Message, ...]]


def history_case(row: CaseRow) -> HistoryCase:
    """``id, query``, and ``history`` or, of the file beside it, ``history_ids`` or ``user_id``.

    Raises CaseError.
    """
    search = Search(row.get("query", str, None), _time(row, "asked_at"), row.language())
    return HistoryCase(row.required_text("id"), search, _history(row))


def _history(row: CaseRow) -> tuple[Message, ...]:
    if "history" in row.data:
        return tuple(_message(replace(row, data=told)) for told in row.get("history", list, []))
    told = messages_beside(row.folder / row.file)
    if "history_ids" in row.data:
        ids: list[str] = row.get("history_ids", list, [])
        if missing := [id_ for id_ in ids if id_ not in told.by_id]:
            raise row.error("history_ids", Phrase("there is no message {id!r}", id=missing[0]))
        return with_times([told.by_id[id_] for id_ in ids])
    return told.by_user.get(row.required_text("user_id"), ())


@lru_cache(maxsize=4)
def messages_beside(cases: Path) -> MessagesOfFile:
    """The messages of ``name.messages.jsonl`` beside a case file; none where there is no such file."""
    path = cases.with_name(f"{cases.stem}.messages.jsonl")
    by_id: dict[str, Message] = {}
    by_user: dict[str, list[Message]] = {}
    for row in case_rows(path) if path.is_file() else ():
        message = by_id[row.required_text("id")] = _message(row)
        by_user.setdefault(row.get("user_id", str, ""), []).append(message)
    return MessagesOfFile(by_id, {user: tuple(messages) for user, messages in by_user.items()})


def _message(row: CaseRow) -> Message:
    role, content = row.get("role", str, "user"), row.get("content", str, None)
    return Message(
        row.required_text("id"), role, content, _time(row, "created_at"), row.get("conversation", str, "")
    )


def _time(row: CaseRow, name: str) -> datetime | None:
    told = row.get(name, str, "")
    try:
        return datetime.fromisoformat(told) if told else None
    except ValueError:
        raise row.error(name, Phrase("no time: {told!r}", told=told)) from None


def with_times(messages: Sequence[Message]) -> tuple[Message, ...]:
    """The messages with a time each: who told none gets one between those of its neighbours."""
    known = [(at, message.at) for at, message in enumerate(messages) if message.at]
    if not known:
        return tuple(messages)
    return tuple(m if m.at else replace(m, at=_between(at, known)) for at, m in enumerate(messages))


def _between(at: int, known: Sequence[tuple[int, datetime]]) -> datetime:
    """A time for the message at a place, from the nearest before and after whose time is known."""
    before = [found for found in known if found[0] < at]
    after = [found for found in known if found[0] > at]
    if before and after:
        (first, start), (last, end) = before[-1], after[0]
        # The time between is shared out evenly; where it runs backwards, next to nothing passes.
        steps, span = at - first, end - start
        time = start + (span * (steps / (last - first)) if span > timedelta() else DEFAULT_GAP / 100 * steps)
    else:
        place, told = before[-1] if before else after[0]
        time = told + DEFAULT_GAP * (at - place)
    return time.replace(microsecond=0)


# ``need_retrieval``: whether a turn needs retrieval.


@cache
def _turn_reader() -> TurnReader:
    return TurnReader(taxonomy(), table=StaticEmbedder())


def predict_need(case: QuestionCase) -> dict[str, Any]:
    """The decision of a turn without a home and without a model, and what led to it."""
    found = _turn_reader().by_words(case.utterance.text, case.utterance.history)
    return {
        "need_retrieval": found.need_retrieval,
        "source": found.source,
        "label": found.label,
        "act": found.act,
        "confidence": round(found.confidence, 3),
        "reason": found.reason,
    }


# ``json``: the object in the output of a model.


OBJECT_SCHEMA = {
    "type": "object",
    "properties": {"need_rag": {"type": "boolean"}, "query": {"type": "string"}},
    "required": ["need_rag", "query"],
}


@dataclass(frozen=True, slots=True)
class OutputCase:
    """One output of a model."""

    id: str
    text: str


def output_case(row: CaseRow) -> OutputCase:
    """``id, text``. Raises CaseError."""
    return OutputCase(row.required_text("id"), row.get("text", str, None))


def predict_object(case: OutputCase) -> dict[str, Any]:
    """The object; words without any object are the query themselves.

    Looking up once too often does less harm than not at all.
    """
    found = parse_output(case.text, OBJECT_SCHEMA)
    bare = not found.problems and found.value is None and case.text.strip()
    return {"object": {"need_rag": True, "query": case.text.strip()} if bare else found.value}


# ``rewrite``: the standalone query.


def predict_rewrite(case: QuestionCase) -> dict[str, Any]:
    """The query as rewritten from its history."""
    return {"query": rewrite(case.utterance.text, case.utterance.history).query}


# ``update``: what a later statement does to an earlier one.


@dataclass(frozen=True, slots=True)
class UpdateCase:
    """An earlier and a later statement; ``event``: the later one tells what happened to the earlier."""

    id: str
    old: str
    new: str
    event: bool = False


def update_case(row: CaseRow) -> UpdateCase:
    """``id, old, new``, or ``id, before, description``. Raises CaseError."""
    if "before" not in row.data:
        return UpdateCase(row.required_text("id"), row.required_text("old"), row.required_text("new"))
    held: list[Any] = row.get("before", list, [])
    told = [" ".join(map(str, one.values())) if isinstance(one, dict) else str(one) for one in held]
    return UpdateCase(row.required_text("id"), "\n".join(told), row.required_text("description"), event=True)


def update_predictor() -> Callable[[UpdateCase], dict[str, Any]]:
    """What predicts ``label``, and for two statements the rule that decided."""
    table = open_builtin_embedder()

    def predict(case: UpdateCase) -> dict[str, Any]:
        if case.event:
            before, after = parse_statement(case.old).marks, parse_statement(case.new).marks
            over = "ended" in after or ("denied" in after) != ("denied" in before)
            return {"label": "delete" if over else "modify"}
        told = judge_relation(parse_fact(case.old), parse_fact(case.new), table)
        return {"label": told.relation, "reason": told.reason, "confidence": round(told.confidence, 3)}

    return predict
