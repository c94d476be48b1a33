"""A parse tree of a sentence -> the queries it orders."""
