"""Whether the data of a context supports what an answer says, sentence by sentence.

Literal on purpose: numbers and names must stand there as they are, and most of what else a sentence says must
stand in one place. What is said in quite other words counts as unsupported; nothing is asked of a model.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import cast

from winnow.language.content_words import content_terms, is_character
from winnow.language.normalize import normalise
from winnow.language.numbers.find import find_numbers
from winnow.language.sentences import TextSpan, clauses_of, split_sentences
from winnow.language.tables import table
from winnow.language.tokens import count_tokens
from winnow.types.candidate import Ref, Shortlist
from winnow.types.feedback import Statement

# What of the sources stands in the messages: their sentences, as far as they were not cut.


MAX_SENT_CHARS = 100_000
"""Characters of a text that are looked at."""


@dataclass(frozen=True)
class SentSentence:
    """A sentence of a source, or what is left of it."""

    text: str
    tokens: int

    @cached_property
    def terms(self) -> frozenset[str]:
        """What it says."""
        return frozenset(content_terms(self.text))


@dataclass(frozen=True)
class SentPiece:
    """What stands in the messages of one thing that was found."""

    ref: Ref
    title: str
    relevance: float
    """Calibrated, 0..1."""
    sentences: tuple[SentSentence, ...]

    @cached_property
    def title_terms(self) -> frozenset[str]:
        """What its title says."""
        return frozenset(content_terms(self.title))

    @cached_property
    def terms(self) -> frozenset[str]:
        """What title and sentences say."""
        return self.title_terms.union(*(sentence.terms for sentence in self.sentences))

    @cached_property
    def text(self) -> str:
        """Title and sentences."""
        return "\n".join((self.title, *(sentence.text for sentence in self.sentences)))


def sent_pieces(found: Sequence[Shortlist], sent: str) -> tuple[SentPiece, ...]:
    """What of the shortlists the text that is sent holds, in their order; marks and blanks do not count."""
    there, squeezed_text = [], letters_only(sent)
    for candidate in (c for shortlist in found for c in shortlist.candidates):
        data = candidate.data
        said: Mapping[str, object] = data if isinstance(data, Mapping) else {"text": data or ""}
        spans = split_sentences(str(said.get("text", ""))[:MAX_SENT_CHARS])
        texts = filter(None, (_sent_part(span, squeezed_text) for span in spans))
        kept = tuple(SentSentence(text, count_tokens(text)) for text in texts)
        if kept:
            relevance, title = min(1.0, max(0.0, candidate.score)), str(said.get("title") or "")
            there.append(SentPiece(candidate.ref, title, relevance, kept))
    return tuple(there)


def _sent_part(sentence: TextSpan, sent: str) -> str:
    """The sentence where it stands in what is sent, else those of its clauses that do."""
    if _is_in_text(sentence.text, sent):
        return sentence.text.strip()
    return " ".join(span.text.strip() for span in clauses_of(sentence) if _is_in_text(span.text, sent))


def letters_only(text: str) -> str:
    """Letters, characters and digits alone: what is quoted in another way is still the same."""
    return "".join(sign for sign in normalise(text, MAX_SENT_CHARS) if sign.isalnum())


def _is_in_text(text: str, sent: str) -> bool:
    said = letters_only(text)
    return bool(said) and said in sent


# The concepts of a question: which of them are said, and what bears on them.


@dataclass(frozen=True, slots=True)
class QuestionConcepts:
    """The terms of a question, with how much each tells; ``words``: a term as the question has it."""

    weights: Mapping[str, float]
    words: Mapping[str, str]

    def share(self, said: Iterable[str]) -> float | None:
        """Share of the concepts among those terms, weighed; None: the question has no concepts."""
        return weighted_share(self.weights, said)

    def without(self, said: Iterable[str]) -> tuple[str, ...]:
        """The concepts that are not among those terms, what tells most first; no part of a longer one."""
        known = frozenset(said)
        left = (term for term in self.weights if term not in known and self._is_word(term))
        return tuple(self.words.get(t, t) for t in sorted(left, key=lambda t: -self.weights[t]))

    def _is_word(self, term: str) -> bool:
        """Whether a person would say it: no part of a longer term, no pair with what says nothing."""
        if is_character(term):
            return not any(term in longer for longer in self.telling)
        return term.isascii() or all(sign in self.weights for sign in term)

    def bearing(self, piece: SentPiece) -> Iterator[SentSentence]:
        """The sentences of the piece that say a concept, and those beside them."""
        says = [bool(sentence.terms & self.telling) for sentence in piece.sentences]
        beside = [a or b for a, b in pairwise((False, *says))]
        after = [a or b for a, b in pairwise((*says, False))]
        rows = zip(piece.sentences, beside, after, strict=True)
        return (sentence for sentence, one, other in rows if one or other)

    @property
    def telling(self) -> frozenset[str]:
        """The terms without single characters, unless there are no others."""
        longer = frozenset(term for term in self.weights if not is_character(term))
        return longer or frozenset(self.weights)


def question_concepts(question: str, found: Sequence[Shortlist]) -> QuestionConcepts:
    """The concepts of a question, weighed as the sources that were searched weigh them.

    What no source knows tells as much as what tells most.
    """
    words: dict[str, str] = {}
    terms = content_terms(question, words)
    weights = term_weights_of(found)
    return QuestionConcepts({term: weights.get(term, unknown_weight(weights)) for term in terms}, words)


def term_weights_of(found: Sequence[Shortlist]) -> dict[str, float]:
    """How much each term tells, where several sources differ the most of it."""
    weights: dict[str, float] = {}
    for shortlist in found:
        for term, weight in shortlist.weights.items():
            weights[term] = max(weight, weights.get(term, 0.0))
    return weights


def unknown_weight(weights: Mapping[str, float]) -> float:
    """How much a term tells that no source has."""
    return max(weights.values(), default=1.0) or 1.0


def weighted_share(weights: Mapping[str, float], said: Iterable[str]) -> float | None:
    """Share of the weights whose terms are said; None where there are no weights."""
    whole = sum(weights.values())
    known = frozenset(said)
    return sum(w for term, w in weights.items() if term in known) / whole if whole else None


_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
_NAME = re.compile(r"(?<=[a-z,;:] )[A-Z][\w'-]+|\b[A-Z]{2,}\b|《[^》]+》|「[^」]+」|“[^”]+”")
"""A capital within a sentence, capitals alone, or what stands in quotation marks."""
PLACE_SENTENCES = 2
"""Sentences that stand together in one place."""


@dataclass(frozen=True, slots=True)
class DataPlace:
    """Sentences of a piece that stand together."""

    piece: SentPiece
    sentences: tuple[SentSentence, ...]

    @property
    def terms(self) -> frozenset[str]:
        """What they and the title above them say."""
        return self.piece.title_terms.union(*(sentence.terms for sentence in self.sentences))


@dataclass(frozen=True, slots=True)
class SupportedStatement:
    """A statement and the sentences that support it; none where it is not supported."""

    statement: Statement
    sentences: tuple[SentSentence, ...] = ()


def judge_answer(
    answer: str, question: str, data: Sequence[SentPiece], weights: Mapping[str, float]
) -> tuple[SupportedStatement, ...]:
    """Each sentence of the answer that says anything, and whether the data supports it."""
    spans = (span.text.strip() for span in split_sentences(answer[:MAX_SENT_CHARS]))
    return tuple(_judge_statement(said, question, data, weights) for said in spans if content_terms(said))


def _judge_statement(
    said: str, question: str, data: Sequence[SentPiece], weights: Mapping[str, float]
) -> SupportedStatement:
    # What a text says beside its numbers, which are compared by value
    plain = normalise(_FIGURE.sub(" ", said), MAX_SENT_CHARS)
    for number in reversed(find_numbers(plain)):
        plain = f"{plain[: number.start]} {plain[number.end :]}"
    terms = _telling_terms(plain) or _telling_terms(said)
    wanted = {term: weights.get(term, unknown_weight(weights)) for term in terms}
    share, place = _best_place(wanted, data)
    added = _added_share(wanted, question, place)
    missing = tuple(unsupported_names(said, question, place.piece.text if place else ""))
    supported = _is_on_topic(wanted, question, place) and not missing and is_support(share, added)
    ref = place.piece.ref if place else None
    statement = Statement(said, supported, round(share, 4), round(added, 4), ref, missing)
    return SupportedStatement(statement, place.sentences if place and supported else ())


def _telling_terms(text: str) -> list[str]:
    """The terms of a text, without pairs of a character that tells and one that does not."""
    terms = content_terms(text)
    known = frozenset(terms)
    return [term for term in terms if term.isascii() or known.issuperset(term)]


def _is_on_topic(wanted: Iterable[str], question: str, place: DataPlace | None) -> bool:
    """Whether the place is of what was asked: it says some of what the statement repeats of the question."""
    repeated = frozenset(content_terms(question)).intersection(wanted)
    return place is not None and (not repeated or bool(repeated & place.piece.terms))


def _added_share(wanted: Mapping[str, float], question: str, place: DataPlace | None) -> float:
    """Share that the place says of what a statement adds to the question."""
    asked = frozenset(content_terms(question))
    added = {term: weight for term, weight in wanted.items() if term not in asked}
    share = weighted_share(added, place.terms if place else ())
    return 1.0 if share is None else share


def is_support(share: float, added: float) -> bool:
    """Whether so much of a statement, and of what it adds to the question, is support."""
    least = cast("dict[str, float]", table("winnow.context", "data/support.yaml"))
    return share >= least["share"] and added >= least["added"]


def _best_place(wanted: Mapping[str, float], data: Sequence[SentPiece]) -> tuple[float, DataPlace | None]:
    """The place that says most of it, the shortest of those that say as much."""
    best: tuple[float, int] = (0.0, 0)
    found: DataPlace | None = None
    sizes = [(piece, length) for piece in data for length in range(1, PLACE_SENTENCES + 1)]
    for piece, length in sizes:
        for start in range(max(1, len(piece.sentences) - length + 1)):
            place = DataPlace(piece, piece.sentences[start : start + length])
            figure = (weighted_share(wanted, place.terms) or 0.0, -len(place.sentences))
            if figure > best:
                best, found = figure, place
    return best[0], found


def unsupported_names(said: str, question: str, source: str) -> Iterator[str]:
    """The numbers and names of a sentence that neither the source nor the question has."""
    offered = _number_values(source) | _number_values(question)
    yield from (text for text, value in _numbers_in(said) if value not in offered)
    known = letters_only(source) + " " + letters_only(question)
    yield from (name for name in _NAME.findall(said) if letters_only(name) not in known)


def _number_values(text: str) -> frozenset[float]:
    return frozenset(value for _, value in _numbers_in(text)) | {1.0}


def _numbers_in(text: str) -> Iterator[tuple[str, float]]:
    """Each number, in figures or words; what is counted by one says nothing."""
    for figure in _FIGURE.findall(text):
        # ``1,200`` is 1200 and ``3.5`` is 3.5; what is neither (``1.2.3``) counts by its digits.
        plain = re.sub(r",(?=\d{3}\b)", "", figure)
        try:
            figure_value = float(plain)
        except ValueError:
            figure_value = float(re.sub(r"\D", "", plain))
        yield figure, figure_value
    for number in find_numbers(normalise(_FIGURE.sub(" ", text), MAX_SENT_CHARS)):
        yield number.text, number.value
