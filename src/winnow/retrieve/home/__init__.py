"""What of a home a sentence may mean: devices, their commands, what tells of a condition."""
