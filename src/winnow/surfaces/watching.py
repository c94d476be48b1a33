"""A home that is watched: what happens there is told, and what it consists of is kept up to date."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from winnow.config import Settings
from winnow.errors import LinkError
from winnow.live import linked, open_live, refresh_live
from winnow.ports import Storage
from winnow.surfaces.watch import Event, Seen
from winnow.types.imports import ImportReport
from winnow.types.live import Link, Rearranged
from winnow.types.scope import Scope
from winnow.types.view import HomeView
from winnow.wiring import find_home, open_store

Tell = Callable[[Event, HomeView], None]


@dataclass
class Watched:
    """A stored home with its server. ``tell`` gets what happens, as it happens."""

    settings: Settings
    scope: Scope
    link: Link
    storage: Storage
    view: HomeView
    tell: Tell
    seen: Seen = field(default_factory=Seen)

    async def run(self, seconds: float | None = None) -> None:
        """Watch for so many seconds, or until it is called off.

        Raises LinkError when the home cannot be reached at first, or for a reason that does not pass.
        """
        home = open_live(self.link, self.storage.clock)
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                async for news in home.news():
                    # A home that was rearranged is imported anew where it is not as it was.
                    event = await self._refresh() if isinstance(news, Rearranged) else news
                    if event is not None:
                        self.seen.count(event)
                        self.tell(Event(event, self.storage.clock.now()), self.view)

    async def _refresh(self) -> ImportReport | None:
        try:
            report = await refresh_live(self.scope, self.link, self.storage)
        except LinkError as error:
            if not error.retryable:
                raise
            return None  # once the server is back, the home counts as rearranged
        if report is not None:
            self.view = HomeView.of(find_home(self.settings, self.scope.home))
        return report


def open_watched(settings: Settings, home_id: str, tell: Tell) -> Watched:
    """The stored home of that id (empty: the only one). Raises HomeNotFound, StoreError, LinkError."""
    home = find_home(settings, home_id)
    scope = settings.scope.at(home.id)
    link = linked(settings, home.id)
    return Watched(settings, scope, link, open_store(settings).storage, HomeView.of(home), tell)
