"""Evaluation cases in, predictions out. A task is one row of ``tasks.TASKS``."""
