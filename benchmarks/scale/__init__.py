"""A million messages of ten thousand persons: time and memory of a question, and whose rows it sees."""
