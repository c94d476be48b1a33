"""What files of the data folder may hold: ``acting``, ``tuning``, ``knowledge`` and ``history.yaml``."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping
from dataclasses import fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, get_args
from zoneinfo import ZoneInfo

from winnow.app.config import checks
from winnow.app.config.checks import FASTEMBED, Check, SectionReader, days, list_of_texts, one_of, read_yaml
from winnow.app.config.settings import Settings
from winnow.errors import ConfigError, Phrase, Problem
from winnow.types.context import NO_TUNING, Part, Tuning
from winnow.types.document import Enough, KnowledgeSettings
from winnow.types.message import HistorySettings, HostColumns, HostTable, VectorBackend, VectorDistance
from winnow.types.plan import DANGERS, ActingRules, DangerRule, Rules

ACTING_FILE = "acting.yaml"


ActingConfig = ActingRules | Mapping[str, Any] | Path | str
"""Rules, what ``acting.yaml`` would hold, or the path of such a file."""


def acting_rules(given: ActingConfig | None, settings: Settings) -> ActingRules:
    """What is given, else what is configured, else the defaults. Raises ConfigError."""
    if isinstance(given, ActingRules):
        return given
    if isinstance(given, str | Path):
        return read_acting(Path(given).expanduser(), settings)
    return load_acting(settings) if given is None else acting_of(given, settings, origin="acting")


def acting_origin(given: ActingConfig | None, settings: Settings) -> str:
    """Where those rules stand, as problems with them name it."""
    if isinstance(given, str | Path):
        return str(Path(given).expanduser())
    return str(_path(settings)) if given is None else "acting"


def unknown_names(rules: ActingRules, known: Mapping[str, Collection[str]], origin: str) -> list[Problem]:
    """Homes and things that the rules name and that are not there.

    ``known``: id of each home -> ids and names of its devices and scenes.
    """
    anywhere = {name for names in known.values() for name in names}
    problems = [_unknown(origin, f"homes.{home}", home, known) for home in rules.homes if home not in known]
    for path, home, own in _sections_of(rules):
        names = known.get(home, anywhere)
        problems += [_unknown(origin, f"{path}things.{n}", n, names) for n in own.things if n not in names]
    return problems


def _sections_of(rules: ActingRules) -> Iterator[tuple[str, str, Rules]]:
    """Path, home (empty: any) and rules of each section."""
    yield "", "", rules.rules
    yield from ((f"homes.{home}.", home, own) for home, own in rules.homes.items())
    yield from ((f"users.{user}.", "", own) for user, own in rules.users.items())


def _unknown(origin: str, path: str, name: str, known: Collection[str]) -> Problem:
    near = get_close_matches(name, known, n=1, cutoff=0.6)
    if near:
        return Problem(origin, path, Phrase("nothing is called so; {near} is there", near=near[0]))
    return Problem(origin, path, "nothing is called so; use an id or an exact name: winnow home show")


def load_acting(settings: Settings, env: Mapping[str, str] | None = None) -> ActingRules:
    """What is set of acts, else the defaults. Raises ConfigError with every problem at once.

    How long a yes is waited for is what the settings say, unless the file says something else.
    """
    path = _path(settings)
    if settings.acting or path.is_file():
        return read_acting(path, settings, env)
    return ActingRules(yes_seconds=settings.confirm_seconds)


def _path(settings: Settings) -> Path:
    return Path(settings.acting).expanduser() if settings.acting else settings.data / ACTING_FILE


def read_acting(path: Path, settings: Settings, env: Mapping[str, str] | None = None) -> ActingRules:
    """What the file says. Raises ConfigError."""
    return acting_of(read_yaml(path, ACTING_SHAPE), settings, env, str(path))


def acting_of(
    given: Mapping[str, Any], settings: Settings, env: Mapping[str, str] | None = None, origin: str = ""
) -> ActingRules:
    """The same from data of that shape; ``origin`` is named in problems. Raises ConfigError."""
    reader = SectionReader(origin, os.environ if env is None else env)
    rules = _rules(given, reader, "", {key: ACTING_SHAPE[key] for key in ("times", "homes", "users")})
    homes, users = (_sections(given.get(key), reader, key) for key in ("homes", "users"))
    times = _under("times.", dict(reader.leaves({"times": given.get("times")}, ACTING_SHAPE, "")))
    if reader.problems:
        raise ConfigError(reader.problems)
    # The older setting confirm_seconds holds where the file says nothing.
    begun = ActingRules(yes_seconds=settings.confirm_seconds)
    return replace(begun, rules=rules, homes=homes, users=users, **times)


def _rules(given: Mapping[str, Any], reader: SectionReader, at: str, beside: Mapping[str, Any]) -> Rules:
    """The rules that stand at a place; ``beside`` is read by others."""
    things = _by_name(given.get("things"), reader, f"{at}things")
    own = {key: value for key, value in given.items() if key not in beside}
    shape = {**RULES_SHAPE, "things": dict.fromkeys(things, ANSWER), **beside}
    found = dict(reader.leaves({**own, "things": things}, shape, at.removesuffix(".")))
    named = {part: _under(f"{at}{part}.", found) for part in ("dangers", "things")}
    return Rules(named["dangers"], named["things"], found.get(f"{at}many", 0))


def _sections(given: Any, reader: SectionReader, key: str) -> dict[str, Rules]:
    """Name of a home or person -> the rules that stand under it."""
    found = {}
    for name, rules in _by_name(given, reader, key).items():
        if isinstance(rules, Mapping | None):
            found[name] = _rules(rules or {}, reader, f"{key}.{name}.", {})
        else:
            reader.note(f"{key}.{name}", MUST_HOLD_NAMES)
    return found


def _by_name(given: Any, reader: SectionReader, path: str) -> dict[str, Any]:
    """What stands under names that are the person's own; a name of digits is a name."""
    if isinstance(given, Mapping):
        return {str(name): value for name, value in given.items()}
    if given is not None:
        reader.note(path, MUST_HOLD_NAMES)
    return {}


def _under(section: str, found: Mapping[str, Any]) -> dict[str, Any]:
    """Setting -> value, of those whose places begin so."""
    return {place[len(section) :]: value for place, value in found.items() if place.startswith(section)}


def _names(value: object) -> object:
    """Taken as it is: read by the functions above."""
    return value


MUST_HOLD_NAMES = "must hold names, each with what is set for it"
ANSWER: Check = one_of(*get_args(DangerRule))
RULES_SHAPE: Mapping[str, Any] = {
    "dangers": dict.fromkeys(DANGERS, ANSWER),
    "things": _names,
    "many": checks.count,
}
"""What may stand at the top, and under a home or a person."""
ACTING_SHAPE: Mapping[str, Any] = {
    **RULES_SHAPE,
    "homes": _names,
    "users": _names,
    "times": {
        "yes_seconds": checks.seconds,
        "plan_seconds": checks.positive_seconds,
        "fresh_seconds": checks.seconds,
        "silent_hours": checks.seconds,
        "at_once": checks.count,
        "tries": checks.count,
        "call_seconds": checks.positive_seconds,
        "seen_seconds": checks.seconds,
        "act_seconds": checks.positive_seconds,
    },
}
"""The shape of the file: section -> setting -> what it may be."""


# Tuned weights and shares that feedback proposed: the file that the setting ``tuned`` names.

TUNING_TABLES = ("ranking", "shares")


def load_tuning(settings: Settings) -> Tuning:
    """What the file says; nothing where none is named. Raises ConfigError with every problem at once."""
    if not settings.tuned:
        return NO_TUNING
    import yaml  # whoever has no such file need not wait for it

    path = Path(settings.tuned).expanduser()
    try:
        given = yaml.safe_load(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        why = getattr(error, "strerror", None) or error
        raise ConfigError([Problem(str(path), "", Phrase("not readable as YAML: {why}", why=why))]) from error
    if not isinstance(given, dict):
        raise ConfigError([Problem(str(path), "", "must be a mapping")])
    if problems := [Problem(str(path), where, why) for where, why in _problems(given)]:
        raise ConfigError(problems)
    return Tuning(**given)


def _problems(given: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    known = tuple(one.name for one in fields(Tuning))
    for name, value in given.items():
        if name not in known:
            yield str(name), Phrase("unknown setting; known are {known}", known=known)
        elif name in TUNING_TABLES:
            if not isinstance(value, dict):
                yield name, "must be a mapping"
                continue
            bad = [key for key, figure in value.items() if not _is_number(figure)]
            yield from ((f"{name}.{key}", "must be a number") for key in bad)
        elif not _is_number(value):
            yield name, "must be a number"
    yield from _share_problems(given.get("shares"))


def _share_problems(shares: object) -> Iterator[tuple[str, str]]:
    """Whether they name parts of a budget and are together at most the whole."""
    if not isinstance(shares, dict) or not all(map(_is_number, shares.values())):
        return
    parts = get_args(Part)
    yield from (
        (f"shares.{key}", Phrase("unknown setting; known are {known}", known=parts))
        for key in shares
        if key not in parts
    )
    if min(shares.values(), default=0) < 0 or sum(shares.values()) > 1 + 1e-9:
        yield "shares", "must be parts of a whole: none below 0, together at most 1"


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


# How documents are searched and when public ones are needed: ``knowledge.yaml``, after seed 004.

KNOWLEDGE_FILE = "knowledge.yaml"


def load_knowledge(settings: Settings, env: Mapping[str, str] | None = None) -> KnowledgeSettings:
    """What is set of documents, else the defaults. Raises ConfigError with every problem at once."""
    path = Path(settings.knowledge).expanduser() if settings.knowledge else settings.data / KNOWLEDGE_FILE
    if settings.knowledge or path.is_file():
        return read_knowledge(path, env)
    return KnowledgeSettings()


def read_knowledge(path: Path, env: Mapping[str, str] | None = None) -> KnowledgeSettings:
    """What the file says. Raises ConfigError."""
    return knowledge_of(read_yaml(path, KNOWLEDGE_SHAPE), env, str(path))


def knowledge_of(
    given: Mapping[str, Any], env: Mapping[str, str] | None = None, origin: str = ""
) -> KnowledgeSettings:
    """The same from data of that shape; ``origin`` is named in problems. Raises ConfigError."""
    reader = SectionReader(origin, os.environ if env is None else env)
    found = {FIELD_OF_PATH[path]: value for path, value in reader.leaves(given, KNOWLEDGE_SHAPE, "")}
    if reader.problems:
        raise ConfigError(reader.problems)
    # From 0.7 on a result is kept in any case; whoever sets a figure wants nothing below it
    limits = {name.replace("least", "limit"): found[name] for name in SET_LIMITS & found.keys()}
    return replace(KnowledgeSettings(), **found, **limits)


def _domains(value: object) -> Mapping[str, tuple[str, ...]]:
    if not isinstance(value, Mapping):
        raise TypeError("must hold domains, each with a list of words")
    return {checks.non_empty_text(name): list_of_texts(words or ()) for name, words in value.items()}


KNOWLEDGE_SHAPE: Mapping[str, Mapping[str, Any]] = {
    "private": {"enabled": checks.boolean, "max_results": checks.count, "min_relevance": checks.share},
    "public": {
        "enabled": checks.boolean,
        "max_results": checks.count,
        "min_relevance": checks.share,
        "glance": checks.boolean,
        "domains": _domains,
    },
    "sufficiency": {
        "by": one_of(*get_args(Enough)),
        "min_result_count": checks.count,
        "min_coverage_score": checks.share,
        "min_confidence_score": checks.share,
    },
    "ranking": {
        **dict.fromkeys(("least_share", "nothing_below", "nothing_at_all_below"), checks.share),
        "half_life_days": days,
    },
}
"""The shape of the file: section -> setting -> what it may be."""
SET_LIMITS = frozenset({"private_least", "public_least"})
"""Fields that are limits for whoever sets them."""
FIELD_OF_PATH = {
    "private.enabled": "private",
    "private.max_results": "private_most",
    "private.min_relevance": "private_least",
    "public.enabled": "public",
    "public.max_results": "public_most",
    "public.min_relevance": "public_least",
    "public.glance": "glance",
    "public.domains": "domains",
    "sufficiency.by": "enough_by",
    "sufficiency.min_result_count": "enough_results",
    "sufficiency.min_coverage_score": "enough_coverage",
    "sufficiency.min_confidence_score": "enough_confidence",
    "ranking.least_share": "least_share",
    "ranking.nothing_below": "nothing_below",
    "ranking.nothing_at_all_below": "nothing_at_all_below",
    "ranking.half_life_days": "half_life_days",
}
"""Place of a setting -> field of ``KnowledgeSettings``."""


# Where a person's messages are and how they are searched: ``history.yaml``, in the shape of seed 003.

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
    columns, host = _section_of(found, "messages.columns"), _section_of(found, "messages")
    search = {**_section_of(found, "vector_search"), **_section_of(found, "vector_search.dynamic")}
    if host or columns or reader.env.get(URL_VARIABLE):
        host.setdefault("url", reader.env.get(URL_VARIABLE, ""))
        search["host"] = HostTable(columns=HostColumns(**columns), **host)
    search.setdefault("api_key", reader.env.get(KEY_VARIABLE, ""))
    return replace(HistorySettings(), **search, literals=tuple(reader.literals))


def _section_of(found: Mapping[str, Any], section: str) -> dict[str, Any]:
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


def _role_names(value: object) -> Mapping[str, str]:
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
        "roles": _role_names,
        "skip_roles": list_of_texts,
        "deleted_values": list_of_texts,
        "columns": {
            f.name: checks.non_empty_text if f.name in _REQUIRED_COLUMNS else checks.text
            for f in fields(HostColumns)
        },
    },
}
"""The shape of the file: section -> setting -> what it may be."""
