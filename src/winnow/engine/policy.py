"""The settings of an engine that hold for all its turns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from winnow.retrieve.documents import PRIVATE_DOCUMENTS, PUBLIC_DOCUMENTS
from winnow.types.candidate import SourceRow
from winnow.types.context import AS_CONFIGURED, NO_TUNING, ContextOptions, Tuning
from winnow.types.document import KnowledgeSettings
from winnow.types.plan import DEFAULT_LIMITS, ActingRules, ActionLimits
from winnow.types.query import QueryStyle, Taxonomy
from winnow.types.scope import DEFAULT_TENANT
from winnow.types.utterance import LanguageCode


@dataclass(frozen=True, slots=True)
class Policy:
    """How an engine goes about its turns."""

    tenant: str = DEFAULT_TENANT
    """Whose homes are meant where an utterance names no tenant."""
    home: str = ""
    """Id of the home that is meant where an utterance names none; empty: the only one."""
    budget: int = 250
    """Tokens of a briefing, at most; in a context, of its section on devices."""
    context: int = 4000
    """Tokens of all messages of a context and the schemas of tools together, at most."""
    options: ContextOptions = AS_CONFIGURED
    """How the messages of a context are put together, where a call says nothing else."""
    tokenizer: str = ""
    """What counts them: a counter's name (``winnow.language.tokens``); empty: the exact one, if installed."""
    knowledge: KnowledgeSettings = field(default_factory=KnowledgeSettings)
    """How much of each tier is asked for, and when what is private suffices."""
    language: LanguageCode | None = None
    """Language of replies where an utterance asks for none; None: that of its words."""
    acting: ActingRules = field(default_factory=ActingRules)
    """How acts are gone about, and what wants a yes."""
    limits: ActionLimits = DEFAULT_LIMITS
    """What is done about a set without asking."""
    found: int = 5
    """Candidates asked of each source beside the home."""
    most: Mapping[str, int] = field(default_factory=dict)
    """Candidates asked of a source, where it is another number; ``knowledge`` says it of documents."""
    bulk_arbitration: bool = False
    """Whether the model may choose between the acts a set may be meant for."""
    model_seconds: float = 8.0
    """How long each call of the model is waited for."""
    combined: bool = False
    """Whether the model is asked for intent and standalone query in one call."""
    style: QueryStyle = "plain"
    """How standalone queries are written: as a person would say them, or in written language."""
    taxonomy: Taxonomy | None = None
    """The classes turns fall into; None: the general ones."""
    metrics: bool = False
    """Whether turns are counted in the store, and accounts of each person's last ones kept there."""
    tuning: Tuning = NO_TUNING
    """What feedback taught, where a person switched it on."""
    fallback: str = ""
    """Why the embedder is not the one that was wanted; the trace says so."""

    def limit_of(self, source: SourceRow) -> int:
        """Candidates that are asked of a source, at most."""
        limits = {
            PRIVATE_DOCUMENTS.name: self.knowledge.private_most,
            PUBLIC_DOCUMENTS.name: self.knowledge.public_most,
            **self.most,
        }
        return limits.get(source.name, source.most or self.found)
