"""Trains the table of the static embedder: ``python -m training.embedder.train``."""
