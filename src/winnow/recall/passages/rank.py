"""The second look: passages that were found, with their texts, put in order and told why."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import numpy as np
import numpy.typing as npt

from winnow.ports import Embedder
from winnow.recall.passages.first import First
from winnow.recall.passages.reasons import Read, Reasons, cosines, read, reasons_of_passages
from winnow.recall.passages.tuned import MEANING, tuning
from winnow.types.document import Passage
from winnow.types.ref import Ref
from winnow.types.search import Search
from winnow.types.shortlist import Candidate, Dropped, Evidence, Shortlist

Floats = npt.NDArray[np.float32]
NAME = "knowledge"
MEANT = 10
"""Passages, the best by words, whose meaning is compared too: vectors take their time."""
AGAIN = "part of this talk"
LONG = 40
"""Characters from which a passage that stands in an earlier message was given there, and not only named."""
HEAD = 3
"""Passages that the reasons put first whatever is fed back."""
BEHIND = 0.99
"""What the best of the others is to the last of them, at most."""


def ranked(
    search: Search,
    found: First,
    passages: Mapping[str, Passage],
    limit: int,
    table: Embedder | None = None,
) -> Shortlist:
    """The best of what was found, best first; what has no text any more, or was given in this talk, is not.

    With a ``table`` the meaning of the first is compared as well. ``weights`` of the shortlist are those of
    the question's content terms.
    """
    passages, again = _unsaid(search, found, passages)
    if not passages:
        return Shortlist(NAME, dropped=again, weights=found.question.rare)
    one, by = read(found, passages), tuning().passage[found.question.language]
    reasons = reasons_of_passages(one)
    if table is not None:
        reasons = {**reasons, MEANING: _meaning(one, weighed(reasons, by), table)}
    scores = arranged(with_meaning(reasons, by), reasons)
    best = np.argsort(-scores, kind="stable")[:limit]
    candidates = tuple(_candidate(one, reasons, scores, row) for row in best.tolist())
    return Shortlist(NAME, candidates, again, weights=found.question.rare)


def _unsaid(
    search: Search, found: First, passages: Mapping[str, Passage]
) -> tuple[Mapping[str, Passage], tuple[Dropped, ...]]:
    """Those of what was found that whoever asks has not seen in this talk; and the others."""
    said = {id_ for id_ in found.ids if _said(passages.get(id_), search.seen)}
    new = {id_: passages[id_] for id_ in found.ids if id_ in passages and id_ not in said}
    return new, tuple(Dropped(id_, NAME, AGAIN) for id_ in found.ids if id_ in said)


def _said(passage: Passage | None, seen: Collection[str]) -> bool:
    """Whether a passage was given in this talk, word for word: whoever asks has it before them."""
    text = passage.text.strip() if passage else ""
    return len(text) >= LONG and any(text in said for said in seen)


def _meaning(one: Read, words: Floats, table: Embedder) -> Floats:
    """How like each passage is to the question, 0..1; 0 for all but those that words put first."""
    near = np.zeros(len(one.passages), np.float32)
    head = np.argsort(-words, kind="stable")[:MEANT]
    texts = [one.passages[row].text for row in head.tolist()]
    near[head] = np.maximum(cosines(one.found.question.text, texts, table), 0)
    return near


def with_meaning(reasons: Reasons, by: Mapping[str, float], most: int = MEANT) -> Floats:
    """The sum of the reasons; meaning counts for the ``most`` that words put first."""
    words = weighed({name: values for name, values in reasons.items() if name != MEANING}, by)
    if MEANING in reasons:
        head = np.argsort(-words, kind="stable")[:most]
        words[head] += np.float32(by.get(MEANING, 0.0)) * reasons[MEANING][head]
    return words


def arranged(scores: Floats, reasons: Reasons) -> Floats:
    """The scores, but behind the first few those of feedback decide, where words were fed back.

    One passage may still answer; the others are to be of the subject.
    """
    fed = reasons["fed"]
    if not fed.any():
        return scores
    head = np.argsort(-scores, kind="stable")[:HEAD]
    least = float(scores[head].min())
    behind = np.float32(least) * fed / max(float(fed.max()), 1e-9) * np.float32(BEHIND)
    behind[head] = scores[head]
    return behind


def weighed(reasons: Reasons, weights: Mapping[str, float]) -> Floats:
    """The sum of the reasons, each as much as its weight."""
    total = np.zeros_like(next(iter(reasons.values())))
    for name in weights.keys() & reasons.keys():
        total += np.float32(weights[name]) * reasons[name]
    return total


def _candidate(one: Read, reasons: Reasons, scores: Floats, row: int) -> Candidate:
    """Its score: how much of the question the best passage covers, and how near to the best this one is."""
    best = int(scores.argmax())
    score = float(reasons["covered"][best] * scores[row] / max(float(scores[best]), 1e-9))
    evidence = tuple(_evidence(one, reasons, scores, row))
    passage = one.passages[row]
    return Candidate(Ref("passage", passage.id), evidence, score, data_of(passage))


def _evidence(one: Read, reasons: Reasons, scores: Floats, row: int) -> Iterator[Evidence]:
    """The reasons, each 0..1.

    Beside them ``share``, BM25 over the most that the question could have, and ``margin``, how far behind the
    next one is.
    """
    for name, values in reasons.items():
        if values[row] > 0:
            yield Evidence(name, float(values[row]))
    yield Evidence("share", one.found.scores[one.found.ids.index(one.passages[row].id)])
    behind = scores[scores < scores[row]]
    if behind.size and scores[row] > 0:
        yield Evidence("margin", float((scores[row] - behind.max()) / scores[row]))


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
