"""Little first, and more when it is asked for (seed 004, 4.3)."""
