"""What a model says about the intent of a turn, checked against the taxonomy and the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args

from winnow.language.normalise import language_of
from winnow.types.completion import Ask
from winnow.types.dialogue import Language, Turn
from winnow.types.intent import Both, Intent, Source, Taxonomy
from winnow.understand.asks.prompts import messages, passed, turns

UNSURE = 0.75
"""Confidence of the rules below which a model is asked. Fixed phrases (thanks, a greeting, a yes) stand above
it: no call for those."""
TRUST = 0.9
"""Confidence of a model's answer that passed."""


def doubtful(intent: Intent) -> bool:
    """Whether a model may be asked: what the home understood, and what fixed phrases say, is settled."""
    return intent.source != "devices" and intent.confidence < UNSURE


def intent_schema(taxonomy: Taxonomy) -> dict[str, object]:
    """The JSON schema of the answer; classes are those of the taxonomy."""
    fields: dict[str, object] = {
        "need_retrieval": {"type": "boolean"},
        "source": {"type": "string", "enum": list(get_args(Source))},
        "label": {"type": "string", "enum": [c.id for c in taxonomy.classes]},
    }
    return {
        "type": "object",
        "properties": fields,
        "required": ["need_retrieval", "label"],
        "additionalProperties": False,
    }


def intent_ask(query: str, history: Sequence[Turn], rules: Intent, taxonomy: Taxonomy) -> Ask[Intent]:
    """What a model is asked.

    The classes, when to look something up and when not, the history and the turn (seed 002).
    """
    language = language_of(query)
    asked = messages(
        "intent", language, {"query": query, "history": turns(history)}, **told(taxonomy, language)
    )

    def accept(answer: Mapping[str, Any]) -> Intent | None:
        return passed(intended(answer, rules, taxonomy), "intent")

    return Ask("intent", asked, intent_schema(taxonomy), accept)


def told(taxonomy: Taxonomy, language: Language) -> dict[str, str]:
    """The taxonomy as lines of a prompt."""
    classes = (
        f"- {c.id} ({c.source}): {'; '.join(_of(c.when, language) or _of(c.name, language))}"
        for c in taxonomy.classes
    )
    return {
        "classes": "\n".join(classes),
        "needed": "\n".join(f"- {line}" for line in _of(taxonomy.retrieve, language)),
        "needless": "\n".join(f"- {line}" for line in _of(taxonomy.skip, language)),
    }


def intended(answer: Mapping[str, object], rules: Intent, taxonomy: Taxonomy) -> Intent | str:
    """The intent that follows, its source that of its class, or why the answer is void.

    ``contradiction``: its class and its yes or no do not go together.
    """
    needed, label = answer.get("need_retrieval") is True, str(answer.get("label"))
    known = next((c for c in taxonomy.classes if c.id == label), None)
    if known is None or (known.source == "none") == needed:
        return "contradiction"
    return replace(
        rules,
        need_retrieval=needed,
        source=known.source,
        label=label,
        confidence=TRUST,
        reason="model",
        by="model",
    )


def _of(both: Both, language: Language) -> tuple[str, ...]:
    return (both.zh or both.en) if language == "zh" else (both.en or both.zh)
