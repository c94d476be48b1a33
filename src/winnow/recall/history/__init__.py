"""A person's earlier messages: which of them matter for a question, and which are out of date."""

from winnow.recall.history.index import HistoryIndex, build_history
from winnow.recall.history.rank import data_of, likely, questions, recall_history
from winnow.recall.history.tuned import PLAIN, Tuning

__all__ = [
    "PLAIN",
    "HistoryIndex",
    "Tuning",
    "build_history",
    "data_of",
    "likely",
    "questions",
    "recall_history",
]
