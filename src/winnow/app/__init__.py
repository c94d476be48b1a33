"""How people and programs reach Winnow.

Thin: they know the engine and the wiring, and only the command line prints.
"""
