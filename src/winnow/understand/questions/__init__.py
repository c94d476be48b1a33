"""What a turn wants to know of the home."""
