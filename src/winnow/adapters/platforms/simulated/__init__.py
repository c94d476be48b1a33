"""A simulated home in memory, whose devices obey, or fail as they are told to."""
