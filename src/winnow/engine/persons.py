"""The data of one person: exported as a file, or forgotten, here and in other processes."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Collection, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from winnow.ports.stores import Messages, Storage
from winnow.types.lru import clear_text_caches
from winnow.types.scope import DERIVED_KINDS, Elsewhere, ForgetReport, Memory, Purge, Scope, person_key
from winnow.types.vector import text_key

EXPORT_FORMAT, EXPORT_VERSION = "winnow-person", 1
"""What an exported file calls itself."""
_LETTERS, _ESCAPES = json.JSONEncoder(ensure_ascii=False), json.JSONEncoder()
ExportProgress = Callable[[int, int], None]
"""Told how many rows are written, and of how many."""


@dataclass(frozen=True, slots=True)
class HostTexts:
    """Messages of persons in a table of the host: read for the vectors made of them, never written to."""

    messages: Messages
    where: str
    """What the table is called."""


@dataclass(slots=True)
class PersonData:
    """What is stored and remembered of persons."""

    storage: Storage
    memories: Callable[[], Iterable[Memory]] = tuple
    """What this process remembers beside the store."""
    host: HostTexts | None = None
    last_removals: dict[str, int] = field(default_factory=dict)
    """Tenant -> number of the last removal that this process knows of."""

    async def forget(self, scope: Scope, *, dry_run: bool = False) -> ForgetReport:
        """Delete all that is stored of the scope's user, and see to it that no byte of it is left.

        What lies elsewhere is named and not touched. Raises StoreError.
        """
        rows, (texts, host) = self.storage.persons, await self._of_host(scope)
        elsewhere = (*host, *await rows.elsewhere(scope))
        if dry_run:
            removed = await rows.counts(scope, texts)
            return ForgetReport(scope.tenant, scope.user, removed, elsewhere, dry_run=True)
        # Before the rows: what is on its way to the store is not kept. After them: what came in between.
        self.let_go(lambda one: (one.tenant, one.user) == (scope.tenant, scope.user))
        removed = await rows.forget(scope, texts)
        await self.catch_up(scope)
        purge = await rows.purge(scope, removed) if removed else Purge()
        left = (*elsewhere, *purge.elsewhere)
        return ForgetReport(scope.tenant, scope.user, removed, left, purge.statements)

    async def catch_up(self, scope: Scope) -> None:
        """Drop what this process remembers of those whom any process has forgotten. Raises StoreError."""
        new = await self.storage.persons.removals(scope, self.last_removals.get(scope.tenant, 0))
        if new:
            self.last_removals[scope.tenant] = new[-1][0]
            gone = {person for _, person in new}
            self.let_go(lambda one: person_key(one.tenant, one.user) in gone)

    async def export(self, scope: Scope, told: ExportProgress | None = None) -> AsyncIterator[str]:
        """One JSON object with all that is stored of the scope's user, piece by piece.

        ``told`` is told of rows as they come. Raises StoreError.
        """
        rows, (_, host) = self.storage.persons, await self._of_host(scope)
        size = sum(count for kind, count in (await rows.counts(scope)).items() if kind not in DERIVED_KINDS)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        head = {"format": EXPORT_FORMAT, "version": EXPORT_VERSION, "tenant": scope.tenant}
        yield json_text({**head, "user": scope.user, "exported_at": now})[:-1]
        done, before = 0, ""
        async for kind, page in rows.rows(scope):
            yield _export_separator(before, kind) + ",\n".join(map(json_text, page))
            done, before = done + len(page), kind
            if told:
                told(done, max(done, size))
        elsewhere = [{"kind": one.kind, "where": one.where, "count": one.count} for one in host]
        yield _export_separator(before, "elsewhere") + ",\n".join(map(json_text, elsewhere)) + "]}\n"

    async def _of_host(self, scope: Scope) -> tuple[Collection[str], tuple[Elsewhere, ...]]:
        """Keys of what the person said in the host's table, where vectors are kept; and how much it is."""
        if self.host is None:
            return (), ()
        count = (await self.host.messages.stamp(scope)).count
        if not count:
            return (), ()
        keys = set[str]()
        if await self.storage.vectors.spaces(scope):
            async for page in self.host.messages.stream(scope):
                keys.update(text_key(message.content) for message in page)
        return keys, (Elsewhere("host_messages", self.host.where, count),)

    def let_go(self, is_gone: Callable[[Scope], bool]) -> None:
        """Forget what this process remembers of those for whom ``is_gone`` holds, and of any text."""
        for memory in self.memories():
            memory.drop(is_gone)
        clear_text_caches()


def _export_separator(before: str, kind: str) -> str:
    """What stands before the rows of a kind, behind those of another or of the same."""
    if kind == before:
        return ",\n"
    return f"{']' if before else ''},\n{json.dumps(kind)}: [\n"


def json_text(value: object) -> str:
    """A value as JSON that any UTF-8 file can hold: half a surrogate pair, and NUL, stand as escapes."""
    text = _LETTERS.encode(value)
    return text if text.isprintable() else _ESCAPES.encode(value)
