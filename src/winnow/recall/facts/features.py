"""What speaks for and against a later statement being news, a repetition or something else."""

from __future__ import annotations

from collections.abc import Mapping

from winnow.ports import Embedder
from winnow.recall.facts.content import of_claims, of_values, of_whom
from winnow.recall.facts.overlap import of_words
from winnow.recall.facts.said import Said
from winnow.recall.facts.topic import of_topic

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
