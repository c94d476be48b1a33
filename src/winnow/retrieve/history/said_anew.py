"""What a history says anew later: read when it is first asked for, of many messages behind whoever asks."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock, Thread

import numpy as np
import numpy.typing as npt

from winnow.retrieve.statements.supersession import Supersession, message_claims
from winnow.types.message import Message

MAX_SUPERSESSION_MESSAGES = 20_000
"""Messages of which it is read what was said anew; of more, only among those that are found."""
MAX_AT_ONCE = 2_000
"""Messages that are read while somebody waits."""


class SaidAnew:
    """The ``Supersession`` of messages, oldest first. Safe in threads."""

    def __init__(self, messages: Sequence[Message], known: Supersession | None = None) -> None:
        self._messages, self._known = messages, known
        self._lock = Lock()
        self._thread: Thread | None = None

    def get(self) -> Supersession | None:
        """What was said anew; None: it is being read, or there are too many messages to read all."""
        with self._lock:
            if self._known is not None or len(self._messages) > MAX_SUPERSESSION_MESSAGES:
                return self._known
            if self._thread is None and len(self._messages) > MAX_AT_ONCE:
                self._thread = Thread(target=self._read, daemon=True, name="said-anew")
                self._thread.start()
        if self._thread is None:
            self._read()
        return self._known

    def wait(self) -> None:
        """Until it is read, where somebody reads it."""
        if self._thread is not None:
            self._thread.join()

    def change(
        self,
        messages: Sequence[Message],
        old_rows: npt.NDArray[np.int32],
        changed: Sequence[Message],
    ) -> SaidAnew:
        """Of other messages: ``old_rows`` has the row where each stood, -1 of new ones.

        Where nobody states anything in those that are ``changed``, nothing is read again.
        """
        known = self._known
        roles = {message.role for message in self._messages} if known is not None else set[str]()
        if known is None or any(message.role not in roles or message_claims(message) for message in changed):
            return SaidAnew(messages)
        now = {old: row for row, old in enumerate(old_rows.tolist()) if old >= 0}
        newer, replaced = (
            {now[a]: now[b] for a, b in pairs.items()} for pairs in (known.newer, known.replaced)
        )
        return SaidAnew(messages, Supersession(newer, replaced))

    def _read(self) -> None:
        self._known = Supersession.from_messages(self._messages)
