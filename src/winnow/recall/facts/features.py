"""What speaks for and against a later statement being news, a repetition or something else."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import product

from winnow.ports import Embedder
from winnow.recall.facts.near import cosine, covered
from winnow.recall.facts.said import Said
from winnow.recall.history.superseded.told import matter

CHANGES = ("corrects", "changes", "ended", "began", "news")
"""Marks of which one says that something is not as it was."""
OF_NEW: tuple[str, ...] = (
    *CHANGES,
    "done",
    "further",
    "same",
    "past",
    "passing",
    "planned",
    "doubtful",
    "denied",
    "asks",
)
OF_OLD = ("planned", "doubtful", "past", "denied", "done", "further", "passing")


def features(old: Said, new: Said, table: Embedder) -> dict[str, float]:
    """Name -> how much of it there is, mostly 0 to 1."""
    told = {**_words(old, new, table), **_values(old, new), **_whom(old, new), **_claimed(old, new)}
    told.update({f"new_{mark}": float(mark in new.marks) for mark in OF_NEW})
    told.update({f"old_{mark}": float(mark in old.marks) for mark in OF_OLD})
    told["flip"] = float(("denied" in old.marks) != ("denied" in new.marks))
    told["chinese"] = float(new.chinese)
    told["longer"] = min(2.0, len(new.text) / max(1, len(old.text)))
    return {**told, **_together(told, not new.marks.isdisjoint(CHANGES))}


def _words(old: Said, new: Said, table: Embedder) -> dict[str, float]:
    """How much of what each says the other says too."""
    from_old, from_new = covered(table, old.words, new.words), covered(table, new.words, old.words)
    return {
        "near": cosine(table, old.text, new.text),
        "old_covered": _mean(from_old),
        "new_covered": _mean(from_new),
        "old_least": float(min(from_old, default=0)),
        "new_least": float(min(from_new, default=0)),
        "old_shared": _share(old.terms, new.terms),
        "new_shared": _share(new.terms, old.terms),
        "shared": float(bool(old.terms & new.terms)),
    }


def _values(old: Said, new: Said) -> dict[str, float]:
    """What becomes of numbers, dates and the like."""
    kinds = old.looks.keys() & new.looks.keys()
    before, after = set(old.looks.values()), set(new.looks.values())
    return {
        "same_value": float(_within(before, after) or _within(after, before)),
        "other_value": float(any(old.looks[kind] != new.looks[kind] for kind in kinds)),
        "value_added": float(bool(after) and not before),
        "value_lost": float(bool(before) and not after),
    }


def _whom(old: Said, new: Said) -> dict[str, float]:
    """Whom both speak of."""
    more, less = new.people - old.people, old.people - new.people
    return {
        "people_same": float(bool(old.people & new.people)),
        "people_other": float(bool(more) and bool(less)),
        "people_more": float(bool(more)),
        "people_less": float(bool(less)),
        "name_same": float(bool(old.names & new.names)),
        "name_more": float(bool(new.names - old.names - set(old.words))),
    }


def _claimed(old: Said, new: Said) -> dict[str, float]:
    """What the grammar of both says, where it could be read."""
    matters = [matter(a, b) for a, b in product(old.claims, new.claims) if a.who == b.who]
    whose = {claim.who for claim in old.claims}, {claim.who for claim in new.claims}
    return {
        "claim_replaced": float("replaced" in matters),
        "claim_repeated": float("repeated" in matters),
        "claim_of_another": float(all(whose) and whose[0].isdisjoint(whose[1])),
    }


def _together(told: Mapping[str, float], news: bool) -> dict[str, float]:
    """Some of it tells more, or less, where the later one says that something changed."""
    shared = max(told["old_shared"], told["new_shared"])
    changed, stays = float(news), float(not news)
    return {
        "changed": changed,
        "changed_shared": changed * shared,
        "changed_value": changed * told["other_value"],
        "changed_near": changed * told["near"],
        "stays_shared": stays * shared,
        "stays_near": stays * told["near"],
        "stays_covered": stays * min(told["old_covered"], told["new_covered"]),
        "stays_value": stays * told["same_value"] * told["near"],
        "value_near": told["other_value"] * told["near"],
    }


def _within(some: Collection[str], others: set[str]) -> bool:
    return bool(some) and others.issuperset(some)


def _share(some: frozenset[str], others: frozenset[str]) -> float:
    return len(some & others) / max(1, len(some))


def _mean(values: Collection[float]) -> float:
    return float(sum(values) / len(values)) if len(values) else 0.0
