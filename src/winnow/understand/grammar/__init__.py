"""The grammar as data, and the parser that finds the cheapest tree of a sentence by it."""
