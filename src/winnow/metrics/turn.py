"""The figures of one turn."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from itertools import chain

from winnow.metrics.concepts import concepts, known_weights
from winnow.metrics.data import Piece, Sentence, pieces
from winnow.metrics.support import judged
from winnow.types.briefing import Retrieval
from winnow.types.context import ChatMessage, Context
from winnow.types.metrics import Metrics
from winnow.types.shortlist import Shortlist


def of_turn(retrieval: Retrieval, answer: str = "") -> Metrics:
    """The figures of a turn; with the answer of a model, those of the answer as well."""
    said = retrieval.utterance.text
    messages = [m for m in retrieval.context.messages if m.get("content") != said]
    context = replace(retrieval.context, messages=tuple(messages))
    made = measured(retrieval.query, retrieval.found, context, answer)
    counted = [(call.prompt_tokens or 0) + (call.completion_tokens or 0) for call in retrieval.model_calls]
    return replace(made, stages=retrieval.stages, model_tokens=sum(counted))


def measured(question: str, found: Sequence[Shortlist], context: Context, answer: str = "") -> Metrics:
    """What of the messages bears on the question; with the answer of a model, what of it they support.

    ``question``: the standalone query. A message that says the question and nothing else is no data.
    """
    data = pieces(found, sent(context.messages, {question}))
    asked = concepts(question, found)
    said = frozenset[str]().union(*(piece.terms for piece in data))
    bearing = sum(piece.relevance * _tokens(asked.bearing(piece)) for piece in data)
    figures = Metrics(
        tokens=context.token_count,
        total=context.total,
        data=_tokens(_all(data)),
        relevance=_ratio(bearing, _tokens(_all(data))),
        coverage=asked.share(said),
        uncovered=asked.without(said),
        shares=context.usage or {},
    )
    return _answered(figures, answer, question, data, found) if answer.strip() else figures


def sent(messages: Sequence[ChatMessage], without: Collection[str] = ()) -> str:
    """All that the messages say, one below the other, but for those that say one of these."""
    said = (str(message.get("content") or "") for message in messages)
    return "\n".join(content for content in said if content not in without)


def _answered(
    figures: Metrics, answer: str, question: str, data: Sequence[Piece], found: Sequence[Shortlist]
) -> Metrics:
    """The figures with those of the answer."""
    judgements = judged(answer, question, data, known_weights(found))
    used = {id(sentence): sentence for one in judgements for sentence in one.sentences}
    asked = concepts(question, found)
    bearing = [sentence for piece in data for sentence in asked.bearing(piece)]
    both = [sentence for sentence in bearing if id(sentence) in used]
    statements = tuple(one.statement for one in judgements)
    return replace(
        figures,
        utilisation=_ratio(_tokens(used.values()), figures.data),
        completeness=_ratio(_tokens(both), _tokens(bearing)),
        support=_ratio(sum(s.supported for s in statements), len(statements)),
        statements=statements,
    )


def _all(data: Sequence[Piece]) -> Iterable[Sentence]:
    return chain.from_iterable(piece.sentences for piece in data)


def _tokens(sentences: Iterable[Sentence]) -> int:
    return sum(sentence.tokens for sentence in sentences)


def _ratio(part: float, whole: float) -> float | None:
    """Rounded to four digits; None of nothing."""
    return round(part / whole, 4) if whole else None
