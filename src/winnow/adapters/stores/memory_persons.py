"""Everything of one person in the stores of one process."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import groupby
from typing import TYPE_CHECKING, Any

from winnow.adapters.stores.memory_acting import MemoryAudit, MemoryPlans, end_of
from winnow.adapters.stores.memory_documents import MemoryDocuments
from winnow.adapters.stores.memory_facts import MemoryFacts
from winnow.adapters.stores.memory_feedback import MemoryCounts, MemoryFeedback
from winnow.adapters.stores.memory_messages import MemoryMessages
from winnow.adapters.stores.memory_vectors import Book, MemoryVectors, end_claims
from winnow.adapters.stores.schema import chunks
from winnow.adapters.stores.validation import check
from winnow.types.scope import Elsewhere, Purge, Row, Scope, person_key
from winnow.types.vector import key_of

if TYPE_CHECKING:
    from winnow.adapters.stores.memory import Rows


@dataclass(frozen=True, slots=True)
class Parts:
    """The stores that hold anything of persons."""

    rows: Rows
    messages: MemoryMessages
    vectors: MemoryVectors
    book: Book
    facts: MemoryFacts
    documents: MemoryDocuments
    feedback: MemoryFeedback
    counts: MemoryCounts
    audit: MemoryAudit
    plans: MemoryPlans


class MemoryPersons:
    """``PersonRows`` of one process: nothing of it is in a file."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._removals: dict[str, list[str]] = {}
        """Tenant -> hashes of persons, in the order they were forgotten."""

    async def counts(self, scope: Scope, texts: Collection[str] = ()) -> Mapping[str, int]:
        """Kind -> number of rows, of those kinds there are any of."""
        check(scope, ())
        keys = self._keys(scope, texts)
        counted = Counter(kind for kind, _ in self._told(scope) if kind != "audit")
        spaces = self._parts.vectors._kept.get(scope.tenant, {}).values()
        counted["vectors"] = sum(len(known.keys() & keys) for known in spaces)
        return {kind: count for kind, count in counted.items() if count}

    async def elsewhere(self, scope: Scope) -> Sequence[Elsewhere]:
        """Entries of the audit log."""
        count = len(list(self._audit(scope)))
        return [Elsewhere("audit", count=count)] if count else []

    async def rows(self, scope: Scope, size: int = 500) -> AsyncIterator[tuple[str, Sequence[Row]]]:
        """Kind by kind."""
        check(scope, ())
        for kind, told in groupby(self._told(scope), key=lambda pair: pair[0]):
            for page in chunks((row for _, row in told), size):
                yield kind, page

    async def forget(self, scope: Scope, texts: Collection[str] = ()) -> Mapping[str, int]:
        """Drop all of it; a number tells other engines over the same stores."""
        parts, keys = self._parts, self._keys(scope, texts)
        counted = await self.counts(scope, texts)
        await parts.vectors.forget(scope, keys)
        end_claims(parts.book, scope, keys)
        await parts.documents.forget(scope, "private")
        for store in (parts.messages, parts.facts, parts.feedback, parts.counts):
            await store.forget(scope)
        plans = parts.plans._of(scope)
        for at in [at for at in plans if at[0].user == scope.user]:
            del plans[at]
        parts.rows.forget_person(scope)
        self._removals.setdefault(scope.tenant, []).append(person_key(scope.tenant, scope.user))
        return counted

    async def purge(self, scope: Scope, kinds: Collection[str]) -> Purge:  # noqa: ARG002 - those of the port
        """There is no file."""
        return Purge()

    async def removals(self, scope: Scope, after: int) -> Sequence[tuple[int, str]]:
        """Numbers and hashes, in their order."""
        return list(enumerate(self._removals.get(scope.tenant, ()), 1))[after:]

    def _keys(self, scope: Scope, texts: Collection[str]) -> set[str]:
        said = self._parts.messages._of.get((scope.tenant, scope.user), {}).values()
        return {*texts, *(key_of(message.content) for message in said)}

    def _told(self, scope: Scope) -> Iterator[tuple[str, Row]]:
        """Kind and row of everything."""
        kinds: Mapping[str, Callable[[Scope], Iterable[Row]]] = {
            "turns": self._turns,
            "questions": self._questions,
            "usage": self._usage,
            "lessons": self._lessons,
            "lexicon_entries": self._words,
            "messages": self._messages,
            "facts": self._facts,
            "documents": self._documents,
            "feedback": self._feedback,
            "accounts": self._accounts,
            "plans": self._plans,
            "audit": self._audit,
        }
        return ((kind, row) for kind, rows in kinds.items() for row in rows(scope))

    def _turns(self, scope: Scope) -> Iterator[Row]:
        for (tenant, home, user, session), talk in self._parts.rows.sessions.items():
            if (tenant, user) == (scope.tenant, scope.user):
                yield from ({"home_id": home, "session": session, **asdict(turn)} for turn in talk.turns)

    def _questions(self, scope: Scope) -> Iterator[Row]:
        from winnow.adapters.stores.sessions import columns_of

        for (tenant, home, user, session), talk in self._parts.rows.sessions.items():
            if (tenant, user) == (scope.tenant, scope.user) and talk.question is not None:
                yield {"home_id": home, "session": session, **columns_of(talk.question)}

    def _usage(self, scope: Scope) -> Iterator[Row]:
        for (tenant, home, user), usage in self._parts.rows.usage.items():
            if (tenant, user) == (scope.tenant, scope.user):
                for device, count in usage.counts.items():
                    last = usage.last_used[device]
                    yield {"home_id": home, "device_id": device, "count": count, "last_used": last}

    def _lessons(self, scope: Scope) -> Iterator[Row]:
        return _of_homes(scope, self._parts.rows.lessons)

    def _words(self, scope: Scope) -> Iterator[Row]:
        return _of_homes(scope, self._parts.rows.entries)

    def _messages(self, scope: Scope) -> Iterator[Row]:
        said = self._parts.messages._of.get((scope.tenant, scope.user), {}).values()
        return map(_plain, sorted(said, key=lambda message: message.at or datetime.min))  # noqa: DTZ901

    def _facts(self, scope: Scope) -> Iterator[Row]:
        return map(_plain, self._parts.facts._of.get((scope.tenant, scope.user), {}).values())

    def _documents(self, scope: Scope) -> Iterator[Row]:
        for (tenant, user, tier), shelf in self._parts.documents._shelves.items():
            if (tenant, user) == (scope.tenant, scope.user):
                for id_, document in shelf.documents.items():
                    yield {"tier": tier, **_plain(document), "text": shelf.texts[id_]}

    def _feedback(self, scope: Scope) -> Iterator[Row]:
        for given in self._parts.feedback._of.get((scope.tenant, scope.user), ()):
            yield {"id": given.id, "at": given.at, "given": given.data()}

    def _accounts(self, scope: Scope) -> Iterator[Row]:
        for account in self._parts.counts._accounts.get((scope.tenant, scope.user), ()):
            yield {"id": account.id, "at": account.at, "account": account.data()}

    def _plans(self, scope: Scope) -> Iterator[Row]:
        from winnow.adapters.stores.sessions import data_of

        for (whose, id_), plan in self._parts.plans._of(scope).items():
            if whose.user == scope.user:
                told = {"id": id_, "state": plan.state, "token_hash": plan.token_hash, "ends": end_of(plan)}
                yield {"home_id": whose.home, "session": whose.session, **told, "plan": data_of(plan)}

    def _audit(self, scope: Scope) -> Iterator[Row]:
        for (tenant, home), chain in self._parts.audit._chains.items():
            for entry in chain if tenant == scope.tenant else ():
                record = asdict(entry.record)
                if record.pop("user") == scope.user:
                    hashes = {"previous": entry.previous, "hash": entry.hash}
                    yield {"home_id": home, "number": entry.number, **record, **hashes}


def _of_homes(scope: Scope, rows: Mapping[tuple[str, str], Iterable[Any]]) -> Iterator[Row]:
    """What is the person's, of each home of the tenant."""
    for (tenant, home), learned in rows.items():
        for one in learned:
            if (tenant, one.user) == (scope.tenant, scope.user):
                row = asdict(one)
                del row["user"]
                yield {"home_id": home, **row}


def _plain(value: Any) -> Row:
    at = value.at.isoformat() if value.at else None
    return {**asdict(value), "at": at}
