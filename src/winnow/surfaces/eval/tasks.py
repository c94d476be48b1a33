"""The tasks that can be evaluated: how a line of each becomes a case, and what answers it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic

from winnow.surfaces.cases import C, Row, device_case, question_case
from winnow.surfaces.eval import (
    compress,
    devices,
    gold,
    knowledge,
    messages,
    needs,
    objects,
    rewriting,
    update,
)

Predict = Callable[[C], dict[str, Any] | list[dict[str, Any]]]
"""What is predicted for a case, one line or several, without its ``id``.

``ms`` is added unless it says how long it took.
"""


@dataclass(frozen=True, slots=True)
class Task(Generic[C]):
    """One kind of case."""

    read: Callable[[Row], C]
    """The case that a line holds. Raises CaseError."""
    start: Callable[[Path], Predict[C]]
    """What answers cases, given the folder of homes. Called once."""
    homes: bool = False
    """Whether it needs homes."""
    shares: Callable[[Sequence[C], Sequence[Mapping[str, Any]]], Mapping[str, gold.Share]] = lambda *_: {}
    """What predictions are worth beside the gold of their cases; nothing where that is for a scorer alone."""


TASKS: Mapping[str, Task[Any]] = {
    "devices": Task(device_case, lambda homes: devices.Homes(homes).predict, homes=True, shares=gold.shares),
    "need_retrieval": Task(question_case, lambda _: needs.predict),
    "rewrite": Task(question_case, lambda _: rewriting.predict),
    "messages": Task(messages.history_case, lambda _: messages.Histories().predict),
    "knowledge": Task(knowledge.knowledge_case, lambda _: knowledge.Shelves().predict),
    "update": Task(update.update_case, lambda _: update.predictor()),
    "compress": Task(compress.passages_case, lambda _: compress.Compressions().predict),
    "json": Task(objects.output_case, lambda _: objects.predict),
}
