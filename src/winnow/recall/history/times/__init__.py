"""When: times in questions and messages, as days that narrow a search without ever closing it."""

from winnow.recall.history.times.index import TimeIndex, asked_times, asks_for_time, time_scores, when_scores
from winnow.recall.history.times.spans import Anchor, Span, anchors, spans
from winnow.recall.history.times.weights import TimeWeights

__all__ = [
    "Anchor",
    "Span",
    "TimeIndex",
    "TimeWeights",
    "anchors",
    "asked_times",
    "asks_for_time",
    "spans",
    "time_scores",
    "when_scores",
]
