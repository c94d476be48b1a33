"""Home Assistant: its registries, states and services."""
