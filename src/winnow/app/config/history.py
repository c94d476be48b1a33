"""Where a person's messages are and how they are searched: ``history.yaml``, in the shape of seed 003.

``vector_search`` says how, ``messages`` where. Values may name a variable of the environment (``${NAME}``);
what came from one is never shown, nor is any URL or key.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, get_args
from zoneinfo import ZoneInfo

from winnow.app.config import checks
from winnow.app.config.checks import FASTEMBED, Check, SectionReader, days, list_of_texts, one_of, read_yaml
from winnow.app.config.settings import Settings
from winnow.errors import ConfigError, Phrase, Problem
from winnow.types.message import HistorySettings, HostColumns, HostTable, VectorBackend, VectorDistance

HISTORY_FILE = "history.yaml"
URL_VARIABLE, KEY_VARIABLE = "WINNOW_MESSAGES_URL", "WINNOW_MODEL_KEY"
"""Variables that hold what should not stand in a file: the table's URL, the key of the embedding server."""


def load_history(settings: Settings, env: Mapping[str, str] | None = None) -> HistorySettings | None:
    """What is set of histories; None when nothing is. Raises ConfigError with every problem at once."""
    env = os.environ if env is None else env
    path = Path(settings.history).expanduser() if settings.history else settings.data / HISTORY_FILE
    if settings.history or path.is_file():
        return read_history(path, settings, env)
    if env.get(URL_VARIABLE):
        return history_of({}, settings, env, "environment")
    return None


def read_history(path: Path, settings: Settings, env: Mapping[str, str] | None = None) -> HistorySettings:
    """What the file says. Raises ConfigError."""
    return history_of(read_yaml(path, HISTORY_SHAPE), settings, env, str(path))


def history_of(
    given: Mapping[str, Any], settings: Settings, env: Mapping[str, str] | None = None, origin: str = ""
) -> HistorySettings:
    """The same from data of that shape; ``origin`` is named in problems. Raises ConfigError."""
    reader = SectionReader(origin, os.environ if env is None else env)
    history = _history_settings(dict(reader.leaves(given, HISTORY_SHAPE, "")), reader)
    told = {problem.path for problem in reader.problems}
    # A setting that is wrong by itself is reported once, not again for what it contradicts.
    odd = _contradictions(history, settings, origin, "messages" in given)
    reader.problems += (problem for problem in odd if problem.path not in told)
    if reader.problems:
        raise ConfigError(reader.problems)
    if history.host is None:
        return history
    column = history.embedding_field or history.host.columns.vector
    host = replace(history.host, columns=replace(history.host.columns, vector=column))
    return replace(history, host=host, embedding_field=column)


def _history_settings(found: Mapping[str, Any], reader: SectionReader) -> HistorySettings:
    """Settings of what stands at each path, and of what the environment holds in its own variables."""
    columns, host = _under(found, "messages.columns"), _under(found, "messages")
    search = {**_under(found, "vector_search"), **_under(found, "vector_search.dynamic")}
    if host or columns or reader.env.get(URL_VARIABLE):
        host.setdefault("url", reader.env.get(URL_VARIABLE, ""))
        search["host"] = HostTable(columns=HostColumns(**columns), **host)
    search.setdefault("api_key", reader.env.get(KEY_VARIABLE, ""))
    return replace(HistorySettings(), **search, literals=tuple(reader.literals))


def _under(found: Mapping[str, Any], section: str) -> dict[str, Any]:
    """What stands right under a section."""
    parts = ((path.rpartition("."), value) for path, value in found.items())
    return {key: value for (above, _, key), value in parts if above == section}


def _contradictions(
    history: HistorySettings, settings: Settings, origin: str, table_given: bool
) -> Iterator[Problem]:
    """What does not go together."""
    if table_given and not (history.host and history.host.url):
        yield Problem(origin, "messages.url", Phrase("is missing; it may stand in {name}", name=URL_VARIABLE))
    if history.lazy_below > history.batch_above + 1:
        why = Phrase("must not be above batch_above ({most})", most=history.batch_above)
        yield Problem(origin, "vector_search.dynamic.lazy_below", why)
    yield from _incomplete_model(history, settings, origin)
    if history.type == "pgvector":
        yield from _missing_vector_settings(history, origin)


def _incomplete_model(history: HistorySettings, settings: Settings, origin: str) -> Iterator[Problem]:
    """A model without a server, or a server without a model."""
    if _needs_server(history) and not (history.api_url or settings.model_server):
        yield Problem(origin, "vector_search.dynamic.api_url", "is missing: a server has to have the model")
    if history.api_url and not _needs_server(history):
        yield Problem(origin, "vector_search.dynamic.embedding_model", "is missing: which model?")


def _missing_vector_settings(history: HistorySettings, origin: str) -> Iterator[Problem]:
    """What vectors of the host need beside their name."""
    column = history.host.columns.vector if history.host else ""
    if history.host is None:
        yield Problem(origin, "messages", "is missing: pgvector searches the vectors of a table of yours")
    if not history.embedding_field and not column:
        yield Problem(origin, "vector_search.embedding_field", "is missing: the column of the vectors")
    if history.embedding_field and column and history.embedding_field != column:
        why = Phrase("names another column than messages.columns.vector ({column})", column=column)
        yield Problem(origin, "vector_search.embedding_field", why)
    if not history.embedding_dim:
        yield Problem(origin, "vector_search.embedding_dim", "is missing: how many numbers a vector has")


def _needs_server(history: HistorySettings) -> bool:
    """Whether vectors come from a server."""
    return bool(history.embedding_model) and not history.embedding_model.startswith(FASTEMBED)


def _zone(value: object) -> str:
    name = checks.text(value)
    try:
        _ = name and ZoneInfo(name)
    except (KeyError, OSError, ValueError):  # none of that name, a folder of zones, no name of a file
        raise ValueError("must be a time zone such as Asia/Shanghai") from None
    return name


def _names(value: object) -> Mapping[str, str]:
    if not isinstance(value, Mapping):
        raise TypeError("must hold names, each with another")
    return {str(name): checks.text(other) for name, other in value.items()}


DYNAMIC_CHECKS: Mapping[str, Check] = {
    "strategy": one_of("auto", "lazy", "hybrid", "batch"),
    "embedding_model": checks.embedding,
    "api_url": checks.server,
    "api_key": checks.text,
    "candidate_factor": checks.count,
    "lazy_below": checks.whole_number,
    "batch_above": checks.whole_number,
}
_REQUIRED_COLUMNS = ("id", "user", "content")
"""Columns that no table of messages can do without."""
HISTORY_SHAPE: Mapping[str, Mapping[str, Any]] = {
    "vector_search": {
        "enabled": checks.boolean,
        "type": one_of(*get_args(VectorBackend)),
        "dynamic": DYNAMIC_CHECKS,
        "top_k": checks.count,
        "similarity_threshold": checks.share,
        "least_share": checks.share,
        "diversity": checks.share,
        "half_life_days": days,
        "embedding_field": checks.text,
        "embedding_dim": checks.count,
        "distance": one_of(*get_args(VectorDistance)),
    },
    "messages": {
        "url": checks.non_empty_text,
        "table": checks.non_empty_text,
        "schema": checks.text,
        "timezone": _zone,
        "stored_timezone": _zone,
        "roles": _names,
        "skip_roles": list_of_texts,
        "deleted_values": list_of_texts,
        "columns": {
            f.name: checks.non_empty_text if f.name in _REQUIRED_COLUMNS else checks.text
            for f in fields(HostColumns)
        },
    },
}
"""The shape of the file: section -> setting -> what it may be."""
