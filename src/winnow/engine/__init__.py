"""The conductor: turns, sessions, homes, acts and tool calls, put together from the stages."""
