"""What was found and cannot all hold: the later before the earlier, the more credible before the other.

Documents are compared with each other, with messages and with facts; messages with each other and with facts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time
from itertools import combinations

from winnow.language.normalize import normalise
from winnow.retrieve.facts.extract import parse_statement
from winnow.retrieve.facts.novelty import (
    SentenceTerms,
    conflicting_sentences,
    has_other_value,
    is_of_asked,
    question_words,
    split_sentences,
    terms_without_numbers,
)
from winnow.retrieve.facts.source import asks_past
from winnow.retrieve.statements.claims import statement_words, typed_values
from winnow.retrieve.statements.supersession import Supersession, newest_first
from winnow.types.candidate import Candidate, Search, Shortlist

MAX_COMPARED_CANDIDATES = 12
"""Candidates of each source that are compared, the best."""
MIN_LATER_BEARING = 0.1
"""Part of an older document's likelihood of bearing on the question that a newer edition must have to go
before it."""
MIN_LATER_SHARE = 0.5
"""The same of the words of the question that its best sentence says."""
MIN_SAME_NAME = 0.6
"""Part of the words of two titles that are in both, from which on they name one document."""
PASSAGE, FACT = "passage", "fact"
Place = tuple[int, int]
"""Which shortlist, and which candidate of it."""


@dataclass(frozen=True, slots=True)
class ComparedText:
    """A candidate that tells something, and what decides between it and another."""

    place: Place
    candidate: Candidate
    data: Mapping[str, object]

    @property
    def text(self) -> str:
        """What it tells."""
        return str(self.data.get("text") or "")

    @property
    def at(self) -> datetime | None:
        """Since when it holds, or when it was said or written."""
        try:
            return datetime.fromisoformat(str(self.data.get("at"))).replace(tzinfo=None)
        except ValueError:
            return None

    @property
    def is_passage(self) -> bool:
        """Whether it is of a document."""
        return self.candidate.ref.kind == PASSAGE

    @property
    def credibility(self) -> float:
        """0..1; the middle where nobody says how far it is believed."""
        told = self.data.get("credibility")
        return told if isinstance(told, float) else 0.5


@dataclass(frozen=True, slots=True)
class Conflict:
    """What of a piece another one tells otherwise; ``winner`` None: nobody can tell which of them holds."""

    sentence: str
    """Empty: it is only known that the winner is newer."""
    winner: ComparedText | None


def reconcile(search: Search, found: Sequence[Shortlist]) -> tuple[Shortlist, ...]:
    """The shortlists; where two of them contradict each other, the loser is marked.

    It stands behind the winner, unless the question asks for the past: a list whose candidate wins over one
    of an earlier list goes before that.
    """
    losses = _losses(search, list(_comparable_pieces(found)))
    past = asks_past(search.text)
    marked = [_mark_losses(shortlist, at, losses, past) for at, shortlist in enumerate(found)]
    return tuple(marked if past else (marked[at] for at in _list_order(len(marked), losses)))


def _comparable_pieces(found: Sequence[Shortlist]) -> Iterator[ComparedText]:
    """What may hold: nothing that is superseded already, nothing that others said."""
    for at, shortlist in enumerate(found):
        for row, candidate in enumerate(shortlist.candidates[:MAX_COMPARED_CANDIDATES]):
            data = candidate.data
            if isinstance(data, Mapping):
                superseded = data.get("status") == "superseded" or "superseded_by" in data
                speaker = data.get("speaker")
                if not (superseded or bool(speaker and speaker not in statement_words("users"))):
                    yield ComparedText((at, row), candidate, data)


def _losses(search: Search, pieces: Sequence[ComparedText]) -> dict[Place, Conflict]:
    """Place -> what it says that does not hold, with the best of what says so."""
    asked, losses = question_words(search.text), dict[Place, Conflict]()
    terms = terms_without_numbers(search.text)
    for one, other in combinations(pieces, 2):
        # Whether they are not of one document, and not both facts, which are settled where they are kept
        if {one.candidate.ref.kind, other.candidate.ref.kind} == {FACT}:
            may_differ = False
        else:
            document = one.data.get("document")
            may_differ = not document or document != other.data.get("document")
        torn = _contradiction(one, other, asked) if may_differ else None
        if torn is None and may_differ and (later := _stronger_edition(one, other, terms)):
            old, told = later
            losses[old.place] = _stronger_loss(losses.get(old.place), told)
        if torn is not None:
            winner = _winner(one, other)
            for piece, sentence in zip((one, other), torn, strict=True):
                if piece is not winner:
                    losses[piece.place] = _stronger_loss(losses.get(piece.place), Conflict(sentence, winner))
    return losses


def _stronger_loss(known: Conflict | None, new: Conflict) -> Conflict:
    """Of two losses the one against the better winner."""
    if known is None or known.winner is None:
        return new
    return new if new.winner and _winner(known.winner, new.winner) is new.winner else known


def _winner(one: ComparedText, other: ComparedText) -> ComparedText | None:
    """The later, else the more credible; None: nobody can tell."""
    before, after = _comparable_times(one, other)
    if before != after:
        return one if before > after else other
    if one.credibility == other.credibility:
        return None
    return one if one.credibility > other.credibility else other


def _comparable_times(one: ComparedText, other: ComparedText) -> tuple[datetime, datetime]:
    """When they were told, of documents the days; the same where one does not say."""
    if not (one.at and other.at):
        return datetime.min, datetime.min  # noqa: DTZ901 - a wall clock has no zone
    if one.is_passage or other.is_passage:
        return datetime.combine(one.at, time()), datetime.combine(other.at, time())
    return one.at, other.at


def _contradiction(one: ComparedText, other: ComparedText, asked: frozenset[str]) -> tuple[str, str] | None:
    """The first sentences of both that cannot both hold of one thing."""
    name, other_name = (terms_without_numbers(str(piece.data.get("title") or "")) for piece in (one, other))
    named = bool(name) and name == other_name
    for a, b in conflicting_sentences(one.text, other.text):
        if named or (is_of_asked(a, asked) and is_of_asked(b, asked)):
            return a, b
    return None


def _stronger_edition(
    one: ComparedText, other: ComparedText, asked: frozenset[str]
) -> tuple[ComparedText, Conflict] | None:
    """Of two documents of one name that both bear on the question the older, or the less credible.

    With it the sentence that does not hold, where the other gives another value or name.
    """
    new = _winner(one, other) if one.is_passage and other.is_passage else None
    if new is None:
        return None
    old = one if new is other else other
    likely, newly = old.candidate.bearing, new.candidate.bearing
    if likely is None or newly is None or not _is_same_name(old, new):
        return None
    said, later = (_sentence_of_asked(piece, asked) for piece in (old, new))
    if len(later.terms & asked) < MIN_LATER_SHARE * len(said.terms & asked):
        return None
    # Where both give a value of one kind, the later may say little else of what is asked
    values = (typed_values(normalise(told.text)).keys() for told in (said, later))
    if newly < MIN_LATER_BEARING * likely and set.isdisjoint(*map(set, values)):
        return None
    return _told_otherwise(old, said.text, new, later.text)


def _told_otherwise(
    old: ComparedText, said: str, new: ComparedText, later: str
) -> tuple[ComparedText, Conflict] | None:
    """What a later sentence makes of an earlier one; None: it gives no value where that does."""
    a, b = parse_statement(said), parse_statement(later)
    kinds, others = typed_values(normalise(said)), typed_values(normalise(later))
    if (kinds or a.numbers) and not (others or b.numbers):
        return None
    is_other = any(kinds[kind] != others[kind] for kind in kinds.keys() & others.keys())
    torn = is_other or not set(a.names).issuperset(b.names) or has_other_value(a, b)
    return old, Conflict(said if torn else "", new)


def _is_same_name(one: ComparedText, other: ComparedText) -> bool:
    """Whether two documents are called the same, numbers and days aside: two editions of one."""
    names = [terms_without_numbers(str(piece.data.get("title") or "")) for piece in (one, other)]
    return len(names[0] & names[1]) > MIN_SAME_NAME * max(1, *map(len, names))


def _sentence_of_asked(piece: ComparedText, asked: frozenset[str]) -> SentenceTerms:
    """The sentence that has most of what is asked; empty where a text has none that says anything."""
    told = split_sentences(piece.text)
    return max(told, key=lambda one: len(one.terms & asked), default=SentenceTerms("", frozenset()))


def _mark_losses(shortlist: Shortlist, at: int, losses: Mapping[Place, Conflict], past: bool) -> Shortlist:
    """The shortlist with what loses marked, and behind what wins over it."""
    lost = {row: loss for (where, row), loss in losses.items() if where == at}
    if not lost:
        return shortlist
    here = {row: one.winner.place[1] for row, one in lost.items() if one.winner and one.winner.place[0] == at}
    rows = range(len(shortlist.candidates))
    order = rows if past else newest_first(rows, Supersession(here, here)).rows
    told = (_mark_candidate(shortlist.candidates[row], lost.get(row)) for row in order)
    return replace(shortlist, candidates=tuple(told))


def _mark_candidate(candidate: Candidate, loss: Conflict | None) -> Candidate:
    """A candidate as its reader gets it; of a longer text only a sentence is out of date."""
    if loss is None or not loss.sentence or not isinstance(candidate.data, Mapping):
        return candidate
    status = "superseded" if loss.winner else "uncertain"
    whole = len(split_sentences(str(candidate.data.get("text") or ""))) == 1
    by = {"superseded_by": loss.winner.candidate.ref.id} if loss.winner else {}
    mark = {"status": status} if whole else {status: loss.sentence}
    return replace(candidate, data={**candidate.data, **mark, **by})


def _list_order(count: int, losses: Mapping[Place, Conflict]) -> Iterable[int]:
    """The lists in order, each before the first of those that it wins over, unless that wins over it."""
    over = {(one.winner.place[0], at) for (at, _), one in losses.items() if one.winner}
    order = list(range(count))
    for winner, loser in sorted(over):
        if winner > loser and (loser, winner) not in over:
            order.remove(winner)
            order.insert(order.index(loser), winner)
    return order
