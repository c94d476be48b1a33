"""What was said anew later: the newest value first, the older marked with what replaced it.

By rules of language, without any model: docs/decisions/0038.
"""
