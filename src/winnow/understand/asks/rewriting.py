"""What a model makes of a follow-up question, checked.

No word that nobody said, one sentence, else the rules' answer stands (law 8).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from winnow.language.normalise import language_of
from winnow.text.encode import INVISIBLE
from winnow.types.completion import Ask
from winnow.types.dialogue import Turn
from winnow.types.rewrite import Rewrite
from winnow.understand.asks.deciding import TRUST, UNSURE
from winnow.understand.asks.prompts import messages, passed, turns
from winnow.understand.rewrite.unsaid import unsaid

LONGEST = 300
"""Characters of a standalone query; a longer one is an answer or a heap of words."""
_ENDS = re.compile(r"[.!?。！？;；]\s*(?=\S)")
_LIST = re.compile(r"^\s*(?:[-*•]|\d+[.、)])\s")
SCHEMA: Mapping[str, object] = {
    "type": "object",
    "properties": {"query": {"type": "string"}},
    "required": ["query"],
    "additionalProperties": False,
}


def improvable(rules: Rewrite) -> bool:
    """Whether a model may be asked.

    There is a history, and the rules are not sure of what they wrote or left alone.
    """
    return rules.reason != "no_history" and rules.confidence < UNSURE


def rewrite_ask(query: str, history: Sequence[Turn]) -> Ask[Rewrite]:
    """What a model is asked: the turn and the history, and the rules of seed 002."""
    asked = messages("rewrite", language_of(query), {"query": query, "history": turns(history)})

    def accept(answer: Mapping[str, Any]) -> Rewrite | None:
        return passed(rewritten(answer, query, history), "rewrite")

    return Ask("rewrite", asked, SCHEMA, accept)


def rewritten(answer: Mapping[str, object], query: str, history: Sequence[Turn]) -> Rewrite | str:
    """The rewrite that follows, or why the answer is void.

    ``empty``, ``too_long``, ``several_sentences``, ``invented``.
    """
    value = answer.get("query")
    text = " ".join(INVISIBLE.sub("", value).split()) if isinstance(value, str) else ""
    if not text:
        return "empty"
    if len(text) > max(LONGEST, len(query)):
        return "too_long"
    if _sentences(text) > max(1, _sentences(query)) or _LIST.match(text):
        return "several_sentences"
    if unsaid(text, query, history):
        return "invented"
    return Rewrite(text, text != query, (), "model", TRUST, "model")


def _sentences(text: str) -> int:
    return 1 + len(_ENDS.findall(text))
