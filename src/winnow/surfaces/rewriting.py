"""``winnow rewrite``: the standalone query, and where its words come from."""

from __future__ import annotations

from collections.abc import Sequence

from winnow.say.messages import message
from winnow.types.dialogue import Language, Turn
from winnow.types.rewrite import Rewrite, Span

SHOWN = 40
"""Characters of a turn that are shown."""


def told(found: Rewrite, history: Sequence[Turn], language: Language) -> list[str]:
    """The query, then a line for each span: what it took the place of, and the turn it comes from."""
    if not found.changed:
        return [found.query, f"  {message('rewrite_unchanged', language)} ({found.reason})"]
    return [
        found.query,
        *(_line(span, history[span.turn], language) for span in found.spans),
        f"  ({found.reason}, {found.confidence:.2f})",
    ]


def _line(span: Span, turn: Turn, language: Language) -> str:
    content = " ".join(turn.content.split())
    shown = content if len(content) <= SHOWN else content[:SHOWN] + "…"
    code = (
        "rewrite_replaced" if span.replaced.strip() else "rewrite_added" if span.text else "rewrite_dropped"
    )
    return "  " + message(
        code,
        language,
        text=span.text,
        replaced=span.replaced.strip(),
        number=span.turn + 1,
        role=turn.role,
        turn=shown,
    )
