"""Checks of what a store is given, and values in the form in which a store returns them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from winnow.errors import Phrase, StoreError
from winnow.types.document import Document, KnowledgeTier
from winnow.types.fact import Fact
from winnow.types.message import Message
from winnow.types.scope import Scope
from winnow.types.vector import Space

if TYPE_CHECKING:
    from winnow.ports.stores import Floats

UNKNOWN_TIME = datetime.min  # noqa: DTZ901 - a wall clock has no zone
"""Stands where nobody knows when: before all that is known."""
MAX_KEY_BYTES = 500
"""Bytes of a tenant, a user or an id: what PostgreSQL can index together."""


def check_person(scope: Scope, ids: Iterable[str]) -> None:
    """Raises StoreError unless somebody is named and every id can be a part of a key."""
    if not scope.user:
        raise StoreError(
            "What is kept here belongs to a person, and none is named.", hint="Name one: --user NAME."
        )
    check_length((scope.tenant, scope.user, *ids))


def check_tier(scope: Scope, tier: KnowledgeTier, ids: Iterable[str]) -> None:
    """The same where nobody is named: what is public belongs to everybody of the tenant."""
    if tier == "private":
        check_person(scope, ids)
    check_length((scope.tenant, *ids))


def check_length(parts: Iterable[str]) -> None:
    """Raises StoreError unless each can be a part of a key."""
    for part in parts:
        if len(part) > MAX_KEY_BYTES or len(part.encode("utf-8", "surrogatepass")) > MAX_KEY_BYTES:
            raise StoreError(
                Phrase("A name or id is too long to be kept: {start}...", start=part[:40]),
                hint=Phrase("Use at most {longest} bytes, such as a hash of it.", longest=MAX_KEY_BYTES),
            )


def stored_message(message: Message) -> Message:
    """As it comes back: its time is what the clock on the wall showed."""
    if message.at is None or message.at == UNKNOWN_TIME:
        return replace(message, at=None)
    return replace(message, at=message.at.replace(tzinfo=None, fold=0))


def stored_fact(fact: Fact) -> Fact:
    """As it comes back: its time is what the clock on the wall showed."""
    return fact if fact.at is None else replace(fact, at=fact.at.replace(tzinfo=None, fold=0))


def stored_document(document: Document) -> Document:
    """As it comes back: its time is what the clock on the wall showed."""
    return document if document.at is None else replace(document, at=document.at.replace(tzinfo=None, fold=0))


def checked_vector(space: Space, vector: Floats) -> Floats:
    """The vector, float32 and little end first. ValueError: it is not of the space's dimension."""
    import numpy as np

    if vector.shape != (space.dimension,):
        raise ValueError(f"a vector of {space.name} has {space.dimension} numbers")
    return np.ascontiguousarray(vector, "<f4")
