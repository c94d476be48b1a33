"""Prompts about intent and rewriting, and the checks of what a model answers to them."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from string import Template
from typing import Any, TypeVar, get_args

from winnow.language.encode import INVISIBLE, compact_json
from winnow.language.registry import language_of, prompt_text
from winnow.types.context import Ask
from winnow.types.query import Bilingual, Intent, IntentSource, Rewrite, Taxonomy
from winnow.types.utterance import LanguageCode, Turn
from winnow.understand.rewrite.rewrite import unsaid

# The prompts of ``prompts/*.md`` of each language, with ``$names`` for what is filled in.

T = TypeVar("T")
log = logging.getLogger(__name__)
MAX_TEXT_CHARS = 400
"""Characters of a turn that a model gets to see."""


@cache
def template(purpose: str, language: LanguageCode) -> Template:
    """The prompt of ``purpose`` in ``language``."""
    return Template(prompt_text(purpose, language))


def messages(
    purpose: str, language: LanguageCode, asked: Mapping[str, object], **filled: str
) -> list[dict[str, str]]:
    """System and user message.

    ``asked`` goes in as JSON, so that nothing in it can pass for an instruction.
    """
    return [
        {"role": "system", "content": template(purpose, language).substitute(filled)},
        {"role": "user", "content": compact_json(asked, MAX_TEXT_CHARS)},
    ]


def turns(history: Sequence[Turn]) -> list[dict[str, str]]:
    """The history as data for a prompt."""
    return [{"role": turn.role, "text": turn.content} for turn in history]


def passing_value(value: T | str, purpose: str) -> T | None:
    """The value a check let pass; a text is the reason why it did not, and goes to the debug log."""
    if isinstance(value, str):
        log.debug("a model's answer to %s is void: %s", purpose, value)
        return None
    return value


UNSURE = 0.75
"""Confidence of the rules below which a model is asked. Fixed phrases (thanks, a greeting, a yes) stand above
it: no call for those."""
MODEL_CONFIDENCE = 0.9
"""Confidence of a model's answer that passed."""


def doubtful(intent: Intent) -> bool:
    """Whether a model may be asked: what the home understood, and what fixed phrases say, is settled."""
    return intent.source != "devices" and intent.confidence < UNSURE


def intent_schema(taxonomy: Taxonomy) -> dict[str, object]:
    """The JSON schema of the answer; classes are those of the taxonomy."""
    fields: dict[str, object] = {
        "need_retrieval": {"type": "boolean"},
        "source": {"type": "string", "enum": list(get_args(IntentSource))},
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
        "intent", language, {"query": query, "history": turns(history)}, **taxonomy_lines(taxonomy, language)
    )

    def accept(answer: Mapping[str, Any]) -> Intent | None:
        return passing_value(model_intent(answer, rules, taxonomy), "intent")

    return Ask("intent", asked, intent_schema(taxonomy), accept)


def taxonomy_lines(taxonomy: Taxonomy, language: LanguageCode) -> dict[str, str]:
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


def model_intent(answer: Mapping[str, object], rules: Intent, taxonomy: Taxonomy) -> Intent | str:
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
        confidence=MODEL_CONFIDENCE,
        reason="model",
        by="model",
    )


def _of(both: Bilingual, language: LanguageCode) -> tuple[str, ...]:
    return (both.zh or both.en) if language == "zh" else (both.en or both.zh)


# A rewrite by a model counts only if it adds no word that nobody said.

LONGEST_REWRITING = 300
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
        return passing_value(rewritten(answer, query, history), "rewrite")

    return Ask("rewrite", asked, SCHEMA, accept)


def rewritten(answer: Mapping[str, object], query: str, history: Sequence[Turn]) -> Rewrite | str:
    """The rewrite that follows, or why the answer is void.

    ``empty``, ``too_long``, ``several_sentences``, ``invented``.
    """
    value = answer.get("query")
    text = " ".join(INVISIBLE.sub("", value).split()) if isinstance(value, str) else ""
    if not text:
        return "empty"
    if len(text) > max(LONGEST_REWRITING, len(query)):
        return "too_long"
    if _sentences(text) > max(1, _sentences(query)) or _LIST.match(text):
        return "several_sentences"
    if unsaid(text, query, history):
        return "invented"
    return Rewrite(text, text != query, (), "model", MODEL_CONFIDENCE, "model")


def _sentences(text: str) -> int:
    return 1 + len(_ENDS.findall(text))


# Intent and rewriting in one call (seed 002, open question 3).


@dataclass(frozen=True, slots=True)
class Prepared:
    """Both halves; a half that did not pass is None, and the rules' own stands."""

    intent: Intent | None
    rewrite: Rewrite | None


def prepare_ask(query: str, history: Sequence[Turn], rules: Intent, taxonomy: Taxonomy) -> Ask[Prepared]:
    """The one question for both."""
    language = language_of(query)
    asked = messages(
        "prepare", language, {"query": query, "history": turns(history)}, **taxonomy_lines(taxonomy, language)
    )

    def accept(answer: Mapping[str, Any]) -> Prepared | None:
        intent = passing_value(model_intent(answer, rules, taxonomy), "prepare: intent")
        again = passing_value(rewritten(answer, query, history), "prepare: rewrite")
        return Prepared(intent, again) if intent or again else None

    return Ask("prepare", asked, prepare_schema(taxonomy), accept)


def prepare_schema(taxonomy: Taxonomy) -> dict[str, object]:
    """The JSON schema of the answer."""
    schema = intent_schema(taxonomy)
    fields = {**schema["properties"], "query": {"type": "string"}}  # type: ignore[dict-item]
    return {**schema, "properties": fields, "required": [*fields]}
