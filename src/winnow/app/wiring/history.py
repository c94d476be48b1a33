"""The source of earlier messages, the vectors behind it, and their computation ahead of time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from winnow.app.config.checks import FASTEMBED
from winnow.app.config.settings import Settings
from winnow.errors import NothingToPrecompute, Phrase, StoreError
from winnow.ports.services import Embedder, HostVectors, RefreshableSource, Source
from winnow.ports.stores import Messages, MessageStore, Persons, Storage, Vectors
from winnow.retrieve.history import HISTORY
from winnow.types.candidate import Search, Shortlist
from winnow.types.message import HistorySettings, HostReport, HostTable, TableSurvey
from winnow.types.scope import IsGone, Scope

if TYPE_CHECKING:
    from winnow.adapters.models.openai import ModelEndpoint
    from winnow.adapters.models.vector_cache import CachedVectors
    from winnow.adapters.stores.host.messages import HostMessages
    from winnow.adapters.stores.job_queue import JobQueue
    from winnow.engine.persons import HostTexts
    from winnow.retrieve.history.source import HistorySource
    from winnow.retrieve.precompute import EmbeddingPace, EmbeddingWork

MEGABYTE = 1024 * 1024
MAX_REQUEST_TEXTS = 100
"""Texts of one request, where the server takes more: what is lost when it fails stays little."""
STORING_SECONDS = 5.0
"""Seconds that storing an answer may take."""
HistoryConfig = HistorySettings | Mapping[str, Any] | Path | str
"""Settings, what ``history.yaml`` would hold, the path of such a file, or the URL of a database."""


def open_history(
    given: HistoryConfig | None, settings: Settings, storage: Storage, table: Callable[[], Embedder]
) -> Mapping[str, Source]:
    """The source of earlier messages: as given, else as configured, else over the store; none if it is off.

    ``table`` gives the built-in embedder. Nothing connects before the first question. Raises ConfigError,
    EmbedderError.
    """
    found = history_settings(given, settings)
    if found is None:
        return {
            HISTORY.name: LazySource(
                lambda: history_source(HistorySettings(), settings, storage, table()), HistorySettings()
            )
        }
    return {HISTORY.name: history_source(found, settings, storage, table())} if found.enabled else {}


def history_settings(given: HistoryConfig | None, settings: Settings) -> HistorySettings | None:
    """What is given, else what is configured; None: nothing is. Raises ConfigError."""
    from winnow.app.config.files import history_of, load_history, read_history

    if isinstance(given, HistorySettings):
        return given
    if isinstance(given, str) and "://" in given:
        return HistorySettings(host=HostTable(given))
    if isinstance(given, str | Path):
        return read_history(Path(given), settings)
    return load_history(settings) if given is None else history_of(given, settings, origin="history")


def history_source(
    history: HistorySettings, settings: Settings, storage: Storage, table: Embedder
) -> HistorySource:
    """The source itself. Raises ConfigError, EmbedderError."""
    from winnow.retrieve.history.source import HistorySource

    messages = open_messages(history, storage)
    vectoriser = open_vectoriser(history, settings, storage.vectors, table)
    return HistorySource(messages, table, vectoriser, history, neighbours=open_neighbours(history, messages))


def open_messages(history: HistorySettings, storage: Storage) -> MessageStore | HostMessages:
    """The messages of the host's table, where there is one, else those of the store. Raises ConfigError."""
    if history.host is None:
        return storage.messages
    from winnow.adapters.stores.host.messages import HostMessages

    return HostMessages(history.host)


def open_host(given: HistoryConfig | None, settings: Settings) -> HostTexts | None:
    """The messages of the host's table, where there is one. Raises ConfigError."""
    from winnow.engine.persons import HostTexts

    found = history_settings(given, settings)
    if found is None or found.host is None:
        return None
    from winnow.adapters.stores.host.messages import HostMessages

    table = found.host
    return HostTexts(HostMessages(table), ".".join(part for part in (table.schema, table.table) if part))


def open_vectoriser(
    history: HistorySettings, settings: Settings, kept: Vectors, table: Embedder
) -> CachedVectors:
    """What makes vectors of messages. Those of the built-in table are not stored (decision 0040).

    Raises ConfigError, EmbedderError.
    """
    from winnow.adapters.models.vector_cache import CachedVectors, recent_vectors
    from winnow.retrieve.embedding_batches import EmbeddingLimits

    embedder = open_history_embedder(history, settings, table)
    recent = recent_vectors(size=settings.vector_memory * MEGABYTE)
    # Nothing is configured, so nothing is written (decision 0040).
    if embedder is table:
        limits = EmbeddingLimits(texts=1000, concurrency=1, aside=False)
        return CachedVectors(table, limits=limits, recent=recent)
    endpoint = getattr(embedder, "endpoint", None)
    limits = endpoint.limits if endpoint else EmbeddingLimits(concurrency=1)
    return CachedVectors(embedder, kept, limits=limits, recent=recent)


def open_history_embedder(history: HistorySettings, settings: Settings, table: Embedder) -> Embedder:
    """The model of the settings, where they name one, else the table. Raises ConfigError, EmbedderError."""
    if not history.embedding_model:
        return table
    server, key = history.api_url or settings.model_server, history.api_key or settings.model_key
    return open_model(settings, history.embedding_model, server, key)


def open_model(
    settings: Settings, model: str, server: str = "", key: str = "", *, fetch: bool = True
) -> Embedder:
    """An embedding model by name: one for this process (``fastembed:``), else one of that server.

    Raises ConfigError, EmbedderError.
    """
    if not model.startswith(FASTEMBED):
        from winnow.adapters.models.openai import OpenAIEmbedder

        return OpenAIEmbedder(model_endpoint(settings, server, key), model)
    from winnow.adapters.models.fastembed import FastEmbedder

    folder = Path(settings.model_folder).expanduser() if settings.model_folder else None
    return FastEmbedder(model.removeprefix(FASTEMBED), settings.data / "models", folder=folder, fetch=fetch)


def model_endpoint(settings: Settings, server: str = "", key: str = "") -> ModelEndpoint:
    """Where a server of models is reached and within which limits; by default that of the settings."""
    from winnow.adapters.models.openai import configured_endpoint

    limits = {
        "seconds": settings.model_seconds,
        "retries": settings.model_retries,
        "concurrency": settings.model_concurrency,
    }
    return configured_endpoint(server or settings.model_server, key=key or settings.model_key, **limits)


@dataclass(frozen=True, slots=True)
class Precomputing:
    """What makes vectors beforehand, as it is configured."""

    work: EmbeddingWork
    persons: Persons
    cache: CachedVectors
    pace: EmbeddingPace

    async def scopes(self, tenant: Scope, user: str = "") -> tuple[Scope, ...]:
        """The user named, else all users of the tenant. Raises StoreError."""
        users = [user] if user else await self.persons.users(tenant)
        return tuple(Scope(tenant.tenant, name) for name in users)


def open_precomputing(settings: Settings, storage: Storage, table: Embedder) -> Precomputing:
    """What makes the vectors of the messages that are configured, else of those of the store.

    Raises ConfigError, EmbedderError; NothingToPrecompute where the built-in table makes them when asked.
    """
    from winnow.retrieve.precompute import EmbeddingPace, EmbeddingWork

    history = history_settings(None, settings) or HistorySettings()
    cache = open_vectoriser(history, settings, storage.vectors, table)
    if cache.store is None:
        raise NothingToPrecompute
    messages = open_messages(history, storage)
    work = EmbeddingWork(messages, storage.vectors, storage.claims, cache, storage.clock)
    endpoint = getattr(cache.embedder, "endpoint", None)
    # What is lost when a request fails stays little.
    pace = EmbeddingPace(replace(cache.limits, texts=min(cache.limits.texts, MAX_REQUEST_TEXTS)))
    if endpoint is not None:  # no request takes longer than it may, and storing its answer takes no time
        pace = replace(pace, lease=endpoint.seconds + STORING_SECONDS)
    return Precomputing(work, messages, cache, pace)


def open_queue(settings: Settings) -> JobQueue | None:
    """The queue of the configured store; None where it is a file, which has none. Raises StoreError."""
    from winnow.adapters.stores.connection import store_place
    from winnow.adapters.stores.job_queue import JobQueue

    where = settings.store
    return None if store_place(where).file is not None else JobQueue(str(where))


def open_neighbours(history: HistorySettings, messages: Messages) -> HostVectors | None:
    """The host's own vectors, where they are to be searched."""
    if history.type != "pgvector":
        return None
    from winnow.adapters.stores.host.messages import HostMessages
    from winnow.adapters.stores.host.vector_search import HostNeighbours

    assert isinstance(messages, HostMessages), "settings without a table of the host are refused"
    return HostNeighbours(messages, history.distance, history.embedding_dim)


def candidate_limits(sources: Mapping[str, Source]) -> Mapping[str, int]:
    """How many candidates a question gets of those sources whose settings say so."""
    told = {name: getattr(source, "settings", None) for name, source in sources.items()}
    return {name: found.top_k for name, found in told.items() if isinstance(found, HistorySettings)}


class LazySource:
    """A source that is opened when it is asked for the first time: most turns ask none."""

    waits = False

    def __init__(self, opened: Callable[[], RefreshableSource], settings: object = None) -> None:
        self._open, self.settings = opened, settings

    async def __call__(self, search: Search, scope: Scope, limit: int) -> Shortlist:
        """As the source that is opened."""
        return await self.source(search, scope, limit)

    def drop(self, is_gone: IsGone) -> None:
        """Forget what the source, where it was opened, remembers of these persons."""
        forgets = getattr(vars(self).get("source"), "drop", None)
        if forgets is not None:
            forgets(is_gone)

    async def current(self, scope: Scope, ids: Collection[str]) -> Mapping[str, Mapping[str, object]]:
        """As the source that is opened."""
        return await self.source.current(scope, ids)

    @cached_property
    def source(self) -> RefreshableSource:
        """The source itself."""
        return self._open()


# Inspects where a person's messages are stored, before a history is configured.

MAX_TABLES_NAMED = 20
"""Tables named at most."""


async def survey(settings: Settings, storage: Storage, url: str = "", table: str = "") -> TableSurvey:
    """What is there: at that URL, else where it is configured, else in the store.

    A table that is not mapped is guessed. Raises ConfigError, StoreError.
    """
    found = history_settings(None, settings) or HistorySettings()
    others: tuple[str, ...] = ()
    if url:
        host, others = message_table(url, table)
        found = replace(found, host=host)
    if found.host is None:
        return TableSurvey(found, await storage.messages.users(settings.scope))
    report = host_report(found)
    if report.problems:
        return TableSurvey(found, {}, problems=report.problems, others=others)
    counts = await open_messages(found, storage).users(settings.scope)
    vectors = report.columns.get(found.host.columns.vector, "") if found.host.columns.vector else ""
    return TableSurvey(found, counts, vectors, advice=report.advice, others=others)


def message_table(url: str, table: str = "") -> tuple[HostTable, tuple[str, ...]]:
    """The table of that name, or the one that looks most as if it held messages, and the others that do.

    Raises ConfigError, StoreError.
    """
    from winnow.adapters.stores.host.table_inspection import guess_tables, table_names

    # The table belongs to somebody else: it is guessed and checked, never changed.
    likely = guess_tables(url)
    named = [one.table for one in likely if not table or one.table.table == table]
    others = tuple(one.table.table for one in likely)
    if named:
        return named[0], tuple(name for name in others if name != named[0].table)
    if table:
        return HostTable(url, table), others
    raise StoreError(
        "No table there looks as if it held messages.",
        hint=Phrase(
            "Name it: --table TABLE. There are: {tables}",
            tables=table_names(url)[:MAX_TABLES_NAMED] or "none",
        ),
    )


def host_report(found: HistorySettings) -> HostReport:
    """Whether the host's table fits, and what would be better; nothing without one. Raises StoreError."""
    from winnow.adapters.stores.host.table_inspection import check_table

    if found.host is None:
        return HostReport()
    return check_table(found.host, dimension=found.embedding_dim, distance=found.distance)
