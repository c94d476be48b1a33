"""Statements of persons: what each is about, what a later one is to an earlier one, and what holds.

By rules of language and a small fitted layer over them, without any model: docs/decisions/0048.
"""
