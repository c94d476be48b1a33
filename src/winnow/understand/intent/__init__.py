"""Intent of a turn: whether it needs retrieval, from where, and of which class it is."""
