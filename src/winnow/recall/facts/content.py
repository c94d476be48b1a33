"""What becomes of values and persons between two statements."""

from __future__ import annotations

from itertools import product
from typing import TypeVar

from winnow.recall.facts.overlap import within
from winnow.recall.facts.said import Said
from winnow.recall.history.superseded.told import matter

T = TypeVar("T")


def of_values(old: Said, new: Said) -> dict[str, float]:
    """What becomes of numbers, dates and the like."""
    kinds = old.looks.keys() & new.looks.keys()
    before, after = frozenset(old.looks.values()), frozenset(new.looks.values())
    return {
        "same_value": float(within(before, after) or within(after, before)),
        "other_value": float(any(old.looks[kind] != new.looks[kind] for kind in kinds)),
        "value_added": float(bool(after) and not before),
        "value_lost": float(bool(before) and not after),
        **_of_sets("number", old.numbers, new.numbers),
        **_of_sets("weekday", old.weekdays, new.weekdays),
    }


def _of_sets(name: str, old: frozenset[T], new: frozenset[T]) -> dict[str, float]:
    """What becomes of several values of one kind."""
    told = _both(old, new) if old and new else dict.fromkeys(("same", "nested", "other", "partly"), False)
    told["more"] = bool(old) and bool(new - old)
    told["added"] = bool(new) and not old
    told["lost"] = bool(old) and not new
    return {f"{name}_{what}": float(holds) for what, holds in told.items()}


def _both(old: frozenset[T], new: frozenset[T]) -> dict[str, bool]:
    nested, other = old <= new or new <= old, old.isdisjoint(new)
    return {"same": old == new, "nested": nested, "other": other, "partly": not (nested or other)}


def of_whom(old: Said, new: Said) -> dict[str, float]:
    """Whom both speak of."""
    return {**_of_people(old, new), **_of_names(old, new)}


def _of_people(old: Said, new: Said) -> dict[str, float]:
    more, less = new.people - old.people, old.people - new.people
    return {
        "people_same": float(not old.people.isdisjoint(new.people)),
        "people_other": float(bool(more) and bool(less)),
        "people_more": float(bool(more)),
        "people_less": float(bool(less)),
        "old_own": float(old.own),
        "new_own": float(new.own),
        "own_lost": float(old.own and not new.own and bool(less)),
    }


def _of_names(old: Said, new: Said) -> dict[str, float]:
    more, less = new.names - old.names - {*old.words}, old.names - new.names - {*new.words}
    return {
        "name_same": float(not old.names.isdisjoint(new.names)),
        "name_more": float(bool(more)),
        "name_other": float(bool(more) and bool(less)),
    }


def of_claims(old: Said, new: Said) -> dict[str, float]:
    """What the grammar of both says, where it could be read."""
    matters = [matter(a, b) for a, b in product(old.claims, new.claims) if a.who == b.who]
    whose = {claim.who for claim in old.claims}, {claim.who for claim in new.claims}
    return {
        "claim_replaced": float("replaced" in matters),
        "claim_repeated": float("repeated" in matters),
        "claim_of_another": float(all(whose) and whose[0].isdisjoint(whose[1])),
    }
