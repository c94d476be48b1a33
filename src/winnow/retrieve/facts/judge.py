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

from winnow.language.linear import explain, probability, shares, weighted_sum
from winnow.language.normalize import fold, normalise
from winnow.language.registry import language_of
from winnow.language.tables import table as read
from winnow.ports.services import Embedder
from winnow.retrieve.facts.extract import FactStatement, fact_pattern, parse_statement
from winnow.retrieve.facts.novelty import OTHER_VALUE, is_of_another, is_of_same, novelty_rule
from winnow.retrieve.facts.topic import overlap_features, topic_features
from winnow.retrieve.facts.values import claim_features, person_features, value_features
from winnow.retrieve.statements.claims import SPEAKER, StatementClaim, statement_groups
from winnow.retrieve.statements.supersession import claim_relation
from winnow.retrieve.times.spans import day_spans
from winnow.types.fact import Fact, Judgement, Relation

# What speaks for and against a later statement being news, a repetition or something else.


CHANGE_MARKS = ("corrects", "changes", "ended", "began", "news")
"""Marks of which one says that something is not as it was."""
OTHER_MARKS = (
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
NEW_MARKS = (*CHANGE_MARKS, *OTHER_MARKS)
OLD_MARKS = ("planned", "doubtful", "past", "denied", "done", "further", "passing", "formerly")
PAIRED_WITH_CHANGE = ("shared_most", "other_value", "near", "new_far", "number_other")
PAIRED_WITHOUT_CHANGE = (
    "shared_most",
    "near",
    "covered_both",
    "value_near",
    "new_far",
    "number_same",
    "contained_more",
)
PAIRED_WITH_TOPIC = (
    "topic_other",
    "own_thing",
    "own_other",
    "which_first",
    "people_other",
    "name_other",
    "new_further",
    "new_formerly",
)
FEATURE_PAIRS = (
    *(("changed", name) for name in PAIRED_WITH_CHANGE),
    *(("stays", name) for name in PAIRED_WITHOUT_CHANGE),
    ("other_value", "near"),
    ("number_same", "near"),
    ("number_same", "covered_both"),
    ("number_other", "shared_most"),
    ("flip", "shared_most"),
    ("flip", "near"),
    ("swapped", "shared_most"),
    *(("changed", name) for name in PAIRED_WITH_TOPIC),
    ("change_with", "stays_with"),
    ("change_with", "change_covers"),
    ("changed", "topic_near"),
    ("other_value", "which_first"),
    ("number_other", "which_other"),
    ("topic_other", "near"),
    ("people_other", "near"),
)
"""What tells more beside something else: above all, beside a word of change or without one."""


def relation_features(old: FactStatement, new: FactStatement, table: Embedder) -> dict[str, float]:
    """Name -> how much of it there is, mostly 0 to 1; ``+word`` is a word that only the later one has."""
    told = {
        **overlap_features(old, new, table),
        **value_features(old, new),
        **person_features(old, new),
        **claim_features(old, new),
    }
    told.update(topic_features(old, new, table))
    told.update({f"new_{mark}": float(mark in new.marks) for mark in NEW_MARKS})
    told.update({f"old_{mark}": float(mark in old.marks) for mark in OLD_MARKS})
    told.update(_combined_features(told, news=not new.marks.isdisjoint(CHANGE_MARKS)))
    told["chinese"] = float(new.chinese)
    return {**told, **{f"+{token}": 1.0 for token in new.tokens - old.tokens}}


def _combined_features(told: Mapping[str, float], *, news: bool) -> dict[str, float]:
    """What several of them say together."""
    old, new = told["old_denied"], told["new_denied"]
    denial_features = {"flip": float(old != new), "undenied": old * (1 - new)}
    more = max(told["new_any_far"], told["number_more"], told["number_added"])
    extreme_features = {
        "shared_most": max(told["old_shared"], told["new_shared"]),
        "covered_both": min(told["old_covered"], told["new_covered"]),
        "value_near": told["same_value"] * told["near"],
        "contained_more": told["contained"] * more,
    }
    made = {
        "changed": float(news),
        "stays": float(not news),
        **extreme_features,
        **denial_features,
    }
    known = {**told, **made}
    return {**made, **{f"{one}*{other}": known[one] * known[other] for one, other in FEATURE_PAIRS}}


# Plain statements of a known attribute, whose grammar alone tells what the later is to the earlier one.


TYPED_VALUES = frozenset({"phone", "mail", "age", "height", "weight", "date", "money"})
"""Kinds of value that name their attribute."""
MAX_PLAIN_CHARS = 60
"""Characters of a Chinese statement that is plain; an English one may have twice as many."""
RULE_CONFIDENCE = 0.95


def judge_by_rules(old: FactStatement, new: FactStatement) -> Judgement | None:
    """The judgement, where both state known attributes; None: grammar alone does not tell.

    Of long statements only values count that name their attribute, such as a telephone number.
    """
    if _is_of_two_persons(old, new):
        return Judgement("compatible", "of another", RULE_CONFIDENCE)
    before, after = list(_known_claims(old)), list(_known_claims(new))
    if not before or not after:
        return None
    if max(len(old.text), len(new.text)) <= MAX_PLAIN_CHARS * (2 - new.chinese):
        return _same_attribute_judgement(before, after, old, new) or _other_attribute_judgement(before, after)
    before, after = ([claim for claim in some if _has_typed_value(claim)] for some in (before, after))
    return _same_attribute_judgement(before, after, old, new)


def _is_of_two_persons(old: FactStatement, new: FactStatement) -> bool:
    """Whether both state something of one person of the speaker's each, and of two."""
    before, after = ({claim.who for claim in one.claims} for one in (old, new))
    theirs = all(who.startswith(f"{SPEAKER}/") for who in before | after)
    return theirs and len(before) == len(after) == 1 and before != after and old.people.isdisjoint(new.people)


def _same_attribute_judgement(
    before: list[StatementClaim], after: list[StatementClaim], old: FactStatement, new: FactStatement
) -> Judgement | None:
    """News of a value, or the same value again."""
    same = [(a, b) for a, b in product(before, after) if a.who == b.who]
    if not (old.numbers and old.numbers == new.numbers) and any(starmap(_is_replaced, same)):
        return Judgement("update", "another value of the same", RULE_CONFIDENCE)
    if old.numbers == new.numbers and any(starmap(_is_repeated, same)):
        return Judgement("duplicate", "the same value", RULE_CONFIDENCE)
    return None


def _other_attribute_judgement(before: list[StatementClaim], after: list[StatementClaim]) -> Judgement | None:
    """Another person, or another attribute of one."""
    whose, others = ({claim.who for claim in some} for some in (before, after))
    if whose.isdisjoint(others):
        theirs = all(who == SPEAKER or who.startswith(f"{SPEAKER}/") for who in whose | others)
        return Judgement("compatible", "of another", RULE_CONFIDENCE) if theirs else None
    what, other = (frozenset[str]().union(*(claim.what for claim in some)) for some in (before, after))
    return None if what & other else Judgement("compatible", "about something else", RULE_CONFIDENCE)


def _is_replaced(old: StatementClaim, new: StatementClaim) -> bool:
    """Whether it can be told what differs: a number or the like, or all of its words."""
    valued = not old.looks.keys().isdisjoint(new.looks) or old.words.isdisjoint(new.words)
    return valued and claim_relation(old, new) == "replaced"


def _is_repeated(old: StatementClaim, new: StatementClaim) -> bool:
    """Whether most of the words of both are those of the other."""
    most = 2 * len(old.words & new.words) >= max(len(old.words), len(new.words))
    return most and claim_relation(old, new) == "repeated"


def _known_claims(one: FactStatement) -> Iterator[StatementClaim]:
    """The claims of an attribute that has a name here, or of a value that names it."""
    families = _families("zh" if one.chinese else "en")
    return (claim for claim in one.claims if claim.what & families or _has_typed_value(claim))


def _has_typed_value(claim: StatementClaim) -> bool:
    return not claim.looks.keys().isdisjoint(TYPED_VALUES)


@cache
def _families(language: str) -> Set[str]:
    return frozenset(statement_groups("same", language)) | (
        frozenset(statement_groups("implied", "zh"))
        if language == "zh"
        else frozenset(statement_groups("says"))
    )


RELATIONS: tuple[Relation, ...] = ("update", "duplicate", "compatible")
"""What can become of a statement when a later one comes, in the order of the weights."""
RelationWeights = Mapping[Relation, Mapping[str, float]]
"""Relation -> feature -> what it counts for it; ``bias`` is added always."""


def judge_relation(old: Fact, new: Fact, table: Embedder, least: float = 0.0) -> Judgement:
    """What ``new``, the later one, is to ``old``, which it is near to in some way.

    ``unsure`` where less than ``least`` speaks for it. ``table``: the built-in embedder.
    About two milliseconds.
    """
    pair = _statement_pair(old, new, table)
    if pair.plain is not None:
        return pair.plain
    by_relation = relation_shares(pair.features)
    best = max(pair.possible, key=by_relation.__getitem__)
    if by_relation[best] < least:
        return Judgement("unsure", "too little tells", by_relation[best])
    return Judgement(best, relation_reason(pair.features, best), by_relation[best])


def judge_message(old: Fact, new: Fact, table: Embedder, least: float) -> Judgement:
    """The same among all that a person says, of which most is no news of anything.

    ``unsure`` unless it is as likely as ``least`` that both are about one matter. ``compatible`` only where
    the later one would repeat the earlier, were there nothing new in it.
    """
    pair = _statement_pair(old, new, table)
    if pair.plain is not None:
        return pair.plain
    before, after = parse_statement(old.text), parse_statement(new.text)
    if is_of_another(before, after):
        return Judgement("compatible", "of another")
    if pair.news and is_of_same(before, after):
        return Judgement("update", pair.news)
    by_relation = relation_shares(pair.features)
    relations = {"update": by_relation["update"], "duplicate": by_relation["duplicate"]}
    # How likely it is that two statements that share words are about one matter
    sure = probability({**pair.features, **relations}, read(__package__, "matter.yaml"))
    if sure < least:
        return Judgement("unsure", "too little tells", sure)
    best: Relation = "update" if by_relation["update"] >= by_relation["duplicate"] else "duplicate"
    if best not in pair.possible:
        best = max(pair.possible, key=by_relation.__getitem__)
        return Judgement("compatible", pair.news, sure)
    return Judgement(best, relation_reason(pair.features, best), sure)


@dataclass(frozen=True, slots=True)
class _StatementPair:
    """What rules find of two statements."""

    features: Mapping[str, float]
    news: str = ""
    """The rule by which the later one is no repetition."""
    plain: Judgement | None = None
    """The judgement, where words or grammar alone decide."""

    @property
    def possible(self) -> Sequence[Relation]:
        return [relation for relation in RELATIONS if not (self.news and relation == "duplicate")]


def _statement_pair(old: Fact, new: Fact, table: Embedder) -> _StatementPair:
    before, after = parse_statement(old.text), parse_statement(new.text)
    shifted = OTHER_VALUE if _is_of_another_day(old, new) else ""
    if fold(old.text) == fold(new.text) and not shifted:
        return _StatementPair({}, plain=Judgement("duplicate", "same words"))
    news, plain = novelty_rule(before, after, table) or shifted, judge_by_rules(before, after)
    if plain is not None and not (news and plain.relation == "duplicate"):
        return _StatementPair({}, news, plain)
    return _StatementPair(relation_features(before, after, table), news)


def _is_of_another_day(old: Fact, new: Fact) -> bool:
    """Whether both name a time by the day on which they were said, and another one each: ``tomorrow``."""
    if old.at is None or new.at is None or old.at.date() == new.at.date():
        return False
    if not all(
        fact_pattern("shifting", language_of(one.text)).search(normalise(one.text)) for one in (old, new)
    ):
        return False
    before, after = day_spans(old.text, old.at), day_spans(new.text, new.at)
    return [(span.start, span.end) for span in before] != [(span.start, span.end) for span in after]


def relation_shares(
    told: Mapping[str, float], given: RelationWeights | None = None
) -> Mapping[Relation, float]:
    """How likely each relation is, by what was found; together 1."""
    by = relation_weights() if given is None else given
    sums = np.array([weighted_sum(told, by[relation]) for relation in RELATIONS])
    return dict(zip(RELATIONS, shares(sums).tolist(), strict=True))


def relation_reason(told: Mapping[str, float], relation: Relation) -> str:
    """The rule that says most for the relation and can be put in words."""
    by = relation_weights()
    # What speaks for every relation alike is no reason for one of them.
    ahead = {
        name: weight - sum(by[one][name] for one in RELATIONS) / 3 for name, weight in by[relation].items()
    }
    parts = explain(told, ahead)
    worth = {why: sum(parts[name] for name in names) for why, names in reason_features()[relation].items()}
    return max(worth, key=lambda why: worth[why])


@cache
def relation_weights() -> RelationWeights:
    """Those in force."""
    rows: dict[str, list[float]] = read(__package__, "weights.yaml")
    return {relation: {name: row[at] for name, row in rows.items()} for at, relation in enumerate(RELATIONS)}


def reason_features() -> Mapping[str, Mapping[str, list[str]]]:
    """Relation -> reason in words -> the features that are it."""
    return cast("Mapping[str, Mapping[str, list[str]]]", read(__package__, "reasons.yaml"))
