"""Whether private results answer a question, and how relevant each is: computed and calibrated."""

from winnow.recall.sufficiency.enough import sufficiency, weights_of
from winnow.recall.sufficiency.relevance import graded, relevance

__all__ = ["graded", "relevance", "sufficiency", "weights_of"]
