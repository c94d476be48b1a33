"""The nouns of Winnow: frozen dataclasses, standard library only.

Each stage takes one of these and returns the next; the chain of values is the trace.
"""
