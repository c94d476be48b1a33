"""Facts as a source of retrieval, and their extraction from what a person says."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from winnow.errors import NoSuchFact
from winnow.ports.services import Embedder, run_aside
from winnow.ports.stores import Clock, Facts, Storage
from winnow.retrieve.facts.extract import all_statements, parse_fact, speaks_of_somebody
from winnow.retrieve.facts.merge import is_news, merge_fact
from winnow.retrieve.facts.rank import fact_data, rank_facts
from winnow.types.candidate import Search, Shortlist, Step, wall_clock
from winnow.types.fact import Fact
from winnow.types.scope import Scope

SOURCE_NAME = "facts"


class FactSource:
    """A ``Source`` over what is held to be true for persons.

    ``table`` is the built-in embedder, which knows words of both languages.
    """

    waits = False
    """Without an event loop it blocks and never suspends."""

    def __init__(self, facts: Facts, table: Embedder) -> None:
        self.facts, self.table = facts, table

    async def __call__(self, search: Search, scope: Scope, limit: int) -> Shortlist:
        """The facts that the question is about, at most ``limit``. Raises StoreError.

        Superseded ones are among them only where it asks for the past.
        """
        if not scope.user:
            return Shortlist(
                SOURCE_NAME, steps=(Step("user", "none", "nobody was named, so there are no facts"),)
            )
        known = await self.facts.facts(scope)
        return await run_aside(lambda: rank_facts(search, known, self.table, limit))

    async def current(self, scope: Scope, ids: Collection[str]) -> Mapping[str, Mapping[str, object]]:
        """Those of the facts that are still there, as they stand now. Raises StoreError."""
        known = await self.facts.facts(scope)
        return {fact.id: fact_data(fact) for fact in known if fact.id in ids}


@dataclass(frozen=True, slots=True)
class PersonText:
    """A text of a person: a message, a note."""

    text: str
    at: datetime | None = None
    source: str = "user"
    """``message:ID``, ``document:ID`` ..."""


class FactExtractor:
    """Keeps what persons tell: each statement is judged against what is known, and nothing is overwritten."""

    def __init__(self, facts: Facts, table: Embedder, clock: Clock) -> None:
        self.facts, self.table, self.clock = facts, table, clock

    def now(self) -> datetime | None:
        """This moment by the clock on the wall."""
        return wall_clock(self.clock.now())

    async def extract(
        self, scope: Scope, text: str, at: datetime | None = None, source: str = "user"
    ) -> tuple[Fact, ...]:
        """Keep what a text tells of whoever says it: the facts that are new or stand otherwise now.

        Questions, requests and wishes tell nothing. Raises StoreError.
        """
        return await self.extract_all(scope, [PersonText(text, at, source)])

    async def extract_all(self, scope: Scope, told: Iterable[PersonText]) -> tuple[Fact, ...]:
        """The same of many texts, oldest first; what was read before changes nothing. Raises StoreError."""
        known = await self.facts.facts(scope)
        changed = await run_aside(lambda: self._changes(known, told))
        await self.facts.keep(scope, changed)
        return changed

    async def add(self, scope: Scope, text: str, at: datetime | None = None) -> tuple[Fact, ...]:
        """Keep a statement as the person's own, whatever it says; empty: it is known. Raises StoreError."""
        known = await self.facts.facts(scope)
        new = replace(parse_fact(text, at), credibility=1.0)
        changed = await run_aside(lambda: merge_fact(known, new, self.table))
        await self.facts.keep(scope, changed)
        return changed

    async def correct(
        self, scope: Scope, id_: str, text: str, at: datetime | None = None
    ) -> tuple[Fact, ...]:
        """Put another statement in the place of a fact; it wins. Raises NoSuchFact, StoreError."""
        known = {fact.id: fact for fact in await self.facts.facts(scope)}
        if id_ not in known:
            raise NoSuchFact(id_)
        new = replace(parse_fact(text, at), credibility=1.0)
        old = replace(known[id_], status="superseded", replaced_by=new.id, reason="corrected by the person")
        await self.facts.keep(scope, (old, new))
        return old, new

    async def forget(self, scope: Scope, ids: Collection[str] | None = None) -> int:
        """Delete these facts of the person, or all; how many there were. Raises StoreError."""
        return await self.facts.forget(scope, ids)

    def _changes(self, known: Sequence[Fact], told: Iterable[PersonText]) -> tuple[Fact, ...]:
        """Statement by statement: each is judged against what the ones before it left."""
        held = {fact.id: fact for fact in known}
        before = dict(held)
        for text in told:
            for fact in all_statements(text.text, text.at, text.source):
                held.update({fact.id: fact for fact in self._merge(tuple(held.values()), fact)})
        return tuple(fact for id_, fact in held.items() if before.get(id_) != fact)

    def _merge(self, known: Sequence[Fact], fact: Fact) -> tuple[Fact, ...]:
        """What changes by one statement; one that names nobody is kept only where it is news of something."""
        if any(fact.id == old.id for old in known):
            return ()
        if not speaks_of_somebody(fact) and not is_news(known, fact, self.table):
            return ()
        return merge_fact(known, fact, self.table)


async def stored_texts(storage: Storage, scope: Scope) -> list[PersonText]:
    """What the scope's user said in the stored messages and wrote in private notes, oldest first.

    Raises StoreError.
    """
    heard = [
        PersonText(message.content, message.at, f"message:{message.id}")
        async for page in storage.messages.stream(scope)
        for message in page
        if message.role in {"user", scope.user}
    ]
    for id_, document in (await storage.documents.documents(scope, "private")).items():
        if document.kind == "note":
            text = await storage.documents.text(scope, "private", id_)
            heard.append(PersonText(text, document.at, f"document:{id_}"))
    return sorted(heard, key=lambda one: one.at or datetime.min)  # noqa: DTZ901 - a wall clock has no zone
