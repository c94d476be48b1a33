"""What is of which kind: a question asks for ``sports``, a message tells of skating."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from typing import Any

from winnow.language.content import content_terms, is_character
from winnow.text.tables import table


def members(term: str) -> tuple[str, ...]:
    """The terms that are of the kind a term names; none where it names no kind."""
    return _kinds().get(term, ())


@cache
def _kinds() -> Mapping[str, tuple[str, ...]]:
    """Term of a kind -> the terms of what is of it, from ``kinds.yaml``."""
    found: dict[str, set[str]] = defaultdict(set)
    kinds: list[dict[str, Any]] = table("winnow.recall.history", "kinds.yaml")
    for kind in kinds:
        things = {term for word in kind["are"] for term in _terms(word)}
        for name in (term for word in kind["ask"] for term in _terms(word)):
            found[name] |= things - {name}
    return {name: tuple(sorted(things)) for name, things in found.items()}


def _terms(word: str) -> list[str]:
    return [term for term in content_terms(word) if not is_character(term)]
