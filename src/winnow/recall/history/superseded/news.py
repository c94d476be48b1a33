"""News about what a question asks for stand before what they are news of, though nothing may be marked."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import cast

from winnow.language.content import content_terms, is_character
from winnow.language.normalise import language_of, normalise
from winnow.recall.history.superseded.english.tone import english_tone
from winnow.recall.history.superseded.tone import Tone
from winnow.recall.history.superseded.values import looks
from winnow.recall.history.superseded.words import words
from winnow.text.tables import table
from winnow.types.message import Message

Rarity = Callable[[str], float]
"""How much a term says in a history: the fewer messages have it, the more."""
DEPTH = 16
"""Rows that may be news."""
MOST = 120
"""Characters of news, at most: longer messages tell a story."""
OLDEST = 3
"""Rows that they may be news of."""
ENOUGH = 5.0
"""Weight of shared terms from which more of them say no more."""


@dataclass(frozen=True, slots=True)
class Note:
    """What a message is about at a glance, and how it tells it."""

    terms: frozenset[str]
    looks: Mapping[str, str]
    tone: Tone


@lru_cache(maxsize=65536)
def note(text: str) -> Note:
    """What a text is about; read once."""
    terms = frozenset(term for term in content_terms(text) if not is_character(term))
    plain = normalise(text)
    return Note(terms, looks(plain), english_tone(text))


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and how rare the terms of the history are."""

    note: Note
    rarity: Rarity

    def weight(self, terms: Collection[str]) -> float:
        """How much terms say in this history."""
        return sum(map(self.rarity, terms))

    def share(self, terms: Collection[str]) -> float:
        """How much of the question they are, 0 to 1."""
        return self.weight(terms) / (self.weight(self.note.terms) or 1)


@dataclass(frozen=True, slots=True)
class News:
    """A pair of rows, the older first, and what makes news of the newer."""

    old: int
    new: int
    reasons: Mapping[str, float]
    score: float


def asks_before(question: str) -> bool:
    """Whether a question asks for what was before something else."""
    return note(question).tone.before


def score_of(news: News) -> float:
    """How much speaks for it."""
    return news.score


def news_first(
    rows: Sequence[int], messages: Sequence[Message], question: str, rarity: Rarity
) -> tuple[tuple[int, ...], Mapping[int, int]]:
    """Rows best first, with the best news of one of the first before them; old row -> news where it is sure.

    Only for English questions for what holds now, and among what a person told an assistant: in Chinese the
    claims are enough, and in talks of several people the first row is mostly right.
    """
    asked = Asked(note(question), rarity)
    if asked.note.tone.before:
        return _earlier_first(rows, messages, asked), {}
    if asked.note.tone.then or language_of(question) == "zh":
        return tuple(rows), {}
    found = [news for news in pairs_of(rows, messages, asked) if news.score > weights()["least"]]
    best = [_latest(found)] if found else []
    return tuple(dict.fromkeys((*best, *rows))), _sure(found, messages, asked)


def _latest(found: Sequence[News]) -> int:
    """The row of the best news, or of later ones nearly as good that tell another value still."""
    best = max(found, key=score_of)
    least = best.score - weights()["nearly"]
    later = (
        n.new for n in found if n.score >= least and n.reasons["other_value"] and not n.reasons["of_another"]
    )
    return max((best.new, *later))


def _sure(found: Sequence[News], messages: Sequence[Message], asked: Asked) -> dict[int, int]:
    """Old row -> the best news of it, where it may be called outdated."""
    sure = (news for news in found if _is_sure(news, note(messages[news.old].content), asked))
    return {news.old: news.new for news in sorted(sure, key=score_of)}


def _earlier_first(rows: Sequence[int], messages: Sequence[Message], asked: Asked) -> tuple[int, ...]:
    """For who asks what was before: the best of what was said before the first row."""
    earlier = [row for row in rows[:DEPTH] if row < rows[0] and messages[row].role in words("users")]
    found = {row: _tells_before(asked, note(messages[row].content)) for row in earlier}
    best = max(found, key=lambda row: found[row], default=rows[0])
    return tuple(dict.fromkeys((best, *rows))) if found.get(best, 0) > 0 else tuple(rows)


def _tells_before(asked: Asked, old: Note) -> float:
    """How much of what is asked for an older text tells; less than 0 for one of somebody else."""
    question = asked.note
    if old.tone.asks or not _is_of_asked(question.tone, old.tone):
        return -1.0
    return asked.weight(question.terms & old.terms)


def pairs_of(rows: Sequence[int], messages: Sequence[Message], asked: Asked) -> Iterator[News]:
    """Each pair of one of the first and a later message, if that may be news of it."""
    told = [row for row in rows[:DEPTH] if messages[row].role in words("users")]
    for old, (place, new) in product(told[:OLDEST], enumerate(told)):
        before, after = messages[old], messages[new]
        if new > old and len(after.content) <= MOST:
            found = reasons(asked, note(before.content), note(after.content))
            if found is not None:
                found["place"] = 1 - place / DEPTH
                yield News(old, new, found, sum(weights()[name] * value for name, value in found.items()))


def _is_sure(news: News, old: Note, asked: Asked) -> bool:
    """Whether the older may be called outdated: both are of whom is asked for, and the value is another."""
    told, question = news.reasons, asked.note.tone
    if not _is_of_asked(question, old.tone):
        return False
    if told["of_another"] or told["not_of_them"] or not told["other_value"]:
        return False
    return news.score > weights()["sure"] and bool(told["changed"] or told["ended"])


def weights() -> Mapping[str, float]:
    """What each reason counts for; ``least`` is what makes news of a message."""
    return cast("Mapping[str, float]", table(__package__, "news.yaml"))


def reasons(asked: Asked, old: Note, new: Note) -> dict[str, float] | None:
    """What speaks for and against ``new`` being news of ``old``, for whoever asks; each 0 to 1.

    None where it cannot be: a question, the same value again, or what neither has a word of the question nor
    says that anything changed.
    """
    alike = old.looks.keys() & new.looks.keys()
    differs = any(old.looks[kind] != new.looks[kind] for kind in alike)
    on_it = asked.note.terms & new.terms
    if new.tone.asks or (alike and not differs) or not (on_it or _is_new(new.tone)):
        return None
    return {
        "asked": asked.share(on_it),
        "shared": min(asked.weight((old.terms & new.terms) - asked.note.terms) / ENOUGH, 1),
        "other_value": differs,
        "value_lost": bool(old.looks) and not alike,
        **_tells(asked.note.tone, old.tone, new.tone),
    }


def _is_new(tone: Tone) -> bool:
    """Whether a text says that something changed or ended."""
    return tone.changed or tone.ended


def _tells(question: Tone, old: Tone, new: Tone) -> dict[str, float]:
    """The reasons that lie in how it is told."""
    ours = old.names - question.names
    return {
        "old_name": not ours.isdisjoint(new.words) and (new.changed or new.ended),
        "new_name": bool(new.names - ours - question.names),
        "changed": new.changed,
        "ended": new.ended,
        "of_another": _is_of_another(question, new),
        "not_of_them": _is_of_others(question, new) and not new.there,
    }


def _is_of_others(question: Tone, told: Tone) -> bool:
    """Whether a question names people whom a text does not name."""
    return bool(question.owners) and not question.owners <= told.owners | told.words


def _is_of_asked(question: Tone, told: Tone) -> bool:
    """Whether a text speaks of those whom a question names, and begins with no one else."""
    return not (_is_of_another(question, told) or _is_of_others(question, told))


def _is_of_another(question: Tone, told: Tone) -> bool:
    """Whether a text begins with somebody whom the question does not name."""
    return bool(told.first - question.owners - question.words)
