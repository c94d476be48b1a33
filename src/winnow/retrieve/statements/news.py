"""What is news, judged of two messages given the question, by a small fitted sum.

Both are found for one question, and the later one tells another value of what it asks for. Whether it does is
told by what they share with the question and with one another, of whom they begin to speak, and how the later
one tells it: docs/decisions/0109. Only of what a person told an assistant: in talks of several people the
first row is mostly right.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import chain, islice, pairwise, product
from typing import NamedTuple, cast

from winnow.language.content_words import telling_terms
from winnow.language.linear import weighted_sum
from winnow.language.normalize import normalise
from winnow.language.patterns import compiled_patterns
from winnow.language.registry import language_of
from winnow.language.sentences import split_sentences
from winnow.language.tables import table
from winnow.retrieve.statements import english
from winnow.retrieve.statements.chinese import canonical_person
from winnow.retrieve.statements.claims import (
    person_word,
    phrase_list,
    statement_groups,
    statement_words,
    typed_values,
)
from winnow.retrieve.statements.english.subjects import (
    Tokens,
    capitalized_words,
    english_tokens,
    is_finite,
)
from winnow.retrieve.statements.supersession import CurrentRows, Supersession, newest_first
from winnow.types.message import Message

# What a message is about at a glance, and how it tells it.


MAX_NEWS_CHARS = 140
"""Characters of a message that tells one thing, at most; of a longer one each sentence is read by itself."""
MAX_TOLD_SENTENCES = 8
"""Sentences of a longer message that are read."""
MAX_ELLIPTIC_CHARS = 80
"""Characters of a correction that names nothing of what it corrects."""
MAX_BEGINNING_TOKENS = 7
"""Tokens of the words a message begins with, up to its verb."""
MAX_BREAKS = 3
"""Breaks between clauses from which more of them say no more."""

_NUMBER = re.compile(r"\d+(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class MessageNote:
    """What can be seen of a message without reading its claims."""

    terms: frozenset[str]
    looks: Mapping[str, str]
    """Kind -> value of the numbers, dates and the like in it."""
    numbers: frozenset[str]
    """The numbers in those of them that count or name something."""
    words: frozenset[str]
    """All its words, and the people among them in one spelling."""
    names: frozenset[str]
    """Words written large inside a sentence; in Chinese the people it names, and Latin words."""
    subject: frozenset[str]
    """Terms of what it begins with, up to its verb."""
    people: frozenset[str]
    """Whom it begins to speak of, unless that is whoever speaks."""
    owners: frozenset[str]
    """The people it names, and whatever else by its name owns something."""
    mine: bool
    """It speaks of whoever speaks."""
    pronoun: bool
    """It speaks of somebody by a pronoun."""
    changed: bool
    """It says that something is not as it was."""
    ended: bool
    """It says that something is gone, done with or begun."""
    beside: bool
    """It says that it tells of another thing, or of what stays."""
    breaks: float
    """How many clauses there are, 0 to 1: who tells a change mostly tells why."""
    loud: bool
    asks: bool
    elliptic: bool
    """A correction that need not name what it corrects: ``make that Friday``."""
    partial: bool = False
    """It is of a message that tells of other things too."""


@lru_cache(maxsize=65536)
def message_note(text: str) -> MessageNote:
    """What can be seen of a text; read once."""
    return (_chinese_note if language_of(text) == "zh" else _english_note)(text)


def _chinese_note(text: str) -> MessageNote:
    plain = normalise(text)
    terms, looks = frozenset(telling_terms(text)), typed_values(plain)
    beginning = _patterns("zh")["begins"].split(_patterns("zh")["lead"].sub("", plain))[0]
    persons = frozenset(_named_in_chinese(plain))
    return MessageNote(
        terms=terms,
        looks=looks,
        numbers=_numbers_in(looks),
        words=terms | persons,
        names=persons | frozenset(_patterns("zh")["latin"].findall(plain)),
        subject=frozenset(telling_terms(beginning)),
        people=frozenset(_named_in_chinese(beginning)),
        owners=persons,
        breaks=min(len(_patterns("zh")["break"].findall(plain)), MAX_BREAKS) / MAX_BREAKS,
        loud="!" in plain,
        elliptic=len(text) <= MAX_ELLIPTIC_CHARS and _says("elliptic", plain, "zh"),
        **{
            name: _says(name, plain, "zh")
            for name in ("mine", "pronoun", "changed", "ended", "beside", "asks")
        },
    )


def _named_in_chinese(plain: str) -> Iterator[str]:
    """The people in a normalised Chinese text, those of one kinship in one spelling."""
    return (canonical_person(match[0]) for match in _patterns("zh")["person"].finditer(plain))


def _english_note(text: str) -> MessageNote:
    low = text.lower().replace("\u2019", "'")
    plain = phrase_list("passing").pattern.sub("", low)
    tokens, names = english_tokens(low), capitalized_words(text)
    words = _without_owner(tokens)
    subject, people = _beginning(text, low, names)
    looks = typed_values(normalise(text))
    return MessageNote(
        terms=frozenset(telling_terms(text)),
        looks=looks,
        numbers=_numbers_in(looks),
        words=words | _people(words),
        names=names,
        subject=subject,
        people=people,
        owners=_people(words) | (_without_owner(t for t in tokens if t.endswith("'s")) & names),
        mine=_says("mine", low),
        pronoun=not words.isdisjoint(statement_words("there") | statement_words("theirs")),
        changed=_has(plain, "corrects", "changes"),
        ended=_has(plain, "recent", "ended"),
        beside=_says("beside", low),
        breaks=min(len(_patterns()["break"].findall(low.rstrip(".!? "))), MAX_BREAKS) / MAX_BREAKS,
        loud="!" in text,
        asks=_says("asks", low),
        elliptic=len(text) <= MAX_ELLIPTIC_CHARS and _says("elliptic", low),
    )


def _numbers_in(looks: Mapping[str, str]) -> frozenset[str]:
    counted = (looks[kind].replace(",", "") for kind in looks.keys() & _kinds("count"))
    return frozenset(number for said in counted for number in _NUMBER.findall(said))


def _patterns(language: str = "en") -> Mapping[str, re.Pattern[str]]:
    if language == "zh":
        return compiled_patterns(__package__, "zh.yaml")
    return compiled_patterns(english.__name__, "clauses.yaml")


def _says(pattern: str, low: str, language: str = "en") -> bool:
    return _patterns(language)[pattern].search(low) is not None


def _has(plain: str, *lists: str) -> bool:
    """Whether a text has a phrase of these lists."""
    return any(phrase_list(name).is_in(plain) for name in lists)


@cache
def _kinds(asked: str) -> frozenset[str]:
    """The kinds of values that answer who asks for a ``time`` or a ``count``."""
    return frozenset(statement_groups("answers")[asked])


def _without_owner(tokens: Iterable[str]) -> frozenset[str]:
    """Words without the mark of an owner."""
    return frozenset(token.removesuffix("'s") for token in tokens)


def _people(words: Iterable[str]) -> frozenset[str]:
    """The people among words."""
    return frozenset(filter(None, map(person_word, words)))


def _beginning(text: str, low: str, names: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
    """The terms a text begins with, up to its verb, and the people among them: ``my dad's boat``."""
    first = _first_person(text)
    large = names | first
    tokens = english_tokens(_patterns()["opening"].split(low)[0])
    while tokens and (length := phrase_list("lead").prefix_length(tokens)):
        tokens = tokens[length:]
    found: list[str] = []
    people = set(first)
    for token, following in pairwise((*tokens[:MAX_BEGINNING_TOKENS], "")):
        bare = token.removesuffix("'s").rstrip(":")
        if _ends_subject(token, found, large):
            break
        found.append(bare)
        person = person_word(bare)
        if person or (bare in large and (token != bare or not people - first)):
            people.add(person or bare)
        if token.endswith(":") or (token.endswith("'s") and _is_short_is(bare, following)):
            break
    return frozenset(telling_terms(" ".join(found))), frozenset(people)


def _ends_subject(token: str, before: Sequence[str], names: frozenset[str]) -> bool:
    """Whether a token is behind the subject: a verb, a preposition, a number, or whoever speaks."""
    speaker = token.split("'", maxsplit=1)[0] in statement_words("self")
    if speaker or token in _after_subject() or _NUMBER.search(token):
        return True
    if not before:
        return token.endswith("ing")
    # ``Abby meditates``: what ends like a verb behind a person
    verb = token.endswith("s") and not token.endswith(("ss", "'s"))
    return is_finite(token) or (verb and (bool(person_word(before[-1])) or before[-1] in names))


@cache
def _after_subject() -> frozenset[str]:
    return frozenset().union(*map(statement_words, ("copulas", "be", "at_place", "at_end")))


def _is_short_is(bare: str, following: str) -> bool:
    """Whether ``'s`` stands for *is* or *has* before a word: ``the van's in``, not ``the van's door``."""
    lists = ("determiner", "adverb", "after_short_is", "copulas", "be", "at_place", "at_end")
    return (
        bare in statement_words("contracted")
        or not following
        or following.endswith(("ing", "ed"))
        or following[0] in "$£€0123456789"
        or any(following in statement_words(name) for name in lists)
    )


def _first_person(text: str) -> frozenset[str]:
    """Whom the first words speak of: ``my sister``, ``Gran``, ``Ben's``, ``Lena eats``."""
    large = text[:1].isupper()
    tokens = english_tokens(text[:60])[:2]
    if len(tokens) < 2:
        return frozenset()
    first, second = (token.lower().removesuffix("'s") for token in tokens)
    led = first in statement_words("owner") | statement_words("theirs") | statement_words("determiner")
    people = _people((first, second) if led else (first,))
    if people or not large or first in _openers():
        return people
    named = (
        tokens[0].endswith("'s")
        or second.endswith("s")
        or second in statement_words("copulas") | statement_words("joins")
    )
    return frozenset({first}) if named else frozenset()


@cache
def _openers() -> frozenset[str]:
    """What begins a sentence and is no name."""
    lists = ("owner", "self", "there", "theirs", "determiner", "others", "copulas", "adverb", "unsure")
    return statement_words("calendar").union(*map(statement_words, lists))


# The question, and what speaks for one message being news of another.


Rarity = Callable[[str], float]
"""How much a term says in a history: the fewer messages have it, the more."""
SHARED_WEIGHT_CAP = 5.0
"""Weight of shared terms from which more of them say no more."""


@dataclass(frozen=True, slots=True)
class NewsQuestion:
    """What a question asks for, of whom, and how rare the terms of the history are."""

    note: MessageNote
    rarity: Rarity
    about: tuple[str, ...]
    """The people and names in it, in order; the last one is whom or what it is asked of."""
    kinds: frozenset[str]
    """Kinds of values that would answer it; empty: it asks for none that shows by its looks."""
    who: bool
    """It asks for a name, which is nobody else's."""
    known: frozenset[str]
    """Its terms, those of the names in it too."""
    whole: float
    """The weight of its terms."""
    weights: Mapping[str, float]
    """What each reason counts for in its language."""

    @classmethod
    def of(cls, text: str, rarity: Rarity) -> NewsQuestion:
        """Read a question."""
        language = language_of(text)
        low = normalise(text) if language == "zh" else text.lower()
        time, count = _says("asks_time", low, language), _says("asks_count", low, language)
        kinds = _kinds("time") if time else _kinds("count") if count else frozenset[str]()
        named = _named_in_chinese(low) if language == "zh" else _named_in(english_tokens(text))
        note, about = message_note(text), tuple(named)
        known = note.terms.union(telling_terms(" ".join(about)))
        whole = sum(map(rarity, note.terms)) or 1.0
        weights = news_weights(language)
        return cls(note, rarity, about, kinds, _says("asks_who", low, language), known, whole, weights)

    def weight(self, terms: Collection[str]) -> float:
        """How much terms say in this history."""
        return sum(map(self.rarity, terms))

    def share(self, terms: Collection[str]) -> float:
        """How much of the question they are, 0 to 1."""
        return self.weight(self.note.terms.intersection(terms)) / self.whole

    def misses(self, told: MessageNote) -> bool:
        """Whether a message names none of those in the question, and nobody by a pronoun."""
        return bool(self.about) and told.words.isdisjoint(self.about) and not told.pronoun

    def is_of_another(self, told: MessageNote) -> bool:
        """Whether a message begins with somebody whom the question does not name, or names only such."""
        others = told.owners | told.people if self.misses(told) else told.people
        return bool(others.difference(self.about, self.note.words)) and not self.who

    def is_of_one(self, old: MessageNote, new: MessageNote) -> bool:
        """Whether both are of those asked about, and the newer of nothing asked for that the older lacks."""
        others = self.is_of_another(old) or self.misses(old) or self.is_of_another(new)
        # What only the newer has of the question the older is not about: another room's budget
        return not others and self.note.terms.intersection(new.terms) <= old.terms

    def beside_subject(self, told: MessageNote) -> float:
        """How many of the terms a message begins with the question lacks, 0 to 1."""
        return min(len(told.subject - self.known), 2) / 2


def _named_in(tokens: Tokens) -> Iterator[str]:
    """The people and the names of a question, whose first word is large anyway."""
    for at, token in enumerate(tokens):
        bare = token.lower().removesuffix("'s")
        large = at > 0 and token[0].isupper() and not token.isupper() and not token.startswith("I'")
        if person := person_word(bare):
            yield person
        elif large and bare not in statement_words("calendar") and not typed_values(bare):
            yield bare


def old_features(asked: NewsQuestion, old: MessageNote) -> dict[str, float]:
    """What speaks for and against a message telling what is asked for; each 0 to 1."""
    return {
        "old_misses": asked.misses(old),
        "old_of_another": asked.is_of_another(old),
        "old_beside_subject": asked.beside_subject(old),
        "old_beside": old.beside,
    }


def new_features(asked: NewsQuestion, new: MessageNote) -> dict[str, float]:
    """What speaks for and against a message being news of what is asked for; each 0 to 1."""
    return {
        "new_misses": asked.misses(new),
        "new_of_another": asked.is_of_another(new),
        "new_beside_subject": asked.beside_subject(new),
        "new_begins_with_it": asked.share(new.subject),
        "no_such_value": bool(asked.kinds) and asked.kinds.isdisjoint(new.looks),
        "pronoun": new.pronoun,
        "changed": new.changed,
        "ended": new.ended,
        "breaks": new.breaks,
        "breaks_of_change": new.breaks * (new.changed or new.ended),
        "loud": new.loud,
    }


def pair_features(asked: NewsQuestion, old: MessageNote, new: MessageNote) -> dict[str, float] | None:
    """What the two have in common and what differs, each 0 to 1; None: the same value is told again."""
    alike = old.looks.keys() & new.looks.keys()
    differs = any(old.looks[kind] != new.looks[kind] for kind in alike)
    new_name = not new.names <= old.names | asked.note.names
    again = alike or (old.numbers and old.numbers == new.numbers)
    if again and not differs and not (asked.who and new_name):
        return None
    shared, head = old.terms & new.terms, asked.about[-1:]
    return {
        "shared": min(asked.weight(shared - asked.note.terms) / SHARED_WEIGHT_CAP, 1),
        "shared_asked": asked.share(shared),
        "other_value": differs,
        "other_number": bool(old.numbers and new.numbers) and old.numbers.isdisjoint(new.numbers),
        "new_name": new_name,
        "both_of_it": bool(head) and old.words.issuperset(head) and new.words.issuperset(head),
        "both_mine": not asked.about and old.mine and new.mine,
    }


# Rows of a ranking with the news first.


MAX_NEWS_ROWS = 10
"""First rows that may be news, or what they are news of."""
MAX_FOLLOWED_ROWS = 3
"""First rows behind which a correction is looked for that no word of the question finds."""
FOLLOWING_MESSAGES = 2
"""So many messages of the person behind a row may be such a correction of it."""


@dataclass(frozen=True, slots=True)
class NewsPair:
    """A pair of rows, the older first, and what makes news of the newer."""

    old: int
    new: int
    features: Mapping[str, float]
    score: float
    """Logarithm of the odds that the newer tells what the older no longer does."""
    is_of_one: bool
    """See ``NewsQuestion.is_of_one``."""


def news_weights(language: str) -> Mapping[str, float]:
    """What each reason counts for in a language, and from which score on what is done."""
    return cast("Mapping[str, float]", table(__package__, "news.yaml")[language])


def news_pairs(
    rows: Mapping[int, float], messages: Sequence[Message], asked: NewsQuestion
) -> Collection[NewsPair]:
    """Each pair of rows of which the later may be news of the earlier; ``rows`` as in ``order_by_news``."""
    found, corrections, told = _news_rows(rows, messages)
    olds = [_old_thing(asked, row, note, found) for row, note in told if row in found]
    news = [
        _ToldThing(row, note, {**new_features(asked, note), "worth_of_new": found.get(row, 0.0)})
        for row, note in told
    ]
    best: dict[tuple[int, int], NewsPair] = {}
    for old, new in product(olds, news):
        if pair := _news_pair(asked, old, new, new.row in corrections.get(old.row, ())):
            told_before = best.get((old.row, new.row), pair)
            best[old.row, new.row] = max(pair, told_before, key=lambda one: one.score)
    return best.values()


class _ToldThing(NamedTuple):
    row: int
    note: MessageNote
    features: Mapping[str, float]


def _old_thing(asked: NewsQuestion, row: int, note: MessageNote, found: Mapping[int, float]) -> _ToldThing:
    worth = {"worth_of_old": found[row], "first": row == next(iter(found))}
    return _ToldThing(row, note, {**old_features(asked, note), **worth})


def _news_pair(asked: NewsQuestion, old: _ToldThing, new: _ToldThing, corrects: bool) -> NewsPair | None:
    """What speaks for ``new`` being news of ``old``; None: it is no later, or the same value again."""
    shared = pair_features(asked, old.note, new.note) if new.row > old.row else None
    if shared is None:
        return None
    features = {**old.features, **new.features, **shared, "corrects": corrects}
    # A long message tells of several things: what it says anew is rarely all of another
    is_of_one = not (old.note.partial or new.note.partial) and asked.is_of_one(old.note, new.note)
    return NewsPair(old.row, new.row, features, weighted_sum(features, asked.weights), is_of_one)


def _news_rows(
    rows: Mapping[int, float], messages: Sequence[Message]
) -> tuple[dict[int, float], dict[int, list[int]], list[tuple[int, MessageNote]]]:
    """The first rows of the person, what corrects each, and each thing that a row of both tells."""
    users = statement_words("users")
    found = {row: rows[row] for row in list(rows)[:MAX_NEWS_ROWS] if messages[row].role in users}
    corrections = {row: _corrections(row, messages) for row in list(found)[:MAX_FOLLOWED_ROWS]}
    both = dict.fromkeys(chain(found, *corrections.values()))
    return found, corrections, [(row, n) for row in both for n in told_notes(messages[row].content)]


def told_notes(text: str) -> Iterator[MessageNote]:
    """What a message tells and does not ask: a long one tells something else in each sentence."""
    is_long = len(text) > MAX_NEWS_CHARS
    parts = [one.text for one in split_sentences(text)][:MAX_TOLD_SENTENCES] if is_long else [text]
    return (replace(note, partial=is_long) for note in map(message_note, parts) if not note.asks)


def _corrections(row: int, messages: Sequence[Message]) -> list[int]:
    """What was said right after a row and corrects something it need not name."""
    # The assistant answers between two messages of a person
    behind = range(row + 1, min(row + 1 + 2 * FOLLOWING_MESSAGES, len(messages)))
    said = [at for at in behind if messages[at].role in statement_words("users")][:FOLLOWING_MESSAGES]
    notes = {at: message_note(messages[at].content) for at in said}
    return [at for at, note in notes.items() if note.elliptic and not note.asks]


def _may_be_news(rows: Mapping[int, float], messages: Sequence[Message], told: Supersession) -> bool:
    """Whether a person told an assistant any of the first rows, or any row is known to be outdated."""
    speakers = {messages[row].role for row in islice(rows, MAX_NEWS_ROWS)}
    return not (speakers.isdisjoint(statement_words("users")) and told.newer.keys().isdisjoint(rows))


def order_by_news(
    rows: Mapping[int, float],
    messages: Sequence[Message],
    question: str,
    told: Supersession,
    rarity: Rarity,
) -> CurrentRows:
    """The rows with the news of what is asked for first, and those that are outdated.

    ``rows`` are the found ones, best first, each with the share it has of the best score; ``messages`` are
    those of the history by row, ``told`` what was read of their claims.
    """
    if not _may_be_news(rows, messages, told):
        return CurrentRows(tuple(rows), {})
    asked = NewsQuestion.of(question, rarity)
    if asks_for_past(question):
        pairs = list(news_pairs(rows, messages, asked))
        best = [max(pairs, key=lambda pair: pair.score).old] if pairs else []
        order = tuple(dict.fromkeys((*best, *rows)))
        return CurrentRows(order, {row: told.replaced[row] for row in order if row in told.replaced})
    first, likely, outdated = _latest(list(news_pairs(rows, messages, asked)), asked.weights)
    order = (*first, *chain.from_iterable((likely.get(row, row), row) for row in rows))
    found = newest_first(tuple(dict.fromkeys(order)), told)
    return CurrentRows(found.rows, {**outdated, **found.replaced}, likely)


def asks_for_past(question: str) -> bool:
    """Whether a question is for what was before something changed."""
    if language_of(question) == "zh":
        return _says("asks_before", normalise(question), "zh")
    return _has(phrase_list("passing").pattern.sub("", question.lower()), "asks_before")


def _latest(
    pairs: Sequence[NewsPair], weights: Mapping[str, float]
) -> tuple[list[int], dict[int, int], dict[int, int]]:
    """The row to stand first, if any; old row -> what is likely news of it; what surely replaced it."""
    told = [pair for pair in pairs if pair.score > weights["least"]]
    by_old: dict[int, list[NewsPair]] = defaultdict(list)
    best_of: dict[int, float] = defaultdict(lambda: float("-inf"))
    for pair in pairs:
        best_of[pair.new] = max(best_of[pair.new], pair.score)
    for pair in told:
        by_old[pair.old].append(pair)
    likely = {old: _last_of_best(of_old, weights["nearly"]) for old, of_old in by_old.items()}
    # News are of one thing: what they are much less likely news of still holds
    sure = (
        p
        for p in pairs
        if p.is_of_one and p.score > max(weights["sure"], best_of[p.new] - weights["one_thing"])
    )
    first = [_last_of_best(told, weights["nearly"])] if told else []
    return first, likely, {p.old: p.new for p in sorted(sure, key=lambda p: p.score)}


def _last_of_best(pairs: Sequence[NewsPair], nearly: float) -> int:
    """Of what is nearly as likely the news the last one."""
    best = max(pair.score for pair in pairs)
    return max(pair.new for pair in pairs if pair.score > best - nearly)
