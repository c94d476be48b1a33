"""How documents are searched and when public ones are needed: ``knowledge.yaml``, after seed 004."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

from winnow.app.config import checks
from winnow.app.config.checks import SectionReader, days, list_of_texts, one_of, read_yaml
from winnow.app.config.settings import Settings
from winnow.errors import ConfigError
from winnow.types.document import Enough, KnowledgeSettings

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
    return replace(KnowledgeSettings(), **found)


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
    "ranking": {"least_share": checks.share, "half_life_days": days},
}
"""The shape of the file: section -> setting -> what it may be."""
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
    "ranking.half_life_days": "half_life_days",
}
"""Place of a setting -> field of ``KnowledgeSettings``."""
