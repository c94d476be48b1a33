"""Birthdays of a calendar: a row that says when they are asked for, and the search itself."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from winnow.language.content_words import content_terms
from winnow.types.candidate import Candidate, Ref, Search, Shortlist, SourceRow
from winnow.types.scope import Scope

BIRTHDAYS = SourceRow("birthdays", tier="private", is_personal=True, most=2)


class BirthdaySource:
    """The entries of whoever asks, by the words they share with the question."""

    row = BIRTHDAYS
    waits = False

    def __init__(self, entries: Mapping[str, Mapping[str, str]]) -> None:
        self.entries = entries
        """User -> id -> entry."""

    async def __call__(self, search: Search, scope: Scope, limit: int) -> Shortlist:
        asked = set(content_terms(search.text))
        shares = {
            id_: len(asked.intersection(content_terms(text))) / len(asked)
            for id_, text in self.entries.get(scope.user, {}).items()
        }
        best = sorted((id_ for id_, share in shares.items() if share), key=lambda id_: -shares[id_])
        data = await self.current(scope, best)
        found = (Candidate(Ref("passage", id_), (), shares[id_], data[id_]) for id_ in best[:limit])
        return Shortlist(BIRTHDAYS.name, tuple(found))

    async def current(self, scope: Scope, ids: Collection[str]) -> Mapping[str, Mapping[str, object]]:
        return {id_: {"text": text} for id_, text in self.entries[scope.user].items() if id_ in ids}
