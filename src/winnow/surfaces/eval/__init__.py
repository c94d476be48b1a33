"""Evaluation cases in, predictions out. A task is one row of ``tasks.TASKS``."""

from winnow.surfaces.eval.run import evaluate

__all__ = ["evaluate"]
