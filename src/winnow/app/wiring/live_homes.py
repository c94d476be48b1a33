"""Homes linked to a server: their links, states, acts and imports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from winnow.app.config.settings import Settings, secrets
from winnow.ports.services import Actuator, run_blocking
from winnow.ports.stores import Clock, LiveHome, States, Storage
from winnow.types.scope import Scope
from winnow.types.state import ImportedHome, ImportReport, Link, ReadProgress, no_read_progress
from winnow.types.utterance import LanguageCode

if TYPE_CHECKING:
    from winnow.adapters.platforms.live.linked_homes import LinkFile


def open_links(settings: Settings) -> LinkFile:
    """Which homes are linked to which servers."""
    from winnow.adapters.platforms.live.linked_homes import LinkFile

    return LinkFile(settings.data)


def home_link(settings: Settings, home_id: str) -> Link:
    """The server that the tenant's home was imported from. Raises LinkError when it was not, StoreError."""
    from winnow.adapters.platforms.live.server import link_error

    link = open_links(settings).link(settings.scope.at(home_id))
    if link is None:
        raise link_error("no_link", home=home_id)
    return link


def open_live(link: Link, clock: Clock, env: Mapping[str, str] | None = None) -> LiveHome:
    """The server behind the link, with the environment's token. Nothing is sent yet. Raises LinkError."""
    from winnow.adapters.platforms.live.connect import open_home

    return open_home(link, secrets(link.token_env, env), clock)


def expect_token(name: str, env: Mapping[str, str] | None = None) -> None:
    """Whether that environment variable, or one beside it, holds anything. Raises LinkError."""
    from winnow.adapters.platforms.live.server import link_error

    if not secrets(name, env):
        raise link_error("no_token", name=name)


def linkable_platforms() -> tuple[str, ...]:
    """The vendors whose servers can be linked to, by name."""
    from winnow.adapters.platforms import registry

    return tuple(sorted(registry.servers()))


def find_platform(url: str) -> str:
    """What answers at the address; no token is sent to find out. Raises LinkError."""
    from winnow.adapters.platforms.live.connect import platform_at

    return run_blocking(platform_at(url), waits=True)


def live_states(settings: Settings, storage: Storage) -> States:
    """The states of linked homes as they are now, of all others as imported."""
    from winnow.adapters.platforms.live.linked_homes import LiveStates

    links = open_links(settings)

    def live_home_of(scope: Scope) -> LiveHome | None:
        link = links.link(scope)
        return open_live(link, storage.clock) if link else None

    return LiveStates(storage.states, live_home_of, storage.clock)


def live_actuator(settings: Settings, storage: Storage) -> Actuator:
    """What acts on linked homes, each at its server; on homes that are not linked nothing is done."""
    from winnow.adapters.platforms.live.connect import open_actuator
    from winnow.adapters.platforms.live.linked_homes import LiveActuator

    def link_actuator(link: Link) -> Actuator:
        return open_actuator(link, secrets(link.token_env), storage.clock)

    return LiveActuator(open_links(settings).link, link_actuator)


async def import_live(
    scope: Scope,
    link: Link,
    storage: Storage,
    home_id: str = "",
    language: LanguageCode | None = None,
    progress: ReadProgress = no_read_progress,
) -> ImportReport:
    """Read a home where it runs and keep it among those of the tenant.

    Raises LinkError, HomeImportError, StoreError; then nothing changed.
    """
    return await _store_import(scope, await _live_import(link, storage, home_id, language, progress), storage)


async def refresh_live(scope: Scope, link: Link, storage: Storage) -> ImportReport | None:
    """Read the scope's home anew, and keep it where it is not as it was; None where it is.

    Raises HomeNotFound, and what ``import_live`` raises; then nothing changed.
    """
    before = await storage.homes.load_home(scope)
    read = await _live_import(link, storage, scope.home)
    # The same home again would only raise its version and drop what was derived from it.
    if replace(before, version=0) == read.home:
        return None
    return await _store_import(scope, read, storage)


async def _live_import(
    link: Link,
    storage: Storage,
    home_id: str,
    language: LanguageCode | None = None,
    progress: ReadProgress = no_read_progress,
) -> ImportedHome:
    from winnow.adapters.platforms.live.connect import import_linked_home

    documents = await open_live(link, storage.clock).documents(progress)
    return import_linked_home(link, documents, home_id, language or "zh")


async def _store_import(scope: Scope, read: ImportedHome, storage: Storage) -> ImportReport:
    from winnow.engine.home_import import home_notes, import_home

    report = await import_home(scope, read, storage.homes)
    return replace(report, notes=home_notes(read.home, read.states))
