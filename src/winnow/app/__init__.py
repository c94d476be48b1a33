"""The command line, settings and wiring: how people and programs reach the engine."""
