"""The two languages, pure.

Their words, numbers, sounds and spellings as data, and what is computed from them.
"""
