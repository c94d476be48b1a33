"""Statements of both languages as claims, and which of them a later one supersedes.

By rules of language, without any model: docs/decisions/0038.
"""
