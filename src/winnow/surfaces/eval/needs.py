"""Whether a turn needs anything looked up: the predictions of the task ``need_retrieval``."""

from __future__ import annotations

from typing import Any

from winnow.surfaces.cases import QuestionCase
from winnow.understand.intent import intent_of


def predict(case: QuestionCase) -> dict[str, Any]:
    """The decision of the rules, and what led to it."""
    found = intent_of(case.utterance.text, case.utterance.history)
    return {
        "need_retrieval": found.need_retrieval,
        "source": found.source,
        "label": found.label,
        "act": found.act,
        "confidence": round(found.confidence, 3),
        "reason": found.reason,
    }
