"""Stand-ins for tests, speed measurements and demonstrations: clock, language model, event loop, homes."""
