"""The second look: passages that were found, with their texts, put in order and told why."""

from __future__ import annotations

from collections.abc import Mapping

from winnow.recall.passages.first import First
from winnow.recall.passages.terms import WORD
from winnow.types.document import Passage
from winnow.types.ref import Ref
from winnow.types.search import Search
from winnow.types.shortlist import Candidate, Evidence, Shortlist

NAME = "knowledge"


def ranked(search: Search, found: First, passages: Mapping[str, Passage], limit: int) -> Shortlist:
    """The best of what was found, best first; what has no text any more is left out.

    ``weights`` of the shortlist are those of the question's content terms.
    """
    told = [
        (passages[id_], score) for id_, score in zip(found.ids, found.scores, strict=True) if id_ in passages
    ]
    weights = {term: value for term, value in found.weights.items() if not term.startswith(WORD)}
    return Shortlist(NAME, tuple(_candidate(*one) for one in told[:limit]), weights=weights)


def _candidate(passage: Passage, score: float) -> Candidate:
    return Candidate(Ref("passage", passage.id), (Evidence("words", score),), score, data_of(passage))


def data_of(passage: Passage) -> dict[str, object]:
    """What is known of a passage, as its reader gets it: what nobody knows is left out."""
    of = passage.document
    known = {
        "text": passage.text,
        "title": of.title,
        "headings": list(passage.headings),
        "source": of.source,
        "at": of.at.isoformat() if of.at else "",
        "domain": of.domain,
        "document": of.id,
        "also": list(passage.also),
    }
    return {
        **{name: value for name, value in known.items() if value},
        "importance": of.importance,
        "credibility": of.credibility,
    }
