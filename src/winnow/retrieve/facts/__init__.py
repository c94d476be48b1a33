"""Facts of a person: extracted from statements, compared with what is known, merged, ranked.

By rules of language and a small fitted layer over them, without any model: docs/decisions/0048.
"""
