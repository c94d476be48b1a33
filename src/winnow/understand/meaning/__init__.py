"""The grammar: the words of one sentence -> what it orders."""
