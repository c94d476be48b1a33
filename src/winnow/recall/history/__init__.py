"""A person's earlier messages: which of them matter for a question, and which are out of date."""

from winnow.recall.history.index import HistoryIndex, build_history
from winnow.recall.history.rank import likely, questions, recall_history
from winnow.recall.history.tuned import PLAIN, Tuning

__all__ = ["PLAIN", "HistoryIndex", "Tuning", "build_history", "likely", "questions", "recall_history"]
