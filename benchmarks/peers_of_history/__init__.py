"""Histories against the retrievers people use today.

Runs in an environment of its own: ``make bench-peers``.
"""
