"""The second look: candidate passages with their texts, fed back, ranked and explained."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace
from math import log

import numpy as np
import numpy.typing as npt

from winnow.language.content_words import is_character
from winnow.language.linear import weighted_rows
from winnow.language.registry import rows_for
from winnow.ports.services import Embedder
from winnow.retrieve.documents import PRIVATE_DOCUMENTS
from winnow.retrieve.documents.features import (
    Features,
    PassageCandidates,
    PassageReading,
    best_rows,
    cosines,
    passage_features,
    read_passages,
)
from winnow.retrieve.documents.index import MEANING, PassageIndex, passage_tuning
from winnow.retrieve.documents.postings import passage_terms
from winnow.types.candidate import Candidate, Dropped, Evidence, Ref, Search, Shortlist
from winnow.types.document import Passage

# What the first passages say besides is asked for too, where none of them stands out.

FEEDBACK_PASSAGES = 5
"""Passages whose words are fed back."""
MIN_FEEDBACK_PASSAGES = 2
"""Of them, how many must say a word."""
MAX_FEEDBACK_WORDS = 15
MIN_FEEDBACK_RARITY = log(5)
"""Least rarity of a word: at most a fifth of all passages says it."""


def flatness(found: PassageCandidates) -> float:
    """How little the first passage stands out: the fifth's score over its own, 0..1."""
    return (
        found.scores[FEEDBACK_PASSAGES - 1] / found.scores[0]
        if len(found.scores) >= FEEDBACK_PASSAGES
        else 0.0
    )


def apply_feedback(
    found: PassageCandidates, index: PassageIndex, passages: Mapping[str, Passage], most: int
) -> PassageCandidates:
    """What was found, with the scores of a second look; the same where the first passages stand out."""
    if flatness(found) < index.tuning.flat:
        return found
    texts = [passages[id_].text for id_ in found.ids[:FEEDBACK_PASSAGES] if id_ in passages]
    # The terms of the question and what is fed back, for its share
    words = _feedback_words(texts, index)
    weights = {**found.question.terms, **found.question.context}
    for term, weight in words.items():
        weights[term] = weights.get(term, 0.0) + index.tuning.feedback * weight
    scores = index.scores(weights)
    rows = best_rows(scores, most).tolist()
    fed = {index.id(row): float(scores[row] / scores[rows[0]]) for row in rows}
    # What the first look did not find is at best as good as the last that it did.
    new = [id_ for id_ in fed if id_ not in found.ids]
    shares = (*found.scores, *found.scores[-1:] * len(new))
    return replace(found, ids=(*found.ids, *new), scores=shares, feedback=fed)


def _feedback_words(texts: list[str], index: PassageIndex) -> dict[str, float]:
    """What several of the texts say: the most telling words, the best of them with its whole rarity."""
    often = Counter(term for text in texts for term in set(passage_terms(text)) if not is_character(term))
    rare = index.rarity([term for term, times in often.items() if times >= MIN_FEEDBACK_PASSAGES])
    value = {term: often[term] * told for term, told in rare.items() if told >= MIN_FEEDBACK_RARITY}
    best = sorted(value, key=lambda term: (-value[term], term))[:MAX_FEEDBACK_WORDS]
    return {term: rare[term] * value[term] / value[best[0]] for term in best}


Floats = npt.NDArray[np.float32]
MAX_EMBEDDED_PASSAGES = 10
"""Passages, the best by words, whose meaning is compared too: vectors take their time."""
IN_DIALOGUE = "part of this talk"
MIN_REPEATED_CHARS = 40
"""Characters from which a passage that stands in an earlier message was given there, and not only named."""
FEEDBACK_HEAD = 3
"""Passages that the reasons put first whatever is fed back."""
FEEDBACK_CEILING = 0.99
"""What the best of the others is to the last of them, at most."""


def rank_passages(
    search: Search,
    found: PassageCandidates,
    passages: Mapping[str, Passage],
    limit: int,
    table: Embedder | None = None,
) -> Shortlist:
    """The best of what was found, best first; what has no text any more, or was given in this talk, is not.

    With a ``table`` the meaning of the first is compared as well. ``weights`` of the shortlist are those of
    the question's content terms.
    """
    passages, again = _new_passages(search, found, passages)
    if not passages:
        return Shortlist(PRIVATE_DOCUMENTS.name, dropped=again, weights=found.question.rarity)
    one, by = read_passages(found, passages), rows_for(passage_tuning().passage, found.question.language)
    reasons = passage_features(one)
    if table is not None:
        reasons = {**reasons, MEANING: _meaning(one, weighted_rows(reasons, by), table)}
    scores = order_by_feedback(with_meaning(reasons, by), reasons)
    best = np.argsort(-scores, kind="stable")[:limit]
    candidates = tuple(_candidate(one, reasons, scores, row) for row in best.tolist())
    return Shortlist(PRIVATE_DOCUMENTS.name, candidates, again, weights=found.question.rarity)


def _new_passages(
    search: Search, found: PassageCandidates, passages: Mapping[str, Passage]
) -> tuple[Mapping[str, Passage], tuple[Dropped, ...]]:
    """Those of what was found that whoever asks has not seen in this talk; and the others."""
    said = {id_ for id_ in found.ids if _is_in_dialogue(passages.get(id_), search.seen)}
    new = {id_: passages[id_] for id_ in found.ids if id_ in passages and id_ not in said}
    return new, tuple(Dropped(id_, PRIVATE_DOCUMENTS.name, IN_DIALOGUE) for id_ in found.ids if id_ in said)


def _is_in_dialogue(passage: Passage | None, seen: Collection[str]) -> bool:
    """Whether a passage was given in this talk, word for word: whoever asks has it before them."""
    text = passage.text.strip() if passage else ""
    return len(text) >= MIN_REPEATED_CHARS and any(text in said for said in seen)


def _meaning(one: PassageReading, words: Floats, table: Embedder) -> Floats:
    """How like each passage is to the question, 0..1; 0 for all but those that words put first."""
    near = np.zeros(len(one.passages), np.float32)
    head = np.argsort(-words, kind="stable")[:MAX_EMBEDDED_PASSAGES]
    texts = [one.passages[row].text for row in head.tolist()]
    near[head] = np.maximum(cosines(one.candidates.question.text, texts, table), 0)
    return near


def with_meaning(reasons: Features, by: Mapping[str, float], most: int = MAX_EMBEDDED_PASSAGES) -> Floats:
    """The sum of the reasons; meaning counts for the ``most`` that words put first."""
    words = weighted_rows({name: values for name, values in reasons.items() if name != MEANING}, by)
    if MEANING in reasons:
        head = np.argsort(-words, kind="stable")[:most]
        words[head] += np.float32(by.get(MEANING, 0.0)) * reasons[MEANING][head]
    return words


def order_by_feedback(scores: Floats, reasons: Features) -> Floats:
    """The scores, but behind the first few those of feedback decide, where words were fed back.

    One passage may still answer; the others are to be of the subject.
    """
    fed = reasons["fed"]
    if not fed.any():
        return scores
    head = np.argsort(-scores, kind="stable")[:FEEDBACK_HEAD]
    least = float(scores[head].min())
    behind = np.float32(least) * fed / max(float(fed.max()), 1e-9) * np.float32(FEEDBACK_CEILING)
    behind[head] = scores[head]
    return behind


def _candidate(one: PassageReading, reasons: Features, scores: Floats, row: int) -> Candidate:
    """Its score: how much of the question the best passage covers, and how near to the best this one is."""
    best = int(scores.argmax())
    score = float(reasons["covered"][best] * scores[row] / max(float(scores[best]), 1e-9))
    # The reasons, each 0..1.
    evidences: list[Evidence] = []
    for name, values in reasons.items():
        if values[row] > 0:
            evidences.append(Evidence(name, float(values[row])))
    evidences.append(Evidence("share", one.candidates.scores[one.candidates.ids.index(one.passages[row].id)]))
    behind = scores[scores < scores[row]]
    if behind.size and scores[row] > 0:
        evidences.append(Evidence("margin", float((scores[row] - behind.max()) / scores[row])))
    evidence = tuple(evidences)
    passage = one.passages[row]
    return Candidate(Ref("passage", passage.id), evidence, score, passage_data(passage))


def passage_data(passage: Passage) -> dict[str, object]:
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
