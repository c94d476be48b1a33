"""Winnow finds the smallest sufficient context for an agent: broad in, strict out."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from winnow.adapters.stores.host.messages import HostMessages
    from winnow.adapters.stores.host.table_inspection import check_table, guess_tables
    from winnow.app.trace import compact_trace, full_trace, trace_schema
    from winnow.app.wiring.engine import open_embedder, rehearse_on_copy
    from winnow.app.wiring.engine import open_engine as open  # noqa: A004 - winnow.open(...) is how it reads
    from winnow.context.build import build_context
    from winnow.context.compress.compress import compress
    from winnow.context.more import MORE_TOOL, missing_data
    from winnow.context.parts import ContextParts
    from winnow.context.shares import ContextBudget
    from winnow.engine.engine import Engine
    from winnow.engine.replies import receipt_sentences
    from winnow.engine.tool_calls import ToolResult
    from winnow.engine.tool_replies import StreamedReply, ToolReplies
    from winnow.errors import (
        DocumentsUnread,
        HomeNotFound,
        MessageError,
        NoOpenQuestion,
        NoSuchState,
        WinnowError,
    )
    from winnow.types.candidate import Candidate, Ref, Shortlist
    from winnow.types.context import Completion, Compressed, Context, ContextOptions, Item, WindowSettings
    from winnow.types.document import Document
    from winnow.types.fact import Fact
    from winnow.types.feedback import Feedback, Metrics
    from winnow.types.home import Home
    from winnow.types.message import HostColumns, HostTable, Message
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
    from winnow.understand.intent.classify import intent_of
    from winnow.understand.intent.taxonomy import read_taxonomy
    from winnow.understand.rewrite.rewrite import rewrite

__all__ = [
    "MORE_TOOL",
    "Act",
    "Attempt",
    "Briefing",
    "Call",
    "Candidate",
    "Clarify",
    "Completion",
    "Compressed",
    "Confirm",
    "Context",
    "ContextBudget",
    "ContextOptions",
    "ContextParts",
    "Document",
    "DocumentsUnread",
    "Engine",
    "Fact",
    "Feedback",
    "Home",
    "HomeNotFound",
    "HostColumns",
    "HostMessages",
    "HostTable",
    "Intent",
    "Item",
    "Message",
    "MessageError",
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
    "StreamedReply",
    "ToolReplies",
    "ToolResult",
    "Turn",
    "Understanding",
    "Utterance",
    "Verdict",
    "WindowSettings",
    "WinnowError",
    "__version__",
    "build_context",
    "check_table",
    "compact_trace",
    "compress",
    "full_trace",
    "guess_tables",
    "intent_of",
    "missing_data",
    "open",
    "open_embedder",
    "read_taxonomy",
    "receipt_sentences",
    "rehearse_on_copy",
    "rewrite",
    "trace_schema",
]
__version__ = "0.1.0"
_ROOMS = {
    "adapters.stores.host.messages": "HostMessages",
    "adapters.stores.host.table_inspection": "check_table guess_tables",
    "app.trace": "compact_trace full_trace trace_schema",
    "app.wiring.engine": "open_embedder rehearse_on_copy",
    "context.build": "build_context",
    "context.compress.compress": "compress",
    "context.more": "MORE_TOOL missing_data",
    "context.parts": "ContextParts",
    "context.shares": "ContextBudget",
    "engine.engine": "Engine",
    "engine.replies": "receipt_sentences",
    "engine.tool_calls": "ToolResult",
    "engine.tool_replies": "StreamedReply ToolReplies",
    "errors": "DocumentsUnread HomeNotFound MessageError NoOpenQuestion NoSuchState WinnowError",
    "types.candidate": "Candidate Ref Shortlist",
    "types.context": "Completion Compressed Context ContextOptions Item WindowSettings",
    "types.document": "Document",
    "types.fact": "Fact",
    "types.feedback": "Feedback Metrics",
    "types.home": "Home",
    "types.message": "HostColumns HostTable Message",
    "types.query": "Intent",
    "types.receipt": "Receipt",
    "types.retrieval": "Attempt Briefing Retrieval Understanding",
    "types.scope": "Scope",
    "types.state": "Snapshot",
    "types.utterance": "Turn Utterance",
    "types.verdict": "Act Call Clarify Confirm NotUnderstood Nothing Query Refuse Verdict",
    "understand.intent.classify": "intent_of",
    "understand.intent.taxonomy": "read_taxonomy",
    "understand.rewrite.rewrite": "rewrite",
}
_PLACES = {name: (f"winnow.{room}", name) for room, names in _ROOMS.items() for name in names.split()}
_PLACES["open"] = ("winnow.app.wiring.engine", "open_engine")


def __getattr__(name: str) -> object:
    """One of the nouns above, loaded on first use so that importing the package costs nothing."""
    if name not in _PLACES:
        raise AttributeError(f"module 'winnow' has no attribute {name!r}")
    room, noun = _PLACES[name]
    found: object = getattr(import_module(room), noun)
    if name == "Engine":  # not at import: loading the engine costs more than most who import the package need
        found.open = staticmethod(_open_engine)  # type: ignore[attr-defined]
    return found


def _open_engine(*source: Any, **wanted: Any) -> Engine:
    """The same as ``winnow.open``. Raises what it raises."""
    return import_module("winnow.app.wiring.engine").open_engine(*source, **wanted)  # type: ignore[no-any-return]


def __dir__() -> list[str]:
    """The nouns a caller needs."""
    return sorted(__all__)
