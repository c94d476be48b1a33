"""Intent and rewriting in one call (seed 002, open question 3).

Cheaper than two, and harder to tell which half went wrong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from winnow.language.normalise import language_of
from winnow.types.completion import Ask
from winnow.types.dialogue import Turn
from winnow.types.intent import Intent, Taxonomy
from winnow.types.rewrite import Rewrite
from winnow.understand.asks.deciding import intended, intent_schema, told
from winnow.understand.asks.prompts import messages, passed, turns
from winnow.understand.asks.rewriting import rewritten


@dataclass(frozen=True, slots=True)
class Prepared:
    """Both halves; a half that did not pass is None, and the rules' own stands."""

    intent: Intent | None
    rewrite: Rewrite | None


def prepare_ask(query: str, history: Sequence[Turn], rules: Intent, taxonomy: Taxonomy) -> Ask[Prepared]:
    """The one question for both."""
    language = language_of(query)
    asked = messages(
        "prepare", language, {"query": query, "history": turns(history)}, **told(taxonomy, language)
    )

    def accept(answer: Mapping[str, Any]) -> Prepared | None:
        intent = passed(intended(answer, rules, taxonomy), "prepare: intent")
        again = passed(rewritten(answer, query, history), "prepare: rewrite")
        return Prepared(intent, again) if intent or again else None

    return Ask("prepare", asked, prepare_schema(taxonomy), accept)


def prepare_schema(taxonomy: Taxonomy) -> dict[str, object]:
    """The JSON schema of the answer."""
    schema = intent_schema(taxonomy)
    fields = {**schema["properties"], "query": {"type": "string"}}  # type: ignore[dict-item]
    return {**schema, "properties": fields, "required": [*fields]}
