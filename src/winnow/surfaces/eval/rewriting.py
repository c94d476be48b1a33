"""The question that stands alone: the predictions of the task ``rewrite``."""

from __future__ import annotations

from typing import Any

from winnow.surfaces.cases import QuestionCase
from winnow.understand.rewrite import rewrite


def predict(case: QuestionCase) -> dict[str, Any]:
    """The query as rewritten from its history."""
    return {"query": rewrite(case.utterance.text, case.utterance.history).query}
