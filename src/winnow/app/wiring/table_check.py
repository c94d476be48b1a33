"""Inspects where a person's messages are stored, before a history is configured."""

from __future__ import annotations

from dataclasses import replace

from winnow.app.config.settings import Settings
from winnow.app.wiring.history import history_settings, open_messages
from winnow.errors import Phrase, StoreError
from winnow.ports.stores import Storage
from winnow.types.message import HistorySettings, HostReport, HostTable, TableSurvey

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
