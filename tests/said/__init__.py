"""What people say to a home, by the act they want: two thirds to learn from, one third kept apart to measure."""
