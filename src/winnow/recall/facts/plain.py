"""Plain statements of a known attribute, whose grammar alone tells what the later is to the earlier one."""

from __future__ import annotations

from collections.abc import Iterator, Set
from functools import cache
from itertools import product, starmap

from winnow.recall.facts.said import Said
from winnow.recall.history.superseded.claim import SELF, Claim
from winnow.recall.history.superseded.told import matter
from winnow.recall.history.superseded.words import groups
from winnow.types.fact import Judgement

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
