"""Homes ready to be searched: each with its words and its index, built once a version."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

from winnow.engine.home_import import with_overrides
from winnow.engine.lexicon import gazetteer_entries, with_learned_names
from winnow.errors import ArgumentError, HomeNotFound, NoSuchState
from winnow.language.tokens import count_tokens
from winnow.ports.services import Embedder
from winnow.ports.stores import Clock, States, Storage
from winnow.types.home import Home, HomeView
from winnow.types.lru import LruCache
from winnow.types.scope import Scope
from winnow.types.state import HomeInfo, Snapshot, Values
from winnow.understand.words.vocabulary import Vocabulary, build_vocabulary

if TYPE_CHECKING:
    from winnow.retrieve.home.index import HomeIndex

MAX_HOMES = 32
"""Homes kept ready to be searched; the one not spoken to for longest goes first."""


@dataclass(frozen=True, slots=True)
class LoadedHome:
    """One version of a home with what is built from it once."""

    home: Home
    vocabulary: Vocabulary
    index: HomeIndex

    @property
    def view(self) -> HomeView:
        """The home's lookups."""
        return self.index.view


class HomeCache:
    """The homes of a storage that were spoken to last, by tenant and id."""

    def __init__(self, storage: Storage, embedder: Embedder, *, most: int = MAX_HOMES) -> None:
        self.storage, self.embedder = storage, embedder
        self._homes: LruCache[tuple[str, str], LoadedHome] = LruCache(most)

    async def home_info(self, scope: Scope) -> HomeInfo | None:
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

    async def load_named(self, scope: Scope) -> LoadedHome:
        """The home that is meant, ready to be searched; rebuilt when its version changed.

        Raises HomeNotFound, also where it is not said which of several; StoreError.
        """
        info = await self.home_info(scope)
        if info is None:
            raise HomeNotFound("", [known.id for known in await self.storage.homes.list_homes(scope)])
        return await self.load_home(scope, info)

    async def load_home(self, scope: Scope, info: HomeInfo) -> LoadedHome:
        """That home of the tenant, ready to be searched. Raises HomeNotFound, StoreError."""
        scope = scope.at(info.id)
        if known := self._cached_home(scope, info.version):
            return known
        learned = await self.storage.lexicon.entries(scope)
        said = await self.storage.overrides.overrides(scope)
        home = with_learned_names(with_overrides(await self.storage.homes.load_home(scope), said), learned)
        if known := self._cached_home(scope, home.version):  # by whoever waited for the same home meanwhile
            return known
        from winnow.retrieve.home.index import build_index

        count_tokens("")  # loads the tokenizer's tables now and not with the first answer
        vocabulary = build_vocabulary(home, gazetteer_entries(learned))
        return self.keep(scope, LoadedHome(home, vocabulary, build_index(home, self.embedder)))

    def keep(self, scope: Scope, opened: LoadedHome) -> LoadedHome:
        """The same home, now the last one spoken to."""
        self._homes.put((scope.tenant, opened.home.id), opened)
        return opened

    def _cached_home(self, scope: Scope, version: int) -> LoadedHome | None:
        """The home as it was opened before, where it still is that version."""
        known = self._homes.get((scope.tenant, scope.home))
        return known if known and known.home.version == version else None


# States this process was given, laid over those of another source until that has newer ones.

MAX_NEAR_IDS = 3
"""Ids named that may have been meant."""


class StateOverlay:
    """``States`` over those of ``below``: of each value the newer one counts."""

    def __init__(self, below: States, clock: Clock) -> None:
        self.below, self._clock = below, clock
        self._overlays: dict[tuple[str, str], Snapshot] = {}
        """By tenant and home."""

    async def read(self, scope: Scope, refs: Collection[str] = ()) -> Snapshot:
        """The states as they are now."""
        below, told = await self.below.read(scope, refs), self._overlays.get((scope.tenant, scope.home))
        if told is None:
            return below
        return (told.about(refs) if refs else told).over(below)

    async def add_states(self, scope: Scope, changes: Values, view: HomeView) -> None:
        """Take these in as reported now. Raises NoSuchState; then none of them is taken in."""
        known = await self.below.read(scope, tuple(changes))
        # ``device`` or ``device.attribute`` that the home does not have -> the ids that come nearest.
        unknown: dict[str, tuple[str, ...]] = {}
        for device_id, states in changes.items():
            if device_id not in view.devices:
                unknown[device_id] = tuple(get_close_matches(device_id, view.devices, MAX_NEAR_IDS))
                continue
            if not isinstance(states, Mapping):
                raise ArgumentError("states", "must hold attributes and their values", states)
            attributes = {*(a.id for a in view.profile(device_id).attributes), *known.of(device_id)}
            for name in states:
                if name not in attributes:
                    near = get_close_matches(name, sorted(attributes), MAX_NEAR_IDS)
                    unknown[f"{device_id}.{name}"] = tuple(near)
        if unknown:
            raise NoSuchState(scope.home, unknown)
        place = scope.tenant, scope.home
        told = self._overlays.get(place, Snapshot(source="told"))
        self._overlays[place] = told.with_changes(changes, self._clock.now())
