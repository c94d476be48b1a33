"""Servers of models: presets for each kind of server, text prefixes, and one endpoint as it is configured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

from winnow.errors import ConfigError, Phrase, Problem
from winnow.language.tables import table
from winnow.retrieve.embedding_batches import EmbeddingLimits
from winnow.types.vector import TextKind

# What a model wants to stand before questions and before passages, from ``prefixes.yaml``.

NO_PREFIXES: Mapping[TextKind, str] = {"question": "", "passage": ""}


def prefixes_of(model: str) -> Mapping[TextKind, str]:
    """The prefix of each kind of text for the model of that name; empty where it wants none."""
    name = model.lower()
    for row in table("winnow.adapters.models", "prefixes.yaml"):
        if any(fnmatchcase(name, pattern) for pattern in row["names"]):
            return {"question": row["question"], "passage": row["passage"]}
    return NO_PREFIXES


OTHER_PRESET = "other"


@dataclass(frozen=True, slots=True)
class ModelEndpoint:
    """A server and how it is spoken to. Its key is in no representation."""

    url: str
    """Without a slash at the end."""
    formats: tuple[str, ...] = ("none",)
    """Kinds of ``response_format`` for JSON, best first."""
    batch: int = 32
    """Texts in one embedding request."""
    tokens: int = 100_000
    """Tokens in one embedding request."""
    text_tokens: int = 8_000
    """Tokens of one text that are embedded."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Further fields of a chat request."""
    key: str = field(default="", repr=False)
    seconds: float = 8.0
    """How long one answer may take, retries included."""
    connect_seconds: float = 2.0
    """How long a connection may take to come about."""
    retries: int = 2
    """Requests after the first one, when a fault may pass."""
    concurrency: int = 4
    """Requests at one time."""
    max_answer_bytes: int = 4_000_000
    """Bytes of an answer that are read; vectors may take more."""

    @property
    def limits(self) -> EmbeddingLimits:
        """What one embedding request holds at most."""
        return EmbeddingLimits(self.batch, self.tokens, self.text_tokens, self.concurrency)


def configured_endpoint(server: str, **settings: Any) -> ModelEndpoint:
    """The server of that preset or URL with ``settings`` (of ``ModelEndpoint``). Raises ConfigError."""
    known = _preset_table()
    is_url = server.startswith(("http://", "https://"))
    if not is_url and server not in preset_names():
        problem = Phrase("must be a URL or one of {names}, not {given!r}", names=preset_names(), given=server)
        raise ConfigError([Problem("", "model_server", problem)])
    preset = known[OTHER_PRESET if is_url else server]
    url = (server if is_url else preset["url"]).rstrip("/")
    sizes = {name: preset[name] for name in ("batch", "tokens", "text_tokens") if name in preset}
    return ModelEndpoint(url, tuple(preset["formats"]), extra=preset.get("extra", {}), **sizes, **settings)


def preset_names() -> tuple[str, ...]:
    """Names that can be configured."""
    return tuple(name for name in _preset_table() if name != OTHER_PRESET)


def _preset_table() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = table("winnow.adapters.models", "presets.yaml")
    return found
