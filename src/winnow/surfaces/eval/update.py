"""What a later statement is to an earlier one: the predictions of the task ``update``.

A line holds two statements (``old``, ``new``) or, as logs of preferences do, what was held ``before`` and the
``description`` of what happened, by which it is modified or deleted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from winnow.recall.facts import ends, fact_of, judge
from winnow.surfaces.cases import Row
from winnow.wiring import open_table


@dataclass(frozen=True, slots=True)
class UpdateCase:
    """An earlier and a later statement; ``event``: the later one tells what happened to the earlier."""

    id: str
    old: str
    new: str
    event: bool = False


def update_case(row: Row) -> UpdateCase:
    """``id, old, new``, or ``id, before, description``. Raises CaseError."""
    if "before" not in row.data:
        return UpdateCase(row.need("id"), row.need("old"), row.need("new"))
    held: list[Any] = row.get("before", list, [])
    told = [" ".join(map(str, one.values())) if isinstance(one, dict) else str(one) for one in held]
    return UpdateCase(row.need("id"), "\n".join(told), row.need("description"), event=True)


def predictor() -> Callable[[UpdateCase], dict[str, Any]]:
    """What predicts ``label``, and for two statements the rule that decided."""
    table = open_table()

    def predict(case: UpdateCase) -> dict[str, Any]:
        if case.event:
            return {"label": "delete" if ends(case.old, case.new) else "modify"}
        told = judge(fact_of(case.old), fact_of(case.new), table)
        return {"label": told.relation, "reason": told.reason, "confidence": round(told.confidence, 3)}

    return predict
