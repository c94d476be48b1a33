"""Homes ready to be searched: each with its words and its index, built once a version."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from winnow.engine.lexicon import taught, words_of
from winnow.engine.overrides import overridden
from winnow.errors import HomeNotFound
from winnow.language.tokens import count_tokens
from winnow.ports.services import Embedder
from winnow.ports.stores import Storage
from winnow.types.home import Home, HomeView
from winnow.types.scope import Scope
from winnow.types.state import HomeInfo
from winnow.understand.words.vocabulary import Vocabulary, build_vocabulary

if TYPE_CHECKING:
    from winnow.retrieve.home.index import HomeIndex

OPEN_HOMES = 32
"""Homes kept ready to be searched; the one not spoken to for longest goes first."""


@dataclass(frozen=True, slots=True)
class Opened:
    """One version of a home with what is built from it once."""

    home: Home
    vocabulary: Vocabulary
    index: HomeIndex

    @property
    def view(self) -> HomeView:
        """The home's lookups."""
        return self.index.view


class OpenHomes:
    """The homes of a storage that were spoken to last, by tenant and id."""

    def __init__(self, storage: Storage, embedder: Embedder, *, most: int = OPEN_HOMES) -> None:
        self.storage, self.embedder, self.most = storage, embedder, most
        self._ready: OrderedDict[tuple[str, str], Opened] = OrderedDict()

    async def meant(self, scope: Scope) -> HomeInfo | None:
        """The scope's home, or where it names none the tenant's only one; None when there is none or several.

        Raises HomeNotFound when the scope names a home that is not there, StoreError.
        """
        homes = await self.storage.homes.list_homes(scope)
        if not scope.home:
            return homes[0] if len(homes) == 1 else None
        found = next((info for info in homes if info.id == scope.home), None)
        if found is None:
            raise HomeNotFound(scope.home, [info.id for info in homes])
        return found

    async def opened(self, scope: Scope) -> Opened:
        """The home that is meant, ready to be searched; rebuilt when its version changed.

        Raises HomeNotFound, also where it is not said which of several; StoreError.
        """
        info = await self.meant(scope)
        if info is None:
            raise HomeNotFound("", [known.id for known in await self.storage.homes.list_homes(scope)])
        return await self.ready(scope, info)

    async def ready(self, scope: Scope, info: HomeInfo) -> Opened:
        """That home of the tenant, ready to be searched. Raises HomeNotFound, StoreError."""
        scope = scope.at(info.id)
        if known := self._known(scope, info.version):
            return known
        learned = await self.storage.lexicon.entries(scope)
        said = await self.storage.overrides.said(scope)
        home = taught(overridden(await self.storage.homes.load_home(scope), said), learned)
        if known := self._known(scope, home.version):  # by whoever waited for the same home meanwhile
            return known
        from winnow.retrieve.home.index import build_index

        count_tokens("")  # loads the tokenizer's tables now and not with the first answer
        vocabulary = build_vocabulary(home, words_of(learned))
        return self.keep(scope, Opened(home, vocabulary, build_index(home, self.embedder)))

    def keep(self, scope: Scope, opened: Opened) -> Opened:
        """The same home, now the last one spoken to."""
        key = (scope.tenant, opened.home.id)
        self._ready.pop(key, None)
        self._ready[key] = opened
        if len(self._ready) > self.most:
            self._ready.popitem(last=False)
        return opened

    def _known(self, scope: Scope, version: int) -> Opened | None:
        """The home as it was opened before, where it still is that version."""
        known = self._ready.get((scope.tenant, scope.home))
        return self.keep(scope, known) if known and known.home.version == version else None
