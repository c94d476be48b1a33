"""Messages of one process."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from itertools import count

from winnow.adapters.stores.schema import chunks
from winnow.adapters.stores.validation import UNKNOWN, check, kept
from winnow.types.message import Message, Stamp
from winnow.types.scope import Scope

Person = tuple[str, str]
"""Tenant and user."""


Unsay = Callable[[Scope, Collection[str]], None]
"""Forgets the talks of the scope's user in which any of these texts was said."""


class MemoryMessages:
    """``MessageStore`` of one process."""

    def __init__(self, unsay: Unsay = lambda *_: None) -> None:
        self._unsay = unsay
        self._of: dict[Person, dict[str, Message]] = {}
        self._marks: dict[Person, str] = {}
        self._numbers = count(1)

    async def stamp(self, scope: Scope) -> Stamp:
        """Their number, and a mark that is never given twice."""
        person = _person(scope)
        return Stamp(len(self._of.get(person, ())), self._marks.get(person, ""))

    async def stream(self, scope: Scope, size: int = 1000) -> AsyncIterator[Sequence[Message]]:
        """Oldest first, then as they came in."""
        theirs = self._of.get(_person(scope), {}).values()
        for page in chunks(sorted(theirs, key=lambda m: m.at or UNKNOWN), size):
            yield page

    async def add(self, scope: Scope, messages: Sequence[Message]) -> int:
        """Keep these, in the place of those of the same ids; how many are new."""
        given = {message.id: kept(message) for message in messages}
        if not given:
            return 0
        check(scope, given)
        theirs = self._of.setdefault(_person(scope), {})
        before = dict(theirs)
        theirs.update(given)
        if theirs != before:
            self._marks[_person(scope)] = str(next(self._numbers))
        return len(theirs) - len(before)

    async def forget(self, scope: Scope, ids: Collection[str] | None = None) -> int:
        """Delete these messages of the user, or all of them, and the talks they were said in; how many."""
        person = _person(scope)
        theirs = self._of.pop(person, {})
        gone = set(theirs) if ids is None else theirs.keys() & ids
        left = {i: message for i, message in theirs.items() if i not in gone}
        if gone:
            self._unsay(scope, {theirs[id_].content for id_ in gone})
            self._marks.pop(person)
        if left:
            self._of[person] = left
            self._marks.setdefault(person, str(next(self._numbers)))
        return len(gone)

    async def users(self, scope: Scope) -> Mapping[str, int]:
        """User -> number of messages, of the whole tenant, by name."""
        theirs = ((user, len(of)) for (tenant, user), of in self._of.items() if tenant == scope.tenant)
        return dict(sorted(theirs))


def _person(scope: Scope) -> Person:
    return scope.tenant, scope.user
