"""What a model meant: the predictions of the task ``json``.

Its cases are outputs of a model that was asked whether to look something up, and what.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from winnow.consult.jsonish import read
from winnow.surfaces.cases import Row

SCHEMA = {
    "type": "object",
    "properties": {"need_rag": {"type": "boolean"}, "query": {"type": "string"}},
    "required": ["need_rag", "query"],
}


@dataclass(frozen=True, slots=True)
class OutputCase:
    """One output of a model."""

    id: str
    text: str


def output_case(row: Row) -> OutputCase:
    """``id, text``. Raises CaseError."""
    return OutputCase(row.need("id"), row.get("text", str, None))


def predict(case: OutputCase) -> dict[str, Any]:
    """The object; words without any object are the query themselves.

    Looking up once too often does less harm than not at all.
    """
    found = read(case.text, SCHEMA)
    bare = not found.problems and found.value is None and case.text.strip()
    return {"object": {"need_rag": True, "query": case.text.strip()} if bare else found.value}
