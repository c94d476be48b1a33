"""Messages of one person, looked for as a turn looks for them."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection
from datetime import datetime
from typing import TYPE_CHECKING

from winnow.bridge import blocking
from winnow.errors import WinnowError
from winnow.types.message import Message
from winnow.types.scope import Scope
from winnow.types.search import Search
from winnow.types.shortlist import Shortlist

if TYPE_CHECKING:
    from winnow.config import Settings


def found(settings: Settings, user: str, query: str, limit: int) -> Shortlist:
    """The messages that answer the question best.

    Raises ConfigError, StoreError, and WinnowError where histories are switched off.
    """
    from winnow.histories import HISTORY, open_history
    from winnow.wiring import open_store, open_table

    sources = open_history(None, settings, open_store(settings).storage, open_table)
    if HISTORY not in sources:
        raise WinnowError(
            "Earlier messages are not searched: history.yaml says enabled: false.",
            hint="Set enabled: true in it, under vector_search.",
        )
    now = datetime.now()  # noqa: DTZ005 - a wall clock has no zone
    source, scope = sources[HISTORY], Scope(settings.tenant, user=user)
    return blocking(source(Search(query, now), scope, limit), waits=getattr(source, "waits", True))


def last(settings: Settings, user: str, limit: int, ids: Collection[str] | None = None) -> list[Message]:
    """The last messages, oldest first, or those of the ids. Raises ConfigError, StoreError."""
    from winnow.histories import history_settings, open_messages
    from winnow.remember.messages import all_of
    from winnow.types.history import HistorySettings
    from winnow.wiring import open_store

    history = history_settings(None, settings) or HistorySettings()
    messages = open_messages(history, open_store(settings).storage)
    scope = Scope(settings.tenant, user=user)

    async def kept() -> deque[Message]:
        wanted = (m async for m in all_of(messages, scope) if not ids or m.id in ids)
        latest: deque[Message] = deque(maxlen=limit)
        async for message in wanted:
            latest.append(message)
        return latest

    return list(blocking(kept()))
