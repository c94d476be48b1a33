"""What people say to a home, by the act they want: to learn from, and a third kept apart to measure."""
