"""Histories that are held open: what was read and indexed once is used again while nothing changed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from winnow.bridge import aside
from winnow.errors import Phrase
from winnow.ports import Embedder, Messages
from winnow.recall.history import HistoryIndex, build_history
from winnow.sources.footprint import footprint
from winnow.sources.held import Held
from winnow.types.message import Message, Stamp
from winnow.types.scope import Scope
from winnow.types.shortlist import Step

Floats = npt.NDArray[np.float32]
Rows = npt.NDArray[np.intp]
MOST = 1_000
"""Histories held open, at most."""
MOST_BYTES = 512 * 1024 * 1024
"""What they may take together."""


class OpenHistory:
    """One person's messages, indexed, and those of their vectors that are known."""

    def __init__(self, stamp: Stamp, index: HistoryIndex) -> None:
        self.stamp, self.index = stamp, index
        self.known: npt.NDArray[np.bool_] = np.zeros(index.size, np.bool_)
        """Which rows have a vector."""
        self._vectors: Floats = np.zeros((index.size, 0), np.float32)
        self._size = footprint(index)

    @property
    def bytes(self) -> int:
        """About what it takes in memory, rather more than less."""
        return self._size + self._vectors.nbytes

    @cached_property
    def rows(self) -> dict[str, int]:
        """Id of a message -> its row."""
        return {message.id: row for row, message in enumerate(self.index.messages)}

    def texts(self, rows: Rows) -> list[str]:
        """What the messages of these rows say."""
        messages = self.index.messages
        return [messages[row].content for row in rows.tolist()]

    def missing(self, rows: Rows) -> Rows:
        """Those of the rows whose vectors are not known."""
        return rows[~self.known[rows]]

    def learn(self, rows: Rows, vectors: Floats) -> None:
        """Keep vectors, one per row. Vectors of another length take the place of all before them."""
        if not len(rows) or not vectors.shape[1]:
            return
        if vectors.shape[1] != self._vectors.shape[1]:
            self._vectors = np.zeros((self.index.size, vectors.shape[1]), np.float32)
            self.known[:] = False
        self._vectors[rows] = vectors
        self.known[rows] = True

    def cosines(self, questions: Floats) -> Floats:
        """Of each question with each message: shape ``(questions, messages)``, 0 where no vector is known."""
        if questions.shape[1] != self._vectors.shape[1]:
            return np.zeros((len(questions), self.index.size), np.float32)
        return questions @ self._vectors.T

    def extended(self, stamp: Stamp, more: Sequence[Message]) -> OpenHistory:
        """The same with newer messages behind these; nothing is learned anew."""
        longer = OpenHistory(stamp, self.index.extended(more))
        rows = np.flatnonzero(self.known)
        longer.learn(rows, self._vectors[rows])
        return longer


class OpenHistories:
    """The histories asked for last, of all tenants; never one for another's user.

    ``table`` makes the vectors of single words; ``most``, ``most_bytes``: what is held at most.
    """

    def __init__(
        self, messages: Messages, table: Embedder, *, most: int = MOST, most_bytes: int = MOST_BYTES
    ) -> None:
        self._messages, self._table = messages, table
        self.held: Held[tuple[str, str], OpenHistory] = Held(most, most_bytes)

    async def opened(self, scope: Scope) -> tuple[OpenHistory, Step]:
        """The history of the scope's user as it is now, and how it came to be. Raises StoreError."""
        stamp = await self._messages.stamp(scope)
        before = self.held.taken(_key(scope))
        if before is not None and before.stamp == stamp:
            self.held.keep(_key(scope), before)  # it may have learned vectors meanwhile
            return before, _step("reused", before)
        # Whatever changes between the stamp and the rows is read again next time: the stamp is the older one.
        messages = [message async for some in self._messages.stream(scope) for message in some]
        now, how = await aside(lambda: self._indexed(stamp, messages, before))
        self.held.keep(_key(scope), now)
        return now, _step(how, now)

    def __len__(self) -> int:
        """How many are held."""
        return len(self.held)

    @property
    def bytes(self) -> int:
        """About what they take together."""
        return self.held.bytes

    def _indexed(
        self, stamp: Stamp, messages: Sequence[Message], before: OpenHistory | None
    ) -> tuple[OpenHistory, str]:
        size = before.index.size if before else 0
        if before is None or tuple(messages[:size]) != before.index.messages:
            return OpenHistory(stamp, build_history(messages, self._table)), "built"
        return before.extended(stamp, messages[size:]), "extended"


def _key(scope: Scope) -> tuple[str, str]:
    return scope.tenant, scope.user


def _step(how: str, history: OpenHistory) -> Step:
    return Step("history", how, Phrase("{count} messages", count=history.index.size))
