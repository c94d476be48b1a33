"""Winnow finds the smallest sufficient context for an agent: broad in, strict out."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from winnow.app.wiring.engine import open_engine as open  # noqa: A004 - winnow.open(...) is how it reads
    from winnow.context.compress.compress import compress
    from winnow.context.shares import ContextBudget
    from winnow.engine.engine import Engine
    from winnow.errors import HomeNotFound, NoOpenQuestion, NoSuchState, WinnowError
    from winnow.types.candidate import Candidate, Ref, Shortlist
    from winnow.types.context import Completion, Compressed, Context, ContextOptions, Item, WindowSettings
    from winnow.types.document import Document
    from winnow.types.fact import Fact
    from winnow.types.feedback import Feedback, Metrics
    from winnow.types.home import Home
    from winnow.types.message import Columns, HostTable, Message
    from winnow.types.query import Intent
    from winnow.types.receipt import Receipt
    from winnow.types.retrieval import Attempt, Briefing, Retrieval, Understanding
    from winnow.types.scope import Scope
    from winnow.types.state import Snapshot
    from winnow.types.utterance import Turn, Utterance
    from winnow.types.verdict import (
        Act,
        Call,
        Clarify,
        Confirm,
        Nothing,
        NotUnderstood,
        Query,
        Refuse,
        Verdict,
    )

__all__ = [
    "Act",
    "Attempt",
    "Briefing",
    "Call",
    "Candidate",
    "Clarify",
    "Columns",
    "Completion",
    "Compressed",
    "Confirm",
    "Context",
    "ContextBudget",
    "ContextOptions",
    "Document",
    "Engine",
    "Fact",
    "Feedback",
    "Home",
    "HomeNotFound",
    "HostTable",
    "Intent",
    "Item",
    "Message",
    "Metrics",
    "NoOpenQuestion",
    "NoSuchState",
    "NotUnderstood",
    "Nothing",
    "Query",
    "Receipt",
    "Ref",
    "Refuse",
    "Retrieval",
    "Scope",
    "Shortlist",
    "Snapshot",
    "Turn",
    "Understanding",
    "Utterance",
    "Verdict",
    "WindowSettings",
    "WinnowError",
    "__version__",
    "compress",
    "open",
]
__version__ = "0.1.0"
_ROOMS = {
    "context.compress.compress": "compress",
    "context.shares": "ContextBudget",
    "engine.engine": "Engine",
    "errors": "HomeNotFound NoOpenQuestion NoSuchState WinnowError",
    "types.candidate": "Candidate Ref Shortlist",
    "types.context": "Completion Compressed Context ContextOptions Item WindowSettings",
    "types.document": "Document",
    "types.fact": "Fact",
    "types.feedback": "Feedback Metrics",
    "types.home": "Home",
    "types.message": "Columns HostTable Message",
    "types.query": "Intent",
    "types.receipt": "Receipt",
    "types.retrieval": "Attempt Briefing Retrieval Understanding",
    "types.scope": "Scope",
    "types.state": "Snapshot",
    "types.utterance": "Turn Utterance",
    "types.verdict": "Act Call Clarify Confirm NotUnderstood Nothing Query Refuse Verdict",
}
_PLACES = {name: (f"winnow.{room}", name) for room, names in _ROOMS.items() for name in names.split()}
_PLACES["open"] = ("winnow.app.wiring.engine", "open_engine")


def __getattr__(name: str) -> object:
    """One of the nouns above, loaded on first use so that importing the package costs nothing."""
    if name not in _PLACES:
        raise AttributeError(f"module 'winnow' has no attribute {name!r}")
    room, noun = _PLACES[name]
    return getattr(import_module(room), noun)


def __dir__() -> list[str]:
    """The nouns a caller needs."""
    return sorted(__all__)
