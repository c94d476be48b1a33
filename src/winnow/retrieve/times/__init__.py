"""Times in questions and messages as spans of days, which narrow a search without ever closing it."""
