"""A home in memory whose devices do what they are told, or fail at it as they were made to."""
