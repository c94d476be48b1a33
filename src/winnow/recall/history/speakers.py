"""Who speaks in a history, and whom a question names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np
import numpy.typing as npt

from winnow.language.ngrams import runs
from winnow.language.normalise import normalise
from winnow.recall.history.language import pattern, words

Rows = npt.NDArray[np.int32]


def speakers_of(roles: Sequence[str]) -> Mapping[str, Rows]:
    """Part of a name -> the messages of whoever is called so. Roles such as ``user`` are no names."""
    return _rows(roles, {role: name_parts(role) for role in set(roles)})


def sides_of(roles: Sequence[str]) -> Mapping[str, Rows]:
    """``user`` and ``assistant`` -> their messages; none where only one of them speaks."""
    tables: dict[str, list[str]] = words()["roles"]
    found = _rows(roles, {r: [s for s, names in tables.items() if r.lower() in names] for r in set(roles)})
    return found if len(found) > 1 else {}


def sides_in(text: str) -> tuple[str, ...]:
    """Whose words a question is about, where it says so: ``what did you suggest``."""
    return tuple(side for side in words()["said_by"] if pattern("said_by", side).search(text))


def _rows(roles: Sequence[str], parts: Mapping[str, Sequence[str]]) -> Mapping[str, Rows]:
    """Part -> the rows of the roles that have it."""
    found: dict[str, list[int]] = {}
    for row, role in enumerate(roles):
        for part in parts[role]:
            found.setdefault(part, []).append(row)
    return {part: np.array(rows, np.int32) for part, rows in found.items()}


def name_parts(role: str) -> tuple[str, ...]:
    """The words of a name; none of what is no name."""
    latin, han = runs(normalise(role))
    parts = tuple(word for word in (*latin, *han) if len(word) > 1)
    return () if _no_names().issuperset(parts) else parts


def named_in(text: str, names: Mapping[str, Rows]) -> tuple[str, ...]:
    """Which of the names occur in a text."""
    latin, han = runs(normalise(text))
    return tuple(
        name for name in names if name in latin or (not name.isascii() and any(name in run for run in han))
    )


def without(text: str, names: Sequence[str]) -> str:
    """The text without these names and the endings of their possessives."""
    for name in names:
        bounds = r"\b" if name.isascii() else ""
        text = re.sub(rf"(?i){bounds}{re.escape(name)}(?:['’]s)?{bounds}", " ", text)
    return " ".join(text.split())


@cache
def _no_names() -> frozenset[str]:
    return frozenset(word for role in words()["roles"].values() for word in role)
