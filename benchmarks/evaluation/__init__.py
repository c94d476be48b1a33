"""Evaluation cases in, predictions out; a task is a row of ``run.TASKS``."""
