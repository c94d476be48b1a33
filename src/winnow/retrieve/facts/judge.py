"""What a later statement is to an earlier one: news of it, the same again, or something beside it.

Rules read both, and a softmax over what they found decides; ``training/knowledge/fit_facts.py`` fits it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache
from itertools import product, starmap
from typing import cast

import numpy as np

from winnow.language.normalize import fold, language_of, normalise
from winnow.language.tables import table as read
from winnow.ports.services import Embedder
from winnow.retrieve.facts.extract import Said, pattern, said
from winnow.retrieve.facts.novelty import VALUE, is_of_another, is_of_same, novelty
from winnow.retrieve.facts.overlap import of_words
from winnow.retrieve.facts.topic import of_topic
from winnow.retrieve.facts.values import of_claims, of_values, of_whom
from winnow.retrieve.statements.claims import SELF, Claim, groups
from winnow.retrieve.statements.supersession import matter
from winnow.retrieve.times.spans import spans
from winnow.types.fact import Fact, Judgement, Relation

# What speaks for and against a later statement being news, a repetition or something else.


CHANGES = ("corrects", "changes", "ended", "began", "news")
"""Marks of which one says that something is not as it was."""
BESIDE = (
    "done",
    "further",
    "same",
    "repeats",
    "past",
    "formerly",
    "passing",
    "planned",
    "doubtful",
    "denied",
    "asks",
)
OF_NEW = (*CHANGES, *BESIDE)
OF_OLD = ("planned", "doubtful", "past", "denied", "done", "further", "passing", "formerly")
WITH_NEWS = ("shared_most", "other_value", "near", "new_far", "number_other")
WITHOUT = ("shared_most", "near", "covered_both", "value_near", "new_far", "number_same", "contained_more")
BESIDE_IT = (
    "topic_other",
    "own_thing",
    "own_other",
    "which_first",
    "people_other",
    "name_other",
    "new_further",
    "new_formerly",
)
PAIRS = (
    *(("changed", name) for name in WITH_NEWS),
    *(("stays", name) for name in WITHOUT),
    ("other_value", "near"),
    ("number_same", "near"),
    ("number_same", "covered_both"),
    ("number_other", "shared_most"),
    ("flip", "shared_most"),
    ("flip", "near"),
    ("swapped", "shared_most"),
    *(("changed", name) for name in BESIDE_IT),
    ("change_with", "stays_with"),
    ("change_with", "change_covers"),
    ("changed", "topic_near"),
    ("other_value", "which_first"),
    ("number_other", "which_other"),
    ("topic_other", "near"),
    ("people_other", "near"),
)
"""What tells more beside something else: above all, beside a word of change or without one."""


def features(old: Said, new: Said, table: Embedder) -> dict[str, float]:
    """Name -> how much of it there is, mostly 0 to 1; ``+word`` is a word that only the later one has."""
    told = {**of_words(old, new, table), **of_values(old, new), **of_whom(old, new), **of_claims(old, new)}
    told.update(of_topic(old, new, table))
    told.update({f"new_{mark}": float(mark in new.marks) for mark in OF_NEW})
    told.update({f"old_{mark}": float(mark in old.marks) for mark in OF_OLD})
    told.update(_combined(told, news=not new.marks.isdisjoint(CHANGES)))
    told["chinese"] = float(new.chinese)
    return {**told, **{f"+{token}": 1.0 for token in new.tokens - old.tokens}}


def _combined(told: Mapping[str, float], *, news: bool) -> dict[str, float]:
    """What several of them say together."""
    made = {"changed": float(news), "stays": float(not news), **_most(told), **_denied(told)}
    known = {**told, **made}
    return {**made, **{f"{one}*{other}": known[one] * known[other] for one, other in PAIRS}}


def _most(told: Mapping[str, float]) -> dict[str, float]:
    more = max(told["new_any_far"], told["number_more"], told["number_added"])
    return {
        "shared_most": max(told["old_shared"], told["new_shared"]),
        "covered_both": min(told["old_covered"], told["new_covered"]),
        "value_near": told["same_value"] * told["near"],
        "contained_more": told["contained"] * more,
    }


def _denied(told: Mapping[str, float]) -> dict[str, float]:
    old, new = told["old_denied"], told["new_denied"]
    return {"flip": float(old != new), "undenied": old * (1 - new)}


# Plain statements of a known attribute, whose grammar alone tells what the later is to the earlier one.


TYPED = frozenset({"phone", "mail", "age", "height", "weight", "date", "money"})
"""Kinds of value that name their attribute."""
LONGEST = 60
"""Characters of a Chinese statement that is plain; an English one may have twice as many."""
SURE = 0.95


def plainly(old: Said, new: Said) -> Judgement | None:
    """The judgement, where both state known attributes; None: grammar alone does not tell.

    Of long statements only values count that name their attribute, such as a telephone number.
    """
    if _of_two_persons(old, new):
        return Judgement("compatible", "of another", SURE)
    before, after = list(_known(old)), list(_known(new))
    if not before or not after:
        return None
    if max(len(old.text), len(new.text)) <= LONGEST * (2 - new.chinese):
        return _of_one_matter(before, after, old, new) or _of_two(before, after)
    before, after = ([claim for claim in some if _typed(claim)] for some in (before, after))
    return _of_one_matter(before, after, old, new)


def _of_two_persons(old: Said, new: Said) -> bool:
    """Whether both state something of one person of the speaker's each, and of two."""
    before, after = ({claim.who for claim in one.claims} for one in (old, new))
    theirs = all(who.startswith(f"{SELF}/") for who in before | after)
    return theirs and len(before) == len(after) == 1 and before != after and old.people.isdisjoint(new.people)


def _of_one_matter(before: list[Claim], after: list[Claim], old: Said, new: Said) -> Judgement | None:
    """News of a value, or the same value again."""
    same = [(a, b) for a, b in product(before, after) if a.who == b.who]
    if not (old.numbers and old.numbers == new.numbers) and any(starmap(_replaced, same)):
        return Judgement("update", "another value of the same", SURE)
    if old.numbers == new.numbers and any(starmap(_repeated, same)):
        return Judgement("duplicate", "the same value", SURE)
    return None


def _of_two(before: list[Claim], after: list[Claim]) -> Judgement | None:
    """Another person, or another attribute of one."""
    whose, others = ({claim.who for claim in some} for some in (before, after))
    if whose.isdisjoint(others):
        theirs = all(who == SELF or who.startswith(f"{SELF}/") for who in whose | others)
        return Judgement("compatible", "of another", SURE) if theirs else None
    what, other = (frozenset[str]().union(*(claim.what for claim in some)) for some in (before, after))
    return None if what & other else Judgement("compatible", "about something else", SURE)


def _replaced(old: Claim, new: Claim) -> bool:
    """Whether it can be told what differs: a number or the like, or all of its words."""
    valued = not old.looks.keys().isdisjoint(new.looks) or old.words.isdisjoint(new.words)
    return valued and matter(old, new) == "replaced"


def _repeated(old: Claim, new: Claim) -> bool:
    """Whether most of the words of both are those of the other."""
    most = 2 * len(old.words & new.words) >= max(len(old.words), len(new.words))
    return most and matter(old, new) == "repeated"


def _known(one: Said) -> Iterator[Claim]:
    """The claims of an attribute that has a name here, or of a value that names it."""
    families = _families("zh" if one.chinese else "en")
    return (claim for claim in one.claims if claim.what & families or _typed(claim))


def _typed(claim: Claim) -> bool:
    return not claim.looks.keys().isdisjoint(TYPED)


@cache
def _families(language: str) -> Set[str]:
    return frozenset(groups("same", language)) | (
        frozenset(groups("implied", "zh")) if language == "zh" else frozenset(groups("says"))
    )


RELATIONS: tuple[Relation, ...] = ("update", "duplicate", "compatible")
"""What can become of a statement when a later one comes, in the order of the weights."""
Weights = Mapping[str, tuple[float, float, float]]
"""Feature -> what it counts for each relation; ``bias`` is added always."""


def judge(old: Fact, new: Fact, table: Embedder, least: float = 0.0) -> Judgement:
    """What ``new``, the later one, is to ``old``, which it is near to in some way.

    ``unsure`` where less than ``least`` speaks for it. ``table``: the built-in embedder.
    About two milliseconds.
    """
    pair = _read(old, new, table)
    if pair.plain is not None:
        return pair.plain
    shares = likely(pair.features)
    best = max(pair.possible, key=shares.__getitem__)
    if shares[best] < least:
        return Judgement("unsure", "too little tells", shares[best])
    return Judgement(best, reason(pair.features, best), shares[best])


def met(old: Fact, new: Fact, table: Embedder, least: float) -> Judgement:
    """The same among all that a person says, of which most is no news of anything.

    ``unsure`` unless it is as likely as ``least`` that both are about one matter. ``compatible`` only where
    the later one would repeat the earlier, were there nothing new in it.
    """
    pair = _read(old, new, table)
    if pair.plain is not None:
        return pair.plain
    before, after = said(old.text), said(new.text)
    if is_of_another(before, after):
        return Judgement("compatible", "of another")
    if pair.news and is_of_same(before, after):
        return Judgement("update", pair.news)
    shares = likely(pair.features)
    sure = of_one_matter({**pair.features, "update": shares["update"], "duplicate": shares["duplicate"]})
    if sure < least:
        return Judgement("unsure", "too little tells", sure)
    best: Relation = "update" if shares["update"] >= shares["duplicate"] else "duplicate"
    if best not in pair.possible:
        best = max(pair.possible, key=shares.__getitem__)
        return Judgement("compatible", pair.news, sure)
    return Judgement(best, reason(pair.features, best), sure)


@dataclass(frozen=True, slots=True)
class _Pair:
    """What rules find of two statements."""

    features: Mapping[str, float]
    news: str = ""
    """The rule by which the later one is no repetition."""
    plain: Judgement | None = None
    """The judgement, where words or grammar alone decide."""

    @property
    def possible(self) -> Sequence[Relation]:
        return [relation for relation in RELATIONS if not (self.news and relation == "duplicate")]


def _read(old: Fact, new: Fact, table: Embedder) -> _Pair:
    before, after = said(old.text), said(new.text)
    shifted = VALUE if _is_of_another_day(old, new) else ""
    if fold(old.text) == fold(new.text) and not shifted:
        return _Pair({}, plain=Judgement("duplicate", "same words"))
    news, plain = novelty(before, after, table) or shifted, plainly(before, after)
    if plain is not None and not (news and plain.relation == "duplicate"):
        return _Pair({}, news, plain)
    return _Pair(features(before, after, table), news)


def _is_of_another_day(old: Fact, new: Fact) -> bool:
    """Whether both name a time by the day on which they were said, and another one each: ``tomorrow``."""
    if old.at is None or new.at is None or old.at.date() == new.at.date():
        return False
    if not all(pattern("shifting", language_of(one.text)).search(normalise(one.text)) for one in (old, new)):
        return False
    before, after = spans(old.text, old.at), spans(new.text, new.at)
    return [(span.start, span.end) for span in before] != [(span.start, span.end) for span in after]


def of_one_matter(told: Mapping[str, float], given: Mapping[str, float] | None = None) -> float:
    """How likely two statements that share words are about one matter, by features and relations, 0..1."""
    found = matter_weights() if given is None else given
    return float(
        1 / (1 + np.exp(-found["bias"] - sum(told[name] * found[name] for name in told if name in found)))
    )


def likely(told: Mapping[str, float], given: Weights | None = None) -> Mapping[Relation, float]:
    """How likely each relation is, by what was found; together 1."""
    found = weights() if given is None else given
    sums = np.array(found["bias"]) + sum(told[name] * np.array(found[name]) for name in told if name in found)
    shares = np.exp(sums - sums.max())
    return dict(zip(RELATIONS, (shares / shares.sum()).tolist(), strict=True))


def reason(told: Mapping[str, float], relation: Relation) -> str:
    """The rule that says most for the relation and can be put in words."""
    at = RELATIONS.index(relation)
    worth = {
        why: sum(told[name] * (weights()[name][at] - sum(weights()[name]) / 3) for name in names)
        for why, names in reasons()[relation].items()
    }
    return max(worth, key=lambda why: worth[why])


@cache
def weights() -> Weights:
    """Those in force."""
    return {name: tuple(row) for name, row in read(__package__, "weights.yaml").items()}


@cache
def matter_weights() -> Mapping[str, float]:
    """Those in force for ``of_one_matter``."""
    return cast("Mapping[str, float]", read(__package__, "matter.yaml"))


def reasons() -> Mapping[str, Mapping[str, list[str]]]:
    """Relation -> reason in words -> the features that are it."""
    return cast("Mapping[str, Mapping[str, list[str]]]", read(__package__, "reasons.yaml"))
