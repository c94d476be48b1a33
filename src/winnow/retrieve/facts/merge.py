"""What becomes of known facts when a new one comes: replaced, folded or uncertain; nothing is lost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Literal

from winnow.ports.services import Embedder
from winnow.retrieve.facts.extract import parse_statement
from winnow.retrieve.facts.judge import judge_message
from winnow.retrieve.facts.novelty import NOVELTY_RULES, judge_contradiction, novelty_rule
from winnow.retrieve.statements.supersession import claim_relation
from winnow.types.fact import Fact, Judgement

LIVE_STATUSES = frozenset({"current", "uncertain"})
MAX_COMPARED_FACTS = 8
"""Known facts that a new one is compared with, those that share most with it."""
MIN_SAME_MATTER = 0.6
"""How likely two statements must be of one matter before anything is marked or folded."""
SAME_ATTRIBUTE_BONUS = 0.3
"""So much less, where subject and attribute are the same."""
MAX_CREDIBILITY_GAP = 0.5
"""So much less credible than what it would replace, a statement only makes it uncertain."""
MAX_CORRECTION_DISTANCE = 3
"""Facts back that a bare correction may be about."""
MIN_NAMELESS_MATTER = 0.7
"""The same for a statement that names nobody and would not be kept for its own sake."""
MergeOutcome = Literal["none", "folded", "replaced", "outdated", "uncertain"]


@dataclass(frozen=True, slots=True)
class MergeResult:
    """What becomes of a known fact and a new one when they meet, and the rule that says so."""

    end: MergeOutcome
    reason: str = ""
    confidence: float = 1.0


def merge_fact(
    known: Sequence[Fact], new: Fact, table: Embedder, least: float = MIN_SAME_MATTER
) -> tuple[Fact, ...]:
    """What is to be kept now that ``new`` was said: itself, and those whose standing it changes.

    Without it where it says again what is known; empty where nothing changes. ``known``: all facts of the
    person, in the order they came.
    """
    near = related_facts(known, new)
    if not near and "corrects" in parse_statement(new.text).marks:
        return _apply_correction(known, new) or (new,)
    changed: list[Fact] = []
    for old in near:
        met = merge_outcome(old, new, table, least - SAME_ATTRIBUTE_BONUS * _same_matter(old, new))
        if met.end == "folded":
            facts: list[Fact] = []
            for one in changed:
                fact = replace(one, replaced_by=old.id) if one.status == "superseded" else one
                facts.append(fact)
            return tuple(facts)
        then, new = mark_facts(old, new, met)
        if then != old:
            changed.append(then)
    return (*changed, new)


def _apply_correction(known: Sequence[Fact], new: Fact) -> tuple[Fact, ...]:
    """``No, sorry, Thursday``: the last fact with another value of that kind, and both as they were said.

    Empty: none of the last few has one.
    """
    value = parse_statement(new.text).typed_values
    for old in reversed([fact for fact in known if fact.status in LIVE_STATUSES][-MAX_CORRECTION_DISTANCE:]):
        before = parse_statement(old.text).typed_values
        if any(before[kind] != value[kind] for kind in before.keys() & value.keys()):
            both = replace(new, text=f"{old.text} {new.text}", subject=old.subject, attribute=old.attribute)
            return mark_facts(old, both, MergeResult("replaced", "correction"))
    return ()


def is_news(known: Sequence[Fact], new: Fact, table: Embedder) -> bool:
    """Whether a statement that names nobody changes how something known stands, or tells more of it."""
    if len(merge_fact(known, new, table, MIN_NAMELESS_MATTER)) > 1:
        return True
    return any(
        merge_outcome(old, new, table, MIN_NAMELESS_MATTER).reason in NOVELTY_RULES
        for old in related_facts(known, new)
    )


def related_facts(known: Sequence[Fact], new: Fact) -> list[Fact]:
    """The live ones that share words or an attribute with it, those that share most first."""
    shared = {old.id: _shared_terms(old, new) for old in known}
    live = [old for old in known if old.status in LIVE_STATUSES and old.id != new.id and shared[old.id]]
    return sorted(live, key=lambda old: -shared[old.id])[:MAX_COMPARED_FACTS]


def _shared_terms(old: Fact, new: Fact) -> int:
    """Terms that both have; an attribute counts as two, more so where the grammar of both tells it."""
    before, after = parse_statement(old.text), parse_statement(new.text)
    told = any(claim_relation(a, b) for a, b in product(before.claims, after.claims) if a.who == b.who)
    return len(before.terms & after.terms) + 2 * (_same_matter(old, new) + told)


def _same_matter(old: Fact, new: Fact) -> bool:
    return bool(new.attribute) and (old.subject, old.attribute) == (new.subject, new.attribute)


def merge_outcome(old: Fact, new: Fact, table: Embedder, least: float = MIN_SAME_MATTER) -> MergeResult:
    """What becomes of both: newest by validity, then the more credible; of equal standing neither is sure."""
    if old.at == new.at and old.source != new.source and old.credibility == new.credibility:
        return _simultaneous_result(old, new, table)
    if new.at is not None and old.at is not None and new.at < old.at:
        told = judge_message(new, old, table, least)
        if told.relation == "update":
            return MergeResult("outdated", told.reason, told.confidence)
        return (
            _folded_result(told)
            if _tells_all(old, new, table)
            else MergeResult("none", told.reason, told.confidence)
        )
    return _later_result(old, new, judge_message(old, new, table, least), table)


def _later_result(old: Fact, new: Fact, told: Judgement, table: Embedder) -> MergeResult:
    """What becomes of an older fact and a later one, of which it is told what it is to the older."""
    if told.relation == "duplicate" and new.credibility > old.credibility:
        surer = _tells_all(new, old, table)
        return MergeResult("replaced" if surer else "none", "the same, and surer", told.confidence)
    if told.relation != "update":
        return _folded_result(told)
    # Whether both were said at once: then neither is news of the other, unless it puts it right
    at_once = old.at is not None and (old.at, old.source) == (new.at, new.source)
    if at_once and "corrects" not in parse_statement(new.text).marks:
        return _folded_result(told)
    if old.credibility - new.credibility >= MAX_CREDIBILITY_GAP:
        return MergeResult("uncertain", "less credible than what it contradicts", told.confidence)
    return MergeResult("replaced", told.reason, told.confidence)


def _tells_all(one: Fact, other: Fact, table: Embedder) -> bool:
    """Whether nothing of the other is news beside the one."""
    return not novelty_rule(parse_statement(one.text), parse_statement(other.text), table)


def _folded_result(told: Judgement) -> MergeResult:
    if told.relation == "duplicate":
        return MergeResult("folded", told.reason, told.confidence)
    return MergeResult("none", told.reason, told.confidence)


def _simultaneous_result(old: Fact, new: Fact, table: Embedder) -> MergeResult:
    """Two of one moment and one credibility, from different sources: nobody knows which is right."""
    told = judge_contradiction(old, new, table)
    if told.relation == "contradiction":
        return MergeResult("uncertain", told.reason, told.confidence)
    return (
        _folded_result(judge_message(old, new, table, MIN_SAME_MATTER))
        if told.relation == "duplicate"
        else MergeResult("none")
    )


def mark_facts(old: Fact, new: Fact, met: MergeResult) -> tuple[Fact, Fact]:
    """Both as they stand from now on."""
    if met.end == "replaced":
        return replace(old, status="superseded", replaced_by=new.id, reason=met.reason), new
    if met.end == "outdated":
        return old, replace(new, status="superseded", replaced_by=old.id, reason=met.reason)
    if met.end == "uncertain":
        return tuple(replace(one, status="uncertain", reason=met.reason) for one in (old, new))  # type: ignore[return-value]
    return old, new


def fact_lineages(facts: Sequence[Fact]) -> Iterator[tuple[Fact, ...]]:
    """Each fact that holds with those it replaced, oldest first; then those whose successor is gone."""
    by_id = {fact.id: fact for fact in facts}
    before: dict[str, list[Fact]] = {}
    for fact in facts:
        before.setdefault(fact.replaced_by if fact.replaced_by in by_id else "", []).append(fact)
    for last in before.get("", ()):
        yield tuple(reversed(list(_ancestors(last, before, set()))))


def _ancestors(last: Fact, before: dict[str, list[Fact]], seen: set[str]) -> Iterator[Fact]:
    """A fact and what it replaced, newest first."""
    if last.id not in seen:
        seen.add(last.id)
        yield last
        for old in reversed(before.get(last.id, [])):
            yield from _ancestors(old, before, seen)
