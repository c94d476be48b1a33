"""Whether the messages that are configured can be read, as ``winnow doctor`` tells it."""

from __future__ import annotations

from winnow.config import Settings
from winnow.errors import ConfigError, Phrase


def remembered(settings: Settings) -> str:
    """Where messages are, how they are searched, and what is advised.

    Raises ConfigError with all that stands in the way, StoreError.
    """
    from winnow.config.history import load_history
    from winnow.sources.advice import settings_advice
    from winnow.surveys import report_of

    found = load_history(settings)
    if found is None:
        return "none configured; Winnow's own store is searched"
    if not found.enabled:
        return "switched off"
    report = report_of(found)
    if report.problems:
        raise ConfigError(report.problems)
    where = found.host.table if found.host else "Winnow's own store"
    how = found.strategy if found.type == "dynamic" else found.type
    status = Phrase("{table}, searched by {strategy}", table=where, strategy=how)
    advice = [one.text for one in (*settings_advice(found), *report.advice)]
    return Phrase("{parts}", parts=[status, *advice])
