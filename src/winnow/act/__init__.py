"""Act on a verdict or an agent's calls: check, refresh, execute, observe, undo."""
