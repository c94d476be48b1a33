"""Winnow finds the smallest sufficient context for an agent: broad in, strict out."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from winnow.assemble.compress import compress
    from winnow.assemble.shares import ContextBudget
    from winnow.engine import Engine
    from winnow.errors import HomeNotFound, NoOpenQuestion, NoSuchState, WinnowError
    from winnow.types.attempt import Attempt
    from winnow.types.briefing import Briefing, Retrieval
    from winnow.types.catalog import Home
    from winnow.types.completion import Completion
    from winnow.types.compression import Compressed, Item
    from winnow.types.context import Context, ContextOptions, WindowSettings
    from winnow.types.dialogue import Turn, Utterance
    from winnow.types.document import Document
    from winnow.types.fact import Fact
    from winnow.types.feedback import Feedback
    from winnow.types.history import Columns, HostTable
    from winnow.types.intent import Intent
    from winnow.types.message import Message
    from winnow.types.metrics import Metrics
    from winnow.types.receipt import Receipt
    from winnow.types.ref import Ref
    from winnow.types.scope import Scope
    from winnow.types.shortlist import Candidate, Shortlist
    from winnow.types.state import Snapshot
    from winnow.types.understanding import Understanding
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
    from winnow.wiring import open_engine as open  # noqa: A004 - winnow.open(...) is how it reads

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
    "assemble.compress": "compress",
    "assemble.shares": "ContextBudget",
    "engine": "Engine",
    "errors": "HomeNotFound NoOpenQuestion NoSuchState WinnowError",
    "types.attempt": "Attempt",
    "types.briefing": "Briefing Retrieval",
    "types.catalog": "Home",
    "types.completion": "Completion",
    "types.compression": "Compressed Item",
    "types.context": "Context ContextOptions WindowSettings",
    "types.dialogue": "Turn Utterance",
    "types.document": "Document",
    "types.fact": "Fact",
    "types.feedback": "Feedback",
    "types.history": "Columns HostTable",
    "types.intent": "Intent",
    "types.message": "Message",
    "types.metrics": "Metrics",
    "types.receipt": "Receipt",
    "types.ref": "Ref",
    "types.scope": "Scope",
    "types.shortlist": "Candidate Shortlist",
    "types.state": "Snapshot",
    "types.understanding": "Understanding",
    "types.verdict": "Act Call Clarify Confirm Nothing NotUnderstood Query Refuse Verdict",
}
_PLACES = {name: (f"winnow.{room}", name) for room, names in _ROOMS.items() for name in names.split()}
_PLACES["open"] = ("winnow.wiring", "open_engine")


def __getattr__(name: str) -> object:
    """One of the nouns above, loaded on first use so that importing the package costs nothing."""
    if name not in _PLACES:
        raise AttributeError(f"module 'winnow' has no attribute {name!r}")
    room, noun = _PLACES[name]
    return getattr(import_module(room), noun)


def __dir__() -> list[str]:
    """The nouns a caller needs."""
    return sorted(__all__)
