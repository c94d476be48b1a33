"""Whether the messages that are configured can be read, as ``winnow doctor`` tells it."""

from __future__ import annotations

from collections.abc import Iterator

from winnow.config import Settings
from winnow.config.history import load_history
from winnow.errors import ConfigError, Phrase
from winnow.sources.advice import settings_advice
from winnow.surveys import report_of
from winnow.types.history import HistorySettings
from winnow.types.host_report import HostReport


def remembered(settings: Settings) -> str:
    """Where messages are, how they are searched, and what is advised.

    Raises ConfigError with all that stands in the way, StoreError.
    """
    found = load_history(settings)
    if found is None:
        return "none configured; Winnow's own store is searched"
    if not found.enabled:
        return "switched off"
    report = report_of(found)
    if report.problems:
        raise ConfigError(report.problems)
    return Phrase("{parts}", parts=[*_told(found), *_advised(found, report)])


def _told(found: HistorySettings) -> Iterator[str]:
    where = found.host.table if found.host else "Winnow's own store"
    how = found.strategy if found.type == "dynamic" else found.type
    yield Phrase("{table}, searched by {strategy}", table=where, strategy=how)


def _advised(found: HistorySettings, report: HostReport) -> Iterator[str]:
    yield from (advice.text for advice in settings_advice(found))
    yield from (advice.text for advice in report.advice)
