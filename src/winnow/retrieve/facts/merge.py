"""What becomes of what is held to be true when something is said: the newest holds, and nothing is lost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Literal

from winnow.ports.services import Embedder
from winnow.retrieve.facts.contradiction import contradiction
from winnow.retrieve.facts.extract import said
from winnow.retrieve.facts.judge import met as compared
from winnow.retrieve.facts.novelty import NEWS, novelty
from winnow.retrieve.statements.supersession import matter
from winnow.types.fact import Fact, Judgement

# Whether what happened ends what was held, or puts something else in its place.


def ends(old: str, news: str) -> bool:
    """Whether the news say that the older statement is over: they deny it, or tell of an end."""
    before, after = said(old).marks, said(news).marks
    return "ended" in after or ("denied" in after) != ("denied" in before)


LIVE = frozenset({"current", "uncertain"})
MOST = 8
"""Known facts that a new one is compared with, those that share most with it."""
SURE = 0.6
"""How likely two statements must be of one matter before anything is marked or folded."""
SAME = 0.3
"""So much less, where subject and attribute are the same."""
DOUBT = 0.5
"""So much less credible than what it would replace, a statement only makes it uncertain."""
LAST = 3
"""Facts back that a bare correction may be about."""
LOOSE = 0.7
"""The same for a statement that names nobody and would not be kept for its own sake."""
End = Literal["none", "folded", "replaced", "outdated", "uncertain"]


@dataclass(frozen=True, slots=True)
class Met:
    """What becomes of a known fact and a new one when they meet, and the rule that says so."""

    end: End
    reason: str = ""
    confidence: float = 1.0


def settled(known: Sequence[Fact], new: Fact, table: Embedder, least: float = SURE) -> tuple[Fact, ...]:
    """What is to be kept now that ``new`` was said: itself, and those whose standing it changes.

    Without it where it says again what is known; empty where nothing changes. ``known``: all facts of the
    person, in the order they came.
    """
    near = related(known, new)
    if not near and "corrects" in said(new.text).marks:
        return _corrected(known, new) or (new,)
    changed: list[Fact] = []
    for old in near:
        met = meeting(old, new, table, least - SAME * _same_matter(old, new))
        if met.end == "folded":
            return tuple(_by(old, one) for one in changed)
        then, new = marked(old, new, met)
        if then != old:
            changed.append(then)
    return (*changed, new)


def _by(kept: Fact, old: Fact) -> Fact:
    """What a repetition replaced is replaced by what it repeats."""
    return replace(old, replaced_by=kept.id) if old.status == "superseded" else old


def _corrected(known: Sequence[Fact], new: Fact) -> tuple[Fact, ...]:
    """``No, sorry, Thursday``: the last fact with another value of that kind, and both as they were said.

    Empty: none of the last few has one.
    """
    value = said(new.text).looks
    for old in reversed([fact for fact in known if fact.status in LIVE][-LAST:]):
        before = said(old.text).looks
        if any(before[kind] != value[kind] for kind in before.keys() & value.keys()):
            both = replace(new, text=f"{old.text} {new.text}", subject=old.subject, attribute=old.attribute)
            return marked(old, both, Met("replaced", "correction"))
    return ()


def is_news(known: Sequence[Fact], new: Fact, table: Embedder) -> bool:
    """Whether a statement that names nobody changes how something known stands, or tells more of it."""
    if len(settled(known, new, table, LOOSE)) > 1:
        return True
    return any(meeting(old, new, table, LOOSE).reason in NEWS for old in related(known, new))


def related(known: Sequence[Fact], new: Fact) -> list[Fact]:
    """The live ones that share words or an attribute with it, those that share most first."""
    shared = {old.id: _shared(old, new) for old in known}
    live = [old for old in known if old.status in LIVE and old.id != new.id and shared[old.id]]
    return sorted(live, key=lambda old: -shared[old.id])[:MOST]


def _shared(old: Fact, new: Fact) -> int:
    """Terms that both have; an attribute counts as two, more so where the grammar of both tells it."""
    before, after = said(old.text), said(new.text)
    told = any(matter(a, b) for a, b in product(before.claims, after.claims) if a.who == b.who)
    return len(before.terms & after.terms) + 2 * (_same_matter(old, new) + told)


def _same_matter(old: Fact, new: Fact) -> bool:
    return bool(new.attribute) and (old.subject, old.attribute) == (new.subject, new.attribute)


def meeting(old: Fact, new: Fact, table: Embedder, least: float = SURE) -> Met:
    """What becomes of both: newest by validity, then the more credible; of equal standing neither is sure."""
    if old.at == new.at and old.source != new.source and old.credibility == new.credibility:
        return _at_once(old, new, table)
    if _before(new, old):
        told = compared(new, old, table, least)
        if told.relation == "update":
            return Met("outdated", told.reason, told.confidence)
        return _same(told) if _tells_all(old, new, table) else Met("none", told.reason, told.confidence)
    return _later(old, new, compared(old, new, table, least), table)


def _later(old: Fact, new: Fact, told: Judgement, table: Embedder) -> Met:
    """What becomes of an older fact and a later one, of which it is told what it is to the older."""
    if told.relation == "duplicate" and new.credibility > old.credibility:
        surer = _tells_all(new, old, table)
        return Met("replaced" if surer else "none", "the same, and surer", told.confidence)
    if told.relation != "update" or _of_one_breath(old, new):
        return _same(told)
    if old.credibility - new.credibility >= DOUBT:
        return Met("uncertain", "less credible than what it contradicts", told.confidence)
    return Met("replaced", told.reason, told.confidence)


def _tells_all(one: Fact, other: Fact, table: Embedder) -> bool:
    """Whether nothing of the other is news beside the one."""
    return not novelty(said(one.text), said(other.text), table)


def _of_one_breath(old: Fact, new: Fact) -> bool:
    """Whether both were said at once: then neither is news of the other, unless it puts it right."""
    at_once = old.at is not None and (old.at, old.source) == (new.at, new.source)
    return at_once and "corrects" not in said(new.text).marks


def _before(one: Fact, other: Fact) -> bool:
    """Whether it is known to have held earlier."""
    return one.at is not None and other.at is not None and one.at < other.at


def _same(told: Judgement) -> Met:
    if told.relation == "duplicate":
        return Met("folded", told.reason, told.confidence)
    return Met("none", told.reason, told.confidence)


def _at_once(old: Fact, new: Fact, table: Embedder) -> Met:
    """Two of one moment and one credibility, from different sources: nobody knows which is right."""
    told = contradiction(old, new, table)
    if told.relation == "contradiction":
        return Met("uncertain", told.reason, told.confidence)
    return _same(compared(old, new, table, SURE)) if told.relation == "duplicate" else Met("none")


def marked(old: Fact, new: Fact, met: Met) -> tuple[Fact, Fact]:
    """Both as they stand from now on."""
    if met.end == "replaced":
        return replace(old, status="superseded", replaced_by=new.id, reason=met.reason), new
    if met.end == "outdated":
        return old, replace(new, status="superseded", replaced_by=old.id, reason=met.reason)
    if met.end == "uncertain":
        return tuple(replace(one, status="uncertain", reason=met.reason) for one in (old, new))  # type: ignore[return-value]
    return old, new


def lineage(facts: Sequence[Fact]) -> Iterator[tuple[Fact, ...]]:
    """Each fact that holds with those it replaced, oldest first; then those whose successor is gone."""
    by_id = {fact.id: fact for fact in facts}
    before: dict[str, list[Fact]] = {}
    for fact in facts:
        before.setdefault(fact.replaced_by if fact.replaced_by in by_id else "", []).append(fact)
    for last in before.get("", ()):
        yield tuple(reversed(list(_back(last, before, set()))))


def _back(last: Fact, before: dict[str, list[Fact]], seen: set[str]) -> Iterator[Fact]:
    """A fact and what it replaced, newest first."""
    if last.id not in seen:
        seen.add(last.id)
        yield last
        for old in reversed(before.get(last.id, [])):
            yield from _back(old, before, seen)
