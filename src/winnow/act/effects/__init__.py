"""Effects of commands on states: expected, observed, reversed, dangerous. Pure; the tables are data."""
