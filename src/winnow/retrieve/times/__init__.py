"""When: times in questions and messages, as days that narrow a search without ever closing it."""
