"""Which statements were superseded by later ones, and which rows of a ranking are news of others."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product
from typing import Literal, cast

from winnow.language.content_words import telling_terms
from winnow.language.linear import weighted_sum
from winnow.language.normalize import normalise
from winnow.language.registry import language_of
from winnow.language.tables import table
from winnow.retrieve.statements.chinese import chinese_claims
from winnow.retrieve.statements.claims import (
    SPEAKER,
    UNNAMED_ATTRIBUTE,
    StatementClaim,
    Tone,
    statement_words,
    typed_values,
    values_differ,
)
from winnow.retrieve.statements.english import english_claims
from winnow.retrieve.statements.english.subjects import english_tone
from winnow.types.message import Message

Rarity = Callable[[str], float]
"""How much a term says in a history: the fewer messages have it, the more."""
MAX_NEWS_ROWS = 16
"""Rows that may be news."""
MAX_NEWS_CHARS = 120
"""Characters of news, at most: longer messages tell a story."""
MAX_REPLACED_ROWS = 3
"""Rows that they may be news of."""
SHARED_WEIGHT_CAP = 5.0
"""Weight of shared terms from which more of them say no more."""


@dataclass(frozen=True, slots=True)
class MessageNote:
    """What a message is about at a glance, and how it tells it."""

    terms: frozenset[str]
    looks: Mapping[str, str]
    tone: Tone


@lru_cache(maxsize=65536)
def message_note(text: str) -> MessageNote:
    """What a text is about; read once."""
    terms = frozenset(telling_terms(text))
    plain = normalise(text)
    return MessageNote(terms, typed_values(plain), english_tone(text))


@dataclass(frozen=True, slots=True)
class NewsQuestion:
    """A question, and how rare the terms of the history are."""

    note: MessageNote
    rarity: Rarity

    def weight(self, terms: Collection[str]) -> float:
        """How much terms say in this history."""
        return sum(map(self.rarity, terms))

    def share(self, terms: Collection[str]) -> float:
        """How much of the question they are, 0 to 1."""
        return self.weight(terms) / (self.weight(self.note.terms) or 1)


@dataclass(frozen=True, slots=True)
class NewsPair:
    """A pair of rows, the older first, and what makes news of the newer."""

    old: int
    new: int
    features: Mapping[str, float]
    score: float


def asks_before(question: str) -> bool:
    """Whether a question asks for what was before something else."""
    return message_note(question).tone.before


def news_score(news: NewsPair) -> float:
    """How much speaks for it."""
    return news.score


def news_first(
    rows: Sequence[int], messages: Sequence[Message], question: str, rarity: Rarity
) -> tuple[tuple[int, ...], Mapping[int, int]]:
    """Rows best first, with the best news of one of the first before them; old row -> news where it is sure.

    Only for English questions for what holds now, and among what a person told an assistant: in Chinese the
    claims are enough, and in talks of several people the first row is mostly right.
    """
    asked = NewsQuestion(message_note(question), rarity)
    if asked.note.tone.before:
        return _earlier_first(rows, messages, asked), {}
    if asked.note.tone.then or language_of(question) == "zh":
        return tuple(rows), {}
    found = [news for news in news_pairs(rows, messages, asked) if news.score > news_weights()["least"]]
    best = [_latest_news(found)] if found else []
    # Old row -> the best news of it, where it may be called outdated
    sure = (news for news in found if _is_sure(news, messages, asked))
    return tuple(dict.fromkeys((*best, *rows))), {news.old: news.new for news in sorted(sure, key=news_score)}


def _latest_news(found: Sequence[NewsPair]) -> int:
    """The row of the best news, or of later ones nearly as good that tell another value still."""
    best = max(found, key=news_score)
    least = best.score - news_weights()["nearly"]
    later = (
        n.new
        for n in found
        if n.score >= least and n.features["other_value"] and not n.features["of_another"]
    )
    return max((best.new, *later))


def _earlier_first(rows: Sequence[int], messages: Sequence[Message], asked: NewsQuestion) -> tuple[int, ...]:
    """For who asks what was before: the best of what was said before the first row."""
    earlier = [
        row
        for row in rows[:MAX_NEWS_ROWS]
        if row < rows[0] and messages[row].role in statement_words("users")
    ]
    found = {row: _tells_before(asked, message_note(messages[row].content)) for row in earlier}
    best = max(found, key=lambda row: found[row], default=rows[0])
    return tuple(dict.fromkeys((best, *rows))) if found.get(best, 0) > 0 else tuple(rows)


def _tells_before(asked: NewsQuestion, old: MessageNote) -> float:
    """How much of what is asked for an older text tells; less than 0 for one of somebody else."""
    question = asked.note
    if old.tone.asks or not _is_of_asked(question.tone, old.tone):
        return -1.0
    return asked.weight(question.terms & old.terms)


def news_pairs(rows: Sequence[int], messages: Sequence[Message], asked: NewsQuestion) -> Iterator[NewsPair]:
    """Each pair of one of the first and a later message, if that may be news of it."""
    told = [row for row in rows[:MAX_NEWS_ROWS] if messages[row].role in statement_words("users")]
    for old, (place, new) in product(told[:MAX_REPLACED_ROWS], enumerate(told)):
        before, after = messages[old], messages[new]
        if new > old and len(after.content) <= MAX_NEWS_CHARS:
            found = news_features(asked, message_note(before.content), message_note(after.content))
            if found is not None:
                found["place"] = 1 - place / MAX_NEWS_ROWS
                yield NewsPair(old, new, found, weighted_sum(found, news_weights()))


def _is_sure(news: NewsPair, messages: Sequence[Message], asked: NewsQuestion) -> bool:
    """Whether the older may be called outdated.

    It tells what is asked, of whom it is asked, and the newer says that it changed, with another value or by
    naming what it was.
    """
    told, (old, new) = news.features, (message_note(messages[row].content) for row in (news.old, news.new))
    if not _is_of_asked(asked.note.tone, old.tone) or told["of_another"] or told["not_of_them"]:
        return False
    # What only the newer has of the question is what the older is not about: another room's budget
    is_of_it = (asked.note.terms & new.terms) <= old.terms
    is_told = (told["other_value"] or told["shared"]) and (told["changed"] or told["ended"])
    return is_of_it and bool(is_told) and news.score > news_weights()["sure"]


def news_weights() -> Mapping[str, float]:
    """What each reason counts for; ``least`` is what makes news of a message."""
    return cast("Mapping[str, float]", table(__package__, "news.yaml"))


def news_features(asked: NewsQuestion, old: MessageNote, new: MessageNote) -> dict[str, float] | None:
    """What speaks for and against ``new`` being news of ``old``, for whoever asks; each 0 to 1.

    None where it cannot be: a question, the same value again, or what neither has a word of the question nor
    says that anything changed.
    """
    alike = old.looks.keys() & new.looks.keys()
    differs = any(old.looks[kind] != new.looks[kind] for kind in alike)
    on_it = asked.note.terms & new.terms
    if new.tone.asks or (alike and not differs) or not (on_it or new.tone.changed or new.tone.ended):
        return None
    return {
        "asked": asked.share(on_it),
        "shared": min(asked.weight((old.terms & new.terms) - asked.note.terms) / SHARED_WEIGHT_CAP, 1),
        "other_value": differs,
        "value_lost": bool(old.looks) and not alike,
        **_tone_features(asked.note.tone, old.tone, new.tone),
    }


def _tone_features(question: Tone, old: Tone, new: Tone) -> dict[str, float]:
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


# Which statements of a history were replaced by later ones.


MAX_STATEMENT_CHARS = 600
"""Longer texts are no statements of one thing; only so many characters are read."""
MAX_AMBIGUOUS_PEOPLE = 8
"""So many roles and names that each stand for several people, and none of the history is trusted."""
NAME_ATTRIBUTE = frozenset({"name"})
"""What tells people apart: two names of ``my colleague`` are two people."""


@lru_cache(maxsize=65536)
def text_claims(text: str) -> tuple[StatementClaim, ...]:
    """What a text states of somebody, as far as it can be told by the rules of its language."""
    read = chinese_claims if language_of(text) == "zh" else english_claims
    return tuple(read(text[:MAX_STATEMENT_CHARS]))


@dataclass(frozen=True, slots=True)
class RowClaim:
    """A claim and the row of the message that makes it."""

    row: int
    claim: StatementClaim


@dataclass(frozen=True, slots=True)
class Supersession:
    """What the messages of a history, oldest first, say that was said anew later.

    ``newer`` holds for each row the row that tells the newest value; ``replaced`` those of them of which
    nothing else holds any longer: only these may be called outdated.
    """

    newer: Mapping[int, int]
    replaced: Mapping[int, int]

    @classmethod
    def from_messages(cls, messages: Sequence[Message]) -> Supersession:
        """Read messages, oldest first."""
        people = _facts(messages)
        gone: dict[int, list[int]] = defaultdict(list)
        for old, new in _all_replacements(people, {message.role for message in messages}):
            gone[old.row].append(new.row)
        stated = Counter(fact.row for facts in people.values() for fact in facts if fact.claim.counts)
        newer = {row: max(by) for row, by in gone.items()}
        whole = {row: by for row, by in newer.items() if len(gone[row]) >= stated[row]}
        return cls(newer, whole)


def _all_replacements(
    people: Mapping[str, Sequence[RowClaim]], speakers: Set[str]
) -> Iterator[tuple[RowClaim, RowClaim]]:
    """(old, what replaced it) of everybody; whoever speaks is one person, whatever they say."""
    # Those of whom it is not sure that they are one person each
    others = {who: facts for who, facts in people.items() if who not in speakers}
    torn = {who for who, facts in others.items() if is_several_people(facts)}
    doubtful = others.keys() if len(torn) >= MAX_AMBIGUOUS_PEOPLE else torn
    for who, facts in people.items():
        yield from _replacements(facts, who in doubtful)


def _facts(messages: Sequence[Message]) -> dict[str, list[RowClaim]]:
    """Person -> what is told of them, oldest first."""
    people: dict[str, list[RowClaim]] = defaultdict(list)
    for row, message in enumerate(messages):
        for claim in message_claims(message):
            who = claim.who
            people[
                message.role + who[len(SPEAKER) :] if who == SPEAKER or who.startswith(f"{SPEAKER}/") else who
            ].append(RowClaim(row, claim))
            if claim.what == {"role"}:
                named = StatementClaim(claim.who, NAME_ATTRIBUTE, words=frozenset({claim.who}))
                people[f"{message.role}/{min(claim.words)}"].append(RowClaim(row, named))
    return people


def message_claims(message: Message) -> tuple[StatementClaim, ...]:
    """The claims of a message; what an assistant or a system says is none of a person's."""
    return () if message.role in statement_words("machines") else text_claims(message.content)


def _replacements(facts: Sequence[RowClaim], doubtful: bool) -> Iterator[tuple[RowClaim, RowClaim]]:
    """(old, what replaced it) among the statements of one person."""
    for at, old in enumerate(facts):
        after = [f for f in facts[at + 1 :] if f.row > old.row and _same_matter(old.claim, f.claim)]
        new = _replacing(old, after, doubtful)
        if new is not None:
            yield old, new


def _replacing(old: RowClaim, after: Sequence[RowClaim], doubtful: bool) -> RowClaim | None:
    """The last that replaces a statement, if it is not said again later."""
    for new in reversed(after):
        if _repeats(old.claim, new.claim):
            return None
        if _replaces(old.claim, new.claim, doubtful):
            return new
    return None


def claim_relation(old: StatementClaim, new: StatementClaim) -> Literal["", "replaced", "repeated"]:
    """What becomes of a claim by a later one of the same person; empty: nothing."""
    if not _same_matter(old, new):
        return ""
    if _repeats(old, new):
        return "repeated"
    return "replaced" if _replaces(old, new, doubtful=False) else ""


def _same_matter(old: StatementClaim, new: StatementClaim) -> bool:
    """Whether both speak of one attribute; a claim of change may name it shorter, longer or not at all."""
    if old.what == new.what:
        return old.what != UNNAMED_ATTRIBUTE
    if not new.changed or old.what == UNNAMED_ATTRIBUTE:
        return False
    if new.what == UNNAMED_ATTRIBUTE:
        return _says_over(new, old) or bool(old.words & new.words)
    return old.single and bool(old.what & new.what) and (old.what <= new.what or new.what <= old.what)


def _replaces(old: StatementClaim, new: StatementClaim, doubtful: bool) -> bool:
    if _says_over(new, old):
        return True
    if doubtful or not values_differ(old, new):
        return False
    return new.changed or (old.single and new.single and old.what != NAME_ATTRIBUTE)


def _says_over(new: StatementClaim, old: StatementClaim) -> bool:
    """Whether the newer one says that this value holds no longer: ``not Tuesday``, ``from Rome to Oslo``."""
    if old.words:
        return 2 * len(old.words & new.ended_words) >= len(old.words) and bool(new.ended_words)
    return bool(old.looks) and new.ended_words.issuperset(old.looks.values())


def _repeats(old: StatementClaim, new: StatementClaim) -> bool:
    return old.what == new.what and not values_differ(old, new)


def is_several_people(facts: Sequence[RowClaim]) -> bool:
    """Whether more than one person seems to be meant: ``my colleague`` with two birthdays and two numbers."""
    matters: dict[frozenset[str], list[StatementClaim]] = defaultdict(list)
    for fact in facts:
        matters[fact.claim.what].append(fact.claim)
    torn = [what for what, said in matters.items() if _has_contradiction(said)]
    return NAME_ATTRIBUTE in torn or len(torn) > 1 or any(_value_count(matters[what]) > 2 for what in torn)


def _has_contradiction(said: Sequence[StatementClaim]) -> bool:
    return any(values_differ(a, b) and not b.changed for a, b in combinations(said, 2))


def _value_count(said: Sequence[StatementClaim]) -> int:
    """How many different values there are."""
    kept: list[StatementClaim] = []
    for claim in said:
        if all(values_differ(claim, other) for other in kept):
            kept.append(claim)
    return len(kept)


# Ranked messages with the newest value first.


@dataclass(frozen=True, slots=True)
class CurrentRows:
    """Rows in their new order, and those of them that are outdated with the row that replaced each."""

    rows: tuple[int, ...]
    replaced: Mapping[int, int]


def newest_first(rows: Sequence[int], told: Supersession) -> CurrentRows:
    """Rows of a history, best first: what tells the newest value stands before what it replaced.

    A row that replaces one of these and was not found is put in. Costs a few look-ups.
    """
    order: dict[int, None] = {}
    for row in rows:
        # What replaced the row in the end
        newest_row = row
        newest = None
        while newest_row in told.newer:
            newest_row = newest = told.newer[newest_row]
        if newest is not None:
            order[newest] = None
        order[row] = None
    return CurrentRows(tuple(order), {row: told.replaced[row] for row in order if row in told.replaced})


def order_by_news(
    rows: Sequence[int], messages: Sequence[Message], question: str, told: Supersession, rarity: Rarity
) -> CurrentRows:
    """The same for whoever asks: news of what is asked for stand first, whatever could be read of them.

    ``messages`` are those of the history by row, ``told`` what was read of them, ``rarity``
    says how rare a term is in them.
    """
    if not rows:
        return CurrentRows((), {})
    news, sure = news_first(rows, messages, question, rarity)
    if asks_before(question):
        return CurrentRows(news, {row: told.replaced[row] for row in news if row in told.replaced})
    found = newest_first(news, told)
    return CurrentRows(found.rows, {**sure, **found.replaced})


def supersession_among(rows: Sequence[int], messages: Sequence[Message]) -> Supersession:
    """What the messages of these rows alone say that one of them said anew; rows as in ``messages``."""
    oldest = sorted(rows)
    told = Supersession.from_messages([messages[row] for row in oldest])
    return Supersession(
        *({oldest[a]: oldest[b] for a, b in pairs.items()} for pairs in (told.newer, told.replaced))
    )
