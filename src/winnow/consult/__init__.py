"""Asking a language model, and believing only what passes."""

from winnow.consult.consult import consult, judged
from winnow.consult.watch import Watch

__all__ = ["Watch", "consult", "judged"]
