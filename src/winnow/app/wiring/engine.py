"""Builds an engine from settings; adapters are imported where they are needed, to start quickly."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from winnow.app.config.files import load_tuning
from winnow.app.config.settings import Settings, load_settings
from winnow.app.wiring.documents import (
    KnowledgeConfig,
    knowledge_settings,
    open_fact_extractor,
    open_knowledge_and_facts,
)
from winnow.app.wiring.history import (
    HistoryConfig,
    candidate_limits,
    model_endpoint,
    open_history,
    open_host,
    open_model,
)
from winnow.app.wiring.live_homes import live_actuator, live_states
from winnow.errors import (
    ConfigError,
    EmbedderError,
    HomeNotFound,
    Phrase,
    Problem,
    StoreError,
    TableError,
    TaxonomyError,
)
from winnow.ports.services import Chat, Embedder, Source, run_blocking
from winnow.ports.stores import Catalog, Storage, SystemClock
from winnow.types.document import KnowledgeSettings
from winnow.types.home import Device, Home, Override, Scene
from winnow.types.query import Taxonomy
from winnow.types.scope import Scope
from winnow.types.state import ImportedHome, ImportReport, Snapshot
from winnow.types.utterance import LanguageCode

if TYPE_CHECKING:
    from winnow.adapters.platforms.simulated.home import Faults, SimulatedHome
    from winnow.adapters.stores.partitions import PartitionBy
    from winnow.adapters.stores.store import SqlStore
    from winnow.app.config.files import ActingConfig
    from winnow.engine.engine import Engine
    from winnow.engine.persons import PersonData
    from winnow.engine.policy import Policy
    from winnow.types.plan import ActingRules

HomeSource = Home | ImportedHome | Path | str
"""Where a home is: itself, a store's file, a folder of payloads, or ``example:NAME``."""


def open_store(settings: Settings) -> SqlStore:
    """The configured store, created or migrated when needed. Raises StoreError."""
    from winnow.adapters.stores.audit import AuditSettings
    from winnow.adapters.stores.store import SqlStore

    ledger = AuditSettings(settings.audit_key.encode(), settings.audit_keep, settings.data / "audit")
    return SqlStore.open(settings.store_location, SystemClock(), wait=settings.wait, ledger=ledger)


def copy_store(source: Path, target: Path, wait: float) -> None:
    """Put what one store's file holds at this moment in the place of the other's. Raises StoreError."""
    from winnow.adapters.stores.copies import copy_file

    target.parent.mkdir(parents=True, exist_ok=True)
    copy_file(source, target, wait)


def check_store(path: Path) -> None:
    """Look through a copy of a store that nobody uses, and bring it up to this version. Raises StoreError."""
    from winnow.adapters.stores.copies import check_file
    from winnow.adapters.stores.store import SqlStore

    check_file(path)
    SqlStore.open(path, SystemClock()).close()


def store_address(settings: Settings) -> str:
    """The store's file or URL, without a password. Raises StoreError."""
    from winnow.adapters.stores.connection import store_place

    return str(store_place(settings.store_location))


def store_sql(partitions: int = 0, by: PartitionBy = "tenant", *, citus: bool = False) -> list[str]:
    """The statements that make the tables on PostgreSQL, put them into partitions, or spread them."""
    from winnow.adapters.stores import partitions as distribution

    if partitions:
        return list(distribution.partition_tables(partitions, by))
    return list(distribution.distribute_tables() if citus else distribution.create_tables())


def sqlite_version() -> tuple[int, ...]:
    """Version of the SQLite library that Python brought along."""
    import sqlite3

    return sqlite3.sqlite_version_info


def open_embedder(settings: Settings | None = None, *, fetch: bool = True) -> Embedder:
    """The model of the settings, where they name one, else the offline embedder.

    Raises ConfigError, EmbedderError.

    ``fetch``: whether a model for this process may be downloaded when its files are not here.
    """
    if settings is None or not settings.model_embedding:
        return open_offline_embedder()[0]
    return open_model(settings, settings.model_embedding, fetch=fetch)


def open_offline_embedder() -> tuple[Embedder, str]:
    """The embedder that needs no server, and why it is not the one that knows meaning (empty: it is)."""
    from winnow.adapters.models.embedders import StaticEmbedder

    try:
        return StaticEmbedder(), ""
    except TableError as error:
        from winnow.adapters.models.embedders import HashingEmbedder

        return HashingEmbedder(), str(error)


def open_builtin_embedder(embedder: Embedder | None = None) -> Embedder:
    """The built-in embedder: the one at hand, where that is it."""
    from winnow.adapters.models.embedders import StaticEmbedder

    return embedder if isinstance(embedder, StaticEmbedder) else open_offline_embedder()[0]


def open_turn_embedder(settings: Settings) -> tuple[Embedder, str]:
    """What devices are found with, and why it is not what was wanted (empty: it is).

    Nothing is asked or fetched from elsewhere.

    A model for this process, where the settings name one that is here; never one of a server, since no turn
    is to wait for it.
    """
    if not settings.local_model:
        return open_offline_embedder()
    try:
        return open_embedder(settings, fetch=False), ""
    except EmbedderError as error:
        # A turn never waits for a download: it falls back and says so in the trace.
        embedder, why = open_offline_embedder()
        return embedder, " ".join(part for part in (str(error), error.hint, why) if part)


def open_chat(settings: Settings) -> Chat | None:
    """The language model of the settings, or None when they name none.

    Nothing is sent before it is asked. Raises ConfigError.
    """
    fast, normal = settings.model_fast or settings.model_normal, settings.model_normal or settings.model_fast
    if not fast:
        return None
    from winnow.adapters.models.openai import OpenAIChat

    return OpenAIChat(model_endpoint(settings), {"fast": fast, "normal": normal})


def read_home(
    source: Path | str, home_id: str = "", language: LanguageCode | None = None, spec: Path | None = None
) -> ImportedHome:
    """The home whose payloads lie in a folder, a ZIP or a file, or one that comes along: ``example:cottage``.

    ``-`` is standard input. Its id is as given, else the file's or the folder's name. Raises HomeImportError.
    """
    from winnow.adapters.platforms.bundle import MAX_FILE_BYTES, example_path
    from winnow.adapters.platforms.registry import load_home

    given = sys.stdin.buffer.read(MAX_FILE_BYTES + 1) if str(source) == "-" else example_path(source)
    return load_home(given, home_id or None, language or "zh", spec)


def read_upload(data: bytes, home_id: str = "", language: LanguageCode | None = None) -> ImportedHome:
    """The home whose payloads are the bytes of a ZIP or a file. Raises HomeImportError."""
    from winnow.adapters.platforms.registry import load_home

    return load_home(data, home_id or None, language or "zh")


def import_path(
    scope: Scope,
    source: Path | str,
    homes: Catalog,
    home_id: str = "",
    language: LanguageCode | None = None,
    spec: Path | None = None,
) -> ImportReport:
    """Read payloads and store them as a home of the tenant.

    Raises HomeImportError, StoreError; then nothing changed.
    """
    from winnow.engine.home_import import home_notes, import_home

    read = read_home(source, home_id, language, spec)
    report = run_blocking(import_home(scope, read, homes))
    return replace(report, notes=home_notes(read.home, read.states))


def find_home(settings: Settings, home_id: str = "") -> Home:
    """The tenant's stored home of that id (empty: the configured one, else the only one).

    Raises HomeNotFound, StoreError.
    """
    from winnow.engine.home_import import with_overrides

    storage = open_store(settings).storage
    known = [info.id for info in run_blocking(storage.homes.list_homes(settings.scope))]
    wanted = home_id or settings.home or (known[0] if len(known) == 1 else "")
    if not wanted:
        raise HomeNotFound("", known)
    scope = settings.scope.at(wanted)
    return with_overrides(
        run_blocking(storage.homes.load_home(scope)), run_blocking(storage.overrides.overrides(scope))
    )


def device_kinds() -> tuple[str, ...]:
    """Every kind a device can be of."""
    from winnow.adapters.platforms.traits import platform_table

    return tuple(platform_table()["kinds"])


def neutral_schema() -> str:
    """The JSON Schema of the neutral format, as text."""
    from importlib.resources import files

    return files("winnow.adapters.platforms").joinpath("neutral.schema.json").read_text("utf-8").rstrip()


def save_override(settings: Settings, home: Home, named: str, told: Override | None) -> str:
    """Keep what was said of one device or room of a stored home, None: forget it; the name it has then.

    The kinds get their more general ones, the room may be named. Raises NoSuchThing, StoreError.
    """
    from winnow.adapters.platforms.traits import with_parents
    from winnow.engine.home_import import find_thing, merge_override, with_overrides, without_override

    thing, scope = find_thing(home, named), settings.scope.at(home.id)
    overrides = open_store(settings).storage.overrides
    known = run_blocking(overrides.overrides(scope))
    if told is None:
        said = without_override(known, thing.id)
    else:
        room = find_thing(home, told.room_id).id if told.room_id else ""
        kinds = with_parents(told.kinds)
        said = merge_override(known, replace(told, thing_id=thing.id, room_id=room, kinds=kinds))
    run_blocking(overrides.save_overrides(scope, said))
    return find_thing(with_overrides(home, said), thing.id).name


def open_persons(settings: Settings, history: HistoryConfig | None = None) -> PersonData:
    """What is stored of persons, and named where a host keeps it. Raises ConfigError, StoreError."""
    from winnow.engine.persons import PersonData

    return PersonData(open_store(settings).storage, host=open_host(history, settings))


def open_engine(  # noqa: PLR0913 - each names another part of an engine, and all have a default
    source: HomeSource | None = None,
    *,
    settings: Settings | None = None,
    chat: Chat | None = None,
    embedder: Embedder | None = None,
    sources: Mapping[str, Source] | None = None,
    history: HistoryConfig | None = None,
    knowledge: KnowledgeConfig | None = None,
    acting: ActingConfig | None = None,
    extract_facts: bool | None = None,
    live: bool = False,
    **policy: Any,
) -> Engine:
    """An engine over a home, a store's file or URL, payloads (folder, JSON, ZIP), ``example:NAME``, as set.

    ``chat``, ``embedder``: in the place of those that ``settings`` name. ``sources``: what else is searched,
    by the source of an intent. ``history``: where messages are, in the place of what ``history.yaml`` says:
    a URL, a mapping of that file's shape, or its path; without either they are in the store. ``knowledge``,
    ``acting``: the same of their files. ``extract_facts``: whether what named persons tell is kept as facts;
    by default what the settings say, which is no. ``live``: linked homes are read and acted on. ``policy``:
    fields of ``winnow.engine.policy.Policy``. Raises ConfigError, HomeImportError, StoreError.
    """
    from winnow.app.config.checks import checked_policy
    from winnow.engine.policy import Policy

    settings = settings or load_settings()
    if extract_facts is not None:
        settings = replace(settings, extract_facts=extract_facts)
    storage = _storage(source, settings)
    meaning, fallback = (embedder, "") if embedder else open_turn_embedder(settings)
    limits = knowledge_settings(knowledge, settings)
    searched = {**_own_sources(history, limits, settings, storage, meaning), **(sources or {})}
    more = checked_policy(policy, Policy)
    ours = _policy(settings, source, acting)
    ours = replace(
        ours, **{"fallback": fallback, "most": candidate_limits(searched), "knowledge": limits, **more}
    )
    check_rule_names(ours.acting, acting, storage, settings, source)
    engine = _engine(storage, meaning, ours, chat, searched, settings, live=live)
    # Deleting a person names what lies in the table of the host, which Winnow only reads.
    engine.host = open_host(history, settings)
    return engine


def _engine(  # noqa: PLR0913 - the parts of an engine
    storage: Storage,
    embedder: Embedder,
    policy: Policy,
    chat: Chat | None,
    searched: Mapping[str, Source],
    settings: Settings,
    *,
    live: bool,
) -> Engine:
    from winnow.engine.engine import Engine
    from winnow.engine.lexicon import LessonLog
    from winnow.engine.sessions import SessionStore

    learning = LessonLog(storage)
    learn = learning.record_turn if settings.learn else None
    talk = SessionStore(storage, confirm_seconds=policy.acting.yes_seconds, learn=learn)
    # Opened here but asked only when rules are unsure: no model, no network.
    chat = chat or open_chat(settings)
    engine = Engine(storage, embedder, policy=policy, chat=chat, talk=talk, sources=searched)
    engine.also.append(learning)
    engine.open_extractor = lambda: open_fact_extractor(storage, open_builtin_embedder(embedder))
    if settings.extract_facts:
        engine.keeper = engine.open_extractor()
    if live:
        engine.states.below = live_states(settings, engine.storage)
        engine.acting.actuator = live_actuator(settings, engine.storage)
    return engine


def _own_sources(
    history: HistoryConfig | None,
    limits: KnowledgeSettings,
    settings: Settings,
    storage: Storage,
    embedder: Embedder,
) -> dict[str, Source]:
    """The sources of a storage: what persons said, their documents and facts, and everybody's documents."""
    table = partial(open_builtin_embedder, embedder)
    return {
        **open_history(history, settings, storage, table),
        **open_knowledge_and_facts(storage, table, limits),
    }


def check_rule_names(
    rules: ActingRules,
    given: ActingConfig | None,
    storage: Storage,
    settings: Settings,
    source: HomeSource | None = None,
) -> None:
    """Whether all homes and things that the rules name are stored, where any home is.

    A rule that names nothing protects nothing. What ``acting.yaml`` says of the configured homes need not fit
    a home that is only looked at in memory. Raises ConfigError with every such name, StoreError.
    """
    from winnow.app.config.files import acting_origin, unknown_names
    from winnow.engine.home_import import with_overrides

    # A rule that names nothing protects nothing, so every name must exist.
    if not rules.names_any or (given is None and not _is_store(source)):
        return
    known: dict[str, set[str]] = {}
    for info in run_blocking(storage.homes.list_homes(settings.scope)):
        scope = settings.scope.at(info.id)
        home = with_overrides(
            run_blocking(storage.homes.load_home(scope)), run_blocking(storage.overrides.overrides(scope))
        )
        things: list[Device | Scene] = [*home.devices, *home.scenes]
        known[info.id] = {name for thing in things for name in (thing.id, thing.name)}
    if known and (problems := unknown_names(rules, known, acting_origin(given, settings))):
        raise ConfigError(problems)


def _policy(settings: Settings, source: HomeSource | None, acting: ActingConfig | None) -> Policy:
    """What the settings say of how turns are gone about; their home is one of the configured store."""
    from winnow.app.config.files import acting_rules
    from winnow.engine.policy import Policy
    from winnow.types.context import ContextOptions, WindowSettings
    from winnow.types.plan import ActionLimits

    window = WindowSettings(
        kind=settings.window,
        turns=settings.window_turns,
        high=settings.window_high,
        low=settings.window_low,
        long=settings.window_long,
        summary=settings.window_summary,
        shift=settings.window_shift,
    )
    options = ContextOptions(
        shares=settings.shares, prefer=settings.prefer, window=window, trim=settings.trim
    )
    return Policy(
        tenant=settings.tenant,
        home=settings.home if source is None else "",
        budget=settings.budget,
        context=settings.context,
        options=options,
        tokenizer=settings.tokenizer,
        language=settings.language,
        acting=acting_rules(acting, settings),
        limits=ActionLimits(
            max_targets=settings.max_targets,
            max_groups=settings.max_groups,
            everywhere=settings.max_everywhere,
            batch=settings.batch_size,
            options=settings.max_options,
            top1_ratio=settings.top1_ratio,
            margin=settings.top1_margin,
            window=settings.evidence_window,
        ),
        bulk_arbitration=settings.bulk_arbitration,
        model_seconds=settings.model_seconds,
        combined=settings.model_combined,
        style="written" if settings.written else "plain",
        metrics=settings.metrics,
        tuning=load_tuning(settings),
        taxonomy=None if settings.taxonomy == "general" else open_taxonomy(settings.taxonomy),
    )


def simulated_copy(home: Home, states: Snapshot, faults: Faults | None = None) -> SimulatedHome:
    """A copy of the home that does what it is told, beginning with ``states``, failing as ``faults`` tell."""
    from winnow.adapters.platforms.simulated.home import NO_FAULTS, SimulatedHome

    return SimulatedHome(home, states, SystemClock(), faults or NO_FAULTS)


def rehearse_on_copy(
    engine: Engine, home: Home | None = None, states: Snapshot | None = None
) -> SimulatedHome:
    """The same as what the engine acts on; nothing of it comes into the audit log of the real home.

    ``home`` and ``states``: by default the engine's only home as it was imported. Raises HomeNotFound.
    """
    from winnow.adapters.stores.store import memory_storage

    home = home or engine.sync.load_home().home
    if states is None:
        states = run_blocking(engine.storage.states.read(Scope(engine.policy.tenant, home=home.id)))
    # States and acts of the copy together: an act must be seen by the next question.
    copy = engine.states.below = engine.acting.actuator = simulated_copy(home, states)
    # Nothing of a rehearsal belongs into the audit log of the real home.
    engine.acting.record_in(memory_storage(SystemClock()).audit)
    return copy


def rehearse_on_copies(engine: Engine) -> None:
    """Let the engine act on copies of its homes, each made when it is first spoken to.

    Nothing of it comes into the audit log of the real homes.
    """
    from winnow.adapters.platforms.simulated.homes import SimulatedHomes
    from winnow.adapters.stores.store import memory_storage

    async def load(scope: Scope) -> Home:
        return (await engine.load_home(scope.home, scope.tenant)).home

    copies = SimulatedHomes(load, engine.storage.states, SystemClock())
    engine.states.below = engine.acting.actuator = copies
    engine.acting.record_in(memory_storage(SystemClock()).audit)


def open_taxonomy(name: str) -> Taxonomy:
    """The taxonomy of the package or of the file of that name. Raises TaxonomyError."""
    from winnow.understand.intent.taxonomy import names, read_taxonomy, taxonomy

    path = Path(name).expanduser()
    if name in names() or not (path.suffix or path.is_file()):
        return taxonomy(name)
    try:
        return read_taxonomy(path.read_text("utf-8-sig"), path.name)
    except (OSError, UnicodeDecodeError) as error:
        raise TaxonomyError(
            [Problem(name, "", Phrase("cannot be read: {why}", why=getattr(error, "strerror", "not text")))]
        ) from None


def _is_store(source: HomeSource | None) -> bool:
    """Whether it is a store, not a home or a folder of payloads that is read into memory."""
    from winnow.adapters.platforms.bundle import example_path

    if isinstance(source, Home | ImportedHome):
        return False
    return source is None or "://" in str(source) or example_path(source).is_file()


def _storage(source: HomeSource | None, settings: Settings) -> Storage:
    from winnow.adapters.platforms.bundle import example_path
    from winnow.adapters.stores.store import memory_storage

    if source is None:
        return open_store(settings).storage
    if isinstance(source, Home | ImportedHome):
        return memory_storage(SystemClock(), source, tenant=settings.tenant)
    if isinstance(source, str) and "://" in source:
        return open_store(replace(settings, store=source)).storage
    path = example_path(source)
    if path.is_dir() or (path.is_file() and _is_payload_file(path)):
        return memory_storage(SystemClock(), read_home(path), tenant=settings.tenant)
    if path.is_file():
        return open_store(replace(settings, store=str(path))).storage
    raise StoreError(
        Phrase("There is neither a store nor a folder of payloads at {path}.", path=path),
        hint="Check the path, or import a home first.",
    )


def _is_payload_file(path: Path) -> bool:
    """Whether the file begins as JSON or as a ZIP does, and is no store."""
    # Told by its content: a store and an export may both be called home.db.
    with path.open("rb") as file:
        begins = file.read(64).removeprefix(b"\xef\xbb\xbf").lstrip()
    return begins.startswith((b"{", b"[", b"PK\x03\x04", b"\xff\xfe", b"\xfe\xff"))
